package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Network;
import java.nio.file.Path;
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

class PhillyTest {
  private static final double WEEK_SECONDS = 604_800;

  /** As the trace, none stopped, and as many as settle the averages of what is heavy-tailed. */
  private static final Generated MANY =
      Generators.generate("philly", Map.of("jobs", "300000", "servers", "1000", "longest", "0"), 5);

  @TempDir Path dir;

  private static double work(Jobs jobs) {
    return IntStream.range(0, jobs.size()).mapToDouble(j -> jobs.work(j) * jobs.gpus(j)).sum();
  }

  private static double[] durations(Jobs jobs, int least, int most) {
    return IntStream.range(0, jobs.size())
        .filter(j -> jobs.gpus(j) >= least && jobs.gpus(j) <= most)
        .mapToDouble(jobs::work)
        .sorted()
        .toArray();
  }

  @Test
  void aWeekByDefault() {
    for (long seed = 1; seed <= 20; seed++) {
      Generated generated = Generators.generate("philly", Map.of(), seed);
      Jobs jobs = generated.jobs();
      assertThat(generated.cluster().size()).isEqualTo(64);
      assertThat(generated.cluster().totalGpus()).isEqualTo(512);
      assertThat(generated.cluster().network()).isEqualTo(Network.Contention.USUAL);
      assertThat(jobs.submitSeconds(0)).as("seed " + seed).isBetween(0.0, 3600.0);
      assertThat(jobs.submitSeconds(jobs.size() - 1))
          .as("seed " + seed)
          .isBetween(WEEK_SECONDS - 3600, WEEK_SECONDS);
      assertThat(work(jobs) / (512 * WEEK_SECONDS)).as("seed " + seed).isBetween(0.99, 1.01);
      assertThat(jobs.size()).as("seed " + seed).isBetween(8000, 18_000);
      double[] durations = durations(jobs, 1, 128);
      assertThat(durations[durations.length - 1]).as("seed " + seed).isEqualTo(48 * 3600);
    }
  }

  /** Only the longest differ, and the span: the load counts what is left of them. */
  @Test
  void longJobsAreStopped() {
    Map<String, String> given = Map.of("jobs", "20000", "longest", "0");
    Jobs whole = Generators.generate("philly", given, 4).jobs();
    given = Map.of("jobs", "20000", "longest", "2.5");
    Jobs stopped = Generators.generate("philly", given, 4).jobs();
    for (int job = 0; job < 20_000; job++) {
      assertThat(stopped.gpus(job)).isEqualTo(whole.gpus(job));
      assertThat(stopped.model(job)).isEqualTo(whole.model(job));
      assertThat(stopped.work(job)).isEqualTo(Math.min(whole.work(job), 9000));
    }
    assertThat(work(stopped)).isLessThan(0.3 * work(whole));
    double span = work(stopped) / 512;
    assertThat(stopped.submitSeconds(19_999)).isBetween(0.99 * span, span);
  }

  @Test
  void theSpanFollowsFromTheJobs() {
    Jobs jobs = Generators.generate("philly", Map.of("jobs", "20000", "load", "0.5"), 2).jobs();
    assertThat(jobs.size()).isEqualTo(20_000);
    double span = work(jobs) / (512 * 0.5);
    assertThat(jobs.submitSeconds(19_999)).isBetween(0.99 * span, span);
  }

  @Test
  void twoDaysOnASmallCluster() {
    Generated generated =
        Generators.generate(
            "philly", Map.of("days", "2", "servers", "2", "gpus", "4", "network", "none"), 3);
    Jobs jobs = generated.jobs();
    assertThat(generated.cluster().network()).isEqualTo(Network.None.USUAL);
    assertThat(generated.cluster().totalGpus()).isEqualTo(8);
    for (int job = 0; job < jobs.size(); job++) {
      assertThat(jobs.gpus(job)).isLessThanOrEqualTo(8);
      assertThat(jobs.submitSeconds(job)).isLessThanOrEqualTo(2 * 86_400);
    }
  }

