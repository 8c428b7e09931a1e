package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Server;
import io.ringmaster.model.Where;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What Slurm 22.05 really printed: five nodes of four GPUs in a partition, the last two in another
 * as well, the last one drained.
 */
class SlurmSiteTest {
  private static final double NOW = 1_794_979_681;
  private static final String NO_ACCOUNTING = "sacct: Slurm accounting storage is disabled";

  private static String recorded(String name) throws IOException {
    try (InputStream in = SlurmSiteTest.class.getResourceAsStream("slurm-22.05/" + name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static SlurmTexts texts() throws IOException {
    return new SlurmTexts(
        recorded("squeue.txt"),
        recorded("node.txt"),
        recorded("partition.txt"),
        recorded("config.txt"),
        "",
        NO_ACCOUNTING);
  }

  private static SlurmSite site(SlurmTexts texts) {
    return SlurmSite.of(texts, NOW, ZoneId.of("UTC"), Map.of());
  }

  private static SeenJob job(SlurmSite site, String id) {
    return site.jobs().stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
  }

  private static String kind(SlurmSite site, String server) {
    return site.cluster().servers().stream()
        .filter(s -> s.name().equals(server))
        .map(Server::gpu)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nodesThatTakeJobsAreServersWithTheirCpus() throws IOException {
    SlurmSite site = site(texts());
    assertThat(site.cluster().servers().stream().map(Server::name))
        .containsExactly("n1", "n2", "n3", "n4");
    assertThat(site.cluster().server(0).gpus()).isEqualTo(4);
    assertThat(site.cluster().server(0).cpus()).isEqualTo(16);
    // CR_CPU: memory is not shared out.
    assertThat(site.cluster().server(0).memoryBytes()).isInfinite();
    assertThat(site.nodes()).hasSize(5);
    // The reason that a person wrote looks like a state.
    assertThat(site.nodes().getLast().whyNot()).isEqualTo("drained: bad fan|x");
    assertThat(site.policy()).isEqualTo(Optional.of("easy"));
  }

  @Test
  void whatAJobHoldsOnEachNodeFollowsFromWhatTheNodesSay() throws IOException {
    SlurmSite site = site(texts());
    assertThat(job(site, "1").gpusByServer()).isEqualTo(Map.of("n1", 3));
    assertThat(job(site, "2").gpusByServer()).isEqualTo(Map.of("n1", 1, "n2", 1));
    assertThat(job(site, "3").gpusByServer()).isEqualTo(Map.of("n2", 2));
    // --gpus-per-task: Slurm packed three of its four on n3.
    assertThat(job(site, "4").gpusByServer()).isEqualTo(Map.of("n2", 1, "n3", 3));
    assertThat(job(site, "5").gpusByServer()).isEqualTo(Map.of("n4", 3));
    assertThat(site.jobs()).noneMatch(job -> job.id().startsWith("unseen"));
  }

  @Test
  void jobsThatWaitAreCutAndPlacedAsAsked() throws IOException {
    SlurmSite site = site(texts());
    SeenJob big = job(site, "6");
    assertThat(big.gpus()).isEqualTo(8);
    assertThat(big.demand().where()).isEqualTo(new Where(Set.of(), 4));
    assertThat(big.limitSeconds()).isEqualTo(7200);
    assertThat(big.user()).isEqualTo("nobody");
    SeenJob tiny = job(site, "18");
    assertThat(tiny.demand().where()).isEqualTo(new Where(Set.of(kind(site, "n4")), 3));
    assertThat(kind(site, "n4")).isNotEqualTo(kind(site, "n1"));
    // Its partition goes before others, whatever the priority.
    assertThat(tiny.priority()).isGreaterThan(big.priority());
    // Parts of a heterogeneous job start together.
    assertThat(job(site, "11").gpus()).isEqualTo(3);
    assertThat(job(site, "13").gpus()).isEqualTo(12);
    assertThat(job(site, "13").demand().where()).isEqualTo(Where.ANY);
    assertThat(site.jobs()).noneMatch(job -> job.id().equals("16"));
  }

  @Test
  void ofAnArrayThatLetsTwoRunAtOnceTwoCompete() throws IOException {
    SlurmSite site = site(texts());
    List<SeenJob> tasks = site.jobs().stream().filter(job -> job.id().startsWith("10_")).toList();
    assertThat(tasks.stream().map(SeenJob::id))
        .containsExactly(
            "10_3", "10_7", "10_11", "10_15", "10_19", "10_23", "10_27", "10_31", "10_35", "10_39");
    assertThat(tasks.stream().filter(job -> job.heldBecause().isEmpty())).hasSize(2);
    assertThat(tasks.getLast().heldBecause())
        .isEqualTo("its array lets 2 of its tasks run at once; it follows when one ends");
  }

  @Test
  void reasonsAreToldInPlainWords() throws IOException {
    SlurmSite site = site(texts());
    assertThat(job(site, "6").heldBecause()).isEmpty();
    assertThat(job(site, "7").heldBecause())
        .isEqualTo("its user holds it; 'scontrol release 7' lets it go (JobHeldUser)");
    assertThat(job(site, "8").heldBecause()).isEqualTo("it waits for job 1 to end well");
    assertThat(job(site, "9").heldBecause())
        .isEqualTo("it is not to begin before 2026-11-18 07:27 (UTC)");
    assertThat(job(site, "15").heldBecause())
        .isEqualTo("it asks for more nodes than its partition has or allows (PartitionNodeLimit)");
    assertThat(job(site, "17").heldBecause())
        .isEqualTo("its partition is down; administrators bring it up (PartitionDown)");
    assertThat(job(site, "19").heldBecause())
        .isEqualTo("of the nodes that it asks for (n5) some take no jobs now");
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    assertThat(site(texts()).notes())
        .containsExactly(
            "nothing is known of jobs that ended (%s): a job may take any time up to its limit, an"
                    .formatted(NO_ACCOUNTING)
                + " hour being usual, so intervals are wide; jobs to come are left out",
            "1 node with 4 GPUs takes no jobs: n5 (drained: bad fan|x)",
            "jobs that ask for no GPU are left out, with the CPUs that they take (1)");
  }

  /** As a user sees it where Slurm hides the jobs of others. */
  @Test
  void gpusThatNoVisibleJobExplainsAreHeldBySomebody() throws IOException {
    SlurmTexts all = texts();
    String own =
        String.join("\n", all.jobs().lines().filter(line -> !line.contains("|root|")).toList());
    SlurmSite site =
        site(
            new SlurmTexts(
                own,
                all.nodes(),
                all.partitions(),
                all.settings().replace("= none", "= jobs,usage"),
                "",
                NO_ACCOUNTING));
    assertThat(job(site, "unseen on n1").gpusByServer()).isEqualTo(Map.of("n1", 3));
    assertThat(job(site, "unseen on n2").gpus()).isEqualTo(3);
    assertThat(job(site, "unseen on n3").gpus()).isEqualTo(3);
    assertThat(job(site, "unseen on n4").gpus()).isEqualTo(3);
    assertThat(site.notes())
        .contains(
            "this Slurm shows each user their own jobs only (PrivateData), and 12 GPUs on 4 nodes"
                + " are held by jobs that you may not see; of others' waiting jobs nothing is"
                + " known, and starts may be later than told");
  }

  @Test
  void thePastComesFromAccounting() throws IOException {
    SlurmTexts all = texts();
    String history =
        """
        JobID|User|Partition|State|Submit|Eligible|Start|End|ElapsedRaw|Timelimit|NNodes|AllocTRES|ReqTRES|NodeList|JobName
        a1|x
        71|ann|debug|COMPLETED|1794970000|1794970000|1794970100|1794970400|300|01:00:00|1|cpu=4,gres/gpu=2,mem=4G,node=1|cpu=4,gres/gpu=2|n4|old
        72|ann|main|RUNNING|1794970000|1794970000|1794970100|Unknown|9000|01:00:00|1|cpu=4,gres/gpu=2|cpu=4,gres/gpu=2|n1|now
        """;
    SlurmSite site =
        site(
            new SlurmTexts(all.jobs(), all.nodes(), all.partitions(), all.settings(), history, ""));
    SeenJob old = job(site, "71");
    assertThat(old.state()).isEqualTo(SeenJob.State.ENDED);
    assertThat(old.lengthSeconds()).isEqualTo(300);
    assertThat(old.demand().where()).isEqualTo(new Where(Set.of(kind(site, "n4")), 2));
    // What runs now is squeue's to tell.
    assertThat(site.jobs()).noneMatch(job -> job.id().equals("72"));
    assertThat(site.notes()).noneMatch(note -> note.contains("nothing is known"));
  }

  @Test
  void aSiteWithoutANodeThatTakesJobsSaysWhy() throws IOException {
    SlurmTexts all = texts();
    String drained = all.nodes().replaceAll("State=MIXED", "State=DOWN*");
    assertThatThrownBy(() ->
            site(
                new SlurmTexts(
                    all.jobs(), drained, all.partitions(), all.settings(), "", NO_ACCOUNTING)))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "none of the 5 nodes with GPUs takes jobs: n1, n2, n3, n4 (down); n5 (drained: bad"
                + " fan|x)");
  }

  @Test
  void newerSlurmWritesResourcesWithASlash() {
    SlurmNode node =
        SlurmNode.read(
                "NodeName=g1 CPUAlloc=96 CPUTot=96 ActiveFeatures=fast,a100 Gres=gpu:a100:8(S:0-1)"
                    + " GresUsed=gpu:a100:6(IDX:0-5) RealMemory=1000 State=MIXED+PLANNED"
                    + " Partitions=gpu,long ")
            .getFirst();
    assertThat(node.gpus()).isEqualTo(8);
    assertThat(node.usedGpus()).isEqualTo(6);
    assertThat(node.gpuType()).isEqualTo("a100");
    assertThat(node.takesJobs()).isTrue();
    assertThat(node.partitions()).containsExactly("gpu", "long");
    assertThat(node.has("fast&a100")).isTrue();
    assertThat(node.has("[h100|a100]")).isTrue();
    assertThat(node.has("h100")).isFalse();
    assertThat(Tres.gpuType("gpu:h100:2")).isEqualTo("h100");
    assertThat(Tres.gpuType("gpu:2")).isEmpty();
  }
}
