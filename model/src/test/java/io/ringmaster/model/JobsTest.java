package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobsTest {
  private record Row(
      String id,
      double submit,
      int gpus,
      int min,
      int max,
      double work,
      boolean duration,
      String model,
      String user,
      String group) {}

  private static Row row(Jobs jobs, int job) {
    ModelProfile profile = jobs.profile(job);
    return new Row(
        jobs.id(job),
        jobs.submitSeconds(job),
        jobs.gpus(job),
        jobs.minGpus(job),
        jobs.maxGpus(job),
        jobs.work(job),
        jobs.workIsDuration(job),
        profile == null ? "" : profile.id(),
        jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
        jobs.group(job) < 0 ? "" : jobs.groupNames().get(jobs.group(job)));
  }

  /** Any order in; by submission out, rows with the same submission in the order they came. */
  @Test
  void jobsAreSortedStablyBySubmissionAndKeepAllTheyHave() {
    List<String> models = List.of("", "vgg16", "gpt2-xl");
    Seeds.each(
        60,
        (random, seed) -> {
          List<Row> rows = new ArrayList<>();
          int count = random.nextInt(1, 700);
          for (int i = 0; i < count; i++) {
            int gpus = random.nextInt(1, 9);
            boolean elastic = seed % 2 == 0 && random.nextInt(5) == 0;
            rows.add(
                new Row(
                    (i % 3 == 0 ? "größe-" : "j") + i + "x".repeat(random.nextInt(20)),
                    // Now and then in order from the start, mostly not, with many ties.
                    seed % 5 == 0 ? i : random.nextInt(50),
                    gpus,
                    elastic ? 1 : gpus,
                    elastic ? gpus + 2 : gpus,
                    random.nextDouble(1, 1e6),
                    random.nextBoolean(),
                    models.get(random.nextInt(3)),
                    random.nextBoolean() ? "" : "user" + random.nextInt(9),
                    random.nextBoolean() ? "" : "group" + random.nextInt(9)));
          }
          JobsBuilder builder = Jobs.builder(ModelTable.standard());
          for (Row r : rows) {
            builder.add(
                r.id, r.submit, r.gpus, r.min, r.max, r.work, r.duration, r.model, r.user, r.group);
          }
          Jobs jobs = builder.build();

          List<Row> sorted = new ArrayList<>(rows);
          sorted.sort(Comparator.comparingDouble(Row::submit));
          List<Row> actual = new ArrayList<>();
          for (int job = 0; job < jobs.size(); job++) {
            actual.add(row(jobs, job));
          }
          assertThat(actual).isEqualTo(sorted);
          assertThat(jobs.anyElastic())
              .isEqualTo(rows.stream().anyMatch(r -> r.min != r.gpus || r.max != r.gpus));
        });
  }

  @Test
  void aJobIsElasticIfItsRangeIsMoreThanItsGpus() {
    JobsBuilder builder =
        Jobs.builder(ModelTable.standard()).add("rigid", 0, 4, 4, 4, 10, true, "", "", "");
    assertThat(builder.build().anyElastic()).isFalse();
    assertThat(builder.add("grows", 0, 4, 4, 8, 10, true, "", "", "").build().anyElastic())
        .isTrue();
    assertThat(
            Jobs.builder(ModelTable.standard())
                .add("shrinks", 0, 4, 2, 4, 10, true, "", "", "")
                .build()
                .anyElastic())
        .isTrue();
  }

  @Test
  void durationsAndIterationsAreToldApart() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("d", 0, 1, 60, "vgg16")
            .addIterations("i", 0, 1, 500, "")
            .build();
    assertThat(jobs.workIsDuration(0)).isTrue();
    assertThat(jobs.workIsDuration(1)).isFalse();
    assertThat(jobs.model(1)).isEqualTo(-1);
    assertThat(jobs.profile(1)).isNull();
    assertThat(jobs.minGpus(0)).isEqualTo(1);
    assertThat(jobs.maxGpus(0)).isEqualTo(1);
  }

  @Test
  void anUnknownModelIsRefused() {
    assertThatThrownBy(
            () -> Jobs.builder(ModelTable.standard()).addDuration("j", 0, 1, 1, "alexnet"))
        .hasMessage("unknown model 'alexnet'");
  }
}
