package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.speed.StepTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured iterations: CSV with a {@code placement}, or {@code workers} and {@code servers}; {@code
 * seconds}; and if wanted {@code batch} and {@code model}. Each may have the name that it has in
 * the public profiles of petuum/adaptdl instead: {@code num_replicas}, {@code num_nodes}, {@code
 * local_bsz}, {@code step_time}.
 */
public final class StepTimesFile {
  private static final List<String> COLUMNS =
      List.of(
          "num_replicas",
          "workers",
          "num_nodes",
          "servers",
          "local_bsz",
          "batch",
          "step_time",
          "seconds",
          "placement",
          "model");
  private static final int NUM_REPLICAS = 0;
  private static final int WORKERS = 1;
  private static final int NUM_NODES = 2;
  private static final int SERVERS = 3;
  private static final int LOCAL_BSZ = 4;
  private static final int BATCH = 5;
  private static final int STEP_TIME = 6;
  private static final int SECONDS = 7;
  private static final int PLACEMENT = 8;
  private static final int MODEL = 9;

  private StepTimesFile() {}

  /**
   * Reads measurements by model, in the order of the file. Without a column of models there is one,
   * whose name is empty.
   */
  public static Map<String, List<StepTime>> read(Path file) {
    Rows rows = new Rows(file);
    if (rows.readAll((_, _) -> {}) == 0) {
      throw new BadInput(file + ": no measurements: there is nothing after the header line");
    }
    return rows.times;
  }

  private static final class Rows extends CsvRows {
    private static final int MOST_WORKERS = 1_000_000;
    private static final double MOST_BATCH = 1e9;
    private static final double MOST_SECONDS = 1e9;
    private static final String PLACEMENTS =
        "a placement: a digit for each server, as 1434, or numbers joined by -, + or spaces, as"
            + " 8-8-4";

    private final Map<String, List<StepTime>> times = new LinkedHashMap<>();
    private String model = "";
    private int workers;
    private int servers = 1;
    private int mostOnOne;
    private double batch = 1;
    private double seconds;

    Rows(Path file) {
      super(
          file,
          COLUMNS,
          List.of(
              List.of("placement", "num_replicas", "workers"), List.of("step_time", "seconds")));
    }

    @Override
    void field(int column, char[] text, int from, int to) {
      switch (column) {
        case NUM_REPLICAS, WORKERS -> workers = count(column, text, from, to, MOST_WORKERS);
        case NUM_NODES, SERVERS -> servers = count(column, text, from, to, MOST_WORKERS);
        case LOCAL_BSZ, BATCH -> batch = positive(column, text, from, to, MOST_BATCH);
        case STEP_TIME, SECONDS -> seconds = positive(column, text, from, to, MOST_SECONDS);
        case PLACEMENT -> placement(text, from, to);
        case MODEL -> model = new String(text, from, to - from);
        default -> throw new IllegalStateException("column " + column);
      }
    }

    private void placement(char[] text, int from, int to) {
      String value = new String(text, from, to - from);
      boolean joined = value.chars().anyMatch(c -> c == '-' || c == '+' || c == ' ');
      String[] parts = joined ? value.split("[-+ ]+", -1) : value.split("", -1);
      workers = 0;
      servers = 0;
      mostOnOne = 0;
      for (String part : parts) {
        if (!joined && part.isEmpty() && servers > 0) {
          continue;
        }
        double gpus = Numbers.parse(part.toCharArray(), 0, part.length());
        boolean placed = gpus >= 1 && gpus <= MOST_WORKERS && gpus == Math.rint(gpus);
        if (!placed || workers + gpus > MOST_WORKERS) {
          reject(PLACEMENT, text, from, to, PLACEMENTS);
          return;
        }
        workers += (int) gpus;
        mostOnOne = Math.max(mostOnOne, (int) gpus);
        servers++;
      }
    }

    @Override
    void row() {
      for (int column = 0; column < PLACEMENT; column += 2) {
        notBoth(column, column + 1);
      }
      for (int column = NUM_REPLICAS; column <= SERVERS; column++) {
        if (has(PLACEMENT) && has(column)) {
          rejectRow(
              "column placement says what column %s says; leave one out"
                  .formatted(COLUMNS.get(column)));
        }
      }
      if (!has(PLACEMENT)) {
        if (servers > workers) {
          reject(
              has(SERVERS) ? SERVERS : NUM_NODES,
              "%d servers for %d workers; expected at least one worker on each"
                  .formatted(servers, workers));
        } else {
          mostOnOne = Math.ceilDiv(workers, servers);
        }
      }
      if (has(MODEL) && model.isBlank()) {
        reject(MODEL, "is empty; expected a name");
      }
      if (!rejected()) {
        times
            .computeIfAbsent(model, _ -> new ArrayList<>())
            .add(new StepTime(workers, servers, mostOnOne, batch, seconds));
      }
    }
  }
}
