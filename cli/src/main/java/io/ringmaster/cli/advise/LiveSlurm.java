package io.ringmaster.cli.advise;

import io.ringmaster.advise.Site;
import io.ringmaster.control.api.WatchedQueue.WatchedNode;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.engine.slurm.look.KeptLooks;
import io.ringmaster.engine.slurm.look.Look;
import io.ringmaster.engine.slurm.look.SlurmLook;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.trace.SlurmSite;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/** The Slurm that the commands of this machine reach, as it is now. */
public record LiveSlurm(Look look, SlurmSite slurm, Site site) implements LiveQueue {
  public static final String NAME = "slurm";

  /** As long as a person waits; with a slurmctld that is down some commands try for minutes. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /**
   * Looks, or takes what was said less than a minute ago.
   *
   * @throws BadInput if Slurm does not answer
   */
  public static LiveSlurm read(boolean fresh, ZoneId zone, Map<String, String> settings) {
    SlurmLook asked =
        new SlurmLook(
            new SlurmCommands(LIMIT),
            KeptLooks.ofUser(System.getenv(), System.getProperty("user.home")),
            Clock.systemUTC());
    try {
      Look look = asked.look(fresh);
      SlurmSite site = SlurmSite.of(look.texts(), look.atSeconds(), zone, settings);
      return new LiveSlurm(look, site, Site.of(site));
    } catch (IOException e) {
      throw new BadInput(
          "Slurm: %s; try 'squeue' here: it must answer where this runs".formatted(e.getMessage()));
    }
  }

  @Override
  public String scheduler() {
    return NAME;
  }

  @Override
  public double atSeconds() {
    return look.atSeconds();
  }

  @Override
  public String cost() {
    return "One look cost slurmctld %s.".formatted(look.cost().text());
  }

  @Override
  public List<WatchedNode> nodes() {
    return slurm.nodes().stream()
        .map(node ->
            new WatchedNode(
                node.name(),
                node.gpus(),
                Math.max(0, node.gpus() - node.usedGpus()),
                node.isUp(),
                node.takesJobs(),
                node.whyNot()))
        .toList();
  }

  @Override
  public String costLine() {
    double age = System.currentTimeMillis() / 1e3 - look.atSeconds();
    return look.isKept()
        ? "Slurm told this %.0f s ago and was not asked again; --fresh asks.".formatted(age)
        : "This look cost slurmctld %s.".formatted(look.cost().text());
  }
}
