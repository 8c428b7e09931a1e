package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingTerms;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Finish times worked out by hand. The model is made so that a ring of two workers on two servers
 * takes f seconds to exchange (1 GB x 1/2 x 2 at 1 GB/s), one to reduce (at 0.5 GB/s) and one to
 * compute. With alpha = 0.5, f is 1, 2.5 and 4 for one, two and three rings on the busiest server:
 * an iteration takes 3 s alone, 4.5 s beside one other ring, 6 s beside two.
 */
class ContentionScheduleTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final Network NETWORK = new Network.Contention(new RingTerms(1, 0.5, 0, 0.5e9));

  private static Cluster servers(int count) {
    return Pairs.servers(count, NETWORK);
  }

  @Test
  void aloneOnTwoServers() {
    RunResult run = Scripted.run(servers(2), Pairs.jobs(7, 30), Scripted.ring(0, 1));
    assertThat(run.finishSeconds(0)).isCloseTo(7 + 30 * 3, EXACT);
  }

  /**
   * First ring alone until 30: 10 of 30 iterations. Then both at 4.5 s: its other 20 take until
   * 120, when the second has done 20 of 30; the last 10 at 3 s take until 150.
   */
  @Test
  void twoRingsShareOneServer() {
    RunResult run =
        Scripted.run(
            servers(3), Pairs.jobs(0, 30, 30, 30), Scripted.ring(0, 1), Scripted.ring(1, 2));
    assertThat(run.finishSeconds(0)).isCloseTo(120, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(150, EXACT);
  }

  /** Two shared servers are no worse than one: the busiest counts. */
  @Test
  void twoRingsShareTwoServers() {
    RunResult run =
        Scripted.run(
            servers(2), Pairs.jobs(0, 30, 30, 30), Scripted.ring(0, 1), Scripted.ring(1, 0));
    assertThat(run.finishSeconds(0)).isCloseTo(120, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(150, EXACT);
  }

  /**
   * All three at 6 s: the first ends its 10 at 60. The others have done 10; at 4.5 s the second
   * ends its other 10 at 105; the third has done 20 then, and ends the last 10 at 3 s at 135.
   */
  @Test
  void threeRingsShareOneServer() {
    RunResult run =
        Scripted.run(
            servers(4),
            Pairs.jobs(0, 10, 0, 20, 0, 30),
            Scripted.ring(0, 1),
            Scripted.ring(1, 2),
            Scripted.ring(3, 1));
    assertThat(run.finishSeconds(0)).isCloseTo(60, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(105, EXACT);
    assertThat(run.finishSeconds(2)).isCloseTo(135, EXACT);
  }

  /**
   * A chain: the middle ring shares one server with each neighbour, so no server has more than two
   * rings. All at 4.5 s: the first ends its 10 at 45. The middle still meets the third: both stay
   * at 4.5 s until the third ends its other 10 at 90. The middle has done 20 of 30 and goes on at 3
   * s until 120.
   */
  @Test
  void aChainOfThreeRingsCountsTheBusiestServerOnly() {
    RunResult run =
        Scripted.run(
            servers(4),
            Pairs.jobs(0, 10, 0, 30, 0, 20),
            Scripted.ring(0, 1),
            Scripted.ring(1, 2),
            Scripted.ring(2, 3));
    assertThat(run.finishSeconds(0)).isCloseTo(45, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(120, EXACT);
    assertThat(run.finishSeconds(2)).isCloseTo(90, EXACT);
  }

  /**
   * A ring of three workers exchanges 4/3 f, reduces 4/3, computes 1: 11/3 s alone, 17/3 s with f =
   * 2.5. Alone until 55 it does 15 of 30. A second ring meets it on its middle server alone, and
   * does 10 iterations at 4.5 s until 100; the first does 45 x 3/17 in that time, and the rest at
   * 11/3 s.
   */
  @Test
  void ringsMeetOnAMiddleServerOnly() {
    Jobs jobs =
        Jobs.builder(Pairs.MODELS)
            .addIterations("wide", 0, 3, 30, "ring")
            .addIterations("pair", 55, 2, 10, "ring")
            .build();
    RunResult run = Scripted.run(servers(5), jobs, Scripted.ring(0, 1, 2), Scripted.ring(3, 1));
    assertThat(run.finishSeconds(1)).isCloseTo(100, EXACT);
    assertThat(run.finishSeconds(0)).isCloseTo(100 + (15 - 45 * 3.0 / 17) * 11 / 3, EXACT);
  }

  /**
   * A job inside one server sends nothing through the server's link, and a job without a model
   * sends nothing at all: the ring stays at 3 s. Inside a server the exchange goes at 4 GB/s, so
   * the inner job takes 0.25 + 1 + 1 s an iteration.
   */
  @Test
  void jobsThatSendNothingThroughTheLinkSlowNobodyDown() {
    Jobs jobs =
        Jobs.builder(Pairs.MODELS)
            .addIterations("ring", 0, 2, 30, "ring")
            .addIterations("inside", 0, 2, 40, "ring")
            .addIterations("silent", 0, 2, 50, "")
            .build();
    RunResult run =
        Scripted.run(
            servers(2), jobs, Scripted.ring(0, 1), Placement.on(1, 2), Scripted.ring(0, 1));
    assertThat(run.finishSeconds(0)).isCloseTo(90, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(90, EXACT);
    assertThat(run.finishSeconds(2)).isCloseTo(50, EXACT);
  }

  /**
   * With a duration, iterations follow from the ideal place: inside one server, 2.25 s each. 225 s
   * are 100 iterations, which take 300 s on two servers: a slowdown of 4/3.
   */
  @Test
  void durationsAreMeasuredOnTheIdealPlacement() {
    Jobs jobs = Jobs.builder(Pairs.MODELS).addDuration("j", 0, 2, 225, "ring").build();
    RunResult run = Scripted.run(servers(2), jobs, Scripted.ring(0, 1));
    assertThat(run.finishSeconds(0)).isCloseTo(300, EXACT);
    Summary summary = Runs.summary(servers(2), jobs, run);
    assertThat(summary.slowdownMean()).isCloseTo(4.0 / 3, EXACT);
  }

  /** xi1 = 0.5: two rings count as k = 1 and do not slow each other; three give k = 1.5. */
  @Test
  void ringsThatSendHalfOfTheTimeMeetHalfAsOften() {
    Cluster half =
        new Cluster(
            "half",
            servers(4).servers(),
            new Network.Contention(new RingTerms(0.5, 0.5, 0, 0.5e9)),
            0);
    // Three rings: f = 1.5 + 0.5 x 0.5 = 1.75, 3.75 s. The first ends its 8 at 30; the others
    // have done 8 of 18 and go on at 3 s until 60.
    RunResult run =
        Scripted.run(
            half,
            Pairs.jobs(0, 8, 0, 18, 0, 18),
            Scripted.ring(0, 1),
            Scripted.ring(1, 2),
            Scripted.ring(1, 3));
    assertThat(run.finishSeconds(0)).isCloseTo(30, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(60, EXACT);
    assertThat(run.finishSeconds(2)).isCloseTo(60, EXACT);
  }

  /**
   * Only the time in which they transmit counts. A ring transmits for 1 s of 3 alone: beside one
   * other f = 4/3 + 0.5 / 3 = 1.5, 3.5 s, of which it transmits 1.5; beside two f = 13/7 + 3/7,
   * 30/7 s. The first ends its 10 at 300/7; the second its other 10 after 35 s, the third the last
   * 10 after 30 s more.
   */
  @Test
  void ringsThatComputeMeetLessOften() {
    Cluster cluster = Pairs.servers(4, new Network.Transmit(NETWORK.terms()));
    RunResult run =
        Scripted.run(
            cluster,
            Pairs.jobs(0, 10, 0, 20, 0, 30),
            Scripted.ring(0, 1),
            Scripted.ring(1, 2),
            Scripted.ring(3, 1));
    assertThat(run.finishSeconds(0)).isCloseTo(300.0 / 7, EXACT);
    assertThat(run.finishSeconds(1)).isCloseTo(300.0 / 7 + 35, EXACT);
    assertThat(run.finishSeconds(2)).isCloseTo(300.0 / 7 + 65, EXACT);
  }
}
