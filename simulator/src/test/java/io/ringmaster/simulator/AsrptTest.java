package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AsrptTest {
  private static final Network SHARE = Network.DEFAULT.sharing(Pipelining.STEADY);

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
      RunResult run = Runs.run(servers(2), jobs, form[0], with(form, "reserve=true"));
      assertThat(start(jobs, run, "p")).as(form[0]).isEqualTo(10);
      assertThat(finish(jobs, run, "p")).as(form[0]).isEqualTo(110);
      assertThat(start(jobs, run, "s")).as(form[0]).isEqualTo(2);
      assertThat(start(jobs, run, "t")).as(form[0]).isEqualTo(3);
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
    RunResult run = Runs.run(servers(3), jobs, "wcs-subtime", "reserve=true");
    assertThat(start(jobs, run, "p")).isEqualTo(1.5);
    assertThat(finish(jobs, run, "p")).isEqualTo(151.5);
    // a-srpt waits with scattering until the virtual machine has done p: its 2/6 x 100 of work come
    // after z, y and x, at half speed. Before that the third server is clear.
    RunResult guided = Runs.run(servers(3), jobs, "a-srpt");
    assertThat(start(jobs, guided, "p")).isEqualTo(90);
  }

  /**
   * One server of two GPUs. The virtual machine has sizes a 1/2 x 4 = 2 and b 2/2 x 1 = 1: it works
   * on b from 0 to 1, then on a until 3. So in the literal mode b starts at 1 and a at 3.
   */
  @Test
  void theLiteralModeWaitsForTheVirtualMachine() {
    Jobs jobs =
        Jobs.builder(MODELS).addDuration("a", 0, 1, 4, "").addDuration("b", 0, 2, 1, "").build();
    RunResult run = Runs.run(servers(1), jobs, "a-srpt", "mode=literal");
    assertThat(start(jobs, run, "b")).isEqualTo(1);
    assertThat(start(jobs, run, "a")).isEqualTo(3);
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
    RunResult run = Runs.run(servers(1), jobs, "a-srpt");
    assertThat(start(jobs, run, "b")).isZero();
    assertThat(start(jobs, run, "a")).isEqualTo(1);
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
    RunResult safe = Runs.run(cluster, jobs, "a-srpt", "mode=literal", "tau=0.5", "theta=1.2");
    assertThat(start(jobs, safe, "p")).isEqualTo(625);
    assertThat(start(jobs, safe, "q")).isEqualTo(569.5);
    assertThat(start(jobs, safe, "r")).isEqualTo(625);
    RunResult free =
        Runs.run(cluster, jobs, "a-srpt", "mode=literal", "tau=0.5", "theta=1.2", "bypass=free");
    assertThat(start(jobs, free, "r")).isEqualTo(619.5);
    assertThat(start(jobs, free, "p")).isEqualTo(656);
    assertThat(finish(jobs, free, "p")).isEqualTo(956);
    assertThat(free.notes()).containsEntry("guarantee", "none: bypass=free");
    RunResult hasty = Runs.run(cluster, jobs, "a-srpt", "mode=literal", "tau=0.1", "theta=1.2");
    assertThat(start(jobs, hasty, "p")).isEqualTo(576);
    assertThat(finish(jobs, hasty, "p")).isEqualTo(876);
    RunResult never = Runs.run(cluster, jobs, "a-srpt", "mode=literal", "theta=inf");
    assertThat(start(jobs, never, "p")).isEqualTo(556);
  }

  @Test
  void theGuaranteeHoldsInTheLiteralMode() {
    Seeds.each(
        3000,
        (random, _) -> {
          Cluster cluster = random(random);
          Jobs jobs = jobs(random, cluster, random.nextInt(1, 13));
          List<String> settings = new ArrayList<>(List.of("mode=literal"));
          settings.add("theta=" + List.of("auto", "1.1", "2", "inf").get(random.nextInt(4)));
          settings.add("tau=" + List.of("0", "0.25", "1").get(random.nextInt(3)));
          RunResult run = Runs.run(cluster, jobs, "a-srpt", settings.toArray(String[]::new));
          double guarantee = note(run, "guarantee");
          double ratio = note(run, "measured_ratio");
          assertThat(ratio).isBetween(1 - 1e-9, guarantee);
        });
  }

  /** What the run says of itself, worked out from its end alone. */
  @Test
  void theLiteralModeMeasuresItself() {
    Seeds.each(
        200,
        (random, _) -> {
          Cluster cluster = random(random);
          Jobs jobs = jobs(random, cluster, 8);
          RunResult run = Runs.run(cluster, jobs, "a-srpt", "mode=literal", "theta=inf");
          double sum = 0;
          double earliest = 0;
          LowerBounds bounds = Runs.bounds(jobs, cluster);
          for (int job = 0; job < jobs.size(); job++) {
            sum += run.finishSeconds(job);
            earliest += jobs.submitSeconds(job);
          }
          double alone = earliest + bounds.aloneJctSeconds() * jobs.size();
          double machine = earliest + bounds.oneMachineJctSeconds() * jobs.size();
          assertThat(note(run, "measured_ratio"))
              .isCloseTo(sum / Math.max(alone, machine), within(1e-6));
        });
  }

  /** Where rings slow each other down, a job may be slower than any placement makes it. */
  @Test
  void contentionLeavesNoGuarantee() {
    Jobs jobs = Jobs.builder(MODELS).addDuration("a", 0, 1, 4, "").build();
    Cluster cluster = Cluster.uniform(2, 2, Network.DEFAULT, 0);
    RunResult run = Runs.run(cluster, jobs, "a-srpt", "mode=literal");
    assertThat(String.valueOf(run.notes().get("guarantee"))).startsWith("none: ");
  }

  /** With wrong lengths and no delay the guarantee counts how wrong they were. */
  @Test
  void theGuaranteeHoldsWithWrongLengths() {
    Seeds.each(
        300,
        (random, seed) -> {
          Cluster cluster = random(random);
          Jobs jobs = jobs(random, cluster, 10);
          RunResult run =
              Runs.run(
                  cluster,
                  jobs,
                  "a-srpt",
                  seed,
                  RunObserver.NONE,
                  "mode=literal",
                  "theta=inf",
                  "estimate=noise:0.5");
          assertThat(note(run, "measured_ratio")).isLessThan(note(run, "guarantee"));
        });
  }

  /** Every form of every policy makes valid schedules, on clusters of servers that differ. */
  @Test
  void schedulesAreValid() {
    List<List<String>> forms = new ArrayList<>();
    for (String mode : List.of("mode=reserve", "mode=literal", "bypass=free")) {
      forms.add(List.of("a-srpt", mode));
      forms.add(List.of("a-srpt", mode, "placement=random", "estimate=noise:1"));
    }
    for (String name : List.of("spjf", "spwf", "wcs-duration", "wcs-workload", "wcs-subtime")) {
      for (String placement : List.of("heavy-edge", "first-fit", "random")) {
        forms.add(List.of(name, "placement=" + placement));
        forms.add(List.of(name, "placement=" + placement, "reserve=true", "estimate=noise:0.7"));
      }
    }
    for (String name : List.of("fifo", "sjf", "longest-first")) {
      forms.add(List.of(name, "reserve=true"));
      forms.add(List.of(name, "reserve=true", "placement=any", "blocking=false"));
    }
    assertThat(Policies.all()).hasSizeGreaterThan(20);
    Seeds.each(
        60,
        (random, seed) -> {
          Network network = seed % 2 == 0 ? SHARE : Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, 0);
          Jobs jobs = jobs(random, cluster, 25);
          for (List<String> form : forms) {
            Segments segments = new Segments();
            String[] settings = form.subList(1, form.size()).toArray(String[]::new);
            RunResult run = Runs.run(cluster, jobs, form.getFirst(), seed, segments, settings);
            assertThat(Validator.check(cluster, jobs, segments, Validator.Outcomes.of(run)))
                .as(form.toString())
                .isEmpty();
          }
        });
  }

  private static Cluster random(RandomGenerator random) {
    int gpus = random.nextInt(1, 5);
    int count = random.nextInt(1, 5);
    double nic = random.nextInt(1, 5) * 1e9;
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(s -> new Server(Cluster.serverName(s), gpus, "v100", "r1", nic, 40e9))
            .toList();
    return new Cluster("random", servers, SHARE, 0);
  }

  /** Some silent, some rings, some pipelines. */
  private static Jobs jobs(RandomGenerator random, Cluster cluster, int count) {
    Jobs.Builder builder = Jobs.builder(MODELS);
    int span = random.nextInt(1, 400);
    for (int i = 0; i < count; i++) {
      int gpus = Workloads.gpus(random, cluster);
      int kind = random.nextInt(3);
      builder.addDuration(
          "j" + i,
          random.nextInt(span),
          gpus,
          random.nextInt(1, 200),
          kind == 0 ? "" : kind == 1 ? "vgg16" : "gpt2-medium");
      int stages = random.nextInt(1, Math.min(gpus, 8) + 1);
      if (kind == 2 && stages > 1) {
        builder.staged(Replicas.parse(Integer.toString(stages), gpus));
      }
    }
    return builder.build();
  }

  private static double note(RunResult run, String name) {
    return Double.parseDouble(String.valueOf(run.notes().get(name)));
  }

  private static int job(Jobs jobs, String id) {
    return IntStream.range(0, jobs.size())
        .filter(j -> jobs.id(j).equals(id))
        .findFirst()
        .getAsInt();
  }

  private static double start(Jobs jobs, RunResult run, String id) {
    return run.startSeconds(job(jobs, id));
  }

  private static double finish(Jobs jobs, RunResult run, String id) {
    return run.finishSeconds(job(jobs, id));
  }
}
