package io.ringmaster.cli;

import io.ringmaster.cli.live.LiveCommands;
import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.registry.Experiments;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.Generators;
import io.ringmaster.workload.trace.TraceFormats;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The completion script: what commands, options and values there are, as bash functions made of our
 * own tables, in front of completion.bash, which knows how to use them.
 */
final class CompletionScript {
  private static final String NOTHING = "nothing";
  private static final Pattern WORD = Pattern.compile("[a-z0-9-]+");

  private final Map<String, CommandSpec> commands = new LinkedHashMap<>();

  CompletionScript(CommandSpec root) {
    add("", root);
  }

  private void add(String path, CommandSpec command) {
    commands.put(path, command);
    command
        .subcommands()
        .forEach((name, line) -> {
          if (!line.getCommandSpec().usageMessage().hidden()) {
            add((path + " " + name).strip(), line.getCommandSpec());
          }
        });
  }

  String text() {
    StringBuilder text = new StringBuilder("# Made by: ringmaster completion\n\n");
    function(text, "words_of", words());
    function(text, "kind_of", kinds());
    function(text, "list_of", lists());
    function(text, "settings_of", settings());
    return text.append(tail()).toString();
  }

  /** A function that prints, of its first argument, what there is. */
  private static void function(StringBuilder text, String name, Map<String, String> answers) {
    text.append("__ringmaster_").append(name).append("() {\n  case \"$1\" in\n");
    answers.forEach((key, value) ->
        text.append("    '%s') echo '%s' ;;\n".formatted(key, value.replace("'", ""))));
    text.append("  esac\n}\n\n");
  }

  /** Subcommands and options of each command. */
  private Map<String, String> words() {
    Map<String, String> words = new LinkedHashMap<>();
    commands.forEach((path, command) -> {
      Set<String> all = new LinkedHashSet<>();
      command
          .subcommands()
          .forEach((name, line) -> {
            if (!line.getCommandSpec().usageMessage().hidden()) {
              all.add(name);
            }
          });
      command.options().stream().filter(o -> !o.hidden()).forEach(o -> all.add(o.longestName()));
      words.put(path, String.join(" ", all));
    });
    return words;
  }

  /** Of each option that takes a value, and of what stands alone, what it can be. */
  private Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    commands.forEach((path, command) -> {
      for (OptionSpec option : command.options()) {
        if (option.arity().max() > 0) {
          Arrays.stream(option.names()).forEach(n -> kinds.put(path + "|" + n, kind(path, option)));
        }
      }
      command.positionalParameters().stream()
          .findFirst()
          .ifPresent(first -> kinds.put(path + "|", kind(path, first)));
    });
    return kinds;
  }

  private static String kind(String path, ArgSpec argument) {
    String name = argument instanceof OptionSpec option ? option.longestName() : "";
    return switch (name.isEmpty() ? argument.paramLabel() : name) {
      case "--policy", "--policies" -> "policies";
      case "--format", "FORMAT" -> "formats";
      case "--state" -> "states";
      case "--set" -> settingsOf(path);
      case "NODE" -> "nodes";
      case "ID" -> path.startsWith("token") ? NOTHING : "jobs";
      case "NAME" ->
          switch (path) {
            case "policy", "policies" -> "policies";
            case "generate" -> "generators";
            case "reproduce" -> "experiments";
            default -> NOTHING;
          };
      default -> isFile(argument) ? "files" : NOTHING;
    };
  }

  private static String settingsOf(String path) {
    return switch (path) {
      case "import", "whatif", "size", "advise" -> "settings of formats";
      case "generate" -> "settings of generators";
      case "submit" -> NOTHING;
      default -> "settings of policies";
    };
  }

  private static boolean isFile(ArgSpec argument) {
    return argument.type() == Path.class
        || Arrays.asList(argument.auxiliaryTypes()).contains(Path.class);
  }

  /** In one order: the script is part of a release. */
  private static Map<String, String> lists() {
    Map<String, String> lists = new LinkedHashMap<>();
    lists.put("policies", joined(Policies.all().stream().map(PolicySpec::name).toList()));
    lists.put("formats", joined(TraceFormats.all().stream().map(f -> f.name()).toList()));
    lists.put("generators", joined(Generators.all().stream().map(g -> g.name()).toList()));
    lists.put("experiments", joined(Experiments.all().stream().map(Experiment::name).toList()));
    lists.put("states", joined(LiveCommands.states()));
    return lists;
  }

  private static String joined(List<String> words) {
    return String.join(" ", words);
  }

  /** Names of settings by owner, and words of each by owner and name. */
  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    Policies.all().forEach(p -> add(settings, "policies", p.name(), p.parameters()));
    TraceFormats.all()
        .forEach(f -> {
          List<Parameter> all = new ArrayList<>(f.parameters());
          all.addAll(TraceFormats.commonParameters());
          add(settings, "formats", f.name(), all);
        });
    Generators.all().forEach(g -> add(settings, "generators", g.name(), g.parameters()));
    List<Parameter> any =
        Policies.all().stream().flatMap(p -> p.parameters().stream()).distinct().toList();
    add(settings, "policies", "*", any);
    return settings;
  }

  private static void add(
      Map<String, String> settings, String kind, String owner, List<Parameter> parameters) {
    String key = "%s %s".formatted(kind, owner);
    settings.put(key, joined(parameters.stream().map(p -> p.name() + "=").distinct().toList()));
    for (Parameter parameter : parameters) {
      List<String> words =
          Arrays.stream(parameter.values().expected().split("\\|", -1))
              .filter(word -> WORD.matcher(word).matches())
              .toList();
      if (!words.isEmpty()) {
        settings.put("%s %s=".formatted(key, parameter.name()), joined(words));
      }
    }
  }

  private static String tail() {
    try (InputStream in =
        Objects.requireNonNull(CompletionScript.class.getResourceAsStream("completion.bash"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