  /** All else stays as it is: the same jobs, from a fourth to four times their workers. */
  @Test
  void elasticJobsHaveARange() {
    Jobs rigid = Generators.generate("philly", Map.of("days", "1"), 3).jobs();
    Jobs elastic = Generators.generate("philly", Map.of("days", "1", "elastic", "4"), 3).jobs();
    assertThat(rigid.anyElastic()).isFalse();
    assertThat(elastic.size()).isEqualTo(rigid.size());
    for (int job = 0; job < elastic.size(); job++) {
      assertThat(elastic.gpus(job)).isEqualTo(rigid.gpus(job));
      assertThat(elastic.work(job)).isEqualTo(rigid.work(job));
      assertThat(elastic.minGpus(job)).isEqualTo((rigid.gpus(job) + 3) / 4);
      assertThat(elastic.maxGpus(job)).isEqualTo(4 * rigid.gpus(job));
    }
  }

  @Test
  void jobsAndDaysExcludeEachOther() {
    assertThat(
            Same.message(
                dir, () -> Generators.generate("philly", Map.of("jobs", "5", "days", "1"), 1)))
        .isEqualTo("generator philly: set jobs or days, not both: the other follows from the load");
    assertThat(
            Same.message(
                dir,
                () ->
                    Generators.generate(
                        "philly", Map.of("days", "3650", "servers", "90000", "load", "9"), 1)))
        .isEqualTo(
            "generator philly: these days, load, GPUs and longest job take at least 47746093458"
                + " jobs; expected at most 20000000");
    assertThat(
            Same.message(dir, () -> Generators.generate("philly", Map.of("longest", "0.001"), 1)))
        .isEqualTo(
            "generator philly: these days, load, GPUs and longest job take at least 66166154 jobs;"
                + " expected at most 20000000");
    assertThat(
            Same.message(
                dir,
                () ->
                    Generators.generate("philly", Map.of("servers", "1000000", "gpus", "101"), 1)))
        .isEqualTo("generator philly: 1000000 servers of 101 GPUs are more than 100000000 GPUs");
  }

  /** Shares of the published trace, in percent. */
  @ParameterizedTest
  @CsvSource({"1, 93.17, 0.3", "2, 2.21, 0.15", "4, 2.27, 0.15", "8, 2.00, 0.15", "16, 0.24, 0.05"})
  void sizes(int gpus, double percent, double tolerance) {
    Jobs jobs = MANY.jobs();
    double share = 100.0 * durations(jobs, gpus, gpus).length / jobs.size();
    assertThat(share).isCloseTo(percent, within(tolerance));
  }

  /** Medians and means of the published trace, in seconds; the tolerance is a factor. */
  @ParameterizedTest
  @CsvSource({
    "1, 128, 1144, 1.15, 13136, 1.15",
    "1, 1, 1117, 1.15, 8301, 1.2",
    "2, 2, 21, 1.3, 30940, 1.5",
    "4, 4, 17410, 1.4, 78760, 1.3",
    "8, 8, 23680, 1.4, 129800, 1.3",
    "9, 128, 21140, 3, 95330, 1.6",
  })
  void lengths(
      int least, int most, double median, double medianFactor, double mean, double meanFactor) {
    double[] durations = durations(MANY.jobs(), least, most);
    assertThat(durations[durations.length / 2])
        .isBetween(median / medianFactor, median * medianFactor);
    assertThat(Arrays.stream(durations).average().orElseThrow())
        .isBetween(mean / meanFactor, mean * meanFactor);
    assertThat(durations[0]).isGreaterThanOrEqualTo(1);
    assertThat(durations[durations.length - 1]).isLessThanOrEqualTo(4_628_000);
  }

