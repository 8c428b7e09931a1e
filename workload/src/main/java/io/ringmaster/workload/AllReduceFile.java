package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.AllReduceTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measured all-reduce times: CSV with the columns {@code jobs}, {@code bytes} and {@code seconds}.
 * Each may have the name that it has in the public measurements of HKBU-HPML/dl-scheduling instead:
 * {@code job_num}, {@code msg_size} and {@code avg_latency}, which is in microseconds.
 */
public final class AllReduceFile {
  private static final List<String> COLUMNS =
      List.of("job_num", "jobs", "msg_size", "bytes", "avg_latency", "seconds");
  private static final int JOB_NUM = 0;
  private static final int JOBS = 1;
  private static final int MSG_SIZE = 2;
  private static final int BYTES = 3;
  private static final int AVG_LATENCY = 4;
  private static final int SECONDS = 5;

  private AllReduceFile() {}

  /** Reads measurements, in the order of the file. */
  public static List<AllReduceTime> read(Path file) {
    Rows rows = new Rows(file);
    if (rows.readAll((_, _) -> {}) == 0) {
      throw new BadInput(file + ": no measurements: there is nothing after the header line");
    }
    return List.copyOf(rows.times);
  }

  private static final class Rows extends CsvRows {
    private static final int MOST_JOBS = 1_000_000;
    private static final double MOST_BYTES = 1e15;
    private static final double MOST_SECONDS = 1e9;
    private static final double MICROSECONDS = 1e6;

    private final List<AllReduceTime> times = new ArrayList<>();
    private int jobs;
    private double bytes;
    private double seconds;

    Rows(Path file) {
      super(
          file,
          COLUMNS,
          List.of(
              COLUMNS.subList(JOB_NUM, MSG_SIZE),
              COLUMNS.subList(MSG_SIZE, AVG_LATENCY),
              COLUMNS.subList(AVG_LATENCY, COLUMNS.size())));
    }

    @Override
    void field(int column, char[] text, int from, int to) {
      switch (column) {
        case JOB_NUM, JOBS -> jobs = count(column, text, from, to, MOST_JOBS);
        case MSG_SIZE, BYTES -> bytes = positive(column, text, from, to, MOST_BYTES);
        case SECONDS -> seconds = positive(column, text, from, to, MOST_SECONDS);
        case AVG_LATENCY ->
            seconds = positive(column, text, from, to, MOST_SECONDS * MICROSECONDS) / MICROSECONDS;
        default -> throw new IllegalStateException("column " + column);
      }
    }

    @Override
    void row() {
      for (int column = 0; column < COLUMNS.size(); column += 2) {
        notBoth(column, column + 1);
      }
      if (!rejected()) {
        times.add(new AllReduceTime(jobs, bytes, seconds));
      }
    }
  }
}
