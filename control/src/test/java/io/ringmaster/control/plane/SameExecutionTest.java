package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.store.Loaded;
import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Pod;
import io.ringmaster.model.Rack;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.model.Slots;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.execution.SpeedOf;
import io.ringmaster.policy.maestro.Maestro;
import io.ringmaster.policy.maestro.Rules;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The policy that is simulated is the policy that is deployed: a history that was simulated is
 * played to the live host, and every policy must see the same to the last bit, and decide the same.
 */
class SameExecutionTest {
  /** Every network with racks and without. */
  private static final int SEEDS = 14;

  private static final int JOBS = 24;
  private static final double GIGABIT = 1e9 / 8;
  private static final List<String> MODELS = List.of("", "vgg16", "resnet50", "gpt2-medium");

  /** Sees what a policy sees, before and after it decides. */
  private static final class Recorder implements Policy {
    private final Policy policy;
    private final TreeSet<Integer> there = new TreeSet<>();
    private final Consumer<String> lines;
    final Map<Integer, Double> estimates = new HashMap<>();

    Recorder(Policy policy, Consumer<String> lines) {
      this.policy = policy;
      this.lines = lines;
    }

    @Override
    public void decide(View view, Decisions decisions) {
      StringBuilder news = new StringBuilder("at " + view.nowSeconds() + " came");
      for (int i = 0; i < view.arrived().size(); i++) {
        int job = view.arrived().get(i);
        there.add(job);
        estimates.put(job, view.estimateSeconds(job));
        news.append(' ').append(job);
      }
      news.append(" ended");
      for (int i = 0; i < view.ended().size(); i++) {
        there.remove(view.ended().get(i));
        news.append(' ').append(view.ended().get(i));
      }
      lines.accept(news.toString());
      look("sees", view);
      policy.decide(view, decisions);
      look("decided", view);
    }

    private void look(String when, View view) {
      for (int job : there) {
        StringBuilder line = new StringBuilder(when + " job " + job);
        append(line, "done", view.doneSeconds(job));
        append(line, "estimate", view.estimateSeconds(job));
        append(line, "attained", view.attainedGpuSeconds(job));
        if (view.running(job)) {
          // A job that the pass has just placed goes on at its new speed only after it.
          append(line, "speed", SpeedOf.job(view, job));
          append(line, "end", view.expectedEndSeconds(job));
          append(line, "warm-up", view.warmupSeconds(job));
          line.append(" on ").append(view.placement(job));
        }
        append(line, "remaining", view.remainingSeconds(job));
        append(line, "kept", view.keptSeconds(job));
        line.append(view.resumable(job) ? "" : " not resumable");
        lines.accept(line.toString());
      }
    }

    private static void append(StringBuilder line, String name, double value) {
      line.append(' ').append(name).append(' ').append(value);
      line.append('/').append(Long.toHexString(Double.doubleToRawLongBits(value)));
    }
  }

  private static final Rules PLAIN = Rules.USUAL.without(Rules.Rule.LEARNING);

  /** What is simulated first and then played. */
  private record History(
      long seed, PolicySpec spec, Cluster cluster, Jobs jobs, Estimate estimate) {
    Recorder recorder(Consumer<String> lines) {
      return new Recorder(spec.create(spec.settings(Map.of()), cluster), lines);
    }

    RunResult simulate(Recorder recorder) {
      return new Simulation(cluster, jobs, spec.name(), recorder, estimate, seed, RunObserver.NONE)
          .run();
    }

    /** The job as a person would submit it. */
    Job submitted(int job, Recorder simulated) {
      Map<String, Object> given = new HashMap<>();
      given.put("command", List.of("true"));
      given.put("gpus", jobs.gpus(job));
      given.put("min_gpus", jobs.minGpus(job));
      given.put("max_gpus", jobs.maxGpus(job));
      given.put("cpus_per_gpu", jobs.demand(job).cpus());
      given.put("memory_gb_per_gpu", jobs.demand(job).memoryBytes() / 1e9);
      given.put("resumable", jobs.resumable(job));
      if (jobs.model(job) >= 0) {
        given.put("model", jobs.models().profiles().get(jobs.model(job)).id());
      }
      if (estimate instanceof Estimate.Perfect
          && jobs.model(job) >= 0
          && !jobs.workIsDuration(job)) {
        given.put("iterations", jobs.work(job));
      } else {
        given.put("duration_s", simulated.estimates.get(job));
      }
      String user = jobs.userNames().get(jobs.user(job));
      return Lifecycle.submitted(job, user, "", JobSpecs.of(given), jobs.submitSeconds(job));
    }
  }

