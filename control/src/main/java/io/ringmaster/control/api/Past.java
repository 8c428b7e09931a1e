package io.ringmaster.control.api;

import io.ringmaster.control.store.Sample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the cluster was like, in steps; those of which nothing is known are left out. */
record Past(long fromSeconds, long toSeconds, long stepSeconds, List<PastStep> steps) {

  record PastStep(
      long atSeconds,
      @Nullable Double gpus,
      @Nullable Double heldGpus,
      @Nullable Double waitingJobs,
      @Nullable Double waitingGpus,
      @Nullable Double spreadJobs,
      @Nullable Double sharingJobs,
      double starts,
      @Nullable Double startWaitMeanSeconds,
      double restarts,
      double lostGpuSeconds) {

    static PastStep of(Sample sample) {
      return new PastStep(
          sample.atSeconds(),
          Shapes.number(sample.gpus()),
          Shapes.number(sample.heldGpus()),
          Shapes.number(sample.waitingJobs()),
          Shapes.number(sample.waitingGpus()),
          Shapes.number(sample.spreadJobs()),
          Shapes.number(sample.sharingJobs()),
          sample.starts(),
          Shapes.number(sample.startWaitSeconds() / sample.starts()),
          sample.restarts(),
          sample.lostGpuSeconds());
    }
  }
}
