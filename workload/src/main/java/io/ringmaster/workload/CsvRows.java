package io.ringmaster.workload;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file with a header. A subclass takes each field of a known column as it comes, as
 * characters, so that a row leaves no garbage behind; then the end of the row.
 *
 * <p>Blanks around a value are left out unless it is quoted. The lines of messages are those of the
 * file, the first being 1; a row that spans lines has the number of its first. The first mistake is
 * a {@link BadInput} with file, line, column, value and what was expected.
 */
abstract class CsvRows extends AbstractBaseCsvCallbackHandler<Boolean> {
  private final Path file;
  private final List<String> columns;
  private final List<List<String>> required;
  private final List<String> header = new ArrayList<>();
  private int[] columnOf = {};
  private boolean headerRead;
  private @Nullable BadInput problem;
  private long rows;

  /**
   * @param columns the names that matter; a field is known by its column's index in this list
   * @param required of each of these at least one must be in the header
   */
  CsvRows(Path file, List<String> columns, List<List<String>> required) {
    this.file = file;
    this.columns = columns;
    this.required = required;
  }

  /** A field of a known column: {@code text[from]} to {@code text[to - 1]}. */
  abstract void field(int column, char[] text, int from, int to);

  /** All fields of a row were given. */
  abstract void row();

  /** Reads the whole file, and returns the number of rows. */
  final long readAll(JobsFile.Progress progress) {
    try (InputStream bytes = Inputs.open(file, progress)) {
      // Set to report: a byte that is no UTF-8 must not turn into some other id.
      InputStreamReader text = new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
      CsvReader<Boolean> reader =
          CsvReader.builder()
              .allowUnclosedQuote(false)
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .build(this, text);
      // Every row is taken where it is read and no record is built: this runs through the file.
      if (reader.iterator().hasNext()) {
        throw new IllegalStateException("a row was not taken");
      }
    } catch (CsvParseException e) {
      // FastCSV wraps what a subclass throws; its own errors have no cause.
      throw e.getCause() instanceof RuntimeException ours ? ours : malformed(e);
    } catch (UncheckedIOException e) {
      throw unreadable(Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw unreadable(e);
    }
    if (!headerRead) {
      throw new BadInput(
          "%s: the file is empty; expected a header line with %s"
              .formatted(file, String.join(", ", required.stream().map(List::getLast).toList())));
    }
    return rows;
  }

  private BadInput malformed(CsvParseException e) {
    String message = String.valueOf(e.getMessage());
    String what =
        message.startsWith("Unclosed")
            ? "a quoted field is never closed"
            : message.startsWith("Unexpected character after")
                ? "there is text after a closing quote; double the quotes inside a quoted field"
                : message.startsWith("The maximum buffer size")
                    ? "a field is longer than 16 Mi characters; is a quote never closed?"
                    : Inputs.shown(message);
    return new BadInput("%s:%d: %s".formatted(file, line(), what));
  }

  private BadInput unreadable(IOException e) {
    if (e instanceof CharacterCodingException) {
      return Inputs.notUtf8(file);
    }
    return new BadInput(
        "%s: cannot read after line %d: %s; is the file damaged?"
            .formatted(file, line(), AtomicFile.reason(e)));
  }

  /** The line in which the present row starts. */
  final long line() {
    return getStartingLineNumber();
  }

  /** Notes that a value is wrong. The first such note of a row is what the user sees. */
  final void reject(int column, char[] text, int from, int to, String expected) {
    String value = Inputs.shown(new String(text, from, to - from));
    reject(
        column,
        value.isEmpty() ? "is empty; expected " + expected : "'" + value + "' is not " + expected);
  }

  /** Notes that a value is wrong, in words that follow the column's name. */
  final void reject(int column, String what) {
    if (problem == null) {
      problem =
          new BadInput("%s:%d: column %s: %s".formatted(file, line(), columns.get(column), what));
    }
  }

  /** A number above 0, up to the most. */
  final double positive(int column, char[] text, int from, int to, double most) {
    double value = Numbers.parse(text, from, to);
    if (!(value > 0)) {
      reject(column, text, from, to, "a number above 0");
    } else if (value > most) {
      reject(column, text, from, to, "a number above 0, up to " + CsvOutput.plain(most));
    }
    return value;
  }

  /** A whole number from 1 to the most. */
  final int count(int column, char[] text, int from, int to, int most) {
    double value = Numbers.parse(text, from, to);
    if (!(value >= 1) || value > most || value != Math.rint(value)) {
      reject(column, text, from, to, "a whole number from 1 to " + most);
    }
    return (int) value;
  }

  /** Refuses a header that has two names of one column. */
  final void notBoth(int column, int other) {
    if (has(column) && has(other)) {
      rejectRow(
          "columns %s and %s mean the same; leave one out"
              .formatted(columns.get(column), columns.get(other)));
    }
  }

  /** Notes that a row is wrong. */
  final void rejectRow(String what) {
    if (problem == null) {
      problem = new BadInput("%s:%d: %s".formatted(file, line(), what));
    }
  }

  final boolean rejected() {
    return problem != null;
  }

  final boolean has(int column) {
    return header.contains(columns.get(column));
  }

  @Override
  protected final void handleField(int index, char[] text, int offset, int length, boolean quoted) {
    if (!headerRead) {
      header.add(new String(text, offset, length).strip());
      return;
    }
    if (index >= columnOf.length || columnOf[index] < 0 || problem != null) {
      return;
    }
    int from = offset;
    int to = offset + length;
    if (!quoted) {
      while (from < to && text[from] <= ' ') {
        from++;
      }
      while (to > from && text[to - 1] <= ' ') {
        to--;
      }
    }
    field(columnOf[index], text, from, to);
  }

  @Override
  protected final @Nullable Boolean buildRecord() {
    if (getRecordType() == RecordType.EMPTY) {
      return null;
    }
    if (!headerRead) {
      readHeader();
      return null;
    }
    if (getFieldCount() != header.size()) {
      throw new BadInput(
          "%s:%d: the row has %d field%s, the header %d"
              .formatted(
                  file, line(), getFieldCount(), getFieldCount() == 1 ? "" : "s", header.size()));
    }
    if (problem == null) {
      row();
    }
    if (problem != null) {
      throw problem;
    }
    rows++;
    return null;
  }

  private void readHeader() {
    headerRead = true;
    columnOf = new int[header.size()];
    for (int i = 0; i < header.size(); i++) {
      columnOf[i] = columns.indexOf(header.get(i));
      if (columnOf[i] >= 0 && header.indexOf(header.get(i)) < i) {
        throw new BadInput(
            "%s:%d: column %s is there twice".formatted(file, line(), header.get(i)));
      }
    }
    List<String> missing =
        required.stream()
            .filter(names -> names.stream().noneMatch(header::contains))
            .map(names -> String.join(" or ", names))
            .toList();
    if (!missing.isEmpty()) {
      throw new BadInput(
          "%s:%d: missing column%s %s; the header has %s"
              .formatted(
                  file,
                  line(),
                  missing.size() == 1 ? "" : "s",
                  String.join(", ", missing),
                  Inputs.shown(String.join(", ", header))));
    }
  }
}
