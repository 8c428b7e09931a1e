package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.WaitReason;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.simulator.Simulation;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reasons of every policy's waits, found again from one moment to the next by plain loops. */
class WaitsPropertiesTest {
  private static final int JOBS = 20;

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theSweepTellsWhatALookAtEachMomentTells(String policy) {
    Seeds.each(
        10,
        (random, seed) -> {
          Cluster cluster = cluster(random, seed % 3 == 0 ? Network.None.USUAL : contended());
          Jobs jobs = jobs(random, cluster, seed % 2 == 0);
          PolicySpec spec = Policies.named(policy);
          Map<String, String> given = new HashMap<>();
          if (seed % 5 == 0
              && spec.parameters().stream().anyMatch(p -> p.name().equals("reserve"))) {
            given.put("reserve", "true");
          }
          Settings settings = spec.settings(given);
          PlacementRule rule = spec.placement(settings, cluster, jobs.anyElastic());
          Plain plain = new Plain(cluster, jobs, rule);
          Segments segments = new Segments();
          RunResult result =
              new Simulation(
                      cluster,
                      jobs,
                      policy,
                      spec.create(settings, cluster),
                      spec.estimate(settings),
                      seed,
                      plain.and(segments))
                  .run();
          for (WorstServed row : Waits.of(cluster, jobs, result, segments, rule)) {
            plain.check(row, result);
          }
        });
  }

  private static Network contended() {
    return new Network.Contention(new RingTerms(0.5, 0.25, 0.01, 100e9));
  }

  private static Cluster cluster(RandomGenerator random, Network network) {
    List<Server> servers =
        IntStream.range(0, random.nextInt(1, 6))
            .mapToObj(s ->
                new Server(Cluster.serverName(s), random.nextInt(1, 9), "v100", "r1", 1e9, 30e9))
            .toList();
    return new Cluster("random", servers, network, random.nextInt(2) * 10);
  }

