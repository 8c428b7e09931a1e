package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What jobs take beside GPUs, in jobs files. */
class DemandsTest {
  private static final String HEADER =
      "job_id,submit_s,gpus,duration_s,model,cpus_per_gpu,memory_gb_per_gpu\n";

  /** Two servers of 8 GPUs, 16 CPUs, 64 GB and a link of 10 Gbit/s. */
  private static Cluster cluster(Network network) {
    List<Server> servers =
        List.of(
            new Server("s1", 8, "v100", "r1", 1.25e9, 37.5e9, 16, 64e9, 300),
            new Server("s2", 8, "v100", "r1", 1.25e9, 37.5e9, 16, 64e9, 300));
    return new Cluster("small", servers, network, 10);
  }

  @TempDir Path dir;

  record Case(String row, String message) {}

  private Jobs read(Cluster cluster, String text) throws IOException {
    Path file = Files.writeString(dir.resolve("jobs.csv"), text);
    return JobsFile.read(file, ModelTable.standard(), cluster);
  }

  @Test
  void areReadAndWritten() throws IOException {
    String text =
        """
        job_id,submit_s,gpus,duration_s,model,cpus_per_gpu,memory_gb_per_gpu
        a,0,4,60,vgg16,2.5,16
        b,1,4,60,,0,0
        c,2,4,60,,4,0
        d,3,4,60,,4,0
        """;
    Jobs jobs = read(cluster(Network.None.USUAL), text.replace(",0,0\n", ",,\n"));
    assertThat(jobs.demand(0)).isEqualTo(new Demand(2.5, 16e9));
    assertThat(jobs.demand(1)).isEqualTo(Demand.NONE);
    assertThat(jobs.demand(2)).isEqualTo(new Demand(4, 0));
    assertThat(jobs.demand(3)).isEqualTo(new Demand(4, 0));
    assertThat(jobs.anyDemand()).isTrue();
    JobsFile.write(dir.resolve("jobs.csv"), jobs);
    assertThat(dir.resolve("jobs.csv")).hasContent(text);
  }

  @Test
  void columnsThatNoJobFillsAreLeftOut() throws IOException {
    Jobs jobs = read(cluster(Network.None.USUAL), HEADER + "a,0,4,60,,0,\n");
    assertThat(jobs.anyDemand()).isFalse();
    JobsFile.write(dir.resolve("jobs.csv"), jobs);
    assertThat(dir.resolve("jobs.csv")).hasContent("job_id,submit_s,gpus,duration_s\na,0,4,60\n");
  }

  /** Jobs may ask for what a cluster does not count: then it does not matter. */
  @Test
  void anyDemandFitsAClusterThatDoesNotCount() throws IOException {
    Jobs jobs =
        read(Cluster.uniform(2, 8, Network.Contention.USUAL, 10), HEADER + "a,0,16,60,,1e9,1e9\n");
    assertThat(jobs.demand(0)).isEqualTo(new Demand(1e9, 1e18));
  }

  static List<Case> bad() {
    return List.of(
        new Case("a,0,1,5,,-1,", "cpus_per_gpu: '-1' is not a number from 0 to 1000000000"),
        new Case("a,0,1,5,,x,", "cpus_per_gpu: 'x' is not a number from 0 to 1000000000"),
        new Case("a,0,1,5,,NaN,", "cpus_per_gpu: 'NaN' is not a number from 0 to 1000000000"),
        new Case(
            "a,0,1,5,,,1.1e9", "memory_gb_per_gpu: '1.1e9' is not a number from 0 to 1000000000"),
        new Case(
            "a,0,1,5,,,64GB", "memory_gb_per_gpu: '64GB' is not a number from 0 to 1000000000"));
  }

  /** 16 CPUs hold two workers of 6, 64 GB three of 20; 20 Gbit/s leave no server. */
  static List<Case> tooMuch() {
    return List.of(
        new Case(
            "a,0,5,5,,6,",
            "cpus_per_gpu: the empty cluster small holds 4 workers with 6 CPUs, not 5; ask for"
                + " fewer CPUs or fewer GPUs"),
        new Case(
            "a,0,7,5,,2,20",
            "memory_gb_per_gpu: the empty cluster small holds 6 workers with 20 GB, not 7; ask for"
                + " less memory or fewer GPUs"),
        new Case(
            "a,0,1,5,,16.5,",
            "cpus_per_gpu: the empty cluster small holds 0 workers with 16.5 CPUs, not 1; ask for"
                + " fewer CPUs or fewer GPUs"),
        new Case(
            "a,0,9,5,vgg16,,",
            "gpus: the empty cluster small holds 8 workers with a ring that reserves 20Gbps, not 9;"
                + " ask for a smaller reservation or fewer GPUs"),
        // Two servers would have the CPUs, and one the GPUs; but none both.
        new Case(
            "a,0,8,5,vgg16,4,0.5",
            "gpus: the empty cluster small holds 4 workers with 4 CPUs, 0.5 GB and a ring that"
                + " reserves 20Gbps, not 8; ask for less of these or fewer GPUs"));
  }

  @ParameterizedTest
  @MethodSource({"bad", "tooMuch"})
  void oneLineThatSaysWhatIsWrong(Case bad) {
    Cluster cluster = cluster(Network.Contention.USUAL.reserving(2.5e9));
    assertThat(Same.message(dir, () -> read(cluster, HEADER + bad.row + "\n")))
        .isEqualTo("jobs.csv:2: column " + bad.message);
  }
}
