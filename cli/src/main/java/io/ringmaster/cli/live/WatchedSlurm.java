package io.ringmaster.cli.live;

import io.ringmaster.cli.advise.LiveQueue;
import io.ringmaster.cli.advise.LiveSlurm;
import io.ringmaster.engine.slurm.look.SlurmLook;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** A Slurm, which is asked once a minute. */
final class WatchedSlurm implements Watched {
  @Override
  public String scheduler() {
    return LiveSlurm.NAME;
  }

  @Override
  public String does() {
    return "looks at Slurm once a minute";
  }

  @Override
  public long everySeconds() {
    return (long) SlurmLook.FRESH_SECONDS;
  }

  @Override
  public Optional<LiveQueue> look() {
    return Optional.of(LiveSlurm.read(false, ZoneId.systemDefault(), Map.of()));
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
