package io.ringmaster.experiments.gadget;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A size of the experiment.
 *
 * @param load all work, in GPU-seconds at one worker's speed, over what the GPUs have up to the
 *     horizon
 * @param horizon in slots
 * @param shared whether rings share links, instead of reserving bandwidth
 * @param restartSeconds what a move costs; 0 unless moves are the question
 */
public record GadgetSetting(
    int jobs, int servers, double load, int horizon, boolean shared, double restartSeconds) {
  static final double SLOT_SECONDS = 600;
  static final int SERVER_GPUS = 8;
  private static final double NIC_BYTES_PER_SECOND = 25e9 / 8;
  private static final double INTRA_BYTES_PER_SECOND = 300e9 / 8;

  /** Every model says for itself what it reserves; this makes the cluster keep account of it. */
  private static final double RESERVED_BYTES_PER_SECOND = 1e9 / 8;

  static GadgetSetting of(int jobs, int servers, double load, int horizon) {
    return new GadgetSetting(jobs, servers, load, horizon, false, 0);
  }

  GadgetSetting sharingLinks() {
    return new GadgetSetting(jobs, servers, load, horizon, true, restartSeconds);
  }

  GadgetSetting withRestarts(double seconds) {
    return new GadgetSetting(jobs, servers, load, horizon, shared, seconds);
  }

  /** As rows name it, valued by a goal. */
  public Map<String, Object> named(Goal goal) {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("jobs", jobs);
    setting.put("servers", servers);
    setting.put("utility", goal.utility());
    setting.put("weight", goal.weight());
    setting.put("load", load);
    setting.put("horizon", horizon);
    setting.put("network", shared ? "shared" : "reserved");
    if (restartSeconds > 0) {
      setting.put("restart_s", restartSeconds);
    }
    return setting;
  }

  double horizonSeconds() {
    return horizon * SLOT_SECONDS;
  }

  Cluster cluster() {
    List<Server> list = new ArrayList<>();
    for (int s = 0; s < servers; s++) {
      list.add(
          new Server(
              Cluster.serverName(s),
              SERVER_GPUS,
              "gpu",
              "rack",
              NIC_BYTES_PER_SECOND,
              INTRA_BYTES_PER_SECOND));
    }
    Network network =
        shared
            ? Network.Contention.USUAL
            : Network.Contention.USUAL.reserving(RESERVED_BYTES_PER_SECOND);
    return new Cluster("gadget", list, network, restartSeconds);
  }
}