  @Test
  void numbersAreRound() {
    Jobs jobs = MANY.jobs();
    for (int job = 0; job < jobs.size(); job++) {
      double milliseconds = jobs.submitSeconds(job) * 1000;
      assertThat(jobs.work(job)).isEqualTo(Math.rint(jobs.work(job)));
      assertThat(milliseconds).isCloseTo(Math.rint(milliseconds), within(1e-3));
    }
  }

  @Test
  void nightsAndWeekendsAreQuieter() {
    Jobs jobs = MANY.jobs();
    int[] days = new int[7];
    int[] hours = new int[24];
    double weeks = Math.floor(jobs.submitSeconds(jobs.size() - 1) / WEEK_SECONDS);
    for (int job = 0; job < jobs.size(); job++) {
      double submit = jobs.submitSeconds(job);
      if (submit < weeks * WEEK_SECONDS) {
        days[(int) (submit / 86_400) % 7]++;
        hours[(int) (submit / 3600) % 24]++;
      }
    }
    assertThat(days[6] / (double) days[3]).isCloseTo(0.56 / 1.28, within(0.05));
    assertThat(hours[14] / (double) hours[6]).isCloseTo(0.62 / 1.45, within(0.05));
  }

  @Test
  void someUsersSubmitMost() {
    Jobs jobs = MANY.jobs();
    Map<String, Integer> counts = new HashMap<>();
    for (int job = 0; job < jobs.size(); job++) {
      counts.merge(jobs.userNames().get(jobs.user(job)), 1, Integer::sum);
    }
    assertThat(counts).hasSize(300);
    double first = counts.getOrDefault("u0001", 0);
    assertThat(first / counts.getOrDefault("u0010", 1)).isCloseTo(10, within(1.0));
  }

  @Test
  void aGroupHasOneUserSizeAndModelAndLikeDurations() {
    Jobs jobs = MANY.jobs();
    Map<Integer, String> traits = new HashMap<>();
    Map<Integer, Double> firstLog = new HashMap<>();
    double within = 0;
    int repeats = 0;
    for (int job = 0; job < jobs.size(); job++) {
      String trait = jobs.user(job) + " " + jobs.gpus(job) + " " + jobs.model(job);
      assertThat(traits.computeIfAbsent(jobs.group(job), _ -> trait)).isEqualTo(trait);
      double log = StrictMath.log(jobs.work(job));
      Double first = firstLog.putIfAbsent(jobs.group(job), log);
      if (first != null) {
        repeats++;
        within += (log - first) * (log - first) / 2;
      }
    }
    assertThat(repeats / (double) jobs.size()).isCloseTo(0.8, within(0.02));
    assertThat(variance(jobs)).isCloseTo(2.156 * 2.156, within(0.6));
    assertThat(within / repeats).isLessThan(0.15 * variance(jobs));
  }

  private static double variance(Jobs jobs) {
    double[] logs =
        IntStream.range(0, jobs.size()).mapToDouble(j -> StrictMath.log(jobs.work(j))).toArray();
    double mean = Arrays.stream(logs).average().orElseThrow();
    return Arrays.stream(logs).map(l -> (l - mean) * (l - mean)).average().orElseThrow();
  }

  @Test
  void modelsGoWithTheSize() {
    Jobs jobs = MANY.jobs();
    Map<Integer, Set<String>> models = new HashMap<>();
    for (int job = 0; job < jobs.size(); job++) {
      ModelProfile profile = Objects.requireNonNull(jobs.profile(job));
      models.computeIfAbsent(jobs.gpus(job), _ -> new HashSet<>()).add(profile.id());
    }
    List<String> small =
        List.of("vgg16", "vgg19", "resnet50", "resnet152", "inception-v3", "lstm-ptb");
    assertThat(models.get(1)).containsExactlyInAnyOrderElementsOf(small);
    assertThat(models.get(8)).contains("bert-large", "xlnet-large").doesNotContain("lstm-ptb");
    assertThat(models.get(16)).containsExactlyInAnyOrder("gpt2-medium", "gpt2-xl", "bert-large");
  }
}
