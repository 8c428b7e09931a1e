package io.ringmaster.cli.advise;

import io.ringmaster.advise.Site;
import io.ringmaster.control.api.WatchedQueue.WatchedNode;
import java.util.List;

/** A queue that is asked for what it is now, not read from a file. */
public interface LiveQueue {
  /** As {@code --from} has it. */
  String scheduler();

  Site site();

  /** When it was told, since 1970. */
  double atSeconds();

  /** What a look costs, in a sentence. */
  String cost();

  /** What this one cost, and how old it is. */
  String costLine();

  /** Those with GPUs. */
  List<WatchedNode> nodes();
}
