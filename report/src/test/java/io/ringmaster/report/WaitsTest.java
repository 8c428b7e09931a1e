package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Simulation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class WaitsTest {
  private static final Network NONE = Network.None.USUAL;

  private static JobsBuilder jobs() {
    return Jobs.builder(ModelTable.standard());
  }

  private static List<WorstServed> waits(
      Cluster cluster, Jobs jobs, String policy, Map<String, String> given) {
    PolicySpec spec = Policies.named(policy);
    Settings settings = spec.settings(given);
    return waits(
        cluster,
        jobs,
        spec.create(settings, cluster),
        spec.placement(settings, cluster, jobs.anyElastic()));
  }

  private static PlacementRule ownSearch(Cluster cluster) {
    return new PlacementRule(cluster, PlacementRule.ANYWHERE, true);
  }

  private static List<WorstServed> waits(
      Cluster cluster, Jobs jobs, Policy policy, PlacementRule rule) {
    Segments segments = new Segments();
    RunResult result =
        new Simulation(cluster, jobs, "tested", policy, new Estimate.Perfect(), 1, segments).run();
    return Waits.of(cluster, jobs, result, segments, rule);
  }

  /** Does what a test says at the times that it says. */
  private static final class Scripted implements Policy {
    private final TreeMap<Double, BiConsumer<View, Decisions>> script = new TreeMap<>();

    Scripted at(double seconds, BiConsumer<View, Decisions> deed) {
      script.put(seconds, deed);
      return this;
    }

    @Override
    public void decide(View view, Decisions decisions) {
      while (!script.isEmpty() && script.firstKey() <= view.nowSeconds()) {
        script.pollFirstEntry().getValue().accept(view, decisions);
      }
      if (!script.isEmpty()) {
        decisions.wakeAt(script.firstKey());
      }
    }
  }

  private static WorstServed.Reason reason(String reason, double seconds) {
    return new WorstServed.Reason(reason, seconds);
  }

  private static WorstServed.Behind behind(String id, int gpus, double seconds) {
    return new WorstServed.Behind(id, gpus, seconds);
  }

  /** One that holds six GPUs for long, one that wants more than are left, and one that fits. */
  private static Jobs firstWideAndSmall(int wideGpus) {
    return jobs()
        .addDuration("first", 0, 6, 1000, "")
        .addDuration("wide", 10, wideGpus, 500, "")
        .addDuration("small", 20, 1, 100, "")
        .build();
  }

  /**
   * First come, first served on 8 GPUs. first has 6 from 0 to 1000; wide needs 8 and gets them from
   * 1000 to 1500; small, from 20 on, fits beside first (2 are free) but comes after wide: 980 s
   * behind it, then 500 s while wide has all.
   */
  @Test
  void aSmallJobWaitsBehindTheWideOneAtTheHead() {
    Jobs jobs = firstWideAndSmall(8);
    List<WorstServed> rows =
        waits(Cluster.uniform(1, 8, NONE, 0), jobs, "fifo", Map.of("placement", "any"));

    // From 20 to 1600 is 1580 s: over 600 s, since it is shorter, 2.633. wide: (1500 - 10) / 600.
    assertThat(rows).extracting(WorstServed::id).containsExactly("small", "wide");
    assertThat(rows.getFirst())
        .returns(1, WorstServed::gpus)
        .returns("", WorstServed::user)
        .returns(20.0, WorstServed::submit)
        .returns(1500.0, WorstServed::start)
        .returns(1600.0, WorstServed::finish)
        .returns(1480.0, WorstServed::waited)
        .returns(1580 / 600.0, WorstServed::stretch)
        .returns(0, WorstServed::restarts)
        .returns(List.of(reason("capacity", 500), reason("behind", 980)), WorstServed::reasons)
        .returns(List.of(behind("wide", 8, 980)), WorstServed::behind)
        .returns(1, WorstServed::behindJobs)
        .returns(0.0, WorstServed::heldBack)
        .returns(0, WorstServed::overtaken);
    assertThat(rows.getLast())
        .returns(List.of(reason("capacity", 990)), WorstServed::reasons)
        .returns(List.of(), WorstServed::behind);
  }

  /**
   * The same where both start at 1000: wide needs 7. It did not fit before, so small was behind.
   */
  @Test
  void aJobThatStartsWithTheHeadWaitedBehindIt() {
    Jobs jobs = firstWideAndSmall(7);
    List<WorstServed> rows =
        waits(Cluster.uniform(1, 8, NONE, 0), jobs, "fifo", Map.of("placement", "any"));

    assertThat(row(rows, "small"))
        .returns(List.of(reason("behind", 980)), WorstServed::reasons)
        .returns(List.of(behind("wide", 7, 980)), WorstServed::behind);
  }

  /** Passing over what does not fit, small starts at once: wide is overtaken, and lacks GPUs. */
  @Test
  void whoIsPassedOverIsOvertaken() {
    Jobs jobs = firstWideAndSmall(8);
    List<WorstServed> rows =
        waits(Cluster.uniform(1, 8, NONE, 0), jobs, "fifo", Map.of("blocking", "false"));

    assertThat(rows).hasSize(1);
    assertThat(row(rows, "wide"))
        .returns(List.of(reason("capacity", 990)), WorstServed::reasons)
        .returns(1, WorstServed::overtaken);
  }

  /**
   * Two servers of 8 with 6 taken on each: 4 GPUs are free, 2 and 2. consolidate puts a job of 4 on
   * one server. It waits from 100 until the first ends at 1000. pack takes 2 and 2 at once.
   */
  @Test
  void freeGpusThatTheRuleDoesNotTakeAreFragments() {
    Cluster cluster = Cluster.uniform(2, 8, NONE, 0);
    Jobs jobs =
        jobs()
            .addDuration("a", 0, 6, 1000, "")
            .addDuration("b", 0, 6, 2000, "")
            .addDuration("c", 100, 4, 100, "")
            .build();

    assertThat(row(waits(cluster, jobs, "fifo", Map.of("placement", "consolidate")), "c"))
        .returns(List.of(reason("fragmented", 900)), WorstServed::reasons);
    assertThat(waits(cluster, jobs, "fifo", Map.of("placement", "pack"))).isEmpty();
  }

  /**
   * The same by a policy that chooses servers itself. Before a starts at 50 the job would fit on
   * one server, and nobody else waits: it is held back for 50 s. Then only scattered, until 1000.
   */
  @Test
  void aJobIsHeldForABetterPlacement() {
    Cluster cluster = Cluster.uniform(2, 8, NONE, 0);
    Jobs jobs =
        jobs()
            .addDuration("c", 0, 4, 100, "")
            .addDuration("b", 0, 6, 2000, "")
            .addDuration("a", 50, 6, 950, "")
            .build();
    Policy policy =
        new Scripted()
            .at(0, (_, decisions) -> decisions.start(1, Placement.on(1, 6)))
            .at(50, (_, decisions) -> decisions.start(2, Placement.on(0, 6)))
            .at(1000, (_, decisions) -> decisions.start(0, Placement.on(0, 4)));
    List<WorstServed> rows = waits(cluster, jobs, policy, ownSearch(cluster));

    assertThat(row(rows, "c"))
        .returns(List.of(reason("placement", 950), reason("behind", 50)), WorstServed::reasons)
        .returns(List.of(), WorstServed::behind)
        .returns(50.0, WorstServed::heldBack)
        .returns(1, WorstServed::overtaken);
  }

  /**
   * Shortest remaining first on 4 GPUs. long runs from 0 to 100, makes way for short from 100 to
   * 400, and has its other 1900 s until 2300: 2300 / 2000 = 1.15.
   */
  @Test
  void aSuspendedJobWaitsAgain() {
    Jobs jobs =
        jobs().addDuration("long", 0, 4, 2000, "").addDuration("short", 100, 4, 300, "").build();
    List<WorstServed> rows = waits(Cluster.uniform(1, 4, NONE, 0), jobs, "srtf", Map.of());

    assertThat(rows).hasSize(1);
    assertThat(row(rows, "long"))
        .returns(0.0, WorstServed::start)
        .returns(300.0, WorstServed::waited)
        .returns(1.15, WorstServed::stretch)
        .returns(1, WorstServed::restarts)
        .returns(List.of(reason("capacity", 300)), WorstServed::reasons)
        .returns(1, WorstServed::overtaken);
  }

  /**
   * On 4 GPUs a starts with 3 and gives one back at 100. w asks for 4 and can do with 2: one free
   * GPU is too few from 50 to 100, two are enough, and it is held back until 200.
   */
  @Test
  void anElasticJobNeedsTheLeastOfItsRange() {
    Jobs jobs =
        jobs()
            .add("a", 0, 3, 1, 4, 1000, true, "", "", "")
            .add("w", 50, 4, 2, 4, 400, true, "", "ann", "")
            .build();
    Policy policy =
        new Scripted()
            .at(0, (_, decisions) -> decisions.start(0, Placement.on(0, 3)))
            .at(100, (_, decisions) -> decisions.resize(0, Placement.on(0, 2)))
            .at(200, (_, decisions) -> decisions.start(1, Placement.on(0, 2)));
    Cluster cluster = Cluster.uniform(1, 4, NONE, 0);
    List<WorstServed> rows = waits(cluster, jobs, policy, ownSearch(cluster));

    assertThat(rows).hasSize(1);
    assertThat(row(rows, "w"))
        .returns("ann", WorstServed::user)
        .returns(List.of(reason("capacity", 50), reason("behind", 100)), WorstServed::reasons);
  }

  /** Where no job changes its size, an elastic job is given what it asks for: 2 are too few. */
  @Test
  void anElasticJobOfARigidPolicyNeedsWhatItAsksFor() {
    Jobs jobs =
        jobs().addDuration("a", 0, 2, 1000, "").add("w", 0, 4, 2, 4, 400, true, "", "", "").build();
    List<WorstServed> rows = waits(Cluster.uniform(1, 4, NONE, 0), jobs, "fifo", Map.of());

    assertThat(row(rows, "w")).returns(List.of(reason("capacity", 1000)), WorstServed::reasons);
  }

  /** One of 4 GPUs is taken, and 80 of 100 bytes: a worker that asks for 50 waits for memory. */
  @Test
  void memoryThatIsMissingIsCapacity() {
    Server server = new Server("s", 4, "v100", "r1", 1e9, 1e9, Double.POSITIVE_INFINITY, 100, 300);
    Cluster cluster = new Cluster("small", List.of(server), NONE, 0);
    Jobs jobs =
        jobs()
            .addDuration("a", 0, 1, 1000, "")
            .asking(new Demand(0, 80))
            .addDuration("b", 0, 1, 100, "")
            .asking(new Demand(0, 50))
            .build();

    assertThat(row(waits(cluster, jobs, "fifo", Map.of()), "b"))
        .returns(List.of(reason("capacity", 1000)), WorstServed::reasons);
  }

  /** A minute of waiting is much for a job of 5 s, but the job of two hours was served worse. */
  @Test
  void aShortJobThatWaitedShortlyIsNotTheWorstServed() {
    Jobs jobs =
        jobs()
            .addDuration("a", 0, 4, 60, "")
            .addDuration("tiny", 0, 4, 5, "")
            .addDuration("b", 65, 4, 7200, "")
            .addDuration("long", 65, 4, 7200, "")
            .build();
    List<WorstServed> rows = waits(Cluster.uniform(1, 4, NONE, 0), jobs, "fifo", Map.of());

    // 14400 / 7200 = 2, and 65 / 600 = 0.108; unbounded, tiny would have 65 / 5 = 13.
    assertThat(rows).extracting(WorstServed::id).containsExactly("long", "tiny");
  }

  private static WorstServed row(List<WorstServed> rows, String id) {
    return rows.stream().filter(row -> id.equals(row.id())).findFirst().orElseThrow();
  }
}
