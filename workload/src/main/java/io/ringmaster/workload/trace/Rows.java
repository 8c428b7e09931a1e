package io.ringmaster.workload.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.JobsFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * Streams the rows of text tables. A wrong header is an error, a wrong row is dropped: {@link
 * Unusable}.
 */
record Rows(Path file, TraceSink out, Consumer<Row> reader) {
  private static final int SHOWN_COLUMNS = 6;

  /** A CSV file whose header has at least some columns. */
  static void csv(Path file, TraceSink out, List<String> required, Consumer<Row> reader) {
    new Rows(file, out, reader).readCsv(required, List.of());
  }

  /** A CSV file without a header. A first row that repeats the names is no row. */
  static void headless(Path file, TraceSink out, List<String> columns, Consumer<Row> reader) {
    new Rows(file, out, reader).readCsv(List.of(), columns);
  }

  /**
   * Lines whose fields are parted by something else than commas. Blank lines are no rows.
   *
   * @param comment what a line that is none starts with
   * @param shape what fields are called, from their number; empty if no row has so many
   */
  static void lines(
      Path file,
      TraceSink out,
      Pattern separator,
      String comment,
      IntFunction<List<String>> shape,
      String expected,
      Consumer<Row> reader) {
    new Rows(file, out, reader).readLines(separator, comment, shape, expected);
  }

  /** The fields of the first row; none in an empty file. */
  static List<String> first(Path file) {
    return open(
        file,
        (_, _) -> {},
        text -> {
          Iterator<CsvRecord> records = records(text).iterator();
          return records.hasNext()
              ? records.next().getFields().stream().map(String::strip).toList()
              : List.of();
        });
  }

  private void readCsv(List<String> required, List<String> names) {
    open(
        file,
        out::progress,
        text -> {
          Map<String, Integer> columns = names.isEmpty() ? null : index(names);
          for (CsvRecord row : records(text)) {
            if (columns == null) {
              columns = header(row.getFields(), required, row.getStartingLineNumber());
            } else if (!row.getFields().equals(names) && !blank(row)) {
              boolean whole = row.getFieldCount() == columns.size();
              take(columns, row.getFields(), row.getStartingLineNumber(), whole);
            }
          }
          if (columns == null) {
            throw new BadInput(
                "%s: the file is empty; expected a header line with %s"
                    .formatted(file, String.join(", ", required)));
          }
          return columns;
        });
  }

  private static CsvReader<CsvRecord> records(BufferedReader text) {
    return CsvReader.builder()
        .allowUnclosedQuote(false)
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
        .ofCsvRecord(text);
  }

  private static boolean blank(CsvRecord row) {
    return row.getFieldCount() == 1 && row.getField(0).isBlank();
  }

  private void readLines(
      Pattern separator, String comment, IntFunction<List<String>> shape, String expected) {
    open(
        file,
        out::progress,
        text -> {
          long line = 0;
          List<String> last = List.of();
          Map<String, Integer> columns = Map.of();
          for (String next = text.readLine(); next != null; next = text.readLine()) {
            line++;
            if (next.isBlank() || (!comment.isEmpty() && next.startsWith(comment))) {
              continue;
            }
            List<String> fields = List.of(separator.split(next.strip(), -1));
            List<String> names = shape.apply(fields.size());
            if (names.isEmpty() && last.isEmpty()) {
              throw new BadInput(
                  "%s:%d: the line has %d fields; expected %s"
                      .formatted(file, line, fields.size(), expected));
            }
            if (!names.isEmpty() && !names.equals(last)) {
              columns = index(names);
              last = names;
            }
            take(columns, fields, line, !names.isEmpty());
          }
          return line;
        });
  }

  private void take(Map<String, Integer> columns, List<String> fields, long line, boolean whole) {
    out.row(file, line);
    try {
      if (!whole) {
        throw new Unusable("has another number of fields");
      }
      reader.accept(new Row(columns, fields.toArray(String[]::new)));
    } catch (Unusable e) {
      out.drop(e.reason());
    }
  }

  private Map<String, Integer> header(List<String> fields, List<String> required, long line) {
    List<String> names = fields.stream().map(String::strip).toList();
    List<String> missing = required.stream().filter(name -> !names.contains(name)).toList();
    if (!missing.isEmpty()) {
      throw new BadInput(
          ("%s:%d: missing column%s %s; the header has %s; is it of another format? See 'ringmaster"
                  + " import --list'")
              .formatted(
                  file,
                  line,
                  missing.size() == 1 ? "" : "s",
                  shown(missing),
                  Inputs.shown(shown(names))));
    }
    return index(names);
  }

  private static String shown(List<String> names) {
    String few = String.join(", ", names.subList(0, Math.min(SHOWN_COLUMNS, names.size())));
    return names.size() > SHOWN_COLUMNS ? few + ", ..." : few;
  }

  /** Each name's place; of two columns of the same name the second gets one of its own. */
  private static Map<String, Integer> index(List<String> names) {
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      if (columns.putIfAbsent(names.get(i), i) != null) {
        columns.put(names.get(i) + "#" + i, i);
      }
    }
    return columns;
  }

  private interface Task<T> {
    T read(BufferedReader text) throws IOException;
  }

  private static <T> T open(Path file, JobsFile.Progress progress, Task<T> task) {
    try (BufferedReader text =
        new BufferedReader(
            // Set to report: a byte that is no UTF-8 must not turn into some other id.
            new InputStreamReader(
                Inputs.open(file, progress), StandardCharsets.UTF_8.newDecoder()))) {
      return task.read(text);
    } catch (CsvParseException e) {
      throw e.getCause() instanceof RuntimeException ours
          ? ours
          : new BadInput("%s: %s".formatted(file, Inputs.shown(String.valueOf(e.getMessage()))));
    } catch (UncheckedIOException e) {
      throw unreadable(file, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static BadInput unreadable(Path file, IOException e) {
    return e instanceof CharacterCodingException
        ? Inputs.notUtf8(file)
        : new BadInput(
            "%s: cannot read: %s; is the file damaged?".formatted(file, AtomicFile.reason(e)));
  }
}
