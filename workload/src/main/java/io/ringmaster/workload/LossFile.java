package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.loss.LossPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Losses that jobs reported: CSV with the columns {@code epoch} (or {@code step}, {@code iteration}
 * or {@code progress}), {@code loss} (or {@code train_loss} or {@code val_loss}) and, if there are
 * several jobs, {@code job}.
 */
public final class LossFile {
  private static final List<String> EPOCHS = List.of("progress", "iteration", "step", "epoch");
  private static final List<String> LOSSES = List.of("val_loss", "train_loss", "loss");
  private static final List<String> COLUMNS = new ArrayList<>(EPOCHS);

  static {
    COLUMNS.addAll(LOSSES);
    COLUMNS.add("job");
  }

  private static final int JOB = COLUMNS.size() - 1;

  private LossFile() {}

  /**
   * Reads losses by job, in the order of the file; one job with an empty name without a column of
   * jobs.
   */
  public static Map<String, List<LossPoint>> read(Path file) {
    Rows rows = new Rows(file);
    if (rows.readAll((_, _) -> {}) == 0) {
      throw new BadInput(file + ": no losses: there is nothing after the header line");
    }
    return Collections.unmodifiableMap(rows.points);
  }

  private static final class Rows extends CsvRows {
    private static final double MOST = 1e15;

    private final Map<String, List<LossPoint>> points = new LinkedHashMap<>();
    private double epoch;
    private double loss;
    private String job = "";

    Rows(Path file) {
      super(file, COLUMNS, List.of(EPOCHS, LOSSES));
    }

    @Override
    void field(int column, char[] text, int from, int to) {
      if (column == JOB) {
        job = new String(text, from, to - from);
        if (job.isEmpty()) {
          reject(column, text, from, to, "the name of a job");
        }
      } else if (column < EPOCHS.size()) {
        epoch = number(column, text, from, to);
      } else {
        loss = number(column, text, from, to);
      }
    }

    private double number(int column, char[] text, int from, int to) {
      double value = Numbers.parse(text, from, to);
      if (!(value >= 0)) {
        reject(column, text, from, to, "a number, 0 or more");
      } else if (value > MOST) {
        reject(column, text, from, to, "a number from 0 to " + CsvOutput.plain(MOST));
      }
      return value;
    }

    @Override
    void row() {
      onlyOneOf(0, EPOCHS.size());
      onlyOneOf(EPOCHS.size(), JOB);
      if (!rejected()) {
        points.computeIfAbsent(job, _ -> new ArrayList<>()).add(new LossPoint(epoch, loss));
      }
    }

    private void onlyOneOf(int from, int to) {
      List<String> there = new ArrayList<>();
      for (int column = from; column < to; column++) {
        if (has(column)) {
          there.addFirst(COLUMNS.get(column));
        }
      }
      if (there.size() > 1) {
        rejectRow(
            "columns %s: which is meant? leave one, and rename the others"
                .formatted(String.join(" and ", there)));
      }
    }
  }
}
