package io.ringmaster.experiments.philly;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;

/**
 * A stretch of the trace: jobs that were submitted one after the other.
 *
 * <ul>
 *   <li>PhillyWorkload d starts at the share {@code frac(d g)} of all places where it can, with g
 *       the golden ratio. So starts are far apart however many draws there are, and more draws do
 *       not change the first.
 *   <li>A job is stopped after {@link #LONGEST_SECONDS}, as {@code generate philly} does. In the
 *       trace 1,416 of 82,247 jobs run for longer, up to 54 days. They hold 70 % of the work, and
 *       would do it long after the last job of a draw has come.
 *   <li>The times between submissions are all multiplied by the same factor, such that the work is
 *       the load times what the GPUs can do from the first submission to the last.
 * </ul>
 */
record PhillyWorkload(Jobs trace, int from, int count) {
  static final double LONGEST_SECONDS = 48 * 3600;

  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  /** The draw of a number, from 1 on. */
  static PhillyWorkload numbered(int number, Jobs trace, int count) {
    if (trace.size() < count) {
      throw new BadInput(
          "the trace has %d jobs that fit on the cluster, a draw takes %d; use the whole trace"
              .formatted(trace.size(), count));
    }
    double share = number * GOLDEN % 1;
    return new PhillyWorkload(trace, (int) (share * (trace.size() - count + 1)), count);
  }

  Jobs jobs(double load, int gpus) {
    double first = trace.submitSeconds(from);
    double span = trace.submitSeconds(from + count - 1) - first;
    if (!(span > 0)) {
      throw new BadInput(
          "%d jobs of the trace, from %s on, are submitted at once; use the whole trace"
              .formatted(count, trace.id(from)));
    }
    double factor = gpuSeconds() / (load * gpus) / span;
    JobsBuilder out = Jobs.builder(trace.models());
    for (int job = from; job < from + count; job++) {
      ModelProfile model = trace.profile(job);
      int user = trace.user(job);
      out.add(
          trace.id(job),
          (trace.submitSeconds(job) - first) * factor,
          trace.gpus(job),
          trace.minGpus(job),
          trace.maxGpus(job),
          seconds(job),
          true,
          model == null ? "" : model.id(),
          user < 0 ? "" : trace.userNames().get(user),
          "");
    }
    return out.build();
  }

  private double gpuSeconds() {
    double sum = 0;
    for (int job = from; job < from + count; job++) {
      sum += seconds(job) * trace.gpus(job);
    }
    return sum;
  }

  /** The trace tells run times, which count as those in ideal places. */
  private double seconds(int job) {
    return Math.min(trace.work(job), LONGEST_SECONDS);
  }
}
