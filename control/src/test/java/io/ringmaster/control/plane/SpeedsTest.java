package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.Measured;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SpeedsTest {
  private static final Cluster CLUSTER = Cluster.uniform(4, 4, Network.Contention.USUAL, 0);
  private static final SpeedCurve CURVE = new SpeedCurve(CLUSTER);
  private static final ModelProfile RESNET =
      Objects.requireNonNull(ModelTable.standard().profile(2));

  /** What a job of 1000 mini-batches takes if an iteration takes so many times what it should. */
  private static Measured measured(long job, int workers, double factor, double miniBatches) {
    Placement place = CLUSTER.idealPlacement(workers);
    double tau = factor * CURVE.seconds(RESNET, place);
    return new Measured(
        Measured.Kind.SPEED,
        1,
        0,
        job,
        1,
        RESNET.id(),
        "",
        workers,
        place.size(),
        place.mostOnOne(),
        tau * 1000 / workers,
        0.5,
        miniBatches);
  }

  private static double factor(ModelProfile profile, int workers) {
    Placement place = CLUSTER.idealPlacement(workers);
    return CURVE.seconds(profile, place) / CURVE.seconds(RESNET, place);
  }

  private static ModelProfile bent(Measured... measured) {
    return CURVE.bent(RESNET, List.of(measured), Double.NaN, false);
  }

  @Test
  void oneSizeMakesTheWholeCurveSlower() {
    ModelProfile slower = bent(measured(1, 2, 3, 1000));
    for (int workers : new int[] {1, 2, 4}) {
      assertThat(factor(slower, workers)).as("%d", workers).isCloseTo(3, within(0.05));
    }
    // Across servers a fixed overhead is the network's, not the model's.
    assertThat(factor(slower, 16)).isBetween(2.5, 3.05);
  }

  @Test
  void severalSizesShapeIt() {
    // As fast as expected alone, half as fast with 4 and 16 workers.
    ModelProfile shaped =
        bent(measured(1, 1, 1, 1000), measured(2, 4, 2, 1000), measured(3, 16, 2, 1000));
    assertThat(factor(shaped, 1)).isBetween(0.8, 1.25);
    assertThat(factor(shaped, 4)).isBetween(1.5, 2.2);
    assertThat(factor(shaped, 16)).isBetween(1.5, 2.2);
  }

  @Test
  void whatAgreesChangesNothing() {
    ModelProfile same =
        bent(measured(1, 1, 1, 1000), measured(2, 4, 1, 1000), measured(3, 16, 1, 1000));
    assertThat(CURVE.difference(same, RESNET)).isLessThan(1.15);
  }

  @Test
  void nonsenseDoesNotPoisonIt() {
    List<Measured> samples = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      samples.add(measured(i, 4, 1, 1000));
    }
    for (double absurd : new double[] {1e-9, 1e12, Double.MAX_VALUE, 50}) {
      samples.add(measured(20, 4, absurd, 1000));
      samples.add(measured(20, 1, absurd, 1000));
    }
    assertThat(CURVE.difference(CURVE.bent(RESNET, samples, Double.NaN, false), RESNET))
        .isLessThan(1.01);
    // Alone it is not believed, and what is believed is bounded.
    assertThat(CURVE.difference(bent(measured(1, 4, 1e6, 1000)), RESNET)).isEqualTo(1);
    assertThat(factor(bent(measured(1, 4, 15, 1000)), 4)).isCloseTo(8, within(0.1));
    // A placement that does not fit the cluster any more says nothing.
    Measured large =
        new Measured(Measured.Kind.SPEED, 1, 0, 1, 1, "resnet50", "", 99, 1, 99, 9, 1, 1000);
    assertThat(bent(large)).isEqualTo(RESNET);
  }

  @Test
  void jobsThatSayTheirIterationsTeachTheirModelAndOthersOnlyThemselves() {
    Speeds speeds = new Speeds(CLUSTER, ModelTable.standard());
    speeds.add(measured(1, 2, 3, Double.NaN));
    ModelTable before = speeds.models();
    speeds.add(measured(2, 2, 1.1, 1000));
    assertThat(speeds.models()).as("less than 20 %%").isSameAs(before);
    speeds.add(measured(3, 2, 3, 1000));
    speeds.add(measured(4, 2, 3, 1000));
    ModelProfile resnet = speeds.models().profile(speeds.models().indexOf("resnet50"));
    assertThat(factor(Objects.requireNonNull(resnet), 2)).isCloseTo(3, within(0.1));
  }

  private static void reports(Stage stage, long job, double share) {
    Status status =
        new Status(new AttemptId(job, stage.job(job).attempt()), new Status.Running(), share);
    stage.step(new Message.FromEngine(new Report.Changed(status)));
  }

  @Test
  void theEndFollowsFromTheRateOfProgress() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long job = stage.submit("{\"command\": [\"train\"], \"gpus\": 4}");
    stage.runs(job);
    reports(stage, job, 0);
    for (int i = 1; i <= 5; i++) {
      stage.now += 4;
      reports(stage, job, 0.02 * i);
    }
    // 10 % in 20 s: 180 s are left, although nothing was known of its length.
    assertThat(stage.job(job).rate()).isCloseTo(0.005, within(1e-12));
    StoreExplainer explainer = new StoreExplainer(stage.config, stage.store, () -> stage.now);
    assertThat(explainer.explain(job).orElseThrow().endSeconds())
        .isCloseTo(stage.now + 180, within(1e-6));

    // A report that jumps ahead, or back, or makes no sense.
    reports(stage, job, 0.05);
    reports(stage, job, Double.NaN);
    assertThat(stage.job(job).rate()).isCloseTo(0.005, within(1e-12));
    stage.exits(job, 0, false);
    assertThat(stage.store.measured())
        .filteredOn(m -> m.kind() == Measured.Kind.SPEED)
        .singleElement()
        .satisfies(m -> assertThat(m.seconds()).isCloseTo(200, within(1e-6)));
  }

  @Test
  void oneJumpIsNoSpeed() {
    Stage stage = new Stage(1, 4, "fifo", Map.of());
    long job = stage.submit("{\"command\": [\"train\"], \"gpus\": 4}");
    stage.runs(job);
    reports(stage, job, 0);
    stage.now += 1;
    reports(stage, job, 1);
    assertThat(stage.job(job).rate()).isNaN();
  }

  @Test
  void aStoppedJobIsExpectedToGoOnAsFastAlsoAfterAKill() {
    Stage stage = new Stage(1, 4, "srtf", Map.of());
    long job = stage.submit("{\"command\": [\"train\"], \"gpus\": 4, \"duration_s\": 100000}");
    stage.runs(job);
    reports(stage, job, 0);
    for (int i = 1; i <= 5; i++) {
      stage.now += 4;
      reports(stage, job, 0.02 * i);
    }
    long next = stage.submit("{\"command\": [\"train\"], \"gpus\": 4, \"duration_s\": 10}");
    stage.exits(job, 143, true);
    stage.runs(next);
    stage.restart();
    // 10 s of the other, and then 90 % of 200 s.
    StoreExplainer explainer = new StoreExplainer(stage.config, stage.store, () -> stage.now);
    assertThat(explainer.explain(job).orElseThrow().endSeconds())
        .isCloseTo(stage.now + 10 + 180, within(1.0));
  }
}
