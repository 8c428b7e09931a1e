package io.ringmaster.predictor.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class JobFeaturesTest {
  private static final double DAY = 86_400;

  private final JobFeatures features = new JobFeatures();

  private double number(String name, JobFacts job, double now) {
    return features.of(job, now)[JobFeatures.names().indexOf(name)];
  }

  private static JobFacts job(String group, String user, String model) {
    return new JobFacts(group, user, model, 4);
  }

  @Test
  void everyNumberHasAName() {
    assertThat(features.of(job("", "", ""), 0)).hasSize(JobFeatures.names().size());
  }

  /** Nine days and 5.5 hours: the third day of the second week. */
  @Test
  void timeIsHourAndDay() {
    double now = 9 * DAY + 5.5 * 3600;
    assertThat(number("hour", job("", "", ""), now)).isEqualTo(5);
    assertThat(number("weekday", job("", "", ""), now)).isEqualTo(2);
    assertThat(number("gpus", job("", "", ""), now)).isEqualTo(4);
  }

  @Test
  void aGroupIsSeenAsItsUserThenAsAll() {
    assertThat(number("group_median", job("g", "u", ""), 0)).isNaN();
    features.learn(job("other", "other", ""), 100, 10);
    assertThat(number("group_median", job("g", "u", ""), 20)).isEqualTo(Math.log1p(100));
    assertThat(number("user_median", job("g", "u", ""), 20)).isEqualTo(Math.log1p(100));
    features.learn(job("h", "u", ""), 30, 30);
    assertThat(number("group_median", job("g", "u", ""), 40)).isEqualTo(Math.log1p(30));
    features.learn(job("g", "u", ""), 7, 50);
    assertThat(number("group_median", job("g", "u", ""), 65)).isEqualTo(Math.log1p(7));
    assertThat(number("group_count", job("g", "u", ""), 65)).isEqualTo(1);
    assertThat(number("group_idle_s", job("g", "u", ""), 65)).isEqualTo(15);
    assertThat(number("user_count", job("g", "u", ""), 65)).isEqualTo(2);
    assertThat(number("user_mean", job("g", "u", ""), 65))
        .isCloseTo((Math.log1p(30) + Math.log1p(7)) / 2, within(1e-12));
    // 7, 30, 100: the one in the middle.
    assertThat(number("all_median", job("g", "u", ""), 65)).isEqualTo(Math.log1p(30));
  }

  /** A column that nobody fills says nothing, and must not look as if it did. */
  @Test
  void whoHasNoUserAndNoModelHasNoNumbersOfThem() {
    features.learn(job("g", "u", "vgg16"), 30, 10);
    for (String name : new String[] {"user_mean", "user_spread", "model_mean", "model_median"}) {
      assertThat(number(name, job("g", "", ""), 20)).as(name).isNaN();
    }
    assertThat(number("model_mean", job("g", "", "bert-large"), 20)).isEqualTo(Math.log1p(30));
    assertThat(number("model_count", job("g", "", "bert-large"), 20)).isZero();
    assertThat(number("model_count", job("g", "", "vgg16"), 20)).isEqualTo(1);
  }

  /** Group g: 10 and 40 s; user u: those and 100; all: those and 1000. */
  @Test
  void simpleMethods() {
    JobFacts job = job("g", "u", "");
    assertThat(features.simple(Method.GROUP_MEAN, job, 3600)).isEqualTo(3600);
    features.learn(job, 10, 1);
    features.learn(job("", "u", ""), 100, 2);
    features.learn(job("", "", ""), 1000, 3);
    features.learn(job, 40, 4);
    assertThat(features.simple(Method.GLOBAL_MEAN, job, 0)).isCloseTo(1150 / 4.0, within(1e-9));
    // Between 40 and 100 by logarithms: sqrt(41 * 101) - 1.
    assertThat(features.simple(Method.GLOBAL_MEDIAN, job, 0))
        .isCloseTo(Math.sqrt(41 * 101) - 1, within(1e-9));
    assertThat(features.simple(Method.USER_MEDIAN, job, 0)).isCloseTo(40, within(1e-9));
    assertThat(features.simple(Method.GROUP_MEAN, job, 0)).isEqualTo(25);
    assertThat(features.simple(Method.GROUP_MEDIAN, job, 0))
        .isCloseTo(Math.sqrt(11 * 41) - 1, within(1e-9));
    assertThat(features.simple(Method.GROUP_LAST, job, 0)).isCloseTo(40, within(1e-9));
    assertThat(features.simple(Method.GROUP_LAST, job("new", "u", ""), 0))
        .isCloseTo(40, within(1e-9));
    assertThat(features.simple(Method.GROUP_MEAN, job("new", "new", ""), 0))
        .isCloseTo(1150 / 4.0, within(1e-9));
  }
}
