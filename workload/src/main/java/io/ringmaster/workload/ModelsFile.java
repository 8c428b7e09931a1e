package io.ringmaster.workload;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.pipeline.Layer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file of model profiles: CSV with the columns {@code model}, {@code gradient_bytes}, {@code
 * batch}, {@code forward_s_per_sample}, {@code backward_s}, and if wanted {@code source}, {@code
 * reserve_gbps} and the parameters of a {@link FittedExchange}: a row has one if its {@code
 * all_reduce} is not empty. {@code layers} are what the model can be cut into, in order, as {@code
 * parameters:bytes:compute} with a space between two: parts of the model's parameters and of its
 * computation on any scale, and the bytes that a layer sends on for a sample. {@code speeds} are
 * {@link KindSpeeds}.
 */
public final class ModelsFile {
  private static final List<String> COLUMNS =
      List.of(
          "model",
          "gradient_bytes",
          "batch",
          "forward_s_per_sample",
          "backward_s",
          "source",
          "reserve_gbps",
          "all_reduce",
          "overlap",
          "startup_s",
          "inside_share_s",
          "inside_step_s",
          "across_share_s",
          "across_step_s",
          "neighbour_s",
          "layers",
          "speeds");
  private static final int MODEL = 0;
  private static final int GRADIENT = 1;
  private static final int BATCH = 2;
  private static final int FORWARD = 3;
  private static final int BACKWARD = 4;
  private static final int SOURCE = 5;
  private static final int RESERVE = 6;
  private static final int ALL_REDUCE = 7;
  private static final int OVERLAP = 8;
  private static final int STARTUP = 9;
  private static final int LAYERS = 15;
  private static final int SPEEDS = 16;
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;

  private ModelsFile() {}

  /** Reads profiles. A row without a source has the file's name for one. */
  public static List<ModelProfile> read(Path file) {
    Rows rows = new Rows(file);
    if (rows.readAll((_, _) -> {}) == 0) {
      throw new BadInput(file + ": no models: there is nothing after the header line");
    }
    return List.copyOf(rows.profiles);
  }

  /** Writes profiles, without their sources, to the last bit of every number. */
  public static void write(Path file, List<ModelProfile> profiles) {
    try (CsvOutput out = CsvOutput.create(file)) {
      write(out, profiles);
    }
  }

