package io.ringmaster.predictor.length;

import io.ringmaster.predictor.forest.Forest;
import io.ringmaster.predictor.forest.ForestSettings;
import io.ringmaster.predictor.forest.Rows;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Predicts lengths while jobs come and end. It learns from a job when the job ends and from nothing
 * else, so a prediction cannot know what ends after it.
 *
 * <p>The forest is grown anew, on the jobs that ended last with what was known of each when it
 * came, as soon as half as many jobs have ended as it was grown on. Before the first forest a job
 * is expected to take the mean of its group, else of its user, else of all.
 *
 * <p>Not for several threads at once.
 */
public final class LengthPredictor {
  private static final int LEAST_ROWS = 50;
  private static final double NEW_SHARE = 0.5;

  /**
   * How lengths are predicted.
   *
   * @param trees of the forest
   * @param window how many of the jobs that ended last the forest is grown on
   * @param unknown the length to expect while nothing has ended
   */
  public record Settings(int trees, int window, double unknown, long seed) {
    public Settings {
      if (trees < 1 || window < 1) {
        throw new IllegalArgumentException("trees %d, window %d".formatted(trees, window));
      }
    }
  }

  /** A job that came, and what was expected of it. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Arrival(JobFacts job, double[] features, double length) {}

  private final Settings settings;
  private final Executor executor;
  private final JobFeatures features = new JobFeatures();
  private final int width = JobFeatures.names().size();

  /** What was known of the jobs that ended last, and their labels, in a circle. */
  private double[] rows = new double[0];

  private double[] labels = new double[0];
  private int next;

  private @Nullable Forest forest;
  private int grownOn;
  private long endedThen;

  /** A predictor that has seen no job; its forests are grown by the calling thread. */
  public LengthPredictor(Settings settings) {
    this(settings, Runnable::run);
  }

  /** A predictor that has seen no job; trees are tasks of the executor. */
  public LengthPredictor(Settings settings, Executor executor) {
    this.settings = settings;
    this.executor = executor;
  }

  /** A job has come. */
  public Arrival arrive(JobFacts job, double nowSeconds) {
    growIfDue();
    double[] row = features.of(job, nowSeconds);
    Forest grown = forest;
    double length =
        grown == null
            ? features.simple(Method.GROUP_MEAN, job, settings.unknown())
            : JobFeatures.length(grown.mean(row));
    return new Arrival(job, row, length);
  }

  /** A job has ended that came before, and took so long. */
  public void end(Arrival arrival, double length, double nowSeconds) {
    features.learn(arrival.job, length, nowSeconds);
    if (next == labels.length && next < settings.window()) {
      int to = Math.min(settings.window(), Math.max(LEAST_ROWS, 2 * next));
      labels = Arrays.copyOf(labels, to);
      rows = Arrays.copyOf(rows, to * width);
    } else if (next == settings.window()) {
      next = 0;
    }
    labels[next] = JobFeatures.log(length);
    System.arraycopy(arrival.features, 0, rows, next * width, width);
    next++;
  }

  private void growIfDue() {
    long ended = features.ended();
    int count = (int) Math.min(ended, settings.window());
    boolean due =
        forest == null
            ? count >= Math.min(LEAST_ROWS, settings.window())
            : ended - endedThen >= NEW_SHARE * grownOn;
    if (due) {
      // A seed for each, so that a forest does not repeat the choices of the one before.
      ForestSettings how = ForestSettings.of(settings.trees(), settings.seed() + ended);
      Rows known = new Rows(Arrays.copyOf(rows, count * width), width);
      forest = Forest.grow(known, Arrays.copyOf(labels, count), how, executor);
      grownOn = count;
      endedThen = ended;
    }
  }
}
