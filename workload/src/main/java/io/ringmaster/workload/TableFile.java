package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Reads a CSV file whose columns are all required, row by row, for files that a run wrote. */
public final class TableFile {
  private TableFile() {}

  /** One row; fields are known by their column's index in the list asked for. */
  public static final class Row extends CsvRows {
    private final Path file;
    private final List<String> columns;
    private final Consumer<Row> reader;
    private final String[] fields;

    private Row(Path file, List<String> columns, Consumer<Row> reader) {
      super(file, columns, columns.stream().map(List::of).toList());
      this.file = file;
      this.columns = columns;
      this.reader = reader;
      this.fields = new String[columns.size()];
      Arrays.fill(fields, "");
    }

    @Override
    void field(int column, char[] text, int from, int to) {
      fields[column] = new String(text, from, to - from);
    }

    @Override
    void row() {
      reader.accept(this);
    }

    public String text(int column) {
      return fields[column];
    }

    public double number(int column) {
      char[] text = fields[column].toCharArray();
      double value = Numbers.parse(text, 0, text.length);
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        throw bad(column, "a number");
      }
      return value;
    }

    public int whole(int column) {
      double value = number(column);
      if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
        throw bad(column, "a whole number");
      }
      return (int) value;
    }

    /** An error that says what a field was expected to be. */
    public BadInput bad(int column, String expected) {
      return new BadInput(
          "%s:%d: column %s: '%s' is not %s"
              .formatted(
                  file, line(), columns.get(column), Inputs.shown(fields[column]), expected));
    }
  }

  public static void read(Path file, List<String> columns, Consumer<Row> reader) {
    new Row(file, columns, reader).readAll((_, _) -> {});
  }
}
