package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Where;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.JobsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a reader finds, checks it, and makes native jobs of it.
 *
 * <ul>
 *   <li>A job without GPUs, time or length is dropped, whatever the format.
 *   <li>Times count from the first job kept, to the microsecond.
 *   <li>Of jobs that are equal in everything the first stays. Of others with the same id the second
 *       is called {@code ID-2}, the third {@code ID-3}, and so on.
 *   <li>Models: {@link Models}.
 * </ul>
 */
final class TraceJobs implements TraceSink {
  static final String MODELS = "models";
  static final String ONLY = "only";
  static final String FROM = "from";
  static final String TO = "to";
  static final String SHORTEST = "shortest";
  static final String LONGEST = "longest";
  static final String LARGEST = "largest";
  static final String GPUS = "gpus";

  /** Why a job is dropped that needs CPUs only. */
  static final String NO_GPU = "asks for no GPU";

  private static final Parameter.Values MOMENT =
      new Parameter.Pattern(
          "seconds after the first job, or a date such as 2020-07-01 or 2020-07-01T12:00:00",
          text -> text.isEmpty() || Double.isFinite(Times.seconds(text)));

  /** What all formats have in common. */
  static final List<Parameter> PARAMETERS =
      List.of(
          Parameter.choice(MODELS, "known", "mix", "none")
              .saying(
                  "known: those that the trace names; mix: the others are drawn by size; none: no"
                      + " job has one"),
          Parameter.choice(ONLY, "ran", "completed")
              .saying(
                  "ran: every job that had its GPUs, whatever its end; completed: only those that"
                      + " ended well"),
          new Parameter(FROM, "", MOMENT, "only jobs submitted from then on"),
          new Parameter(TO, "", MOMENT, "only jobs submitted before"),
          Parameter.number(SHORTEST, 0, 0, 1e9).saying("only jobs of at least so many seconds"),
          Parameter.number(LONGEST, 0, 0, 1e9)
              .saying("only jobs of at most so many seconds; 0: any"),
          Parameter.whole(LARGEST, 0, 0, 100_000_000)
              .saying("only jobs of at most so many GPUs; 0: any"),
          Parameter.choice(GPUS, "exact", "power")
              .saying(
                  "exact, or rounded up to a power of two; parts of GPUs are rounded up always"));

  static final int MOST_GPUS = 1_000_000;
  static final int MOST_GPUS_EACH = 1024;
  static final double MOST_SECONDS = 1e9;
  static final double LATEST = 4e11;
  private static final double MOST_CPUS = 1e9;
  private static final double MOST_BYTES = 1e15;
  private static final double MICROS = 1e6;

  private final Settings settings;
  private final long seed;
  private final JobsFile.Progress progress;
  private final Set<TraceJob> kept = new LinkedHashSet<>();
  private final Map<String, Tally> parts = new LinkedHashMap<>();
  private final Map<String, Tally> drops = new LinkedHashMap<>();
  private final TreeMap<String, Integer> servers = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> texts = new HashMap<>();
  private long rows;
  private @Nullable Path file;
  private long line;

  /** A number of rows, and where the first is. */
  private static final class Tally {
    private final String first;
    private long rows;

    Tally(String first) {
      this.first = first;
    }
  }

  TraceJobs(Settings settings, long seed, JobsFile.Progress progress) {
    this.settings = settings;
    this.seed = seed;
    this.progress = progress;
  }

  @Override
  public void row(Path from, long at) {
    rows++;
    file = from;
    line = at;
  }

  @Override
  public void keep(TraceJob job) {
    String reason = reason(job);
    if (!reason.isEmpty()) {
      drop(reason);
    } else if (!kept.add(shared(job))) {
      drop("is there twice");
    }
  }

  @Override
  public void drop(String reason) {
    count(drops, reason, 1);
  }

  @Override
  public void part(String reason) {
    count(parts, reason, 1);
  }

  private void count(Map<String, Tally> tallies, String what, long more) {
    tallies.computeIfAbsent(what, _ -> new Tally(file == null ? "" : file + ":" + line)).rows +=
        more;
  }

  @Override
  public void server(String name, int gpus) {
    if (gpus > 0 && gpus <= MOST_GPUS_EACH) {
      servers.merge(name, gpus, Math::max);
    }
  }

