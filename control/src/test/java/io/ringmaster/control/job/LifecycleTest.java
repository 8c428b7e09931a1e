package io.ringmaster.control.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private static final Allocation HERE = Allocation.of("n1:2");
  private static final Allocation THERE = Allocation.of("n2:2");
  private static final Path TABLE = Path.of("../docs/job-states.md");
  private static final Lifecycle LIFECYCLE = new Lifecycle(3);

  private static JobSpec spec(int retries) {
    return JobSpecs.of(
        Map.of("command", List.of("train"), "gpus", 2, "retries", retries, "time_limit_s", 100));
  }

  /** A job in a state, as it gets there from its submission; its attempt, if any, is the second. */
  private static Job in(JobState state, int retries) {
    Job queued = Lifecycle.submitted(7, "ada", "", spec(retries), 0);
    Job placed = step(queued, new JobEvent.Assign(HERE, 1, "placed"));
    Draft second = new Draft(placed);
    second.attempt = 1;
    Job starting = step(second.job(), new JobEvent.Begin());
    Job running = step(starting, seen(new Status.Running()));
    return switch (state) {
      case SUBMITTED ->
          Lifecycle.submitted(
              7,
              "ada",
              "",
              JobSpecs.of(Map.of("command", List.of("train"), "gpus", 2, "after", List.of(3))),
              0);
      case QUEUED -> queued;
      case PLACED -> second.job();
      case STARTING -> starting;
      case RUNNING -> running;
      case CHECKPOINTING -> {
        Draft saved = new Draft(running);
        saved.saved = true;
        yield step(saved.job(), new JobEvent.Assign(THERE, 1, "moved"));
      }
      case STOPPING -> step(running, new JobEvent.Assign(THERE, 1, "moved"));
      case CANCELLING -> step(running, new JobEvent.Cancel("ada", false));
      case TIMING_OUT -> step(running, new JobEvent.TimeUp());
      case LOST -> step(running, new JobEvent.Missing());
      case SUCCEEDED -> step(running, seen(new Status.Exited(0, false)));
      case FAILED -> {
        Draft hopeless = new Draft(running);
        hopeless.failures = 9;
        yield step(hopeless.job(), seen(new Status.Exited(1, false)));
      }
      case CANCELLED -> step(queued, new JobEvent.Cancel("ada", false));
      case TIMED_OUT ->
          step(step(running, new JobEvent.TimeUp()), seen(new Status.Exited(143, true)));
    };
  }

  private static Job step(Job job, JobEvent event) {
    return LIFECYCLE.step(job, event, 10).job();
  }

  private static JobEvent seen(Status.Phase phase) {
    return new JobEvent.Seen(new Status(new AttemptId(7, 2), phase));
  }

  private static Map<String, JobEvent> events() {
    Map<String, JobEvent> events = new LinkedHashMap<>();
    events.put("dependencies met", new JobEvent.Release());
    events.put("dependency failed", new JobEvent.Doom("job 3 failed"));
    events.put("held where it came from", new JobEvent.Hold("held by ada"));
    events.put("not there any more", new JobEvent.Leave("cancelled there"));
    events.put("policy: run elsewhere", new JobEvent.Assign(Allocation.of("n3:2"), 1, "policy"));
    events.put("policy: wait", new JobEvent.Assign(null, 1, "policy"));
    events.put("GPUs free", new JobEvent.Begin());
    events.put("seen pending", seen(new Status.Pending()));
    events.put("seen running", seen(new Status.Running()));
    events.put("exit 0", seen(new Status.Exited(0, false)));
    events.put("exit 1", seen(new Status.Exited(1, false)));
    events.put("stopped", seen(new Status.Exited(143, true)));
    events.put("gone", seen(new Status.Gone("node n1 went down")));
    events.put("not known", new JobEvent.Missing());
    events.put("cancel", new JobEvent.Cancel("ada", false));
    events.put("cancel --force", new JobEvent.Cancel("ada", true));
    events.put("given another priority", new JobEvent.Prioritize(5, "ada"));
    events.put("waited to be tried again", new JobEvent.Retry());
    events.put("time up", new JobEvent.TimeUp());
    events.put(
        "old attempt seen",
        new JobEvent.Seen(new Status(new AttemptId(7, 1), new Status.Running())));
    return events;
  }

  /** What an event does, as in the table: the state after, and what is asked of the engine. */
  private static String cell(Job job, JobEvent event) {
    Step step;
    try {
      step = LIFECYCLE.step(job, event, 10);
    } catch (IllegalStateException e) {
      return "never";
    }
    String state = step.job().state() == job.state() ? "" : step.job().state().text();
    String effects =
        step.effects().stream()
            .map(e -> e.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT))
            .collect(Collectors.joining(" "));
    String text = state + (effects.isEmpty() ? "" : (state.isEmpty() ? "" : " ") + "+" + effects);
    return text.isEmpty() ? "-" : text;
  }

  private static String table(int retries) {
    StringBuilder table = new StringBuilder("| what happens |");
    for (JobState state : JobState.values()) {
      table.append(' ').append(state.text()).append(" |");
    }
    table.append("\n|").append(" --- |".repeat(JobState.values().length + 1)).append('\n');
    events()
        .forEach((name, event) -> {
          table.append("| ").append(name).append(" |");
          for (JobState state : JobState.values()) {
            table.append(' ').append(cell(in(state, retries), event)).append(" |");
          }
          table.append('\n');
        });
    return table.toString();
  }

  @Test
  void theTableInTheDocsIsTheMachine() throws IOException {
    String docs = Files.readString(TABLE);
    String begin = "<!-- table -->\n";
    int from = docs.indexOf(begin) + begin.length();
    int to = docs.indexOf("<!-- end -->");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(
          TABLE, docs.substring(0, from) + "\n" + table(0) + "\n" + docs.substring(to));
      return;
    }
    assertThat(docs.substring(from, to).strip()).isEqualTo(table(0).strip());
  }

  @Test
  void everyStateIsReached() {
    for (JobState state : JobState.values()) {
      assertThat(in(state, 0).state()).isEqualTo(state);
    }
  }

  @Test
  void nothingHappensToAJobThatIsOver() {
    for (JobState state : JobState.values()) {
      if (state.isEnd()) {
        events()
            .forEach((name, event) ->
                assertThat(cell(in(state, 0), event))
                    .as("%s in %s", name, state)
                    .isIn("-", "never", "+forget", "+stop"));
      }
    }
  }

  @Test
  void gpusAreHeldUntilTheEngineSaysThatTheAttemptEnded() {
    for (JobState state : JobState.values()) {
      Job job = in(state, 0);
      assertThat(job.held() != null).as(state.text()).isEqualTo(state.holdsGpus());
      events()
          .forEach((name, event) -> {
            Job after = after(job, event);
            if (after != null && job.held() != null && after.held() == null) {
              assertThat(name).isIn("exit 0", "exit 1", "stopped", "gone");
            }
          });
    }
  }

  @Test
  void whatIsAskedOfTheEngineFollowsFromTheStateAlone() {
    for (JobState state : JobState.values()) {
      Job job = in(state, 0);
      events()
          .forEach((name, event) -> {
            Job after = after(job, event);
            if (after != null && after.state() != job.state()) {
              List<Effect> effects = LIFECYCLE.step(job, event, 10).effects();
              List<Effect> lasting =
                  effects.stream().filter(e -> !(e instanceof Effect.Forget)).toList();
              assertThat(lasting).as("%s in %s", name, state).isEqualTo(Lifecycle.wanted(after));
            }
          });
    }
  }

  private static @Nullable Job after(Job job, JobEvent event) {
    try {
      return step(job, event);
    } catch (IllegalStateException e) {
      return null;
    }
  }

  @Test
  void aJobThatFailsIsTriedAgainAsOftenAsItAsks() {
    Job job = in(JobState.RUNNING, 1);

    Job again = step(job, seen(new Status.Exited(9, false)));
    assertThat(again.state()).isEqualTo(JobState.QUEUED);
    assertThat(again.exitCode()).isEqualTo(9);
    assertThat(again.reason())
        .isEqualTo("failed with code 9; try 2 of 2 follows after 1 s, at 00:00:11 UTC");

    Job last = step(running(again, 3), new JobEvent.Seen(status(3, new Status.Exited(9, false))));
    assertThat(last.state()).isEqualTo(JobState.FAILED);
    assertThat(last.failures()).isEqualTo(2);
  }

  @Test
  void aJobThatIsLostTooOftenFails() {
    Job job = in(JobState.RUNNING, 0);
    for (int loss = 1; loss <= 3; loss++) {
      Job lost = step(job, new JobEvent.Missing());
      assertThat(lost.state()).isEqualTo(JobState.LOST);
      Job queued =
          step(lost, new JobEvent.Seen(status(job.attempt(), new Status.Gone("forgotten"))));
      assertThat(queued.state()).isEqualTo(JobState.QUEUED);
      assertThat(queued.losses()).isEqualTo(loss);
      job = running(queued, job.attempt() + 1);
    }
    Job last = step(job, new JobEvent.Seen(status(job.attempt(), new Status.Gone("forgotten"))));
    assertThat(last.state()).isEqualTo(JobState.FAILED);
    assertThat(last.reason()).isEqualTo("was lost: forgotten, 4 times");
  }

  @Test
  void anEngineThatSaysWhyItStoppedAJobHasNotLostIt() {
    Job job = in(JobState.RUNNING, 0);
    for (int time = 1; time <= 10; time++) {
      Job queued =
          step(
              job,
              new JobEvent.Seen(
                  status(job.attempt(), new Status.Exited(143, true, "allocation 7 ends"))));
      assertThat(queued.state()).isEqualTo(JobState.QUEUED);
      assertThat(queued.losses()).isZero();
      assertThat(queued.reason())
          .startsWith("was stopped: allocation 7 ends; is started again after ");
      job = running(queued, job.attempt() + 1);
    }
  }

  private static Status status(int attempt, Status.Phase phase) {
    return new Status(new AttemptId(7, attempt), phase);
  }

  private static Job running(Job queued, int attempt) {
    Job starting = step(step(queued, new JobEvent.Assign(HERE, 1, "")), new JobEvent.Begin());
    assertThat(starting.attempt()).isEqualTo(attempt);
    return step(starting, new JobEvent.Seen(status(attempt, new Status.Running())));
  }

  @Test
  void timeAndGpuTimeAreAddedUpOverAttempts() {
    // Runs from 10 to 25 on 2 GPUs: 15 s, 30 GPU-s. Then from 40 to 50: 25 s, 50 GPU-s.
    Job running = in(JobState.RUNNING, 0);
    Job stopping = LIFECYCLE.step(running, new JobEvent.Assign(THERE, 1, "moved"), 20).job();
    Job placed = LIFECYCLE.step(stopping, seen(new Status.Exited(143, true)), 25).job();
    assertThat(placed.state()).isEqualTo(JobState.PLACED);
    assertThat(placed.ranSeconds()).isEqualTo(15);
    assertThat(placed.attainedGpuSeconds()).isEqualTo(30);
    assertThat(placed.restarts()).isEqualTo(1);

    Job starting = LIFECYCLE.step(placed, new JobEvent.Begin(), 30).job();
    assertThat(starting.held()).isEqualTo(THERE);
    Job again =
        LIFECYCLE.step(starting, new JobEvent.Seen(status(3, new Status.Running())), 40).job();
    Job done =
        LIFECYCLE.step(again, new JobEvent.Seen(status(3, new Status.Exited(0, false))), 50).job();
    assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(done.startedSeconds()).isEqualTo(10);
    assertThat(done.endedSeconds()).isEqualTo(50);
    assertThat(done.ranSeconds()).isEqualTo(25);
    assertThat(done.attainedGpuSeconds()).isEqualTo(50);
  }

  @Test
  void whatEndedByItselfBeforeAStopReachedItIsTakenAsItEnded() {
    Map<JobState, JobState> expected = new EnumMap<>(JobState.class);
    for (JobState state :
        List.of(
            JobState.CHECKPOINTING,
            JobState.STOPPING,
            JobState.CANCELLING,
            JobState.TIMING_OUT,
            JobState.LOST)) {
      expected.put(state, step(in(state, 0), seen(new Status.Exited(0, false))).state());
    }
    assertThat(expected.values()).containsOnly(JobState.SUCCEEDED);
  }

  @Test
  void aJobThatWasAskedToStopIsNotDoneWhateverItsCode() {
    Job stopped = step(in(JobState.CHECKPOINTING, 0), seen(new Status.Exited(0, true)));
    assertThat(stopped.state()).isEqualTo(JobState.PLACED);
    assertThat(stopped.target()).isEqualTo(THERE);
  }

  private static JobEvent says(Job job, Status.Phase phase, double share, boolean saved) {
    return new JobEvent.Seen(new Status(job.attemptId(), phase, share, saved));
  }

  @Test
  void progressOnlyGoesForwardWithinAnAttempt() {
    Job job = in(JobState.RUNNING, 0);
    Job half = step(job, says(job, new Status.Running(), 0.5, false));
    assertThat(half.doneShare()).isEqualTo(0.5);
    Job less = step(half, says(job, new Status.Running(), 0.2, false));
    assertThat(less.doneShare()).isEqualTo(0.5);
    assertThat(less.lost()).isEqualTo(Lost.NOTHING);
  }

  /** Runs from 10 to 25 on two GPUs, and is stopped then. */
  private static Job stopped(Job running, double share, boolean saved) {
    JobEvent.Assign elsewhere = new JobEvent.Assign(THERE, 1, "moved");
    Job stopping = LIFECYCLE.step(running, elsewhere, 20).job();
    JobEvent end = says(running, new Status.Exited(143, true), share, saved);
    return LIFECYCLE.step(stopping, end, 25).job();
  }

  /** Starts again at 30, runs from 40 on. */
  private static Job runsAgain(Job placed, double share) {
    Job starting = LIFECYCLE.step(placed, new JobEvent.Begin(), 30).job();
    return LIFECYCLE.step(starting, says(starting, new Status.Running(), share, false), 40).job();
  }

  @Test
  void whatNeitherSaidNorSavedAnythingLosesAllItDid() {
    Job stopped = stopped(in(JobState.RUNNING, 0), Double.NaN, false);
    assertThat(stopped.lost()).isEqualTo(new Lost(15, 30));
    assertThat(stopped.reason()).isEqualTo("moved; 15 s of work are lost");
    Job saved = stopped(in(JobState.RUNNING, 0), Double.NaN, true);
    assertThat(saved.lost()).isEqualTo(Lost.NOTHING);
    assertThat(saved.reason()).isEqualTo("moved");
  }

  /** Of 15 s for 60 % of the work, 20 of 60 are lost. */
  @Test
  void theNextAttemptTellsHowMuchIsLost() {
    Job stopped = stopped(in(JobState.RUNNING, 0), 0.6, true);
    assertThat(stopped.lost()).isEqualTo(Lost.NOTHING);
    assertThat(stopped.doneShare()).isEqualTo(0.6);
    Job again = runsAgain(stopped, 0.4);
    assertThat(again.doneShare()).isEqualTo(0.4);
    assertThat(again.lost().seconds()).isCloseTo(5, within(1e-9));
    assertThat(again.lost().gpuSeconds()).isCloseTo(10, within(1e-9));
    Job further = step(again, says(again, new Status.Running(), 0.3, false));
    assertThat(further.doneShare()).isEqualTo(0.4);
    assertThat(further.lost()).isEqualTo(again.lost());
    assertThat(runsAgain(stopped, 0.7).lost()).isEqualTo(Lost.NOTHING);
  }

  @Test
  void aJobThatIsNotResumableHasDoneNothingAfterAStop() {
    Job running = in(JobState.RUNNING, 2);
    JobSpec spec =
        JobSpecs.of(
            Map.of("command", List.of("train"), "gpus", 2, "retries", 2, "resumable", false));
    Job job = new Draft(running).job(spec);
    Job failed = LIFECYCLE.step(job, says(job, new Status.Exited(1, false), 0.6, true), 25).job();
    assertThat(failed.state()).isEqualTo(JobState.QUEUED);
    assertThat(failed.doneShare()).isZero();
    assertThat(failed.lost()).isEqualTo(new Lost(15, 30));
    assertThat(failed.reason()).endsWith("; 15 s of work are lost");
  }

  @Test
  void onlyAJobWithACheckpointIsCalledCheckpointing() {
    Job running = in(JobState.RUNNING, 0);
    Job saved = step(running, says(running, new Status.Running(), Double.NaN, true));
    JobEvent.Assign elsewhere = new JobEvent.Assign(THERE, 1, "moved");
    assertThat(step(running, elsewhere).state()).isEqualTo(JobState.STOPPING);
    assertThat(step(saved, elsewhere).state()).isEqualTo(JobState.CHECKPOINTING);
  }
}
