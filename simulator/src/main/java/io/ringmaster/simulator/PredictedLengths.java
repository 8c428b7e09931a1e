package io.ringmaster.simulator;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.predictor.length.JobFacts;
import io.ringmaster.predictor.length.LengthPredictor;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Lengths that a forest predicts, in ideal seconds. It learns the ideal length of a job when the
 * job ends, as a live plane would that knows how fast a job ran.
 */
final class PredictedLengths {
  /** Half of what {@code predict} grows, since forests are grown again and again. */
  private static final int TREES = 50;

  private static final int WINDOW = 20_000;

  private final Jobs jobs;
  private final Lengths lengths;
  private final LengthPredictor predictor;

  /** Jobs that have come and not ended. */
  private final LengthPredictor.@Nullable Arrival[] arrivals;

  PredictedLengths(
      Jobs jobs, Lengths lengths, double unknownSeconds, long seed, Executor executor) {
    this.jobs = jobs;
    this.lengths = lengths;
    this.predictor =
        new LengthPredictor(
            new LengthPredictor.Settings(TREES, WINDOW, unknownSeconds, seed), executor);
    this.arrivals = new LengthPredictor.@Nullable Arrival[jobs.size()];
  }

  /** What a job that comes now is expected to take. */
  double arrive(int job, double nowSeconds) {
    LengthPredictor.Arrival arrival = predictor.arrive(facts(job), nowSeconds);
    arrivals[job] = arrival;
    return arrival.length();
  }

  void end(int job, double nowSeconds) {
    LengthPredictor.Arrival arrival = Objects.requireNonNull(arrivals[job]);
    arrivals[job] = null;
    predictor.end(arrival, lengths.idealSeconds(job), nowSeconds);
  }

  private JobFacts facts(int job) {
    int group = jobs.group(job);
    int user = jobs.user(job);
    ModelProfile model = jobs.profile(job);
    return new JobFacts(
        group < 0 ? "" : jobs.groupNames().get(group),
        user < 0 ? "" : jobs.userNames().get(user),
        model == null ? "" : model.id(),
        jobs.gpus(job));
  }
}
