package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** A YAML file that a person wrote: a mistake in it has a line and a column. */
public final class YamlFile {
  /** A million servers with a line each still fit. */
  private static final int LONGEST_FILE = 1 << 26;

  private static final int SMALLEST_BUFFER = 1024;

  private YamlFile() {}

  /**
   * The one document of a file.
   *
   * @param expected what it should hold, for messages: {@code a cluster with servers}
   */
  public static Node compose(Path file, String expected) {
    return find(file)
        .orElseThrow(() -> new BadInput(file + ": the file is empty; expected " + expected));
  }

  /** The one document of a file, if there is anything in it. */
  public static Optional<Node> find(Path file) {
    return parse(file, false).stream().findFirst();
  }

  /** All documents of a file as maps, lists, texts, numbers, flags and nulls. */
  public static List<@Nullable Object> documents(Path file, String expected) {
    List<Node> nodes = parse(file, true);
    if (nodes.isEmpty()) {
      throw new BadInput(file + ": the file is empty; expected " + expected);
    }
    List<@Nullable Object> documents = new ArrayList<>();
    for (Node node : nodes) {
      try {
        documents.add(object(Optional.of(node)));
      } catch (YamlEngineException e) {
        throw refused(file.toString(), e);
      }
    }
    return documents;
  }

  private static @Nullable Object object(Optional<Node> node) {
    return new StandardConstructor(LoadSettings.builder().build()).constructSingleDocument(node);
  }

  /**
   * A value as a file would hold it: a number, a flag or a list too; a text if it is nothing else.
   */
  public static @Nullable Object value(String text) {
    try {
      return object(composer("", text).getSingleNode());
    } catch (YamlEngineException | BadInput e) {
      return text;
    }
  }

  private static List<Node> parse(Path file, boolean several) {
    String shown = file.toString();
    String text = Inputs.text(file, LONGEST_FILE);
    try {
      Composer composer = composer(shown, text);
      if (!several) {
        return composer.getSingleNode().stream().toList();
      }
      List<Node> nodes = new ArrayList<>();
      composer.forEachRemaining(nodes::add);
      return nodes;
    } catch (ReaderException e) {
      String before = text.substring(0, Math.max(0, text.indexOf(e.getCodePoint())));
      throw new BadInput(
          "%s:%d:%d: not valid YAML: the character U+%04X is not allowed"
              .formatted(
                  shown,
                  1 + before.chars().filter(c -> c == '\n').count(),
                  before.length() - before.lastIndexOf('\n'),
                  e.getCodePoint()));
    } catch (YamlEngineException e) {
      throw refused(shown, e);
    }
  }

  private static Composer composer(String shown, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(shown)
            .setCodePointLimit(LONGEST_FILE)
            // The library copies what it holds of a word for each buffer that the word goes on in.
            .setBufferSize(Math.max(SMALLEST_BUFFER, text.length() + 1))
            // YamlEvents has a limit on what they stand for, and says where.
            .setMaxAliasesForCollections(Integer.MAX_VALUE)
            .build();
    return new Composer(
        settings,
        new YamlEvents(
            new ParserImpl(settings, new StreamReader(settings, text)), shown, LONGEST_FILE));
  }

  private static BadInput refused(String shown, YamlEngineException e) {
    if (e instanceof MarkedYamlEngineException marked) {
      boolean half = marked.getProblem().startsWith("but ");
      String problem =
          half ? marked.getContext() + ", " + marked.getProblem() : marked.getProblem();
      return YamlMap.bad(
          shown, marked.getProblemMark().orElse(null), "not valid YAML: " + oneLine(problem));
    }
    return new BadInput(shown + ": not valid YAML: " + oneLine(String.valueOf(e.getMessage())));
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", "; ").replaceAll("\\p{Cntrl}", "?");
  }
}
