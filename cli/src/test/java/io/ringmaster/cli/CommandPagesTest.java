package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The pages in docs/commands say what the commands take, all of it and nothing else. */
class CommandPagesTest {
  private static final Path PAGES = Path.of("../docs/commands");
  private static final Pattern FENCE =
      Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern ROW = Pattern.compile("^\\| `--[^|]*", Pattern.MULTILINE);
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  /** The texts of the pages by their file names. */
  private static final Map<String, String> TEXTS = new TreeMap<>();

  /** Commands by what one types, such as {@code fit speed}; those of a command after it. */
  private static final Map<String, CommandSpec> COMMANDS = new LinkedHashMap<>();

  @BeforeAll
  static void read() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        TEXTS.put(String.valueOf(file.getFileName()), Files.readString(file));
      }
    }
    CommandLine line = new CommandLine(new Main());
    Main.COMMANDS.values().forEach(line::addSubcommand);
    line.getSubcommands().forEach(CommandPagesTest::add);
  }

  /** All but those that are for programs. */
  private static void add(String typed, CommandLine command) {
    if (command.getCommandSpec().usageMessage().hidden()) {
      return;
    }
    COMMANDS.put(typed, command.getCommandSpec());
    command.getSubcommands().forEach((name, each) -> add(typed + " " + name, each));
  }

  /** The page with a heading that is the command, or the one that it is a command of. */
  private static String pageOf(String typed) {
    Pattern heading = Pattern.compile("^#{1,3} " + typed + "$", Pattern.MULTILINE);
    List<String> pages =
        TEXTS.keySet().stream()
            .filter(page -> heading.matcher(TEXTS.getOrDefault(page, "")).find())
            .toList();
    int last = typed.lastIndexOf(' ');
    if (pages.isEmpty() && last > 0) {
      return pageOf(typed.substring(0, last));
    }
    assertThat(pages).as("pages in docs/commands with the heading '%s'", typed).hasSize(1);
    return pages.getFirst();
  }

  private static Set<String> names(CommandSpec command) {
    return new TreeSet<>(command.optionsMap().keySet());
  }

  private static Set<String> optionsIn(String text) {
    Set<String> options = new TreeSet<>();
    OPTION.matcher(text).results().forEach(found -> options.add(found.group()));
    return options;
  }

  @Test
  void everyCommandHasAPageThatTheListLeadsTo() {
    String list = TEXTS.getOrDefault("README.md", "");
    for (String typed : COMMANDS.keySet()) {
      assertThat(list).as(typed).contains("](" + pageOf(typed));
    }
  }

  /** All but hidden ones, and those that every command has. */
  @Test
  void everyOptionStandsInItsPage() {
    List<String> missing = new ArrayList<>();
    COMMANDS.forEach((typed, command) -> {
      String page = pageOf(typed);
      Set<String> said = optionsIn(TEXTS.getOrDefault(page, ""));
      for (OptionSpec option : command.options()) {
        boolean own = !option.hidden() && !option.usageHelp() && !option.versionHelp();
        if (own && !said.contains(option.longestName())) {
          missing.add("%s: %s of %s".formatted(page, option.longestName(), typed));
        }
      }
    });
    assertThat(missing).as("options that their pages in docs/commands do not name").isEmpty();
  }

  @Test
  void noPageNamesAnOptionThatIsNotThere() {
    Set<String> all = new TreeSet<>();
    Map<String, Set<String>> ofPages = new TreeMap<>();
    COMMANDS.forEach((typed, command) -> {
      all.addAll(names(command));
      ofPages.computeIfAbsent(pageOf(typed), page -> new TreeSet<>()).addAll(names(command));
    });
    List<String> wrong = new ArrayList<>();
    TEXTS.forEach((page, text) -> {
      Set<String> ofPage = ofPages.getOrDefault(page, all);
      ROW.matcher(text).results().forEach(row -> check(page, row.group(), ofPage, wrong));
      for (String code : codes(text)) {
        // An option by itself may be another command's, of whose files the page speaks.
        check(page, code, commandIn(code).map(CommandPagesTest::names).orElse(all), wrong);
      }
    });
    assertThat(wrong).as("options that do not exist").isEmpty();
  }

  private static void check(String page, String text, Set<String> there, List<String> wrong) {
    for (String option : optionsIn(text)) {
      if (!there.contains(option)) {
        wrong.add("%s: %s in: %s".formatted(page, option, text));
      }
    }
  }

  /** Code of a page that is of our command line: lines to type, and options by themselves. */
  private static List<String> codes(String text) {
    List<String> codes = new ArrayList<>();
    Matcher fences = FENCE.matcher(text);
    while (fences.find()) {
      // A line that goes on is indented below.
      for (String line : fences.group().replaceAll("\n +", " ").split("\n", -1)) {
        if (line.matches("(\\./)?ringmaster [a-z]+( .*)?")) {
          codes.add(line);
        }
      }
    }
    CODE.matcher(fences.reset().replaceAll(""))
        .results()
        .map(found -> found.group(1))
        .filter(code -> code.startsWith("--") || commandIn(code).isPresent())
        .forEach(codes::add);
    return codes;
  }

  /** The command of a line to type, if it is one of ours. */
  private static Optional<CommandSpec> commandIn(String code) {
    String typed = code.replaceFirst("^(\\./)?ringmaster ", "");
    return COMMANDS.entrySet().stream()
        .filter(each -> typed.equals(each.getKey()) || typed.startsWith(each.getKey() + " "))
        .reduce((shorter, longer) -> longer)
        .map(Map.Entry::getValue);
  }
}
