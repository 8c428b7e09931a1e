package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.Map;

/** The generators by name. A new one is a class and a line here. */
public final class Generators {
  private static final List<Generator> ALL =
      List.of(new Philly(), new SjfBcoDraw(), new ASrptMix());

  private Generators() {}

  public static List<Generator> all() {
    return ALL;
  }

  /**
   * Finds a generator.
   *
   * @throws BadInput for an unknown name, with the nearest known one
   */
  public static Generator named(String name) {
    for (Generator generator : ALL) {
      if (generator.name().equals(name)) {
        return generator;
      }
    }
    List<String> names = ALL.stream().map(Generator::name).toList();
    throw new BadInput(
        "there is no generator '%s'; %s".formatted(name, Settings.Nearest.hint(name, names)));
  }

  /** Generates with the settings that a user gave, and defaults for the rest. */
  public static Generated generate(String name, Map<String, String> given, long seed) {
    Generator generator = named(name);
    return generator.generate(
        Settings.of("generator " + name, generator.parameters(), given), seed);
  }
}
