package io.ringmaster.cli;

import io.ringmaster.runs.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes a page of the manual for each command, for releases: {@code ManPages FOLDER}. They say
 * what {@code --help} says.
 */
final class ManPages {
  private static final Pattern LEADING = Pattern.compile("^(?=[.'])", Pattern.MULTILINE);

  private final CommandLine line;

  private ManPages(CommandLine line) {
    this.line = line;
  }

  public static void main(String[] args) throws IOException {
    CommandLine line = new CommandLine(new Main());
    Main.COMMANDS.values().forEach(line::addSubcommand);
    new ManPages(line).write(Path.of(args[0]));
  }

  private void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    write(folder, line);
  }

  private void write(Path folder, CommandLine command) throws IOException {
    CommandSpec spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    String name = spec.qualifiedName("-");
    Files.writeString(folder.resolve(name + ".1"), page(name, command));
    for (CommandLine child : command.getSubcommands().values()) {
      write(folder, child);
    }
  }

  private static String page(String name, CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    CommandLine.Help help = command.getHelp();
    String[] description = spec.usageMessage().description();
    StringBuilder page = new StringBuilder();
    page.append(".TH %s 1 \"\" \"ringmaster %s\"\n".formatted(quoted(name), Version.text()));
    page.append(".SH NAME\n%s \\- %s\n".formatted(escaped(name), text(first(description))));
    page.append(".SH SYNOPSIS\n.nf\n").append(text(help.synopsis(0))).append(".fi\n");
    page.append(".SH DESCRIPTION\n").append(text(String.join("\n", description))).append('\n');
    arguments(page, spec);
    commands(page, command);
    String footer = String.join("\n", spec.usageMessage().footer()).strip();
    if (!footer.isEmpty()) {
      page.append(".SH NOTES\n.nf\n").append(text(footer)).append("\n.fi\n");
    }
    return page.toString();
  }

  private static void arguments(StringBuilder page, CommandSpec spec) {
    page.append(".SH OPTIONS\n");
    for (PositionalParamSpec each : spec.positionalParameters()) {
      if (!each.hidden()) {
        item(page, each.paramLabel(), each.description());
      }
    }
    for (OptionSpec each : spec.options()) {
      if (!each.hidden()) {
        String value = each.arity().max() == 0 ? "" : " " + each.paramLabel();
        item(page, String.join(", ", each.names()) + value, each.description());
      }
    }
  }

  private static void commands(StringBuilder page, CommandLine command) {
    List<CommandLine> children =
        command.getSubcommands().values().stream()
            .filter(child -> !child.getCommandSpec().usageMessage().hidden())
            .toList();
    if (children.isEmpty()) {
      return;
    }
    page.append(".SH COMMANDS\n");
    for (CommandLine child : children) {
      CommandSpec spec = child.getCommandSpec();
      item(page, spec.qualifiedName("-") + "(1)", first(spec.usageMessage().description()));
    }
  }

  private static void item(StringBuilder page, String term, String... lines) {
    page.append(".TP\n.B ").append(text(term)).append('\n');
    page.append(text(String.join("\n", lines))).append('\n');
  }

  private static String first(String... lines) {
    return lines.length == 0 ? "" : lines[0];
  }

  /** What picocli would print without colours, as roff. */
  private static String text(String markup) {
    return escaped(Ansi.OFF.string(markup.replace("%n", "\n").replace("%%", "%")));
  }

  private static String escaped(String text) {
    String plain = text.replace("\\", "\\e").replace("-", "\\-");
    return LEADING.matcher(plain).replaceAll(Matcher.quoteReplacement("\\&"));
  }

  private static String quoted(String text) {
    return '"' + escaped(text) + '"';
  }
}
