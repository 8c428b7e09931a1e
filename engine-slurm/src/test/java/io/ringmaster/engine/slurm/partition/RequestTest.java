package io.ringmaster.engine.slurm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.engine.slurm.client.Needs;
import io.ringmaster.engine.slurm.client.SlurmJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTest {
  static SlurmJob job(String state, boolean isHeld, int restarts, String reason) {
    return job(state, isHeld, restarts, reason, 2, 4, 0, 0);
  }

  private static SlurmJob job(
      String state,
      boolean isHeld,
      int restarts,
      String reason,
      int nodes,
      int perNode,
      int gpus,
      int tasksPerNode) {
    Needs needs = new Needs("", "", nodes, 0, 0, 0, "", List.of(), List.of());
    return job(state, isHeld, restarts, reason, nodes, perNode, gpus, tasksPerNode, needs);
  }

  private static SlurmJob job(
      String state,
      boolean isHeld,
      int restarts,
      String reason,
      int nodes,
      int perNode,
      int gpus,
      int tasksPerNode,
      Needs needs) {
    return new SlurmJob(
        "17",
        17,
        "ring",
        state,
        reason,
        "ada",
        "lab",
        isHeld,
        600,
        1000,
        restarts,
        nodes,
        perNode,
        gpus,
        0,
        nodes,
        tasksPerNode,
        List.of(),
        needs,
        0,
        0,
        "",
        false,
        true,
        true,
        "train.sh",
        "train",
        "");
  }

  private static Request request(int nodes, int perNode, int gpus, int tasksPerNode, String says) {
    return Request.of(job("PD", true, 0, "", nodes, perNode, gpus, tasksPerNode), says);
  }

  @Test
  void whatIsAskedFor() {
    assertThat(request(2, 4, 0, 0, "").gpus()).isEqualTo(8);
    assertThat(request(1, 0, 3, 0, "").text()).isEqualTo("1x3");
    assertThat(request(2, 0, 4, 0, "").text()).isEqualTo("2x2");
    assertThat(request(2, 0, 3, 0, "").text()).isEqualTo("1x3;c=2");
  }

  @Test
  void elasticAndResumableIsWhoSaysSo() {
    Request elastic = request(1, 4, 0, 0, "ringmaster min=1 max=8");
    assertThat(elastic.minGpus()).isEqualTo(1);
    assertThat(elastic.maxGpus()).isEqualTo(8);
    assertThat(elastic.resumable()).isTrue();
    assertThat(request(1, 4, 0, 0, "#RINGMASTER min=9").minGpus()).isEqualTo(4);
    assertThat(request(1, 4, 0, 0, "a thesis").resumable()).isFalse();
    // Its script counts on its tasks.
    assertThat(request(1, 4, 0, 4, "ringmaster min=1").isElastic()).isFalse();
  }

  @Test
  void textsAreReadBack() {
    for (String says : List.of("", "ringmaster", "ringmaster min=1 max=16")) {
      for (int tasks : new int[] {0, 4}) {
        Request request = request(2, 4, 0, tasks, says);
        assertThat(Request.of(request.text())).isEqualTo(request);
      }
    }
  }

  private static Request needing(int nodes, int perNode, Needs needs) {
    return Request.of(job("PD", true, 0, "", nodes, perNode, 0, 0, needs), "");
  }

  private static Needs features(String text) {
    return new Needs("", "", 1, 0, 0, 0, text, List.of(), List.of());
  }

  private static Needs nodes(String... names) {
    return new Needs("", "", names.length, 0, 0, 0, "", List.of(names), List.of());
  }

  @Test
  void whatIsNeededBesideGpusIsKept() {
    Needs all =
        new Needs(
            "a100", "nvme:1", 8, 3, 4e9, 1e9, "(a|b)&c;d=1", List.of("n1", "n2"), List.of("n3"));
    Request request = needing(2, 2, all);
    assertThat(Request.of(request.text())).isEqualTo(request);
    assertThat(request.text()).doesNotContain("/");
    assertThat(request.cpusPerGpu()).isEqualTo(3);
    assertThat(request.memoryBytesPerGpu()).isEqualTo(1e9);
    // Who names several nodes keeps the shape, and gets them back if Slurm does not start it.
    assertThat(request.isFixed()).isTrue();
    assertThat(request.placed(Allocation.of("n1:4"), ""))
        .containsExactly("numnodes=2-2", "nodelist=n1,n2", "gres=gpu:a100:2,nvme:1");
    assertThat(request.asAsked())
        .containsExactly("numnodes=2-2", "nodelist=n1,n2", "gres=gpu:a100:2,nvme:1");
    assertThat(request(2, 4, 0, 0, "").text()).isEqualTo("2x4");
  }

  @Test
  void whatCannotBeFollowedIsSaid() {
    assertThat(needing(1, 1, features("[a|b]")).whyNot()).contains("-C [a|b]");
    assertThat(needing(1, 1, features("a*2&b")).whyNot()).contains("-C a*2&b");
    assertThat(needing(1, 1, features("(a|b)&c")).whyNot()).isEmpty();
    assertThat(needing(2, 1, nodes("n1")).whyNot()).contains("-N2 -w n1");
    assertThat(needing(2, 1, nodes("n1", "n2")).whyNot()).isEmpty();
  }

  @Test
  void anEvenSplitIsPinned() {
    Request request = request(2, 2, 0, 0, "");
    assertThat(request.placed(Allocation.of("n3:2,n1:2"), ""))
        .containsExactly("numnodes=2-2", "nodelist=n3,n1", "gres=gpu:2");
    assertThat(request.placed(Allocation.of("n3:4"), "now"))
        .containsExactly("numnodes=1-1", "nodelist=n3", "gres=gpu:4", "starttime=now");
  }

  @Test
  void whatSlurmCannotSplitKeepsItsNumberOfGpus() {
    assertThat(request(1, 4, 0, 0, "").placed(Allocation.of("n1:3,n2:1"), ""))
        .containsExactly("numnodes=1-1", "nodelist=", "gres=gpu:4");
    assertThat(request(1, 2, 0, 0, "ringmaster max=8").placed(Allocation.of("n1:3,n2:1"), ""))
        .containsExactly("numnodes=2-2", "nodelist=", "gres=gpu:2");
    assertThat(request(1, 2, 0, 0, "ringmaster max=8").placed(Allocation.of("n1:2,n2:1"), ""))
        .containsExactly("numnodes=1-1", "nodelist=", "gres=gpu:3");
    assertThat(request(2, 2, 0, 2, "").placed(Allocation.of("n1:4"), ""))
        .containsExactly("numnodes=2-2", "nodelist=", "gres=gpu:2");
  }

  @Test
  void verdicts() {
    assertThat(Verdict.of(null, 0, true)).isInstanceOf(Verdict.Forgotten.class);
    assertThat(Verdict.of(job("PD", true, 0, "JobHeldUser"), 0, false))
        .isEqualTo(new Verdict.Held());
    assertThat(Verdict.of(job("PD", false, 0, "Priority"), 0, false))
        .isInstanceOf(Verdict.Waits.class);
    assertThat(Verdict.of(job("PD", false, 0, "Resources"), 0, false))
        .isEqualTo(new Verdict.Blocked("Slurm made it wait: Resources"));
    assertThat(Verdict.of(job("PD", false, 0, "BadConstraints"), 0, false))
        .isInstanceOf(Verdict.Impossible.class);
    assertThat(Verdict.of(job("R", true, 0, ""), 0, true)).isEqualTo(new Verdict.Runs());
    assertThat(Verdict.of(job("PD", true, 0, "JobHeldAdmin"), 0, true))
        .isInstanceOf(Verdict.Forgotten.class);
    assertThat(Verdict.of(job("CG", true, 1, ""), 0, true)).isEqualTo(new Verdict.Runs());
    assertThat(Verdict.of(job("PD", true, 1, "held"), 0, true))
        .isInstanceOf(Verdict.Requeued.class);
    assertThat(Verdict.of(job("CD", true, 0, ""), 0, true)).isEqualTo(new Verdict.Ended(0, ""));
    assertThat(Verdict.of(job("NF", true, 0, ""), 0, true)).isInstanceOf(Verdict.Lost.class);
  }

  @Test
  void dependenciesAreLookedAtByTheStatesOfOthers() {
    assertThat(PeoplesJobs.waitsFor("afterok:3(unfulfilled)", id -> "R")).contains("afterok:3");
    assertThat(PeoplesJobs.waitsFor("afterok:3(unfulfilled)", id -> "CD")).isEmpty();
    assertThat(
            PeoplesJobs.waitsFor(
                "afterany:3(unfulfilled),afterok:4(unfulfilled)",
                id -> id.equals("4") ? "PD" : "F"))
        .isNotEmpty();
    assertThat(PeoplesJobs.waitsFor("singleton(unfulfilled)", id -> "R")).isEmpty();
  }
}
