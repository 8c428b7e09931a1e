package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Pipeline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ASrptMixTest {
  /** As many as settle what is heavy-tailed. */
  private static final Jobs MANY = generate(Map.of("jobs", "200000"), 5).jobs();

  @TempDir Path dir;

  private static Generated generate(Map<String, String> given, long seed) {
    return Generators.generate("a-srpt", given, seed);
  }

  private static double work(Jobs jobs) {
    return IntStream.range(0, jobs.size()).mapToDouble(j -> jobs.work(j) * jobs.gpus(j)).sum();
  }

  /** The mean gap of n arrivals in a span is span / (n + 1) before the first and after the last. */
  @Test
  void theDefaults() {
    for (long seed = 1; seed <= 20; seed++) {
      Generated generated = generate(Map.of(), seed);
      Jobs jobs = generated.jobs();
      assertThat(jobs.size()).isEqualTo(4000);
      assertThat(generated.cluster().size()).isEqualTo(32);
      assertThat(generated.cluster().totalGpus()).isEqualTo(256);
      assertThat(generated.cluster().restartSeconds()).isEqualTo(10);
      assertThat(generated.cluster().network())
          .isEqualTo(Network.Contention.USUAL.sharing(Pipelining.STEADY));
      Server server = generated.cluster().server(0);
      assertThat(server.nicBytesPerSecond()).isEqualTo(25e9 / 8);
      assertThat(server.intraBytesPerSecond()).isEqualTo(300e9);
      double span = work(jobs) / (256 * 0.9);
      assertThat(jobs.submitSeconds(0)).as("seed " + seed).isBetween(0.0, 0.003 * span);
      assertThat(jobs.submitSeconds(3999)).as("seed " + seed).isBetween(0.997 * span, span);
    }
  }

  /** Squared gaps of a Poisson process have twice the square of the mean gap. */
  @Test
  void arrivalsAreAPoissonProcess() {
    double mean = MANY.submitSeconds(MANY.size() - 1) / (MANY.size() - 1);
    double squares = 0;
    for (int job = 1; job < MANY.size(); job++) {
      double gap = MANY.submitSeconds(job) - MANY.submitSeconds(job - 1);
      squares += gap * gap / (MANY.size() - 1);
    }
    assertThat(squares / (mean * mean)).isCloseTo(2, within(0.05));
  }

  @ParameterizedTest
  @CsvSource({"load, 0.45", "bandwidth, 100", "intra, 12"})
  void otherSettingsLeaveTheJobsAsTheyAre(String setting, String value) {
    Jobs jobs = generate(Map.of("jobs", "500"), 3).jobs();
    Jobs other = generate(Map.of("jobs", "500", setting, value), 3).jobs();
    double stretch = setting.equals("load") ? 2 : 1;
    for (int job = 0; job < 500; job++) {
      assertThat(withoutTime(other, job)).isEqualTo(withoutTime(jobs, job));
      assertThat(other.submitSeconds(job))
          .isCloseTo(stretch * jobs.submitSeconds(job), within(0.002));
    }
  }

  private static String withoutTime(Jobs jobs, int job) {
    return Same.job(jobs, job).replaceFirst("submit=\\S+", "");
  }

  @ParameterizedTest
  @CsvSource({"1, 50", "2, 9", "4, 16", "8, 19", "16, 5", "32, 1"})
  void sizes(int gpus, double percent) {
    long count = IntStream.range(0, MANY.size()).filter(j -> MANY.gpus(j) == gpus).count();
    // Jobs of a group have one size, so that these are some 40,000 draws of uneven weight.
    assertThat(100.0 * count / MANY.size()).isCloseTo(percent, within(1.0));
  }

  /**
   * Quantiles of the log-normal distribution: 600 exp(1.6 z) s with z = -1.2816, 0, 1.2816 and
   * 2.3263 are 77, 600, 4664 and 24823 s.
   */
  @ParameterizedTest
  @CsvSource({"0.1, 77", "0.5, 600", "0.9, 4664", "0.99, 24823"})
  void lengths(double part, double seconds) {
    double[] sorted = IntStream.range(0, MANY.size()).mapToDouble(MANY::work).sorted().toArray();
    assertThat(sorted[(int) (part * sorted.length)]).isBetween(seconds / 1.07, seconds * 1.07);
    assertThat(sorted[0]).isEqualTo(60);
    assertThat(sorted[sorted.length - 1]).isEqualTo(24 * 3600);
  }

  @Test
  void longJobsAreStopped() {
    Jobs whole = generate(Map.of("jobs", "2000"), 4).jobs();
    Jobs stopped = generate(Map.of("jobs", "2000", "longest", "0.5"), 4).jobs();
    for (int job = 0; job < 2000; job++) {
      assertThat(stopped.work(job)).isEqualTo(Math.min(whole.work(job), 1800));
      assertThat(stopped.work(job)).isEqualTo(Math.rint(stopped.work(job)));
    }
    double span = work(stopped) / (256 * 0.9);
    assertThat(stopped.submitSeconds(1999)).isBetween(0.99 * span, span);
  }

  private static Map<Integer, List<Integer>> groups(Jobs jobs) {
    Map<Integer, List<Integer>> groups = new HashMap<>();
    for (int job = 0; job < jobs.size(); job++) {
      groups.computeIfAbsent(jobs.group(job), _ -> new ArrayList<>()).add(job);
    }
    return groups;
  }

  /** Zipf's law: of all groups that recur, 1/4 / (pi^2/6 - 1 - 0.01) = 0.394 have two jobs. */
  @Test
  void mostJobsRecur() {
    Map<Integer, List<Integer>> groups = groups(MANY);
    int[] sizes = groups.values().stream().mapToInt(List::size).toArray();
    assertThat(Arrays.stream(sizes).filter(s -> s == 1).count()).isEqualTo(70_000);
    int recurring = groups.size() - 70_000;
    long twos = Arrays.stream(sizes).filter(s -> s == 2).count();
    assertThat((double) twos / recurring).isCloseTo(0.394, within(0.015));
    assertThat(Arrays.stream(sizes).max().orElseThrow()).isBetween(95, 101);
    for (int count : new int[] {1, 2, 3, 4, 17}) {
      Jobs all = generate(Map.of("jobs", "" + count, "recurring", "1"), count).jobs();
      assertThat(groups(all).values()).allMatch(g -> g.size() > 1 || count == 1);
    }
    assertThat(groups(generate(Map.of("jobs", "300", "recurring", "0"), 1).jobs())).hasSize(300);
  }

  /** Within a group logarithms have a variance of 0.3^2 but for what the limits cut off. */
  @Test
  void jobsOfAGroupAreAlike() {
    double squares = 0;
    int pairs = 0;
    int unlike = 0;
    for (List<Integer> group : groups(MANY).values()) {
      int first = group.getFirst();
      for (int job : group) {
        unlike +=
            MANY.user(job) == MANY.user(first)
                    && MANY.gpus(job) == MANY.gpus(first)
                    && MANY.model(job) == MANY.model(first)
                ? 0
                : 1;
      }
      double last = MANY.work(group.getLast());
      boolean inside = MANY.work(first) > 60 && last > 60 && last < 86_400;
      if (group.size() > 1 && inside) {
        double difference = StrictMath.log(last / MANY.work(first));
        squares += difference * difference / 2;
        pairs++;
      }
    }
    assertThat(unlike).isZero();
    assertThat(squares / pairs).isCloseTo(0.09, within(0.006));
  }

  @Test
  void modelsAndStagesGoWithTheSize() {
    Map<Integer, Set<String>> found = new HashMap<>();
    for (int job = 0; job < MANY.size(); job++) {
      ModelProfile profile = Objects.requireNonNull(MANY.profile(job));
      Pipeline pipeline = profile.pipeline();
      int gpus = MANY.gpus(job);
      String stages = pipeline == null ? "" : " " + pipeline.replicas().text();
      found.computeIfAbsent(gpus, _ -> new HashSet<>()).add(profile.id() + stages);
    }
    assertThat(found.get(1)).containsExactlyInAnyOrder("vgg19", "resnet152", "inception-v3");
    assertThat(found.get(2))
        .containsExactlyInAnyOrder(
            "vgg19", "vgg19 2x1", "resnet152", "resnet152 2x1", "inception-v3", "inception-v3 2x1");
    assertThat(found.get(8))
        .containsExactlyInAnyOrder(
            "vgg19",
            "vgg19 2x4",
            "resnet152",
            "resnet152 2x4",
            "inception-v3",
            "inception-v3 2x4",
            "bert-large 2x4",
            "bert-large 4x2",
            "xlnet-large 2x4",
            "xlnet-large 4x2");
    assertThat(found.get(32))
        .containsExactlyInAnyOrder(
            "gpt2-medium 4x8", "gpt2-medium 8x4", "gpt2-xl 4x8", "gpt2-xl 8x4");
  }

  @Test
  void someUsersSubmitMost() {
    Map<String, Integer> counts = new HashMap<>();
    for (int job = 0; job < MANY.size(); job++) {
      counts.merge(MANY.userNames().get(MANY.user(job)), 1, Integer::sum);
    }
    assertThat(counts).hasSize(100);
    double first = counts.getOrDefault("u0001", 0);
    assertThat(first / counts.getOrDefault("u0010", 1)).isCloseTo(10, within(2.0));
  }

  @Test
  void aSmallClusterHasNoLargeJobs() {
    Jobs jobs = generate(Map.of("servers", "3", "gpus", "4"), 1).jobs();
    for (int job = 0; job < jobs.size(); job++) {
      assertThat(jobs.gpus(job)).isLessThanOrEqualTo(8);
    }
    assertThat(Same.message(dir, () -> generate(Map.of("servers", "1000000", "gpus", "101"), 1)))
        .isEqualTo("generator a-srpt: 1000000 servers of 101 GPUs are more than 100000000 GPUs");
  }
}
