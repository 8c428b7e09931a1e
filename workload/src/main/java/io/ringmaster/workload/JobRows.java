package io.ringmaster.workload;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Where;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.model.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks the rows of a jobs file and collects them. See {@link JobsFile}. */
final class JobRows extends CsvRows {
  private static final int JOB_ID = 0;
  private static final int SUBMIT = 1;
  private static final int GPUS = 2;
  private static final int ITERATIONS = 3;
  private static final int DURATION = 4;
  private static final int MODEL = 5;
  private static final int MIN_GPUS = 6;
  private static final int MAX_GPUS = 7;
  private static final int USER = 8;
  private static final int GROUP = 9;
  private static final int CPUS = 10;
  private static final int MEMORY = 11;
  private static final int STAGES = 12;
  private static final int STARTED = 13;
  private static final int ENDED = 14;
  private static final int RESUMABLE = 15;
  private static final int CHECKPOINT = 16;
  private static final int SAVE = 17;
  private static final int KINDS = 18;
  private static final int SPEEDS = 19;

  static final List<String> COLUMNS =
      List.of(
          "job_id",
          "submit_s",
          "gpus",
          "iterations",
          "duration_s",
          "model",
          "min_gpus",
          "max_gpus",
          "user",
          "group",
          "cpus_per_gpu",
          "memory_gb_per_gpu",
          "stages",
          "start_s",
          "end_s",
          "resumable",
          "checkpoint_s",
          "save_s",
          "gpu_kinds",
          "gpu_speeds");

  private static final List<List<String>> REQUIRED =
      List.of(
          List.of("job_id"),
          List.of("submit_s"),
          List.of("gpus"),
          List.of("iterations", "duration_s"));

  static final int MOST_GPUS = 100_000_000;
  private static final double LATEST_SUBMIT = 1e12;
  private static final double MOST_WORK = 1e15;
  private static final double MOST_EACH = 1e9;
  static final double BYTES_PER_GIGABYTE = 1e9;

  private final ModelTable models;
  private final Cluster cluster;
  private final JobsBuilder jobs;
  private final IdSet ids = new IdSet();
  private final TextPool texts = new TextPool();
  private final Map<Demand, Integer> rooms = new HashMap<>();
  private final KindFields fields;

  /** In UTF-8. */
  private byte[] id = new byte[64];

  private int idLength;
  private double submitSeconds;
  private int gpus;
  private double iterations;
  private double durationSeconds;
  private String model = "";
  private int minGpus;
  private int maxGpus;
  private String user = "";
  private String group = "";
  private double cpus;
  private double memoryBytes;
  private String stages = "";
  private double startedSeconds = Double.NaN;

  /** Whether the file has a column for starts, filled or not. */
  private boolean history;

  private double endedSeconds = Double.NaN;
  private boolean resumable = true;
  private double checkpointSeconds;
  private double saveSeconds;
  private Where kinds = Where.ANY;
  private KindSpeeds speeds = KindSpeeds.NONE;

  JobRows(Path file, ModelTable models, Cluster cluster) {
    super(file, COLUMNS, REQUIRED);
    this.models = models;
    this.cluster = cluster;
    this.jobs = Jobs.builder(models);
    this.fields = new KindFields(cluster);
  }

  Jobs jobs() {
    return jobs.build();
  }

  @Override
  void field(int column, char[] text, int from, int to) {
    switch (column) {
      case JOB_ID -> id(text, from, to);
      case SUBMIT -> submitSeconds = submit(text, from, to);
      case GPUS -> gpus = gpus(column, text, from, to);
      case ITERATIONS -> iterations = work(column, text, from, to);
      case DURATION -> durationSeconds = work(column, text, from, to);
      case MODEL -> model = texts.of(text, from, to);
      case MIN_GPUS -> minGpus = from == to ? 0 : gpus(column, text, from, to);
      case MAX_GPUS -> maxGpus = from == to ? 0 : gpus(column, text, from, to);
      case USER -> user = texts.of(text, from, to);
      case GROUP -> group = texts.of(text, from, to);
      case CPUS -> cpus = each(column, text, from, to);
      case MEMORY -> memoryBytes = BYTES_PER_GIGABYTE * each(column, text, from, to);
      case STAGES -> stages = texts.of(text, from, to);
      case STARTED -> {
        startedSeconds = moment(column, text, from, to);
        history = true;
      }
      case ENDED -> endedSeconds = moment(column, text, from, to);
      case RESUMABLE -> resumable = from == to || isTrue(text, from, to);
      case CHECKPOINT -> checkpointSeconds = work(column, text, from, to);
      case SAVE -> saveSeconds = each(column, text, from, to);
      case KINDS -> kinds = read(column, texts.of(text, from, to), Where.ANY, fields::kinds);
      case SPEEDS ->
          speeds = read(column, texts.of(text, from, to), KindSpeeds.NONE, fields::speeds);
      default -> throw new IllegalStateException("column " + column);
    }
  }

