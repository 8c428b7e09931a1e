package io.ringmaster.workload;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.Where;
import java.util.HashMap;
import java.util.Map;

/** What jobs say of kinds of GPU, each text read once. */
final class KindFields {
  private final Cluster cluster;
  private final Map<String, Where> kinds = new HashMap<>();
  private final Map<String, KindSpeeds> speeds = new HashMap<>();

  KindFields(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Kinds of which the cluster has at least one; IllegalArgumentException says what is wrong. */
  Where kinds(String text) {
    return text.isEmpty() ? Where.ANY : kinds.computeIfAbsent(text, this::known);
  }

  private Where known(String text) {
    Where where = Where.parse(text);
    if (cluster.kinds().stream().noneMatch(where::allows)) {
      throw new IllegalArgumentException(
          "no server of cluster %s has such GPUs; there are %s"
              .formatted(
                  Inputs.shown(cluster.name()), Inputs.shown(String.join(", ", cluster.kinds()))));
    }
    return where;
  }

  KindSpeeds speeds(String text) {
    return text.isEmpty() ? KindSpeeds.NONE : speeds.computeIfAbsent(text, KindSpeeds::parse);
  }
}
