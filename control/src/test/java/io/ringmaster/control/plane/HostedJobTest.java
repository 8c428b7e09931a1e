package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.model.Demand;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that go on after they should have ended. */
class HostedJobTest {
  private static HostedJob outlived(double saidShare) {
    Job job =
        Lifecycle.submitted(
            1, "ann", "", JobSpecs.of(Map.of("command", List.of("true"), "gpus", 2)), 0);
    HostedJob hosted = new HostedJob(job, 0, 0, 2, null, Demand.NONE);
    hosted.estimateSeconds = 100;
    hosted.saidShare = saidShare;
    hosted.outlived(100);
    return hosted;
  }

  @Test
  void whoSaysNothingIsGivenHalfAsLongAgain() {
    assertThat(outlived(Double.NaN).estimateSeconds).isEqualTo(150);
  }

  /** A policy must not take a job that is about to end for one with a third of its work to do. */
  @Test
  void whoSaysHowMuchIsLeftIsBelieved() {
    assertThat(outlived(0.98).estimateSeconds).isCloseTo(102, within(1e-9));
    assertThat(outlived(0.4).estimateSeconds).isCloseTo(160, within(1e-9));
    assertThat(outlived(1).estimateSeconds).isEqualTo(101);
  }
}
