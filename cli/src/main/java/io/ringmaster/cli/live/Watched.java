package io.ringmaster.cli.live;

import io.ringmaster.cli.advise.LiveQueue;
import java.util.Optional;

/** Another scheduler, whose queue a server shows. */
interface Watched extends AutoCloseable {
  /** As {@code --engine} has it. */
  String scheduler();

  /** What is done to it, in a few words. */
  String does();

  /** How often to look. */
  long everySeconds();

  /** The queue as it is now; empty if nothing has changed. */
  Optional<LiveQueue> look();

  @Override
  void close();
}
