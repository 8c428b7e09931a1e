package io.ringmaster.predictor.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.predictor.forest.Forest;
import io.ringmaster.predictor.forest.ForestSettings;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EvaluationTest {
  private static PastJob job(String group, double submit, double length) {
    return new PastJob(new JobFacts(group, "", "", 1), submit, length, submit + length);
  }

  /**
   * Predicted 2, 4, 8 and actual 1, 4, 32. Off by 1, 0, 24, relative 1, 0, 0.75; ratios 2, 1, 4: ln
   * 2 on average. Logs of actual in ln 2: 0, 2, 5, mean 7/3: squares 49/9 + 1/9 + 64/9 = 114/9;
   * missed 1 + 0 + 4 = 5, so R2 is 1 - 45/114.
   */
  @Test
  void accuracyByHand() {
    Accuracy accuracy = Accuracy.of(new double[] {2, 4, 8}, new double[] {1, 4, 32});
    assertThat(accuracy.meanAbsolute()).isCloseTo(25 / 3.0, within(1e-12));
    assertThat(accuracy.medianRelative()).isEqualTo(0.75);
    assertThat(accuracy.meanLogRatio()).isCloseTo(Math.log(2), within(1e-12));
    assertThat(accuracy.logR2()).isCloseTo(1 - 45 / 114.0, within(1e-12));
    assertThat(accuracy.withinTwofold()).isCloseTo(2 / 3.0, within(1e-12));
    assertThat(Accuracy.of(new double[] {2}, new double[] {1}).logR2()).isNaN();
  }

  /**
   * The second part begins at 100 s. Then a (10 s) and b (100 s) have ended, and c (500 s) has not.
   * When e comes at 600 s, c and d have ended too.
   */
  @Test
  void onlyWhatHasEndedCounts() {
    List<PastJob> jobs =
        List.of(
            job("g", 0, 10),
            job("g", 0, 100),
            job("g", 1, 500),
            job("g", 100, 40),
            job("g", 600, 1));
    Evaluation evaluation = new Evaluation(jobs, 3);
    assertThat(evaluation.learnt()).containsExactly(0, 1);
    assertThat(evaluation.tested()).containsExactly(3, 4);
    assertThat(evaluation.labels(new int[] {1})).containsExactly(Math.log1p(100));
    int count = JobFeatures.names().indexOf("group_count");
    assertThat(evaluation.rows(new int[] {2, 3, 4}).at(0, count)).isZero();
    assertThat(evaluation.rows(new int[] {2, 3, 4}).at(1, count)).isEqualTo(2);
    assertThat(evaluation.rows(new int[] {2, 3, 4}).at(2, count)).isEqualTo(4);
    Forest forest =
        Forest.grow(
            evaluation.rows(evaluation.learnt()),
            evaluation.labels(evaluation.learnt()),
            ForestSettings.of(5, 1));
    Predictions predictions = evaluation.predict(forest, 0.8);
    assertThat(predictions.actual()).containsExactly(40, 1);
    assertThat(predictions.predicted(Method.GROUP_MEAN)).containsExactly(55, 162.5);
    assertThat(predictions.predicted(Method.FOREST)[0]).isBetween(10.0, 100.0);
    assertThatIllegalArgumentException().isThrownBy(() -> new Evaluation(jobs, 5));
  }

  @Test
  void theForestKnowsMoreThanTheOthers() {
    List<PastJob> jobs = Recurring.jobs(new SplittableRandom(1), 3000);
    Evaluation evaluation = new Evaluation(jobs, 2000);
    int[] learnt = evaluation.learnt();
    Forest forest =
        Forest.grow(evaluation.rows(learnt), evaluation.labels(learnt), ForestSettings.of(50, 1));
    Predictions predictions = evaluation.predict(forest, 0.8);
    Map<Method, Accuracy> accuracy = new EnumMap<>(predictions.accuracy());
    Accuracy ours = Objects.requireNonNull(accuracy.remove(Method.FOREST));
    assertThat(accuracy.values())
        .allSatisfy(other -> {
          assertThat(ours.meanLogRatio()).isLessThan(0.6 * other.meanLogRatio());
          assertThat(ours.meanAbsolute()).isLessThan(other.meanAbsolute());
          assertThat(ours.withinTwofold()).isGreaterThan(other.withinTwofold());
        });
    assertThat(predictions.covered()).isCloseTo(0.8, within(0.05));
    assertThat(Arrays.stream(predictions.predicted(Method.FOREST)).min().orElseThrow())
        .isGreaterThanOrEqualTo(1);
  }
}
