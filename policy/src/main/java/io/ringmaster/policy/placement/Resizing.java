package io.ringmaster.policy.placement;

import io.ringmaster.model.Placement;
import io.ringmaster.policy.FreeServers;
import java.util.stream.IntStream;

/** Another number of workers with as few moves as can be. */
public final class Resizing {
  private Resizing() {}

  /** Gives workers up where the job has the fewest. */
  public static Placement shrink(Placement from, int workers) {
    int[] byCount =
        IntStream.range(0, from.size())
            .boxed()
            .sorted((a, b) -> Integer.compare(from.gpus(b), from.gpus(a)))
            .mapToInt(Integer::intValue)
            .toArray();
    PlacementBuilder builder = new PlacementBuilder();
    int left = workers;
    for (int i : byCount) {
      int kept = Math.min(left, from.gpus(i));
      if (kept > 0) {
        builder.add(from.server(i), kept);
        left -= kept;
      }
    }
    return builder.build();
  }

  /**
   * Adds workers on the job's own servers first, then on the tightest server that holds what is
   * left, or else on the freest. There must be enough free GPUs.
   */
  public static Placement grow(FreeServers free, Placement from, int workers) {
    PlacementBuilder builder = new PlacementBuilder();
    int left = workers - from.workers();
    for (int i = 0; i < from.size(); i++) {
      int more = Math.min(left, free.gpus(from.server(i)));
      builder.add(from.server(i), from.gpus(i) + more);
      left -= more;
    }
    while (left > 0) {
      int server = free.bestFit(left);
      while (server >= 0 && builder.uses(server)) {
        server = free.nextTightest(server);
      }
      if (server < 0) {
        server = free.freest();
        while (builder.uses(server)) {
          server = free.nextFreest(server);
        }
      }
      int more = Math.min(left, free.gpus(server));
      builder.add(server, more);
      left -= more;
    }
    return builder.build();
  }
}