  /** Every kind in turn. */
  private static Network network(RandomGenerator random, long seed) {
    RingTerms terms =
        new RingTerms(
            random.nextInt(1, 5) / 4.0,
            random.nextInt(0, 4) / 4.0,
            random.nextInt(0, 3) * 0.01,
            100e9,
            Double.POSITIVE_INFINITY,
            seed % 3 == 1 ? 30 : 0);
    return switch ((int) (seed % 7)) {
      case 0 -> new Network.Contention(terms);
      case 1 -> new Network.Transmit(terms);
      case 2 -> new Network.Reserved(terms, 0);
      case 3 -> new Network.Reserved(terms, random.nextInt(1, 4) * GIGABIT);
      case 4 -> new Network.Share(terms, new Pipelining(random.nextBoolean(), random.nextInt(3)));
      case 5 -> new Network.Measured(terms, AllReduceCost.TEN_GIGABIT);
      default -> new Network.None(terms);
    };
  }

  private static Cluster cluster(RandomGenerator random, long seed) {
    List<Rack> racks = new ArrayList<>();
    if (seed % 2 == 1) {
      boolean inPods = random.nextBoolean();
      for (String rack : List.of("r1", "r2")) {
        Pod pod = inPods ? new Pod("p" + rack, random.nextInt(2, 20) * GIGABIT) : null;
        racks.add(new Rack(rack, random.nextInt(2, 20) * GIGABIT, pod));
      }
    }
    boolean counted = seed / 2 % 2 == 0;
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(2, 6);
    for (int s = 0; s < count; s++) {
      int gpus = random.nextInt(2, 9);
      servers.add(
          new Server(
              Cluster.serverName(s),
              gpus,
              "v100",
              "r" + (1 + s % 2),
              random.nextInt(1, 4) * 10 * GIGABIT,
              random.nextInt(1, 4) * 100 * GIGABIT,
              counted ? 4 * gpus : Double.POSITIVE_INFINITY,
              counted ? 16e9 * gpus : Double.POSITIVE_INFINITY,
              300));
    }
    return new Cluster("random", servers, racks, network(random, seed), 0)
        .costing(random.nextInt(3), random.nextInt(12));
  }

