package io.ringmaster.predictor.length;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns what is known of a job into numbers. A group, a user and a model count by the lengths of
 * their jobs that have ended so far: nothing that ends later can change the numbers of a job.
 * Lengths are taken as log(1 + length). A group without an ended job is seen as its user, and a
 * user or model without one as all jobs. What is not known even so is NaN.
 */
public final class JobFeatures {
  /** How many of the last lengths of a group, a user or a model its median is of. */
  private static final int WINDOW = 64;

  private static final int GLOBAL_WINDOW = 1024;

  private static final double DAY_SECONDS = 86_400;

  private static final List<String> NAMES =
      List.of(
          "gpus",
          "hour",
          "weekday",
          "group_count",
          "group_mean",
          "group_median",
          "group_last",
          "group_spread",
          "group_idle_s",
          "user_count",
          "user_mean",
          "user_median",
          "user_last",
          "user_spread",
          "model_count",
          "model_mean",
          "model_median",
          "all_median");

  private final Map<String, History> groups = new HashMap<>();
  private final Map<String, History> users = new HashMap<>();
  private final Map<String, History> models = new HashMap<>();
  private final History all = new History(GLOBAL_WINDOW);

  /** What the numbers of a job are, in order. */
  public static List<String> names() {
    return NAMES;
  }

  static double log(double length) {
    return StrictMath.log1p(length);
  }

  /** The length of a logarithm: 1 at least. */
  static double length(double log) {
    return Math.max(1, StrictMath.expm1(log));
  }

  /** A job has ended: its length counts from now on. */
  void learn(JobFacts job, double length, double nowSeconds) {
    double log = log(length);
    add(groups, job.group(), length, log, nowSeconds);
    add(users, job.user(), length, log, nowSeconds);
    add(models, job.model(), length, log, nowSeconds);
    all.add(length, log, nowSeconds);
  }

  void learn(PastJob job) {
    learn(job.facts(), job.length(), job.endSeconds());
  }

  private static void add(
      Map<String, History> kind, String name, double length, double log, double nowSeconds) {
    if (!name.isEmpty()) {
      kind.computeIfAbsent(name, _ -> new History(WINDOW)).add(length, log, nowSeconds);
    }
  }

  long ended() {
    return all.count();
  }

  /** The numbers of a job that comes now. */
  double[] of(JobFacts job, double nowSeconds) {
    @Nullable History group = groups.get(job.group());
    @Nullable History user = ofUser(job);
    @Nullable History like = group == null ? user == null ? anybody() : user : group;
    @Nullable History model = models.get(job.model());
    if (model == null && !job.model().isEmpty()) {
      model = anybody();
    }
    return new double[] {
      job.gpus(),
      Math.floor(nowSeconds % DAY_SECONDS / 3600),
      Math.floor(nowSeconds / DAY_SECONDS) % 7,
      group == null ? 0 : group.count(),
      like == null ? Double.NaN : like.logMean(),
      like == null ? Double.NaN : like.logMedian(),
      like == null ? Double.NaN : like.logLast(),
      like == null ? Double.NaN : like.logSpread(),
      group == null ? Double.NaN : nowSeconds - group.lastEndSeconds(),
      user == null || user == all ? 0 : user.count(),
      user == null ? Double.NaN : user.logMean(),
      user == null ? Double.NaN : user.logMedian(),
      user == null ? Double.NaN : user.logLast(),
      user == null ? Double.NaN : user.logSpread(),
      model == null || model == all ? 0 : model.count(),
      model == null ? Double.NaN : model.logMean(),
      model == null ? Double.NaN : model.logMedian(),
      ended() == 0 ? Double.NaN : all.logMedian(),
    };
  }

  /** All jobs for a user of whom nothing has ended; null for no user, or if nothing has at all. */
  private @Nullable History ofUser(JobFacts job) {
    History user = users.get(job.user());
    return user == null && !job.user().isEmpty() ? anybody() : user;
  }

  private @Nullable History anybody() {
    return ended() == 0 ? null : all;
  }

  /**
   * What simple methods expect of a job that comes now.
   *
   * @param unknown what to expect if nothing has ended
   */
  double simple(Method method, JobFacts job, double unknown) {
    if (ended() == 0) {
      return unknown;
    }
    History user = users.getOrDefault(job.user(), all);
    History group = groups.getOrDefault(job.group(), user);
    return switch (method) {
      case GLOBAL_MEAN -> all.meanLength();
      case GLOBAL_MEDIAN -> StrictMath.expm1(all.logMedian());
      case USER_MEDIAN -> StrictMath.expm1(user.logMedian());
      case GROUP_MEAN -> group.meanLength();
      case GROUP_MEDIAN -> StrictMath.expm1(group.logMedian());
      case GROUP_LAST -> StrictMath.expm1(group.logLast());
      case FOREST -> throw new IllegalArgumentException("a forest is not simple");
    };
  }
}