  /** What a file of these profiles would hold. */
  public static String text(List<ModelProfile> profiles) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (CsvOutput out = new CsvOutput(bytes, "models")) {
      write(out, profiles);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static void write(CsvOutput out, List<ModelProfile> profiles) {
    boolean reserve = profiles.stream().anyMatch(m -> m.reserveBytesPerSecond() > 0);
    boolean layers = profiles.stream().anyMatch(m -> !m.layers().isEmpty());
    boolean speeds = profiles.stream().anyMatch(m -> !m.speeds().isNone());
    boolean fitted = profiles.stream().anyMatch(m -> m.exchange() != null);
    List<String> columns = new ArrayList<>(COLUMNS.subList(0, SOURCE));
    if (reserve) {
      columns.add(COLUMNS.get(RESERVE));
    }
    if (fitted) {
      columns.addAll(COLUMNS.subList(ALL_REDUCE, LAYERS));
    }
    if (layers) {
      columns.add(COLUMNS.get(LAYERS));
    }
    if (speeds) {
      columns.add(COLUMNS.get(SPEEDS));
    }
    out.header(columns.toArray(String[]::new));
    for (ModelProfile model : profiles) {
      out.text(model.id()).exact(model.gradientBytes()).whole(model.batch());
      out.exact(model.forwardSecondsPerSample()).exact(model.backwardSeconds());
      if (reserve) {
        out.exact(model.reserveBytesPerSecond() / BYTES_PER_GIGABIT);
      }
      if (fitted) {
        write(out, model.exchange());
      }
      if (layers) {
        out.text(LayersText.of(model.layers()));
      }
      if (speeds) {
        out.text(model.speeds().text());
      }
      out.endRow();
    }
    out.finish();
  }

  private static void write(CsvOutput out, @Nullable FittedExchange exchange) {
    if (exchange == null) {
      for (int column = ALL_REDUCE; column < LAYERS; column++) {
        out.text("");
      }
      return;
    }
    out.text(exchange.allReduce().text()).exact(exchange.overlap());
    out.exact(exchange.startupSeconds());
    out.exact(exchange.insideShareSeconds()).exact(exchange.insideStepSeconds());
    out.exact(exchange.acrossShareSeconds()).exact(exchange.acrossStepSeconds());
    out.exact(exchange.neighbourSeconds());
  }

  private static final class Rows extends CsvRows {
    private static final double MOST_BYTES = 1e15;
    private static final double MOST_BATCH = 1e9;
    private static final double MOST_GIGABITS = 1e9;
    private static final double MOST_SECONDS = 1e9;
    private static final double MOST_OVERLAP = 1000;

    /** Jobs hold the index of their model in two bytes. */
    private static final int MOST_MODELS = 30_000;

    private final List<ModelProfile> profiles = new ArrayList<>();
    private final IdSet ids = new IdSet();
    private final String fileName;
    private String model = "";
    private double gradientBytes;
    private int batch;
    private double forwardSeconds;
    private double backwardSeconds;
    private String source = "";
    private double reserveBytesPerSecond;
    private @Nullable AllReduce allReduce;
    private double overlap = 1;
    private final double[] exchangeSeconds = new double[LAYERS - STARTUP];
    private List<Layer> layers = List.of();
    private KindSpeeds speeds = KindSpeeds.NONE;

    Rows(Path file) {
      super(file, COLUMNS, COLUMNS.subList(0, SOURCE).stream().map(List::of).toList());
      fileName = String.valueOf(file.getFileName());
    }

    @Override
    void field(int column, char[] text, int from, int to) {
      switch (column) {
        case MODEL -> model = new String(text, from, to - from);
        case GRADIENT -> gradientBytes = number(column, text, from, to, MOST_BYTES);
        case BATCH -> batch = batch(text, from, to);
        case FORWARD -> forwardSeconds = number(column, text, from, to, MOST_SECONDS);
        case BACKWARD -> backwardSeconds = number(column, text, from, to, MOST_SECONDS);
        case RESERVE ->
            reserveBytesPerSecond =
                from == to ? 0 : BYTES_PER_GIGABIT * number(column, text, from, to, MOST_GIGABITS);
        case SOURCE -> source = new String(text, from, to - from);
        case ALL_REDUCE -> allReduce = from == to ? null : allReduce(text, from, to);
        case OVERLAP -> overlap = from == to ? 1 : overlap(text, from, to);
        case LAYERS -> layers = from == to ? List.of() : layers(text, from, to);
        case SPEEDS -> speeds = from == to ? KindSpeeds.NONE : speeds(text, from, to);
        default ->
            exchangeSeconds[column - STARTUP] =
                from == to ? 0 : number(column, text, from, to, MOST_SECONDS);
      }
    }

    private @Nullable AllReduce allReduce(char[] text, int from, int to) {
      String name = new String(text, from, to - from);
      for (AllReduce each : AllReduce.values()) {
        if (each.text().equals(name)) {
          return each;
        }
      }
      reject(
          ALL_REDUCE,
          text,
          from,
          to,
          "one of "
              + Arrays.stream(AllReduce.values())
                  .map(AllReduce::text)
                  .collect(Collectors.joining(", ")));
      return null;
    }

    private List<Layer> layers(char[] text, int from, int to) {
      try {
        return LayersText.parse(new String(text, from, to - from));
      } catch (IllegalArgumentException e) {
        reject(LAYERS, String.valueOf(e.getMessage()));
        return List.of();
      }
    }

    private KindSpeeds speeds(char[] text, int from, int to) {
      String given = new String(text, from, to - from);
      try {
        return KindSpeeds.parse(given);
      } catch (IllegalArgumentException e) {
        reject(SPEEDS, "'%s': %s".formatted(Inputs.shown(given), e.getMessage()));
        return KindSpeeds.NONE;
      }
    }

    private double overlap(char[] text, int from, int to) {
      double value = Numbers.parse(text, from, to);
      if (!(value >= 1 && value <= MOST_OVERLAP)) {
        reject(OVERLAP, text, from, to, "a number from 1 to " + CsvOutput.plain(MOST_OVERLAP));
      }
      return value;
    }

    private @Nullable FittedExchange exchange() {
      return allReduce == null
          ? null
          : new FittedExchange(
              allReduce,
              overlap,
              exchangeSeconds[0],
              exchangeSeconds[1],
              exchangeSeconds[2],
              exchangeSeconds[3],
              exchangeSeconds[4],
              exchangeSeconds[5]);
    }

    private double number(int column, char[] text, int from, int to, double most) {
      double value = Numbers.parse(text, from, to);
      if (!(value >= 0)) {
        reject(column, text, from, to, "a number of at least 0");
      } else if (value > most) {
        reject(column, text, from, to, "a number from 0 to " + CsvOutput.plain(most));
      }
      return value;
    }

    private int batch(char[] text, int from, int to) {
      double value = Numbers.parse(text, from, to);
      if (!(value >= 1) || value != Math.rint(value)) {
        reject(BATCH, text, from, to, "a whole number of at least 1");
      } else if (value > MOST_BATCH) {
        reject(BATCH, text, from, to, "a whole number from 1 to " + CsvOutput.plain(MOST_BATCH));
      }
      return (int) value;
    }

    @Override
    void row() {
      if (model.isBlank()) {
        reject(MODEL, "is empty; expected a name");
        return;
      }
      int before = ids.add(model, (int) line());
      if (before >= 0) {
        reject(
            MODEL,
            "'%s' is already in line %d; expected one row for each model"
                .formatted(Inputs.shown(model), before));
      }
      if (forwardSeconds + backwardSeconds == 0) {
        rejectRow("columns forward_s_per_sample and backward_s: an iteration would take no time");
      }
      if (profiles.size() == MOST_MODELS) {
        rejectRow("more than " + MOST_MODELS + " models");
      }
      profiles.add(
          new ModelProfile(
              model,
              gradientBytes,
              batch,
              forwardSeconds,
              backwardSeconds,
              reserveBytesPerSecond,
              exchange(),
              layers,
              null,
              speeds,
              source.isBlank() ? fileName : source));
    }
  }
}
