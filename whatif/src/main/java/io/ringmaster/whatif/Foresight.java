package io.ringmaster.whatif;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.Foretold;
import io.ringmaster.simulator.Lengths;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * How well the length of each job could be foretold when it came: what was expected over what was
 * true. It is the same in all cases of a draw, so that cases differ by what was changed and not by
 * what a forest made of it; and a draw needs one row of forests, and not one for each case.
 */
final class Foresight {
  /** Of nothing. */
  static final Foresight NONE = new Foresight(Map.of());

  private final Map<String, Double> shares;

  private Foresight(Map<String, Double> sharesById) {
    this.shares = sharesById;
  }

  /**
   * What could be foretold from the jobs that had ended.
   *
   * @param endSeconds by job; NaN: nobody knows
   */
  static Foresight of(
      Jobs jobs, Lengths lengths, double[] endSeconds, long seed, Executor executor) {
    double[] foretold = Foretold.seconds(jobs, lengths, endSeconds, seed, executor);
    Map<String, Double> shares = new HashMap<>();
    for (int job = 0; job < jobs.size(); job++) {
      double ideal = lengths.idealSeconds(job);
      shares.put(jobs.id(job), ideal > 0 ? foretold[job] / ideal : 1);
    }
    return new Foresight(shares);
  }

  /**
   * The same for more jobs, each like one that is known.
   *
   * @param like the known one's id, by the new one's
   */
  Foresight and(Map<String, String> like) {
    Map<String, Double> all = new HashMap<>(shares);
    like.forEach((id, known) -> all.put(id, shares.getOrDefault(known, 1.0)));
    return new Foresight(all);
  }

  /** What policies are told of each job, in ideal seconds. */
  double[] seconds(Jobs jobs, Lengths lengths) {
    double[] seconds = new double[jobs.size()];
    for (int job = 0; job < seconds.length; job++) {
      seconds[job] = lengths.idealSeconds(job) * shares.getOrDefault(jobs.id(job), 1.0);
    }
    return seconds;
  }
}