  /** In the order of submission, so that users are met in the order of their numbers. */
  private static Jobs jobs(RandomGenerator random, Cluster cluster, boolean elastic) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    // Not 0, which the first slot makes -0.
    double submit = 1;
    for (int i = 0; i < JOBS; i++) {
      submit += random.nextInt(3) == 0 ? 0 : 10 * random.nextDouble();
      Demand asked =
          cluster.limitsMoreThanGpus()
              ? new Demand(random.nextInt(6), random.nextInt(3) * 8e9)
              : Demand.NONE;
      String model = MODELS.get(random.nextInt(MODELS.size()));
      ModelProfile profile =
          model.isEmpty()
              ? null
              : ModelTable.standard().profile(ModelTable.standard().indexOf(model));
      int most = cluster.mostWorkers(cluster.demand(asked, profile));
      int gpus = random.nextInt(1, Math.max(1, most / 2) + 1);
      boolean stretches = elastic && random.nextBoolean();
      int least = stretches ? random.nextInt(1, gpus + 1) : gpus;
      int greatest = stretches ? random.nextInt(gpus, most + 1) : gpus;
      // The live plane learns that jobs are elastic when it sees one, the simulator knows before.
      greatest = elastic && i == 0 ? gpus + 1 : greatest;
      boolean duration = random.nextBoolean();
      builder.add(
          Integer.toString(i),
          submit,
          gpus,
          least,
          greatest,
          duration ? 1 + 100 * random.nextDouble() : random.nextInt(1, 300),
          duration,
          model,
          "u" + random.nextInt(3),
          "");
      if (!asked.isNone()) {
        builder.asking(asked);
      }
      if (random.nextInt(4) == 0) {
        builder.notResumable();
      }
    }
    return builder.build();
  }

  /** The live host, told of the simulated arrivals and ends, and asked when it wants to be. */
  private static void play(
      History history, RunResult result, Recorder simulated, Consumer<String> lines) {
    PlaneConfig config =
        new PlaneConfig(
            history.cluster,
            true,
            history.jobs.models(),
            history.spec.name(),
            Map.of(),
            Map.of(),
            10,
            5,
            3,
            UserLimits.usual(),
            Policies::named);
    Loaded nothing = new Loaded(List.of(), 0, 0, List.of(), Map.of(), List.of(), List.of());
    PolicyHost host =
        new PolicyHost(
            history.spec.name(),
            history.recorder(lines),
            history.cluster,
            history.jobs.models(),
            new Experience(config, nothing),
            0,
            history.seed);
    Slots slots = new Slots(history.cluster.network().slotSeconds());
    int came = 0;
    TreeSet<Integer> there = new TreeSet<>();
    // Its own wish to be asked decides when that is, so that it must agree with the simulator's.
    while (came < JOBS || !there.isEmpty()) {
      double now = host.wakeSeconds();
      if (came < JOBS) {
        now = Math.min(now, slots.atOrAfter(history.jobs.submitSeconds(came)));
      }
      for (int job : there) {
        now = Math.min(now, result.finishSeconds(job));
      }
      for (int job : List.copyOf(there)) {
        if (result.finishSeconds(job) <= now) {
          host.hide(job, now);
          there.remove(job);
        }
      }
      for (; came < JOBS && history.jobs.submitSeconds(came) <= now; came++) {
        host.show(history.submitted(came, simulated), Integer.MAX_VALUE, now);
        there.add(came);
      }
      host.decide(now);
    }
  }

  private static void compare(long seed, PolicySpec spec, boolean elastic, Estimate estimate) {
    RandomGenerator random = new SplittableRandom(seed);
    Cluster cluster = cluster(random, seed);
    History history = new History(seed, spec, cluster, jobs(random, cluster, elastic), estimate);
    String what = "seed %d, %s, elastic %s, %s".formatted(seed, spec.name(), elastic, estimate);
    List<String> expected = new ArrayList<>();
    Recorder simulated = history.recorder(expected::add);
    RunResult result = history.simulate(simulated);
    Iterator<String> left = expected.iterator();
    play(
        history,
        result,
        simulated,
        line -> {
          assertThat(left.hasNext()).as("%s: live only is %s", what, line).isTrue();
          assertThat(line).as(what).isEqualTo(left.next());
        });
    assertThat(left.hasNext()).as("%s: something was only simulated", what).isFalse();
  }

  /** Ends are known: nothing differs but who keeps the time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void liveAndSimulatedAreTheSame(boolean elastic) {
    for (PolicySpec spec : Policies.all()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        compare(seed, spec, elastic, new Estimate.Perfect());
      }
    }
  }

  /**
   * Jobs outlive what is expected of them, or end before. What is learned from that differs: the
   * live plane goes by what it measured. So maestro does not learn here.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void soTheyAreIfLengthsAreGuessed(boolean elastic) {
    for (PolicySpec each : Policies.all()) {
      PolicySpec spec = each.equals(Maestro.SPEC) ? Maestro.spec(PLAIN) : each;
      if (spec.parameters().contains(Estimate.PARAMETER)) {
        for (long seed = 0; seed < SEEDS; seed++) {
          compare(seed, spec, elastic, new Estimate.Noise(1));
        }
      }
    }
  }
}
