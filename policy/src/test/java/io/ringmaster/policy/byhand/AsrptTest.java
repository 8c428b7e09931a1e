package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A-SRPT and what waits for servers: who starts when, and where. */
class AsrptTest {
  private static final Network SHARE = Network.Contention.USUAL.sharing(Pipelining.STEADY);

  /**
   * Two workers exchange 2 x 1e9 x 1/2 = 1e9 bytes. On one server at 1e9 bytes/s that takes 1 s, on
   * two at a GPU's share of the link, 0.5e9, 2 s. Passes take 1 s: an iteration 2 s or 3 s.
   */
  private static final ModelTable MODELS =
      ModelTable.standard().with(List.of(new ModelProfile("talk", 1e9, 1, 0.5, 0.5, "test")));

  /** Two GPUs a server. */
  private static Cluster servers(int count) {
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(s -> new Server(Cluster.serverName(s), 2, "v100", "r1", 1e9, 1e9))
            .toList();
    return new Cluster("pairs", servers, SHARE, 0);
  }

  /**
   * One GPU is busy on each of two servers: a's until 10, b's until 20; d makes b go to the second.
   * The pair p of 100 ideal seconds arrives at 1. Scattered over both it would take 100 x 3/2 = 150
   * s, 50 s more than the 9 s that it waits for the server of a. So it reserves that server for 10
   * and runs from 10 to 110. The single s of 12 s, submitted at 2, would end at 14: not on that
   * server. On the other it starts at once. The single t of 5 s, submitted at 3, ends at 8 and may
   * use it.
   */
  @Test
  void aPairReservesTheServerThatClearsFirst() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 1, 10, "")
            .addDuration("d", 0, 1, 0.7, "")
            .addDuration("b", 0.6, 1, 19.4, "")
            .addDuration("p", 1, 2, 100, "talk")
            .addDuration("s", 2, 1, 12, "")
            .addDuration("t", 3, 1, 5, "")
            .build();
    for (String[] form :
        List.of(
            new String[] {"fifo", "placement=pack", "blocking=false"},
            new String[] {"fifo", "placement=pack"},
            new String[] {"wcs-subtime", "placement=heavy-edge"})) {
      Play run = Play.of(servers(2), jobs, form[0], with(form, "reserve=true"));
      assertThat(run.startSeconds("p")).as(form[0]).isEqualTo(10);
      assertThat(run.finishSeconds("p")).as(form[0]).isEqualTo(110);
      assertThat(run.startSeconds("s")).as(form[0]).isEqualTo(2);
      assertThat(run.startSeconds("t")).as(form[0]).isEqualTo(3);
    }
  }

  private static String[] with(String[] form, String more) {
    List<String> settings = new ArrayList<>(List.of(form).subList(1, form.length));
    settings.add(more);
    return settings.toArray(String[]::new);
  }

  /**
   * On the first server x holds both GPUs until 100, on the second w holds one until 200.5, on the
   * third y one until 90. From 1.5 on two GPUs are free. For p of 100 s they cost 50 s, waiting for
   * the third server 88.5 s.
   */
  @Test
  void aPairStartsScatteredIfWaitingCostsMore() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("x", 0, 2, 100, "")
            .addDuration("u", 0, 2, 0.4, "")
            .addDuration("y", 0, 1, 90, "")
            .addDuration("z", 0.3, 1, 1.2, "")
            .addDuration("w", 0.5, 1, 200, "")
            .addDuration("p", 1, 2, 100, "talk")
            .build();
    Play run = Play.of(servers(3), jobs, "wcs-subtime", "reserve=true");
    assertThat(run.startSeconds("p")).isEqualTo(1.5);
    assertThat(run.finishSeconds("p")).isEqualTo(151.5);
    // a-srpt waits with scattering until the virtual machine has done p: its 2/6 x 100 of work come
    // after z, y and x, at half speed. Before that the third server is clear.
    Play guided = Play.of(servers(3), jobs, "a-srpt");
    assertThat(guided.startSeconds("p")).isEqualTo(90);
  }

  /**
   * One server of two GPUs. The virtual machine has sizes a 1/2 x 4 = 2 and b 2/2 x 1 = 1: it works
   * on b from 0 to 1, then on a until 3. So in the literal mode b starts at 1 and a at 3.
   */
  @Test
  void theLiteralModeWaitsForTheVirtualMachine() {
    Jobs jobs =
        Jobs.builder(MODELS).addDuration("a", 0, 1, 4, "").addDuration("b", 0, 2, 1, "").build();
    Play run = Play.of(servers(1), jobs, "a-srpt", "mode=literal");
    assertThat(run.startSeconds("b")).isEqualTo(1);
    assertThat(run.startSeconds("a")).isEqualTo(3);
    // rho = 1, G = 2, g = 2: 1 + 1 + 1 x 2 / 1. Completions 2 + 7 = 9; virtual ones 1 + 3 = 4,
    // lengths
    // 4 + 1 = 5.
    assertThat(run.notes()).containsEntry("guarantee", 4.0).containsEntry("measured_ratio", 1.8);
  }

  /** In the default mode nobody waits while GPUs are free. */
  @Test
  void theDefaultModeStartsEarly() {
    Jobs jobs =
        Jobs.builder(MODELS).addDuration("a", 0, 1, 4, "").addDuration("b", 0, 2, 1, "").build();
    Play run = Play.of(servers(1), jobs, "a-srpt");
    assertThat(run.startSeconds("b")).isZero();
    assertThat(run.startSeconds("a")).isEqualTo(1);
  }

  /**
   * Four GPUs, so the virtual machine does a quarter of a single's length, half of a pair's. It has
   * done a of 400 s at 100, d of 420 s at 205, b of 1000 s at 455: a and d share the first server
   * until 500 and 625, b has the second from 455 on. The pair p of 200 s, submitted at 456, is done
   * virtually at 556. Scattered it would lose 100 s; the first server is clear at 625, 69 s later.
   * With tau = 0.5 it may wait 100 s, until 656, and starts at 625. With tau = 0.1 it starts
   * scattered 20 s after 556.
   *
   * <p>The single q of 50 s is done virtually at 569.5 and ends before 656, so it passes p. The
   * single r of 100 s is so at 594.5, when one GPU is free: too few for p, which holds up all
   * behind it. When q ends at 619.5, r would end at 719.5: it passes p only if that is free. Then
   * it takes a GPU of the first server, and p must start scattered at 656.
   */
  @Test
  void theLiteralModeDelaysPairsForABetterPlacement() {
    Jobs jobs =
        Jobs.builder(MODELS)
            .addDuration("a", 0, 1, 400, "")
            .addDuration("d", 0, 1, 420, "")
            .addDuration("b", 0, 1, 1000, "")
            .addDuration("p", 456, 2, 200, "talk")
            .addDuration("q", 557, 1, 50, "")
            .addDuration("r", 557.5, 1, 100, "")
            .build();
    Cluster cluster = servers(2);
    Play safe = Play.of(cluster, jobs, "a-srpt", "mode=literal", "tau=0.5", "theta=1.2");
    assertThat(safe.startSeconds("p")).isEqualTo(625);
    assertThat(safe.startSeconds("q")).isEqualTo(569.5);
    assertThat(safe.startSeconds("r")).isEqualTo(625);
    Play free =
        Play.of(cluster, jobs, "a-srpt", "mode=literal", "tau=0.5", "theta=1.2", "bypass=free");
    assertThat(free.startSeconds("r")).isEqualTo(619.5);
    assertThat(free.startSeconds("p")).isEqualTo(656);
    assertThat(free.finishSeconds("p")).isEqualTo(956);
    assertThat(free.notes()).containsEntry("guarantee", "none: bypass=free");
    Play hasty = Play.of(cluster, jobs, "a-srpt", "mode=literal", "tau=0.1", "theta=1.2");
    assertThat(hasty.startSeconds("p")).isEqualTo(576);
    assertThat(hasty.finishSeconds("p")).isEqualTo(876);
    Play never = Play.of(cluster, jobs, "a-srpt", "mode=literal", "theta=inf");
    assertThat(never.startSeconds("p")).isEqualTo(556);
  }

  /** Where rings slow each other down, a job may be slower than any placement makes it. */
  @Test
  void contentionLeavesNoGuarantee() {
    Jobs jobs = Jobs.builder(MODELS).addDuration("a", 0, 1, 4, "").build();
    Cluster cluster = Cluster.uniform(2, 2, Network.Contention.USUAL, 0);
    Play run = Play.of(cluster, jobs, "a-srpt", "mode=literal");
    assertThat(String.valueOf(run.notes().get("guarantee"))).startsWith("none: ");
  }
}
