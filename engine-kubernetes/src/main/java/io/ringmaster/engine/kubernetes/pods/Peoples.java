package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Arrival;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that has to do with pods that people made for us to bind. */
final class Peoples implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Peoples.class);
  private static final double EVENT_SECONDS = 5;

  private final Owners owners;
  private final Gangs gangs;
  private final GangRuns runs;
  private final PodEvents events;
  private double toldSeconds = Double.NEGATIVE_INFINITY;

  /**
   * Lists what makes pods.
   *
   * @param changed is told when there may be something new
   */
  Peoples(
      PodSettings settings,
      Api api,
      ClusterSight cluster,
      Attempts attempts,
      ExecutorService hands,
      Path folder,
      Runnable changed)
      throws IOException {
    owners = new Owners(api.client(), changed);
    gangs = new Gangs(settings, api, cluster, owners, new GangMemory(folder));
    runs = new GangRuns(settings, api, cluster, gangs, attempts, hands);
    events = new PodEvents(api, gangs, owners);
  }

  List<Arrival> arrivals(Map<String, AttemptRecord> arrived) throws IOException {
    if (!owners.isWatching()) {
      throw new IOException("Kubernetes was away, and is being listed anew");
    }
    return gangs.arrivals(arrived);
  }

  Gangs gangs() {
    return gangs;
  }

  GangRuns runs() {
    return runs;
  }

  PodEvents events() {
    return events;
  }

  synchronized boolean isEventDue() {
    boolean isDue = Attempts.now() >= toldSeconds + EVENT_SECONDS;
    toldSeconds = isDue ? Attempts.now() : toldSeconds;
    return isDue;
  }

  void tellUnready() {
    try {
      events.tellUnready();
    } catch (IOException | RuntimeException e) {
      LOG.debug("people are not told why their pods wait", e);
    }
  }

  @Override
  public void close() {
    owners.close();
  }
}
