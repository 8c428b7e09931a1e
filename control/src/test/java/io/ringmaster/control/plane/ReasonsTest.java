package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.store.Entry;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Policies that say why they decide as they do, and policies that do not. */
class ReasonsTest {
  private static final String SUMMARY = "Fewest GPUs first; stops wider jobs.";

  @FunctionalInterface
  private interface Words {
    @Nullable String of(View view, int job);
  }

  /** Fewest GPUs first, on one server; stops wider jobs. */
  private static final class NarrowestFirst implements Policy {
    private final Words words;
    private final List<Integer> jobs = new ArrayList<>();

    NarrowestFirst(Words words) {
      this.words = words;
    }

    @Override
    public void decide(View view, Decisions decisions) {
      jobs.removeIf(job -> !view.waiting(job) && !view.running(job));
      for (int i = 0; i < view.arrived().size(); i++) {
        jobs.add(view.arrived().get(i));
      }
      jobs.sort(Comparator.<Integer>comparingInt(view::gpus).thenComparing(j -> j));
      jobs.stream().filter(view::running).forEach(decisions::suspend);
      for (int job : jobs) {
        if (view.gpus(job) <= view.free().gpus(0)) {
          decisions.start(job, Placement.on(0, view.gpus(job)));
        }
      }
    }

    @Override
    public @Nullable String reason(View view, int job) {
      return words.of(view, job);
    }
  }

  private static String tell(View view, int job) {
    return view.running(job)
        ? "it is narrow, and ends in %.0f s".formatted(view.remainingSeconds(job))
        : "waits for %d GPUs beside %d free".formatted(view.gpus(job), view.free().total());
  }

  private static Stage stage(Words words) {
    return new Stage(
        1,
        4,
        new PolicySpec(
            "narrowest",
            SUMMARY,
            "a test",
            List.of(),
            PlacementRule::ownSearch,
            (_, _) -> new NarrowestFirst(words)));
  }

  private static long submit(Stage stage, int gpus, String more) {
    return stage.submit(
        "{\"command\": [\"train\"], \"gpus\": %d, \"duration_s\": 60%s}".formatted(gpus, more));
  }

  private static List<String> history(Stage stage, long job) {
    return stage.store.history(job).stream().map(Entry::reason).distinct().toList();
  }

  private static List<String> explained(Stage stage, long job) {
    return new StoreExplainer(stage.config, stage.store, () -> stage.now)
        .explain(job)
        .orElseThrow()
        .why();
  }

  @Test
  void startsAndStopsAreToldInThePolicysWords() {
    Stage stage = stage(ReasonsTest::tell);
    long wide = submit(stage, 4, "");
    // It knows how fast the job is where it was put.
    assertThat(stage.job(wide).reason())
        .isEqualTo("narrowest gave it 4 GPUs: it is narrow, and ends in 60 s");
    stage.runs(wide);
    stage.now += 20;
    long narrow = submit(stage, 1, "");
    assertThat(stage.job(wide).reason())
        .isEqualTo("narrowest stopped it: waits for 4 GPUs beside 3 free");
    assertThat(stage.job(narrow).reason())
        .isEqualTo("narrowest gave it 1 GPU: it is narrow, and ends in 60 s");
    stage.exits(wide, 143, true);
    assertThat(history(stage, wide))
        .containsExactly(
            "waits for GPUs",
            "narrowest gave it 4 GPUs: it is narrow, and ends in 60 s",
            "runs",
            "narrowest stopped it: waits for 4 GPUs beside 3 free",
            "narrowest stopped it: waits for 4 GPUs beside 3 free; 20 s of work are lost");
    // What is stored is why it was stopped; the line before is why it waits now.
    assertThat(explained(stage, wide))
        .containsSequence(
            "narrowest: waits for 4 GPUs beside 3 free",
            "narrowest: " + SUMMARY,
            "narrowest stopped it: waits for 4 GPUs beside 3 free; 20 s of work are lost");
  }