  private void id(char[] text, int from, int to) {
    id = Grow.ensure(id, to - from);
    idLength = 0;
    for (int i = from; i < to; i++) {
      if (text[i] >= 0x80) {
        id = new String(text, from, to - from).getBytes(StandardCharsets.UTF_8);
        idLength = id.length;
        return;
      }
      id[idLength++] = (byte) text[i];
    }
  }

  private double submit(char[] text, int from, int to) {
    double value = Numbers.parse(text, from, to);
    if (!(value >= 0)) {
      reject(SUBMIT, text, from, to, "a number of at least 0");
    } else if (value > LATEST_SUBMIT) {
      reject(SUBMIT, text, from, to, "a number from 0 to 1000000000000");
    }
    return value;
  }

  private int gpus(int column, char[] text, int from, int to) {
    double value = Numbers.parse(text, from, to);
    if (!(value >= 1) || value != Math.rint(value)) {
      reject(column, text, from, to, "a whole number of at least 1");
    } else if (value > MOST_GPUS) {
      reject(column, text, from, to, "a whole number from 1 to " + MOST_GPUS);
    }
    return (int) value;
  }

  /** 0 for an empty field: it may be left out, or the other of two columns be filled. */
  private double work(int column, char[] text, int from, int to) {
    if (from == to) {
      return 0;
    }
    double value = Numbers.parse(text, from, to);
    if (!(value > 0)) {
      reject(column, text, from, to, "a number above 0");
    } else if (value > MOST_WORK) {
      reject(column, text, from, to, "a number above 0 and up to 1000000000000000");
    }
    return value;
  }

  /** An amount that may be 0, as is an empty field. */
  private double each(int column, char[] text, int from, int to) {
    if (from == to) {
      return 0;
    }
    double value = Numbers.parse(text, from, to);
    if (!(value >= 0 && value <= MOST_EACH)) {
      reject(column, text, from, to, "a number from 0 to 1000000000");
    }
    return value;
  }

  /** What happened in truth; NaN for an empty field. */
  private double moment(int column, char[] text, int from, int to) {
    if (from == to) {
      return Double.NaN;
    }
    double value = Numbers.parse(text, from, to);
    if (!(value >= 0 && value <= LATEST_SUBMIT)) {
      reject(column, text, from, to, "a number from 0 to 1000000000000, or nothing");
    }
    return value;
  }

  private boolean isTrue(char[] text, int from, int to) {
    String word = texts.of(text, from, to);
    if (!word.equals("true") && !word.equals("false")) {
      reject(RESUMABLE, text, from, to, "true or false");
    }
    return word.equals("true");
  }

