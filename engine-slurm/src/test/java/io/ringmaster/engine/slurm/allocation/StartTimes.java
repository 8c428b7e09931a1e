package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.SlurmTestbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/**
 * Measures how long attempts in an allocation take to start, from the plane's word to the first of
 * their workers' own, and prints least, median and most in milliseconds.
 */
final class StartTimes {
  private static final int WARM_UP = 5;
  private static final int TIMES = 40;

  private StartTimes() {}

  public static void main(String[] arguments) throws Exception {
    Path data = Files.createTempDirectory("ringmaster-start-times");
    try (SlurmTestbed testbed = SlurmTestbed.up(Map.of("NODES", "2"));
        Namespace _ = testbed.enter()) {
      long job = SlurmFaultsTest.allocated(testbed, "-N2", "--gres=gpu:4");
      SlurmCommands slurm = new SlurmCommands(testbed.prefix(), Duration.ofSeconds(20));
      try (AllocationStage stage = new AllocationStage(data, slurm, job, Map.of())) {
        stage.open();
        measure(stage, 0, WARM_UP, "n1:2,n2:2");
        measure(stage, 1000, TIMES, "n1:1");
        measure(stage, 2000, TIMES, "n1:2,n2:2");
      }
      SlurmFaultsTest.end(testbed, job);
    }
  }

  private static void measure(AllocationStage stage, int first, int times, String on)
      throws Exception {
    int workers = Allocation.of(on).workers();
    double[] millis = new double[times];
    for (int i = 0; i < times; i++) {
      AttemptId id = new AttemptId(first + i + 1, 1);
      long began = System.currentTimeMillis();
      stage.launch(id, on, "date +%s%N");
      stage.end(id);
      for (int rank = 0; rank < workers; rank++) {
        double said = Double.parseDouble(stage.output(id, rank).strip()) / 1e6;
        millis[i] = Math.max(millis[i], said - began);
      }
    }
    Arrays.sort(millis);
    System.out.printf(
        "%s: %.0f/%.0f/%.0f ms (%d)%n", on, millis[0], millis[times / 2], millis[times - 1], times);
  }
}
