package io.ringmaster.workload;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;

/**
 * Makes workloads. The same settings and seed give the same jobs, on any machine.
 *
 * @param summary one sentence for {@code ringmaster generate --list}
 * @param source where its numbers come from
 */
public record Generator(
    String name, String summary, String source, List<Parameter> parameters, Maker maker) {

  @FunctionalInterface
  public interface Maker {
    /**
     * Makes it.
     *
     * @param settings values of {@link #parameters}
     * @throws io.ringmaster.model.BadInput if the settings do not go together
     */
    Generated make(Settings settings, long seed);
  }
}
