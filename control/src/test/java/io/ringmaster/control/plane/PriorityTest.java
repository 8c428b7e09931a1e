package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Priorities that jobs are given after they were submitted. */
class PriorityTest {
  private static final String ONE = "{\"command\": [\"a\"], \"gpus\": 1, \"duration_s\": 60}";

  private static CompletableFuture<Job> give(Stage stage, long job, int priority, Role role) {
    CompletableFuture<Job> reply = new CompletableFuture<>();
    stage.step(new Message.Prioritize(job, priority, "root", role, reply));
    return reply;
  }

  @Test
  void aJobThatWaitsGoesBeforeTheOthersAndTheHistorySaysWhoSaidSo() {
    Stage stage = new Stage(1, 1, "fifo", Map.of());
    long first = stage.submit(ONE);
    long second = stage.submit(ONE);
    long third = stage.submit(ONE);
    stage.runs(first);
    assertThat(give(stage, third, 7, Role.USER).join().spec().priority()).isEqualTo(7);
    stage.restart();
    stage.observe();
    assertThat(stage.job(third).spec().priority()).isEqualTo(7);
    stage.exits(first, 0, false);
    assertThat(stage.state(third)).isEqualTo("starting");
    assertThat(stage.state(second)).isEqualTo("queued");
    assertThat(stage.store.history(third))
        .anySatisfy(entry -> assertThat(entry.reason()).startsWith("was given priority 7 by root"));
    stage.database.close();
  }

  @Test
  void whoMayNotIsRefusedAndSoIsAJobThatHasEnded() {
    Stage stage = new Stage(1, 1, "fifo", Map.of());
    long job = stage.submit(ONE);
    assertThatThrownBy(() -> give(stage, job, 101, Role.USER).join())
        .hasMessageContaining("priority: 101 is above the highest that a user may ask for, 100");
    give(stage, job, 101, Role.ADMIN).join();
    stage.runs(job);
    stage.exits(job, 0, false);
    assertThatThrownBy(() -> give(stage, job, 1, Role.ADMIN).join())
        .hasMessageContaining("job 1 has already ended: succeeded");
    assertThatThrownBy(() -> give(stage, 99, 1, Role.ADMIN).join())
        .hasMessageContaining("there is no job 99");
    stage.database.close();
  }

  /** The plane looks after each step whether what must hold does, and throws if not. */
  @Test
  void whateverHappensMeanwhileNothingIsBroken() {
    Seeds.each(
        30,
        (random, _) -> {
          Stage stage = new Stage(2, 2, random.nextBoolean() ? "fifo" : "srtf", Map.of("ada", 3));
          List<Long> jobs = new ArrayList<>();
          for (int i = 0; i < 60; i++) {
            stage.now += random.nextInt(5);
            long any = jobs.isEmpty() ? 0 : jobs.get(random.nextInt(jobs.size()));
            switch (random.nextInt(jobs.isEmpty() ? 1 : 5)) {
              case 0 -> {
                String user = random.nextBoolean() ? "ada" : "bob";
                String job =
                    "{\"command\": [\"a\"], \"gpus\": %d, \"retries\": 1, \"duration_s\": %d}"
                        .formatted(1 + random.nextInt(3), 10 + random.nextInt(90));
                jobs.add(stage.submit(user, "", job).join().id());
              }
              case 1, 2 -> {
                if (!stage.job(any).state().isEnd()) {
                  give(stage, any, random.nextInt(3), Role.USER).join();
                }
              }
              case 3 -> {
                if (stage.job(any).state() == JobState.STARTING) {
                  stage.runs(any);
                }
              }
              default -> {
                Job job = stage.job(any);
                if (job.held() != null) {
                  stage.exits(any, random.nextInt(2), job.state().isStopping());
                }
              }
            }
            if (random.nextInt(10) == 0) {
              stage.restart();
            }
          }
          stage.database.close();
        });
  }
}