  @Test
  void explainTellsWhyTheEngineStartsNothing() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    stage.nodes.replaceAll(node -> node.closedBecause("the disk is short"));
    stage.now += 10;
    stage.observe();
    long job = submit(stage, 1, "");
    assertThat(explained(stage, job))
        .containsExactly("no node is up and open for jobs: the disk is short");
    stage.nodes.replaceAll(node -> new Node(node.name(), node.gpus(), true));
    stage.now += 10;
    stage.observe();
    assertThat(stage.state(job)).isEqualTo("starting");
  }

  @Test
  void explainTellsWhyAJobWaitsInThePolicysWords() {
    Stage stage = stage(ReasonsTest::tell);
    long narrow = submit(stage, 1, "");
    stage.runs(narrow);
    long wide = submit(stage, 4, "");
    assertThat(explained(stage, wide))
        .containsExactly(
            "too few GPUs are free: it needs 4, and 3 of 4 are free",
            "narrowest: waits for 4 GPUs beside 3 free",
            "narrowest: " + SUMMARY,
            "lengths none: narrowest does not ask how long jobs take; this prediction does",
            "its length, 60 s, is what its submitter says");
    assertThat(history(stage, wide)).containsExactly("waits for GPUs");
    // Nobody asks it about a job that it is not shown.
    submit(stage, 4, ", \"priority\": 3");
    assertThat(explained(stage, wide)).first().isEqualTo("1 job of priority 3 goes first");
    assertThat(explained(stage, wide)).noneMatch(line -> line.startsWith("narrowest"));
  }

  @Test
  void whereThePolicySaysNothingThePlaneDoes() {
    Words blank = (_, _) -> " ";
    Words failing =
        (_, _) -> {
          throw new IllegalStateException("lost for words");
        };
    for (Words words : List.<Words>of((_, _) -> null, blank, failing)) {
      Stage stage = stage(words);
      long wide = submit(stage, 4, "");
      assertThat(stage.job(wide).reason())
          .isEqualTo("narrowest gave it 4 GPUs; 4 of 4 were free, and no other waits");
      stage.runs(wide);
      long narrow = submit(stage, 2, "");
      assertThat(stage.job(wide).reason()).isEqualTo("narrowest stopped it for others");
      stage.exits(wide, 143, true);
      stage.runs(narrow);
      long waits = submit(stage, 3, "");
      assertThat(explained(stage, waits))
          .containsExactly(
              "too few GPUs are free: it needs 3, and 2 of 4 are free",
              "narrowest: " + SUMMARY,
              "lengths none: narrowest does not ask how long jobs take; this prediction does",
              "its length, 60 s, is what its submitter says");
      // It goes on deciding.
      assertThat(stage.store.settings().getOrDefault(ChosenPolicy.ERROR, "")).isEmpty();
      assertThat(stage.state(narrow)).isEqualTo("running");
    }
  }

  /**
   * Jobs of 3 on both servers of 4 leave one GPU on each: enough for 2, but not where. Restarts
   * take so long that nobody is stopped.
   */
  @Test
  void explainTellsTheReasonsThatReportsTell() {
    for (Map.Entry<String, String> told :
        Map.of(
                "fifo", "not on servers where fifo would put it",
                "maestro", "it would be scattered, and maestro may hold it for a better place")
            .entrySet()) {
      Cluster cluster = Cluster.uniform(2, 4, Network.Contention.USUAL, 1000);
      Stage stage =
          new Stage(cluster, told.getKey(), Map.of(), UserLimits.usual(), Policies::named);
      stage.runs(submit(stage, 3, ""));
      stage.runs(submit(stage, 3, ""));
      long waits = submit(stage, 2, ", \"model\": \"vgg16\"");
      assertThat(explained(stage, waits))
          .first()
          .isEqualTo("2 of 8 GPUs are free and it needs 2, but " + told.getValue());
    }
  }

  private enum Mood {
    DECIDES,
    IDLES,
    FAILS
  }

  private static Stage stage(AtomicReference<Mood> mood) {
    return new Stage(
        1,
        4,
        new PolicySpec(
            "moody",
            SUMMARY,
            "a test",
            List.of(),
            PlacementRule::ownSearch,
            (_, _) -> new Moody(mood)));
  }

  /** Decides or not, as its mood is. */
  private static final class Moody implements Policy {
    private final Policy policy = new NarrowestFirst(ReasonsTest::tell);
    private final AtomicReference<Mood> mood;

    Moody(AtomicReference<Mood> mood) {
      this.mood = mood;
    }

    @Override
    public void decide(View view, Decisions decisions) {
      switch (mood.get()) {
        case DECIDES -> policy.decide(view, decisions);
        case IDLES -> {}
        case FAILS -> throw new IllegalStateException("not now");
      }
    }

    @Override
    public @Nullable String reason(View view, int job) {
      return policy.reason(view, job);
    }
  }

  @Test
  void aPolicyThatTheExplainerFindsInAnotherMoodIsNotQuoted() {
    AtomicReference<Mood> mood = new AtomicReference<>(Mood.IDLES);
    Stage stage = stage(mood);
    long job = submit(stage, 4, "");
    assertThat(explained(stage, job)).contains("moody: waits for 4 GPUs beside 4 free");
    for (Mood other : List.of(Mood.DECIDES, Mood.FAILS)) {
      mood.set(other);
      assertThat(explained(stage, job))
          .containsExactly(
              "4 of 4 GPUs are free and it needs 4, but moody has not given it any yet",
              "moody: " + SUMMARY,
              "lengths none: moody does not ask how long jobs take; this prediction does",
              "its length, 60 s, is what its submitter says");
    }
  }

  @Test
  void aPolicyThatFailedIsNotQuotedWhileAnotherDecides() {
    AtomicReference<Mood> mood = new AtomicReference<>(Mood.FAILS);
    Stage stage = stage(mood);
    stage.runs(submit(stage, 1, ""));
    long waits = submit(stage, 4, "");
    mood.set(Mood.IDLES);
    assertThat(explained(stage, waits))
        .contains("moody: " + SUMMARY)
        .noneMatch(line -> line.startsWith("moody: waits"))
        .first(STRING)
        .startsWith("moody failed")
        .endsWith("fifo decides until another policy is chosen");
  }

  @Test
  void movesAndNewSizesAreToldToo() {
    Placement two = Placement.on(0, 2);
    Placement four = Placement.on(1, 4);
    assertThat(Decision.why("p", two, four, 4, 8, 1, null))
        .isEqualTo("p took it from 2 to 4 workers");
    assertThat(Decision.why("p", two, four, 4, 8, 1, "it gains the most"))
        .isEqualTo("p took it from 2 to 4 workers: it gains the most");
    assertThat(Decision.why("p", two, Placement.on(1, 2), 4, 8, 1, null)).isEqualTo("p moved it");
    assertThat(Decision.why("p", two, Placement.on(1, 2), 4, 8, 1, "a server came free"))
        .isEqualTo("p moved it: a server came free");
  }
}
