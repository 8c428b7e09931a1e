package io.ringmaster.workload;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;

/** Makes workloads. The same settings and seed give the same jobs, on any machine. */
public interface Generator {
  String name();

  /** One sentence for {@code ringmaster generate --list}. */
  String summary();

  /** Where its numbers come from. */
  String source();

  List<Parameter> parameters();

  /**
   * Makes a workload.
   *
   * @param settings values of {@link #parameters}
   * @throws io.ringmaster.model.BadInput if the settings do not go together
   */
  Generated generate(Settings settings, long seed);
}
