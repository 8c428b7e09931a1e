package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.model.RingTerms;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds in every run, checked without the validator: each moment is looked at by itself, in
 * time that grows with the square of the run.
 */
class RunPropertiesTest {
  private record Segment(int job, double start, double end, double warmup, Placement placement) {
    boolean covers(double seconds) {
      return start <= seconds && seconds < end;
    }
  }

  private static final class Segments implements RunObserver {
    final List<Segment> all = new ArrayList<>();

    @Override
    public void segment(int job, double start, double end, double warmup, Placement placement) {
      all.add(new Segment(job, start, end, warmup, placement));
    }
  }

  static Stream<String> policies() {
    return Policies.all().stream().map(PolicySpec::name);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void capacityGangsWorkAndSubmissionAreRespected(String policy) {
    Seeds.each(
        60,
        (random, seed) -> {
          Network network = Workloads.network(random, seed);
          Cluster cluster = Workloads.cluster(random, network, seed % 2 == 0 ? 0 : 10);
          Jobs jobs = Workloads.mixed(random, cluster, 20, seed % 4 < 2);
          Segments segments = new Segments();
          RunResult run = Runs.run(cluster, jobs, policy, seed, segments);

          assertThat(run.finished()).isEqualTo(jobs.size());
          capacityIsNeverExceeded(cluster, segments.all);
          gangsAreWhole(jobs, segments.all);
          nothingStartsBeforeItsSubmission(jobs, run, segments.all);
          workIsConserved(cluster, jobs, segments.all);
        });
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theSameSeedGivesTheSameRun(String policy) {
    Seeds.each(
        10,
        (random, seed) -> {
          Cluster cluster = Workloads.cluster(random, Workloads.contention(random), 10);
          Jobs jobs = Workloads.mixed(random, cluster, 30, false);
          Segments once = new Segments();
          Segments again = new Segments();
          Runs.run(cluster, jobs, policy, seed, once);
          Runs.run(cluster, jobs, policy, seed, again);
          assertThat(again.all).isEqualTo(once.all);
        });
  }

  private static void capacityIsNeverExceeded(Cluster cluster, List<Segment> segments) {
    for (Segment moment : segments) {
      int[] used = new int[cluster.size()];
      for (Segment other : segments) {
        for (int i = 0; other.covers(moment.start()) && i < other.placement().size(); i++) {
          used[other.placement().server(i)] += other.placement().gpus(i);
        }
      }
      for (int s = 0; s < used.length; s++) {
        assertThat(used[s])
            .as("GPUs of server %d at %s", s, moment.start())
            .isLessThanOrEqualTo(cluster.gpus(s));
      }
    }
  }

  private static void gangsAreWhole(Jobs jobs, List<Segment> segments) {
    for (Segment segment : segments) {
      Set<Integer> servers = new HashSet<>();
      int workers = 0;
      for (int i = 0; i < segment.placement().size(); i++) {
        servers.add(segment.placement().server(i));
        assertThat(segment.placement().gpus(i)).isPositive();
        workers += segment.placement().gpus(i);
      }
      assertThat(servers).hasSize(segment.placement().size());
      assertThat(workers).isBetween(jobs.minGpus(segment.job()), jobs.maxGpus(segment.job()));
    }
  }

  private static void nothingStartsBeforeItsSubmission(
      Jobs jobs, RunResult run, List<Segment> segments) {
    for (Segment segment : segments) {
      int job = segment.job();
      assertThat(segment.start()).isGreaterThanOrEqualTo(jobs.submitSeconds(job));
      assertThat(segment.start()).isGreaterThanOrEqualTo(run.startSeconds(job));
      assertThat(segment.end()).isBetween(segment.start(), run.finishSeconds(job));
    }
  }

  /** The sum of workers / tau over time is iterations x GPUs asked for. */
  private static void workIsConserved(Cluster cluster, Jobs jobs, List<Segment> segments) {
    IterationTime time = IterationTime.of(cluster);
    TreeSet<Double> moments = new TreeSet<>();
    for (Segment segment : segments) {
      moments.addAll(List.of(segment.start(), segment.start() + segment.warmup(), segment.end()));
    }
    double[] miniBatches = new double[jobs.size()];
    Double from = moments.first();
    for (Double to : moments.tailSet(from, false)) {
      double begin = from;
      List<Segment> now = segments.stream().filter(s -> s.covers(begin)).toList();
      for (Segment segment : now) {
        if (segment.start() + segment.warmup() <= begin) {
          Placement place = segment.placement();
          double tau =
              time.seconds(
                  jobs.profile(segment.job()),
                  place,
                  Math.max(1, contenders(cluster, jobs, segment, now)));
          miniBatches[segment.job()] += (to - begin) * place.workers() / tau;
        }
      }
      from = to;
    }
    for (int job = 0; job < jobs.size(); job++) {
      double ideal = time.seconds(jobs.profile(job), cluster.idealPlacement(jobs.gpus(job)), 1);
      double iterations = jobs.workIsDuration(job) ? jobs.work(job) / ideal : jobs.work(job);
      double expected = iterations * jobs.gpus(job);
      assertThat(miniBatches[job])
          .as("mini-batches of job %d", job)
          .isCloseTo(expected, within(1e-9 * expected));
    }
  }

  /** What the rings that leave the busiest server of a segment count for it. */
  private static double contenders(Cluster cluster, Jobs jobs, Segment segment, List<Segment> now) {
    double most = 0;
    for (int i = 0; i < segment.placement().size(); i++) {
      int server = segment.placement().server(i);
      List<Segment> rings = now.stream().filter(other -> isRing(jobs, other, server)).toList();
      double load = 0;
      for (Segment ring : rings) {
        load +=
            ring.job() == segment.job() || !(cluster.network() instanceof Network.Transmit)
                ? 1
                : transmits(cluster, jobs, ring, rings.size() - 1);
      }
      most = Math.max(most, load);
    }
    return most;
  }

  private static boolean isRing(Jobs jobs, Segment segment, int server) {
    boolean there = false;
    for (int k = 0; k < segment.placement().size(); k++) {
      there |= segment.placement().server(k) == server;
    }
    return there && segment.placement().size() > 1 && jobs.profile(segment.job()) != null;
  }

  /**
   * Share of the time that one of n such rings transmits, from iteration times alone: what a second
   * ring adds where rings count whole is what it transmits, and what is left alone is the rest.
   */
  private static double transmits(Cluster cluster, Jobs jobs, Segment ring, int n) {
    if (n == 0) {
      return 0;
    }
    RingTerms terms = cluster.network().terms();
    RingTerms whole =
        new RingTerms(1, terms.alpha(), terms.overheadSeconds(), terms.reduceBytesPerSecond());
    IterationTime counted =
        IterationTime.of(
            new Cluster(
                cluster.name(),
                cluster.servers(),
                new Network.Contention(whole),
                cluster.restartSeconds()));
    ModelProfile profile = jobs.profile(ring.job());
    double transmits =
        (counted.seconds(profile, ring.placement(), 2)
                - counted.seconds(profile, ring.placement(), 1))
            / (1 + terms.alpha());
    double rest = IterationTime.of(cluster).seconds(profile, ring.placement(), 1) - transmits;
    double others = (n - 1) * transmits(cluster, jobs, ring, n - 1);
    double slowed = transmits * (1 + others + terms.alpha() * others);
    return slowed / (slowed + rest);
  }
}
