package io.ringmaster.cli.live;

import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.engine.kubernetes.pods.KubernetesEngine;
import io.ringmaster.engine.local.LocalEngine;
import io.ringmaster.engine.slurm.allocation.AllocationEngine;
import io.ringmaster.engine.slurm.partition.SlurmEngine;
import io.ringmaster.model.BadInput;
import java.util.List;
import java.util.stream.Collectors;

/** Where jobs can run: a line for each engine. */
final class Engines {
  static final List<EngineKind> ALL =
      List.of(LocalEngine.KIND, AllocationEngine.KIND, SlurmEngine.KIND, KubernetesEngine.KIND);

  private Engines() {}

  static EngineKind named(String name) {
    return ALL.stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new BadInput(
                "no engine is called '%s'; there is %s"
                    .formatted(
                        name,
                        ALL.stream()
                            .map(kind -> "'" + kind.name() + "'")
                            .collect(Collectors.joining(", ")))));
  }
}
