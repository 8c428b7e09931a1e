package io.ringmaster.experiments.doubling;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What strategies are compared in.
 *
 * @param allReduce what the numbers of workers between the measured ones are filled in by
 * @param logNormal whether jobs differ in length
 */
public record DoublingSetting(
    Contention contention, AllReduce allReduce, boolean logNormal, int restartSeconds) {
  static final int GPUS = 64;
  static final int RESTART_SECONDS = 10;

  /** As the paper has it, as far as that is known. */
  public static DoublingSetting of(Contention contention) {
    return new DoublingSetting(contention, AllReduce.RING, false, RESTART_SECONDS);
  }

  DoublingSetting with(AllReduce other) {
    return new DoublingSetting(contention, other, logNormal, restartSeconds);
  }

  public DoublingSetting withLogNormalLengths() {
    return new DoublingSetting(contention, allReduce, true, restartSeconds);
  }

  DoublingSetting withRestarts(int seconds) {
    return new DoublingSetting(contention, allReduce, logNormal, seconds);
  }

  /** As rows name it: how dense jobs come, and what else is not as in the paper. */
  public Map<String, Object> named() {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("contention", contention.text());
    if (allReduce != AllReduce.RING) {
      setting.put("all_reduce", allReduce.text());
    }
    if (logNormal) {
      setting.put("lengths", "log-normal");
    }
    if (restartSeconds != RESTART_SECONDS) {
      setting.put("restart_s", restartSeconds);
    }
    return setting;
  }

  Cluster cluster() {
    return cluster(restartSeconds);
  }

  /** One server has all GPUs: where workers sit is not the question. */
  static Cluster cluster(double restartSeconds) {
    return Cluster.uniform(1, GPUS, Network.Contention.USUAL, restartSeconds);
  }
}
