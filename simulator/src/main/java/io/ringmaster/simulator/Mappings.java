package io.ringmaster.simulator;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.pipeline.Pipeline;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks which replicas of a pipeline the rows of a segment say are where. */
record Mappings(Cluster cluster, Jobs jobs, Segments segments) {
  /**
   * What is wrong with the replicas of a segment, in words that follow the job and the time; null
   * if nothing is. A segment may say nothing of them, and a job without stages has one.
   */
  @Nullable String fault(int job, int[] order, int from, int to) {
    if (Arrays.stream(order, from, to).allMatch(row -> segments.replicas(row).length == 0)) {
      return null;
    }
    int[] expected = stages(job, Arrays.stream(order, from, to).map(segments::gpus).sum());
    int[] sums = new int[expected.length];
    for (int i = from; i < to; i++) {
      int[] here = segments.replicas(order[i]);
      String server = cluster.server(segments.server(order[i])).name();
      if (here.length != expected.length) {
        return "are '%s' on server %s, of %d stages".formatted(text(here), server, expected.length);
      }
      if (Arrays.stream(here).sum() != segments.gpus(order[i])) {
        return "are '%s' on %d GPUs of server %s"
            .formatted(text(here), segments.gpus(order[i]), server);
      }
      Arrays.setAll(sums, s -> sums[s] + here[s]);
    }
    return Arrays.equals(sums, expected)
        ? null
        : "are '%s' in all, the job has '%s'".formatted(text(sums), text(expected));
  }

  private int[] stages(int job, int workers) {
    ModelProfile profile = jobs.profile(job);
    Pipeline pipeline = profile == null ? null : profile.pipeline();
    return pipeline == null
        ? new int[] {workers}
        : pipeline.replicas().ofStage().stream().mapToInt(Integer::intValue).toArray();
  }

  private static String text(int[] replicas) {
    return Arrays.stream(replicas).mapToObj(Integer::toString).collect(Collectors.joining("+"));
  }
}