  @Override
  public void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
    }
  }

  @Override
  public void progress(long bytes, long ofBytes) {
    progress.read(bytes, ofBytes);
  }

  /** Why a job cannot be replayed, or is not wanted; empty if all is well. */
  private String reason(TraceJob job) {
    double seconds = rounded(job.durationSeconds());
    double longest = settings.number(LONGEST);
    int largest = settings.whole(LARGEST);
    if (job.id().isBlank()) {
      return "has no id";
    }
    if (job.gpus() <= 0) {
      return NO_GPU;
    }
    if (job.gpus() > MOST_GPUS) {
      return "asks for over a million GPUs";
    }
    if (!(Math.abs(job.submitSeconds()) <= LATEST)) {
      return "has no time of submission";
    }
    if (!(seconds > 0 || job.iterations() > 0)) {
      return "did not run";
    }
    if (seconds > MOST_SECONDS) {
      return "ran for over 30 years";
    }
    if (job.iterations() > MOST_SECONDS * MICROS) {
      return "has over 10^15 iterations";
    }
    if (job.iterations() == 0 && seconds < settings.number(SHORTEST)) {
      return "is shorter than wanted";
    }
    if (longest > 0 && seconds > longest) {
      return "is longer than wanted";
    }
    return largest > 0 && gpus(job) > largest ? "asks for more GPUs than wanted" : "";
  }

  /** Refuses a job that did not end well, if only such are wanted. */
  static void requireEnd(Settings settings, boolean completed) {
    if (!completed && settings.text(ONLY).equals("completed")) {
      throw new Unusable("did not complete");
    }
  }

  /** Names that repeat are held once. */
  private TraceJob shared(TraceJob job) {
    return job.by(shared(job.user()), shared(job.group())).training(shared(job.model()));
  }

  private String shared(String text) {
    return texts.computeIfAbsent(text, t -> t);
  }

  private int gpus(TraceJob job) {
    int asked = job.gpus();
    boolean power = settings.text(GPUS).equals("power");
    return power && asked > 1 ? Integer.highestOneBit(asked - 1) << 1 : asked;
  }

  private static double rounded(double seconds) {
    return Math.rint(seconds * MICROS) / MICROS;
  }

  /**
   * What the trace is as native jobs.
   *
   * @throws BadInput if no job is left
   */
  Imported imported() {
    window();
    if (kept.isEmpty()) {
      throw new BadInput(
          "none of the %d rows is a job that can be replayed%s".formatted(rows, mostDropped()));
    }
    double first = kept.stream().mapToDouble(TraceJob::submitSeconds).min().orElseThrow();
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    Names names = new Names(kept);
    Map<String, String> known = new HashMap<>();
    int drawn = 0;
    for (TraceJob job : kept) {
      int gpus = gpus(job);
      String model = model(job, gpus, known);
      drawn += !model.isEmpty() && known.getOrDefault(job.model(), "").isEmpty() ? 1 : 0;
      boolean duration = job.iterations() == 0;
      jobs.add(
          names.unique(job.id()),
          rounded(job.submitSeconds() - first),
          gpus,
          gpus,
          gpus,
          duration ? rounded(job.durationSeconds()) : job.iterations(),
          duration,
          model,
          job.user(),
          job.group());
      Demand demand =
          new Demand(each(job.cpusPerGpu(), MOST_CPUS), each(job.memoryBytesPerGpu(), MOST_BYTES));
      if (!demand.isNone()) {
        jobs.asking(demand);
      }
      if (!job.speeds().isNone()) {
        jobs.onKinds(new Where(job.speeds().byKind().keySet(), false, 0), job.speeds());
      }
      // NaN if nobody knows, but told: it is a history.
      double waited = job.waitedSeconds() >= 0 ? job.waitedSeconds() : Double.NaN;
      double started = rounded(job.submitSeconds() - first + waited);
      jobs.happened(started, rounded(started + job.lastedSeconds()));
    }
    return new Imported(
        jobs.build(),
        rows,
        counts(parts),
        counts(drops),
        drawn,
        names.renamed,
        servers,
        List.copyOf(notes));
  }

  private String mostDropped() {
    return drops.entrySet().stream()
        .max(Map.Entry.comparingByValue((a, b) -> Long.compare(a.rows, b.rows)))
        .map(most ->
            "; most often because it %s%s"
                .formatted(
                    most.getKey(),
                    most.getValue().first.isEmpty() ? "" : ", as in " + most.getValue().first))
        .orElse("");
  }

  /** Leaves out what was submitted before or after; what the first job is does not depend on it. */
  private void window() {
    double first = kept.stream().mapToDouble(TraceJob::submitSeconds).min().orElse(0);
    double from = moment(FROM, first, Double.NEGATIVE_INFINITY);
    double to = moment(TO, first, Double.POSITIVE_INFINITY);
    int before = kept.size();
    kept.removeIf(job -> job.submitSeconds() < from || job.submitSeconds() >= to);
    if (kept.size() < before) {
      file = null;
      count(drops, "is outside the time wanted", before - kept.size());
    }
  }

  private double moment(String setting, double first, double otherwise) {
    String text = settings.text(setting);
    if (text.isEmpty()) {
      return otherwise;
    }
    return Times.isDate(text) ? Times.seconds(text) : first + Times.seconds(text);
  }

  private String model(TraceJob job, int gpus, Map<String, String> known) {
    String rule = settings.text(MODELS);
    if (rule.equals("none")) {
      return "";
    }
    String named = known.computeIfAbsent(job.model(), Models::known);
    return named.isEmpty() && rule.equals("mix") ? Models.drawn(job, gpus, seed) : named;
  }

  /** What each worker takes; 0 if the trace does not say, or cannot be right. */
  private static double each(double amount, double most) {
    return amount > 0 && amount <= most ? amount : 0;
  }

  private static List<Imported.Count> counts(Map<String, Tally> tallies) {
    return tallies.entrySet().stream()
        .map(entry ->
            new Imported.Count(entry.getKey(), entry.getValue().rows, entry.getValue().first))
        .sorted((a, b) -> Long.compare(b.rows(), a.rows()))
        .toList();
  }

  /** Ids, each once. */
  private static final class Names {
    private final Map<String, Integer> seen = new HashMap<>();
    private int renamed;

    Names(Set<TraceJob> jobs) {
      jobs.forEach(job -> seen.put(job.id(), 0));
    }

    String unique(String id) {
      int before = seen.merge(id, 1, Integer::sum);
      if (before == 1) {
        return id;
      }
      renamed++;
      int number = before;
      while (seen.containsKey(id + "-" + number)) {
        number++;
      }
      seen.put(id + "-" + number, 1);
      return id + "-" + number;
    }
  }
}
