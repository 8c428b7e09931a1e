package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.testing.Seeds;
import io.ringmaster.workload.JobsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of jobs, whatever their format. */
class TraceJobsTest {
  @TempDir Path folder;

  private static TraceJobs sink(long seed, String... settings) {
    Map<String, String> given =
        Stream.of(settings)
            .map(s -> s.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    return new TraceJobs(
        Settings.of("format test", TraceJobs.PARAMETERS, given), seed, (_, _) -> {});
  }

  private static Imported imported(List<TraceJob> jobs, long seed, String... settings) {
    TraceJobs sink = sink(seed, settings);
    for (TraceJob job : jobs) {
      sink.row(Path.of("trace.csv"), 2);
      sink.keep(job);
    }
    return sink.imported();
  }

  private static Map<String, String> models(Imported imported) {
    Jobs jobs = imported.jobs();
    Map<String, String> models = new TreeMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      models.put(jobs.id(i), jobs.models().profiles().get(jobs.model(i)).id());
    }
    return models;
  }

  private static List<TraceJob> random(RandomGenerator random, int count) {
    List<TraceJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int gpus = 1 << random.nextInt(6);
      jobs.add(
          TraceJob.of("job " + i, random.nextDouble(1e6), gpus, 1 + random.nextInt(1000))
              .by("u" + random.nextInt(3), random.nextBoolean() ? "" : "g" + random.nextInt(5)));
    }
    return jobs;
  }

  @Test
  void modelsDoNotDependOnTheOrderOfRows() {
    Seeds.each(
        20,
        (random, seed) -> {
          List<TraceJob> jobs = random(random, 60);
          Map<String, String> models = models(imported(jobs, seed, "models=mix"));
          Collections.shuffle(jobs, new Random(seed));
          assertThat(models(imported(jobs, seed, "models=mix"))).isEqualTo(models);
        });
  }

  /** The same user, group and class of size, the same model. */
  @Test
  void jobsOfAGroupTrainTheSame() {
    Seeds.each(
        20,
        (random, seed) -> {
          List<TraceJob> jobs = random(random, 200);
          Map<String, String> models = models(imported(jobs, seed, "models=mix"));
          Map<String, String> byGroup = new HashMap<>();
          for (TraceJob job : jobs) {
            if (!job.group().isEmpty()) {
              int size = job.gpus() <= 2 ? 0 : job.gpus() <= 8 ? 1 : 2;
              String key = job.user() + " " + job.group() + " " + size;
              String model = String.valueOf(models.get(job.id()));
              assertThat(byGroup.getOrDefault(key, model)).isEqualTo(model);
              byGroup.put(key, model);
            }
          }
        });
  }

  /** Each of the six models of small jobs has a sixth of them; three deviations are 0.012. */
  @Test
  void modelsOfOneSizeAreEquallyLikely() {
    List<TraceJob> jobs =
        IntStream.range(0, 10_000)
            .mapToObj(i -> TraceJob.of(Integer.toString(i), i, 1, 60))
            .toList();
    Imported first = imported(jobs, 1, "models=mix");
    Map<String, Long> counts =
        models(first).values().stream()
            .collect(Collectors.groupingBy(m -> m, Collectors.counting()));
    assertThat(counts).hasSize(6);
    assertThat(counts.values()).allMatch(n -> Math.abs(n / 10_000.0 - 1 / 6.0) < 0.012);
    assertThat(first.modelsDrawn()).isEqualTo(10_000);
    assertThat(models(imported(jobs, 2, "models=mix"))).isNotEqualTo(models(first));
  }

  @Test
  void namesBecomeModelsOfTheTable() {
    assertThat(
            Stream.of("ResNet-50", "VGG_16", "inception3", "BERT", "gpt2", "imagenet", "no such")
                .map(Models::known))
        .containsExactly(
            "resnet50", "vgg16", "inception-v3", "bert-large", "gpt2-medium", "resnet50", "");
    List<TraceJob> jobs =
        List.of(
            TraceJob.of("a", 0, 1, 1).training("bert"), TraceJob.of("b", 0, 1, 1).training("dlrm"));
    assertThat(imported(jobs, 1, "models=mix").modelsDrawn()).isEqualTo(1);
    // Nothing is made up unless it is asked for.
    assertThat(imported(jobs, 1).modelsDrawn()).isZero();
    assertThat(Sample.jobs(imported(jobs, 1), folder))
        .isEqualTo(Sample.jobs(imported(jobs, 1, "models=known"), folder))
        .contains("a,0,1,1,bert-large")
        .contains("b,0,1,1,,");
    assertThat(Sample.jobs(imported(jobs, 1, "models=none"), folder))
        .isEqualTo("job_id,submit_s,gpus,duration_s,start_s,end_s\na,0,1,1,,\nb,0,1,1,,\n");
  }

  /** Every row is counted once, and what is written is read. */
  @Test
  void countsAddUpAndTheFileIsRead() {
    Cluster cluster = Cluster.uniform(8, 8, Network.Contention.USUAL, 10);
    Seeds.each(
        30,
        (random, seed) -> {
          TraceJobs sink = sink(seed, "shortest=10", "longest=800", "largest=16", "gpus=power");
          for (int i = 0; i < 100; i++) {
            sink.row(Path.of("trace.csv"), 2);
            switch (random.nextInt(4)) {
              case 0 -> sink.drop("junk");
              case 1 -> sink.part("a part");
              default ->
                  sink.keep(
                      TraceJob.of(
                          "j" + random.nextInt(20),
                          odd(random, 1e9),
                          (int) odd(random, 20),
                          odd(random, 1000)));
            }
          }
          Imported imported = sink.imported();
          assertThat(rows(imported.parts()) + rows(imported.drops()) + imported.jobs().size())
              .isEqualTo(imported.rows())
              .isEqualTo(100);
          Path file = folder.resolve("jobs.csv");
          JobsFile.write(file, imported.jobs());
          Jobs read = JobsFile.read(file, ModelTable.standard(), cluster);
          assertThat(read.size()).isEqualTo(imported.jobs().size());
          assertThat(read.submitSeconds(0)).isZero();
          assertThat(IntStream.range(0, read.size()).map(read::gpus))
              .allMatch(gpus -> Integer.bitCount(gpus) == 1 && gpus <= 16);
        });
  }

  private static double odd(RandomGenerator random, double most) {
    double[] strange = {
      0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300
    };
    return random.nextInt(10) == 0
        ? strange[random.nextInt(strange.length)]
        : random.nextDouble(most);
  }

  private static long rows(List<Imported.Count> counts) {
    return counts.stream().mapToLong(Imported.Count::rows).sum();
  }

  /** Submitted at 0, 100, 200 and 300 s after a midnight. */
  @Test
  void aWindowOfTime() {
    double midnight = Times.seconds("2020-07-01");
    List<TraceJob> jobs =
        IntStream.range(0, 4)
            .mapToObj(i -> TraceJob.of("j" + i, midnight + 100 * i, 1, 60))
            .toList();
    assertThat(ids(imported(jobs, 1, "from=100", "to=300"))).isEqualTo("j1 j2");
    assertThat(ids(imported(jobs, 1, "from=2020-07-01T00:03:20"))).isEqualTo("j2 j3");
    assertThat(ids(imported(jobs, 1, "to=2020-07-01 00:01:40"))).isEqualTo("j0");
    Imported cut = imported(jobs, 1, "from=100");
    assertThat(cut.jobs().submitSeconds(0)).isZero();
    assertThat(Sample.counts(cut.drops())).isEqualTo("1 is outside the time wanted");
    assertThatThrownBy(() -> sink(1, "from=soon"))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "format test: setting from: 'soon' is not allowed; expected seconds after the first"
                + " job, or a date such as 2020-07-01 or 2020-07-01T12:00:00");
  }

  private static String ids(Imported imported) {
    Jobs jobs = imported.jobs();
    return IntStream.range(0, jobs.size()).mapToObj(jobs::id).collect(Collectors.joining(" "));
  }

  /** Whatever name a second job of an id gets, no other has it. */
  @Test
  void idsAreMadeUnique() {
    List<TraceJob> jobs = new ArrayList<>();
    for (String id : List.of("a", "a-2", "a", "a", "b", "a-2")) {
      jobs.add(TraceJob.of(id, jobs.size(), 1, 60));
    }
    Imported imported = imported(jobs, 1);
    assertThat(ids(imported)).isEqualTo("a a-2 a-3 a-4 b a-2-2");
    assertThat(imported.renamed()).isEqualTo(3);
  }

  @Test
  void nothingLeftIsAnErrorThatSaysWhy() {
    TraceJobs sink = sink(1);
    sink.row(Path.of("log.csv"), 7);
    sink.keep(TraceJob.of("a", 0, 0, 60));
    assertThatThrownBy(sink::imported)
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "none of the 1 rows is a job that can be replayed; most often because it asks for no"
                + " GPU, as in log.csv:7");
  }

  @Test
  void timesInManyForms() {
    double noon = 1_593_604_800;
    for (String text :
        List.of(
            "2020-07-01 12:00:00",
            "2020-07-01T12:00:00",
            "2020-07-01T12:00:00Z",
            "2020-07-01 20:00:00+08:00",
            "2020-07-01T05:00:00-07:00",
            "1593604800",
            "1593604800.0")) {
      assertThat(Times.seconds(text)).as(text).isEqualTo(noon);
    }
    assertThat(Times.seconds("2020-07-01 12:00:00.250")).isEqualTo(noon + 0.25);
    assertThat(Times.seconds("2020-07-01")).isEqualTo(noon - 43_200);
    assertThat(
            Arrays.asList("", "noon", "2020-13-01", "2020-07-01 25:00:00", "2020-07-01T", "1e999"))
        .allMatch(text -> !Double.isFinite(Times.seconds(text)));
  }
}
