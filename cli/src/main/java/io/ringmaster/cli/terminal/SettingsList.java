package io.ringmaster.cli.terminal;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.workload.json.RecordFields.Named;
import java.util.List;
import java.util.Optional;

/** What can be given to {@code --set}, listed. */
public final class SettingsList {
  private static final int LONGEST_WORD = 60;

  private SettingsList() {}

  public static void print(String name, String summary, List<Parameter> parameters, String source) {
    System.out.println(name);
    System.out.print(Prose.wrapped("    ", summary));
    print(parameters);
    System.out.print(Prose.wrapped("    ", "Source: " + source));
    System.out.println();
  }

  public static void print(List<Parameter> parameters) {
    for (Parameter parameter : parameters) {
      System.out.println("    --set " + parameter.name() + "=" + parameter.defaultValue());
      System.out.print(
          Prose.wrapped(
              "        ",
              "%s [%s]".formatted(parameter.help(), wrappable(parameter.values().expected()))));
    }
  }

  /** A long list of values is no single word, so that it can go over two lines. */
  private static String wrappable(String expected) {
    return expected.length() <= LONGEST_WORD ? expected : expected.replace("|", " | ");
  }

  /** Something that has settings, and may be chosen by its name. */
  public record Choice(String name, String summary, String source, List<Setting> parameters) {}

  /** One of {@code --set}. */
  public record Setting(
      String name,
      @Named("default") String usual,
      String expected,
      String help,
      Optional<Boolean> simulationOnly) {}

  public static Choice choice(
      String name, String summary, String source, List<Parameter> parameters) {
    return new Choice(name, summary, source, settings(parameters));
  }

  public static List<Setting> settings(List<Parameter> parameters) {
    return parameters.stream()
        .map(p ->
            new Setting(
                p.name(),
                p.defaultValue(),
                p.values().expected(),
                p.help(),
                p.simulationOnly() ? Optional.of(true) : Optional.empty()))
        .toList();
  }
}