  private static Jobs jobs(RandomGenerator random, Cluster cluster, boolean elastic) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < JOBS; i++) {
      int gpus = random.nextInt(1, Math.max(2, cluster.totalGpus() * 2 / 3));
      int least = elastic ? random.nextInt(1, gpus + 1) : gpus;
      int most = elastic ? random.nextInt(gpus, cluster.totalGpus() + 1) : gpus;
      String model = random.nextBoolean() ? "vgg16" : "";
      builder.add(
          "j" + i,
          random.nextInt(40) * 50,
          gpus,
          least,
          most,
          random.nextInt(1, 2000),
          true,
          model,
          random.nextBoolean() ? "ann" : "bob",
          "");
    }
    return builder.build();
  }

  private record Span(int job, double start, double end, Placement placement) {
    boolean covers(double seconds) {
      return start <= seconds && seconds < end;
    }
  }

  /** The schedule as a list. */
  private static final class Plain {
    private final Cluster cluster;
    private final Jobs jobs;
    private final PlacementRule rule;
    private final List<Span> spans = new ArrayList<>();

    Plain(Cluster cluster, Jobs jobs, PlacementRule rule) {
      this.cluster = cluster;
      this.jobs = jobs;
      this.rule = rule;
    }

    RunObserver and(Segments segments) {
      return new RunObserver() {
        @Override
        public void segment(int job, double start, double end, double warmup, Placement placement) {
          segments.segment(job, start, end, warmup, placement);
          if (start < end) {
            spans.add(new Span(job, start, end, placement));
          }
        }
      };
    }

    void check(WorstServed row, RunResult result) {
      int job =
          IntStream.range(0, jobs.size())
              .filter(j -> jobs.id(j).equals(row.id()))
              .findFirst()
              .getAsInt();
      double wait = result.finishSeconds(job) - jobs.submitSeconds(job) - result.heldSeconds(job);
      Map<String, Double> reasons = new TreeMap<>();
      Map<String, Double> behind = new TreeMap<>();
      double[] moments = moments();
      for (int i = 0; i + 1 < moments.length; i++) {
        if (waits(job, moments[i])) {
          double seconds = moments[i + 1] - moments[i];
          WaitReason reason = reason(job, moments[i]);
          reasons.merge(reason.label(), seconds, Double::sum);
          if (reason == WaitReason.BEHIND) {
            Integer whom = behind(job, moments[i]);
            behind.merge(whom == null ? "" : jobs.id(whom), seconds, Double::sum);
          }
        }
      }
      assertThat(row.waited()).isCloseTo(wait, within(1e-6));
      assertThat(row.reasons().stream().mapToDouble(WorstServed.Reason::seconds).sum())
          .isCloseTo(wait, within(1e-6));
      same(told(row.reasons(), WorstServed.Reason::reason, WorstServed.Reason::seconds), reasons);
      double heldBack = behind.getOrDefault("", 0.0);
      behind.remove("");
      assertThat(row.heldBack()).isCloseTo(heldBack, within(1e-6));
      assertThat(row.behindJobs()).isEqualTo(behind.size());
      Map<String, Double> named =
          told(row.behind(), WorstServed.Behind::id, WorstServed.Behind::seconds);
      assertThat(named).hasSize(Math.min(Waits.NAMED, behind.size()));
      behind.keySet().retainAll(named.keySet());
      same(named, behind);
      assertThat(row.overtaken()).isEqualTo(overtaken(job));
    }

    private double[] moments() {
      TreeSet<Double> moments = new TreeSet<>();
      spans.forEach(span -> moments.addAll(List.of(span.start(), span.end())));
      for (int job = 0; job < jobs.size(); job++) {
        moments.add(jobs.submitSeconds(job));
      }
      return moments.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private boolean waits(int job, double now) {
      return jobs.submitSeconds(job) <= now
          && spans.stream().noneMatch(span -> span.job() == job && span.covers(now))
          && nextStart(job, now) < Double.POSITIVE_INFINITY;
    }

    private double nextStart(int job, double now) {
      return spans.stream()
          .filter(span -> span.job() == job && span.start() > now)
          .mapToDouble(Span::start)
          .min()
          .orElse(Double.POSITIVE_INFINITY);
    }

    private int need(int job) {
      Map<Integer, Integer> sizes = new HashMap<>();
      boolean resized = false;
      for (Span span : spans) {
        Integer before = sizes.put(span.job(), span.placement().workers());
        resized |= before != null && before != span.placement().workers();
      }
      return resized
          ? jobs.minGpus(job)
          : spans.stream()
              .filter(span -> span.job() == job)
              .mapToInt(span -> span.placement().workers())
              .findFirst()
              .getAsInt();
    }

    private WaitReason reason(int job, double now) {
      int free = cluster.totalGpus();
      ScratchServers servers = new ScratchServers(cluster);
      for (Span span : spans) {
        if (span.covers(now)) {
          free -= span.placement().workers();
          servers.take(span.placement(), cluster.demand(jobs.demand(span.job()), null));
        }
      }
      return free < need(job)
          ? WaitReason.CAPACITY
          : rule.reason(servers, cluster.demand(jobs.demand(job), null), need(job));
    }

    private @Nullable Integer behind(int job, double now) {
      double next = Double.POSITIVE_INFINITY;
      for (int other = 0; other < jobs.size(); other++) {
        next = waits(other, now) ? Math.min(next, nextStart(other, now)) : next;
      }
      List<Integer> served = new ArrayList<>();
      for (int other = 0; other < jobs.size(); other++) {
        if (waits(other, now) && nextStart(other, now) == next) {
          served.add(other);
        }
      }
      for (int other : served) {
        if (reason(other, now) != WaitReason.BEHIND) {
          return other;
        }
      }
      return served.contains(job) ? null : served.getFirst();
    }

    private int overtaken(int job) {
      int count = 0;
      for (int other = 0; other < jobs.size(); other++) {
        double start = nextStart(other, Double.NEGATIVE_INFINITY);
        count += jobs.submitSeconds(other) > jobs.submitSeconds(job) && waits(job, start) ? 1 : 0;
      }
      return count;
    }
  }

  private static <T> Map<String, Double> told(
      List<T> entries, Function<T, String> name, ToDoubleFunction<T> seconds) {
    Map<String, Double> told = new TreeMap<>();
    entries.forEach(e -> told.put(name.apply(e), seconds.applyAsDouble(e)));
    return told;
  }

  private static void same(Map<String, Double> told, Map<String, Double> found) {
    assertThat(told.keySet()).isEqualTo(found.keySet());
    told.forEach(
        (name, seconds) -> assertThat(seconds).as(name).isCloseTo(found.get(name), within(1e-6)));
  }
}
