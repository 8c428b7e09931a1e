package io.ringmaster.workload;

import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.Map;

/** The generators by name. A new one is a class and a line here. */
public final class Generators {
  private static final List<Generator> ALL =
      List.of(Philly.GENERATOR, SjfBcoDraw.GENERATOR, ASrptMix.GENERATOR);

  private Generators() {}

  public static List<Generator> all() {
    return ALL;
  }

  /** Finds a generator. */
  public static Generator named(String name) {
    return Settings.Nearest.named(name, ALL, Generator::name, "there is no generator '%s'");
  }

  /** Generates with the settings that a user gave, and defaults for the rest. */
  public static Generated generate(String name, Map<String, String> given, long seed) {
    Generator generator = named(name);
    return generator
        .maker()
        .make(Settings.of("generator " + name, generator.parameters(), given), seed);
  }
}
