package io.ringmaster.engine.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a real Slurm printed. */
class SlurmOutputTest {
  private static String recorded(String name) throws IOException {
    try (InputStream in = SlurmOutputTest.class.getResourceAsStream("/slurm/" + name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static SlurmJob job(String address) throws IOException {
    return SlurmJob.parse(recorded("squeue-22.05.txt"), "~xy~").stream()
        .filter(job -> job.address().equals(address))
        .findAny()
        .orElseThrow();
  }

  @Test
  void whoWritesLinesIntoACommentForgesNoJob() throws IOException {
    assertThat(SlurmJob.parse(recorded("squeue-22.05.txt"), "~xy~"))
        .extracting(SlurmJob::address)
        .containsExactlyInAnyOrder(
            "11", "15", "14", "10", "2_1", "2_3", "3", "12+0", "16", "51", "52", "53");
    assertThat(job("11").comment()).isEqualTo("x\n99~99~R~ forged");
    assertThat(job("11").exitCode()).isEqualTo(7);
    assertThat(job("11").isOver()).isTrue();
  }

  @Test
  void whatAJobAsksFor() throws IOException {
    assertThat(job("10").gpusPerNode()).isEqualTo(2);
    assertThat(job("10").user()).isEqualTo("games");
    assertThat(job("10").isHeld()).isTrue();
    assertThat(job("10").comment()).isEqualTo("ringmaster min=1 max=8");
    assertThat(job("2_1").gpus()).isEqualTo(3);
    assertThat(job("14").gpusPerTask()).isEqualTo(1);
    assertThat(job("14").tasks()).isEqualTo(4);
    assertThat(job("14").timeLimitSeconds()).isEqualTo(26 * 3600);
    assertThat(job("15").tasksPerNode()).isEqualTo(2);
    assertThat(job("15").mayRequeue()).isFalse();
    assertThat(job("12+0").isHeterogeneous()).isTrue();
    assertThat(job("16").nodeList()).containsExactly("n1");
    assertThat(job("16").hasProcesses()).isTrue();
    assertThat(job("3").dependency()).isEqualTo("afterok:1(failed)");
  }

  @Test
  void whatAJobNeedsBesideGpus() throws IOException {
    double mb = SlurmNode.BYTES_PER_MB;
    // Of --cpus-per-gpu=3 --mem-per-gpu=100 --begin=now+5hours
    assertThat(job("51").needs())
        .isEqualTo(new Needs("", "", 1, 3, 0, 100 * mb, "", List.of(), List.of()));
    assertThat(job("51").eligibleSeconds()).isEqualTo(job("51").submitSeconds() + 18_000);
    // Of -C 'big&fast' --gres=gpu:a100:1 --mem=1G -n4 -c2, which is one node, whatever squeue says
    assertThat(job("52").needs())
        .isEqualTo(new Needs("a100", "", 8, 0, 1024 * mb, 0, "big&fast", List.of(), List.of()));
    assertThat(job("52").nodes()).isEqualTo(1);
    // Of -N2 -w n1,n3 --gpus=2 --mem-per-cpu=300
    assertThat(job("53").needs())
        .isEqualTo(new Needs("", "", 2, 0, 600 * mb, 0, "", List.of("n1", "n3"), List.of()));
    // Who does not say how much memory it needs is told with a node's.
    assertThat(job("10").needs().memoryBytes()).isZero();
    assertThat(job("10").eligibleSeconds()).isZero();
  }

  @Test
  void nodes() throws IOException {
    List<SlurmNode> nodes = SlurmNode.parse(recorded("nodes-22.05.txt"));
    assertThat(nodes).extracting(SlurmNode::name).containsExactly("n1", "n2");
    assertThat(nodes.get(0).gpus()).isEqualTo(4);
    assertThat(nodes.get(0).usedGpus()).isEqualTo(2);
    assertThat(nodes.get(0).isUp()).isTrue();
    assertThat(nodes.get(0).cpus()).isEqualTo(16);
    assertThat(nodes.get(0).usedCpus()).isEqualTo(2);
    assertThat(nodes.get(0).memoryBytes()).isEqualTo(4096 * SlurmNode.BYTES_PER_MB);
    assertThat(nodes.get(1).isUp()).isFalse();
    assertThat(nodes.get(1).isResponding()).isTrue();
    assertThat(nodes.get(1).reason()).startsWith("a fan is broken");
    assertThat(nodes.get(1).partitions()).contains("ring");
  }

  /** Of accounting, with seconds, and of the list of completed jobs, in local time. */
  @Test
  void runsThatEnded() {
    String accounted =
        "7|REQUEUED|0:0|1763457000\n7|COMPLETED|0:0|1763457600\n8|COMPLETED|0:0|1763457600\n";
    assertThat(SlurmRun.parse(accounted, 7))
        .containsExactly(
            new SlurmRun("REQUEUED", 143, 1_763_457_000),
            new SlurmRun("COMPLETED", 0, 1_763_457_600));
    assertThat(SlurmRun.parse(accounted, 7))
        .extracting(SlurmRun::endedByItself)
        .containsExactly(false, true);
    SlurmRun completed = SlurmRun.parse("5|FAILED|137:0|2026-11-18T09:17:35\n", 5).getFirst();
    assertThat(completed.exitCode()).isEqualTo(137);
    assertThat((long) completed.startSeconds())
        .isEqualTo(
            LocalDateTime.of(2026, 11, 18, 9, 17, 35)
                .atZone(ZoneId.systemDefault())
                .toEpochSecond());
    assertThat(SlurmRun.parse("9|CANCELLED by 0|0:15|Unknown\n", 9).getFirst())
        .isEqualTo(new SlurmRun("CANCELLED by 0", 143, Double.NaN));
  }

  @Test
  void countsOfGpus() {
    assertThat(SlurmJob.gpus("gpu:a100:4(S:0-1),nic:2")).isEqualTo(4);
    assertThat(SlurmJob.gpus("gres:gpu")).isEqualTo(1);
    assertThat(SlurmJob.gpus("gres/gpu=8")).isEqualTo(8);
    assertThat(SlurmJob.gpus("gpu:a100:2(IDX:0-1),gpu:v100:1(IDX:4)")).isEqualTo(3);
    assertThat(SlurmJob.gpus("gpu:a100")).isEqualTo(1);
    assertThat(SlurmJob.gpus("gpu:0(IDX:N/A)")).isZero();
    assertThat(SlurmJob.gpus("")).isZero();
  }

  @Test
  void times() {
    assertThat(SlurmJob.seconds("10:00")).isEqualTo(600);
    assertThat(SlurmJob.seconds("5")).isEqualTo(300);
    assertThat(SlurmJob.seconds("2-00:00:05")).isEqualTo(172_805);
    assertThat(SlurmJob.seconds("1-12")).isEqualTo(129_600);
    assertThat(SlurmJob.seconds("UNLIMITED")).isNaN();
  }

  @Test
  void namesOfNodes() {
    assertThat(HostList.names("n[1-3,07],gpu4")).containsExactly("n1", "n2", "n3", "n07", "gpu4");
    assertThat(HostList.names("r[1-2]n[08-09]"))
        .containsExactly("r1n08", "r1n09", "r2n08", "r2n09");
    assertThat(HostList.names("(null)")).isEmpty();
  }
}