  private <T> T read(int column, String text, T none, Function<String, T> reader) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      reject(column, "'%s': %s".formatted(Inputs.shown(text), e.getMessage()));
      return none;
    }
  }

  @Override
  void row() {
    int least = minGpus == 0 ? gpus : minGpus;
    int most = maxGpus == 0 ? gpus : maxGpus;
    checkId();
    checkWork();
    checkRange(least, most);
    Demand asked = asked();
    if (!model.isEmpty() && models.indexOf(model) < 0) {
      List<String> known = models.profiles().stream().map(p -> p.id()).toList();
      reject(
          MODEL,
          "unknown model '%s'; %s"
              .formatted(Inputs.shown(model), Settings.Nearest.hint(model, known)));
    }
    if (!rejected()) {
      checkDemand(asked);
    }
    Replicas replicas = stages.isEmpty() || rejected() ? null : replicas(least, most);
    if (saveSeconds > 0 && checkpointSeconds == 0) {
      reject(SAVE, "a job that says how long it saves says how often too: fill checkpoint_s");
    }
    if (rejected()) {
      return;
    }
    boolean isDuration = durationSeconds > 0;
    jobs.add(
        id,
        idLength,
        submitSeconds,
        gpus,
        least,
        most,
        isDuration ? durationSeconds : iterations,
        isDuration,
        model,
        user,
        group);
    if (!asked.isNone()) {
      jobs.asking(asked);
    }
    if (replicas != null && replicas.stages() > 1) {
      jobs.staged(replicas);
    }
    if (history) {
      jobs.happened(
          startedSeconds >= submitSeconds ? startedSeconds : Double.NaN,
          endedSeconds >= startedSeconds ? endedSeconds : Double.NaN);
    }
    if (!resumable) {
      jobs.notResumable();
    }
    if (checkpointSeconds > 0) {
      jobs.saving(checkpointSeconds, saveSeconds);
    }
    jobs.onKinds(kinds, speeds);
  }

  /** The replicas of each stage; null if the row is rejected. */
  private @Nullable Replicas replicas(int least, int most) {
    if (model.isEmpty()) {
      reject(STAGES, "a job with stages needs a model, which says what is cut into them");
      return null;
    }
    if (least != gpus || most != gpus) {
      reject(STAGES, "a job with stages is not elastic: leave min_gpus and max_gpus empty");
      return null;
    }
    Replicas replicas;
    try {
      replicas = Replicas.parse(stages, gpus);
    } catch (IllegalArgumentException e) {
      reject(STAGES, "'%s': %s".formatted(Inputs.shown(stages), e.getMessage()));
      return null;
    }
    int layers = Objects.requireNonNull(models.profile(models.indexOf(model))).layers().size();
    if (replicas.stages() > Math.max(1, layers)) {
      reject(
          STAGES,
          layers == 0
              ? "model '%s' has no layers to cut; give them in a file with --models"
                  .formatted(Inputs.shown(model))
              : "'%s' are %d stages, but model '%s' has %d layers; use fewer stages"
                  .formatted(Inputs.shown(stages), replicas.stages(), Inputs.shown(model), layers));
      return null;
    }
    return replicas;
  }

  private Demand asked() {
    return cpus == 0 && memoryBytes == 0 ? Demand.NONE : new Demand(cpus, memoryBytes);
  }

  /** A job that no empty cluster holds would wait for ever. */
  private void checkDemand(Demand asked) {
    ModelProfile profile = models.profile(model.isEmpty() ? -1 : models.indexOf(model));
    boolean anySpeeds = !speeds.isNone() || (profile != null && !profile.speeds().isNone());
    Where where = kinds.isAny() && anySpeeds ? Where.ONE_KIND : kinds;
    Cluster counted = where.isAny() ? cluster : cluster.countingKinds();
    if (!counted.limitsMoreThanGpus()) {
      return;
    }
    Demand demand = counted.demand(asked.on(where), profile);
    if (demand.isNone() || gpus <= room(demand)) {
      return;
    }
    Demand kindsAlone = Demand.NONE.on(where);
    if (gpus > room(kindsAlone)) {
      reject(
          where.kinds().isEmpty() ? GPUS : KINDS,
          "cluster %s has %d GPUs of %s, not %d; name more kinds, or ask for fewer GPUs"
              .formatted(
                  Inputs.shown(cluster.name()),
                  room(kindsAlone),
                  where.kinds().isEmpty() ? "one kind" : Inputs.shown(where.text()),
                  gpus));
      return;
    }
    String cpusEach = CsvOutput.plain(demand.cpus()) + " CPUs";
    String memoryEach = CsvOutput.plain(demand.memoryBytes() / BYTES_PER_GIGABYTE) + " GB";
    String ring = "a ring that reserves " + Units.bits(demand.ringBytesPerSecond());
    Demand cpusAlone = new Demand(demand.cpus(), 0);
    Demand memoryAlone = new Demand(0, demand.memoryBytes());
    Demand ringAlone = Demand.NONE.reserving(demand.ringBytesPerSecond());
    if (gpus > room(cpusAlone)) {
      rejectDemand(CPUS, cpusAlone, cpusEach, "fewer CPUs");
    } else if (gpus > room(memoryAlone)) {
      rejectDemand(MEMORY, memoryAlone, memoryEach, "less memory");
    } else if (gpus > room(ringAlone)) {
      rejectDemand(GPUS, ringAlone, ring, "a smaller reservation");
    } else {
      String all = "%s, %s and %s".formatted(cpusEach, memoryEach, ring);
      rejectDemand(GPUS, demand, all, "less of these");
    }
  }

  private void rejectDemand(int column, Demand demand, String each, String less) {
    reject(
        column,
        "the empty cluster %s holds %d workers with %s, not %d; ask for %s or fewer GPUs"
            .formatted(Inputs.shown(cluster.name()), room(demand), each, gpus, less));
  }

  private int room(Demand demand) {
    return rooms.computeIfAbsent(demand, cluster::mostWorkers);
  }

  private void checkId() {
    // Blanks are left out already, unless there are quotes around them.
    if (idLength == 0 || (id[0] <= ' ' && idText().isBlank())) {
      reject(JOB_ID, "is empty; expected a text of its own for each job");
      return;
    }
    int before = ids.add(id, idLength, (int) line());
    if (before >= 0) {
      reject(
          JOB_ID,
          "'%s' is already in line %d; expected a text of its own for each job"
              .formatted(Inputs.shown(idText()), before));
    }
  }

  private String idText() {
    return new String(id, 0, idLength, StandardCharsets.UTF_8);
  }

  private void checkWork() {
    if (iterations > 0 && durationSeconds > 0) {
      rejectRow("columns iterations and duration_s: both are filled; fill exactly one");
    } else if (iterations == 0 && durationSeconds == 0) {
      if (has(ITERATIONS) && has(DURATION)) {
        rejectRow("columns iterations and duration_s: both are empty; fill exactly one");
      } else {
        reject(has(DURATION) ? DURATION : ITERATIONS, "is empty; expected a number above 0");
      }
    }
  }

  private void checkRange(int least, int most) {
    int total = cluster.totalGpus();
    if (gpus > total) {
      reject(GPUS, tooMany(gpus));
    } else if (least > total) {
      reject(MIN_GPUS, tooMany(least));
    } else if (least > most) {
      reject(MIN_GPUS, "%d is above the job's max_gpus, %d".formatted(least, most));
    } else if (gpus < least || gpus > most) {
      reject(
          GPUS,
          "%d is outside the job's own range, min_gpus %d to max_gpus %d"
              .formatted(gpus, least, most));
    }
  }

  private String tooMany(int asked) {
    return "%d is more than the %d GPUs of cluster %s"
        .formatted(asked, cluster.totalGpus(), Inputs.shown(cluster.name()));
  }
}
