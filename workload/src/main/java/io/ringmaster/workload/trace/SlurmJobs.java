package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Demand;
import io.ringmaster.model.settings.Settings;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes jobs of rows of Slurm's accounting.
 *
 * <ul>
 *   <li>Steps are parts of their job. Tasks of an array are jobs.
 *   <li>The parts of a heterogeneous job start together: they are one job, with the GPUs of all.
 *   <li>A row that is there twice, as in files that overlap, counts once. Rows of one job that
 *       started at different times, as with {@code sacct --duplicates}, are runs: the job was put
 *       back into the queue, or the site began to count from 1 again. Each run held GPUs, so each
 *       is a job, {@code 123}, {@code 123-run2}, ...
 *   <li>A job counts from when it could start: a job that was held or had to wait for another did
 *       not wait for GPUs.
 *   <li>It ran as long as Slurm says, without the time for which it was suspended.
 *   <li>How a job ended does not matter: a job that failed held GPUs too.
 * </ul>
 */
final class SlurmJobs {
  private final Settings settings;
  private final TraceSink out;
  private final Set<String> partitions;
  private final boolean fromEligible;
  private final boolean alike;
  private final double cpusPerGpu;
  private final ZoneId zone;

  private final RunsSeen seen = new RunsSeen();
  private final ServersSeen servers = new ServersSeen();
  private final NodeFailures nodeFailures = new NodeFailures();
  private final Map<Long, List<SlurmRow>> gangs = new LinkedHashMap<>();
  private final Map<Long, SlurmRow> running = new HashMap<>();
  private final Map<Long, SlurmRow> waiting = new LinkedHashMap<>();
  private final List<SlurmRow> waitingTasks = new ArrayList<>();
  private long ran;
  private long withoutGpu;

  SlurmJobs(Settings settings, TraceSink out) {
    this.settings = settings;
    this.out = out;
    String only = settings.text(Sacct.PARTITION);
    partitions = only.isEmpty() ? Set.of() : new HashSet<>(List.of(only.split(",")));
    fromEligible = settings.text(Sacct.SUBMIT).equals("eligible");
    alike = settings.text(Sacct.SERVERS).equals("alike");
    cpusPerGpu = Sacct.cpusPerGpu(settings.text(Sacct.COUNT));
    zone = ZoneId.of(settings.text(Sacct.ZONE));
  }

  boolean needsPartition() {
    return !partitions.isEmpty();
  }

  /** A row that was read and counted. */
  void take(SlurmRow row) {
    switch (row.id().kind()) {
      case STEP -> out.part("a step of a job");
      case WAITING_TASKS -> {
        if (partitions.isEmpty() || partitions.contains(row.partition())) {
          waitingTasks.add(row);
        }
        out.drop("is still waiting");
      }
      default -> {
        if (!partitions.isEmpty() && !partitions.contains(row.partition())) {
          out.drop("is in another partition");
        } else if (!row.ended()) {
          unfinished(row);
        } else if (!row.started()) {
          out.drop("never started");
        } else {
          finished(row);
        }
      }
    }
  }

  private void unfinished(SlurmRow row) {
    if (!row.waits()) {
      running.put(row.id().key(), row);
      out.drop("is still running");
    } else {
      waiting.put(row.id().key(), row);
      out.drop("is still waiting");
    }
  }

  private void finished(SlurmRow row) {
    int run = seen.run(row.id().key(), row.startSeconds());
    if (run == 0) {
      out.part("the same row again");
    } else if (row.id().kind() == SlurmId.Kind.PART) {
      gangs.computeIfAbsent(row.id().job(), _ -> new ArrayList<>(2)).add(row);
    } else {
      job(List.of(row), run);
    }
  }

  /** All files are read. */
  void finish() {
    gangs.values().forEach(this::gang);
    List<SlurmRow> open = new ArrayList<>();
    for (SlurmRow row : running.values()) {
      // Another file may tell of its end.
      if (seen.run(row.id().key(), row.startSeconds()) > 0) {
        servers.held(row.servers(), gpus(row), row.startSeconds(), ServersSeen.STILL);
        open.add(row);
      }
    }
    waiting.values().stream()
        .filter(row -> !running.containsKey(row.id().key()))
        .forEach(open::add);
    open(open);
    if (ran > 0 && ran == withoutGpu) {
      throw new BadInput(
          cpusPerGpu > 0
              ? "none of the %d jobs that ran has CPUs; add AllocTRES or NCPUS to what sacct prints"
                  .formatted(ran)
              : ("none of the %d jobs that ran has gres/gpu in AllocTRES: does the site's"
                      + " slurm.conf have AccountingStorageTRES=gres/gpu? To take 8 CPUs for one"
                      + " GPU: --set count=cpus:8")
                  .formatted(ran));
    }
    servers.report(alike, "sinfo --Node --format '%N %G'", out);
    if (nodeFailures.any() && servers.busySeconds() > 0) {
      out.note(nodeFailures.note(servers.busySeconds()));
    }
  }

  /** The first run of every part is one job, the second run another. */
  private void gang(List<SlurmRow> rows) {
    Map<Integer, List<SlurmRow>> byPart = new TreeMap<>();
    rows.forEach(r -> byPart.computeIfAbsent(r.id().number(), _ -> new ArrayList<>()).add(r));
    byPart.values().forEach(runs -> runs.sort(Comparator.comparingLong(SlurmRow::startSeconds)));
    for (int run = 1; !byPart.isEmpty(); run++) {
      List<SlurmRow> together = new ArrayList<>();
      byPart.values().forEach(runs -> together.add(runs.removeFirst()));
      byPart.values().removeIf(List::isEmpty);
      together.stream().skip(1).forEach(_ -> out.part("part of a heterogeneous job"));
      job(together, run);
    }
  }

  private void job(List<SlurmRow> parts, int run) {
    try {
      TraceJob made = made(parts, run);
      out.keep(made, places(parts), parts.getFirst().queued().limitSeconds());
    } catch (Unusable e) {
      out.drop(e.reason());
    }
  }

  /** A job of one row, or of those that started together. */
  private TraceJob made(List<SlurmRow> parts, int run) {
    SlurmRow first = parts.getFirst();
    long gpus = parts.stream().mapToLong(this::gpus).sum();
    long start = parts.stream().mapToLong(SlurmRow::startSeconds).max().orElseThrow();
    long seconds = parts.stream().mapToLong(SlurmJobs::seconds).max().orElseThrow();
    ran++;
    if (gpus == 0) {
      withoutGpu++;
      throw new Unusable(TraceJobs.NO_GPU);
    }
    if (first.submitSeconds() == SlurmTime.UNKNOWN) {
      throw new Unusable("has no time of submission");
    }
    if (seconds <= 0) {
      throw new Unusable("did not run");
    }
    parts.forEach(p -> servers.held(p.servers(), gpus(p), p.startSeconds(), p.endSeconds()));
    parts.stream()
        .filter(SlurmRow::lostServer)
        .forEach(p -> nodeFailures.ended(p.servers(), p.endSeconds()));
    TraceJobs.requireEnd(settings, parts.stream().allMatch(SlurmRow::completed));
    long submit = Math.min(start, submit(first));
    double cpus = parts.stream().mapToDouble(p -> p.tres().cpus()).sum();
    double memory = parts.stream().mapToDouble(p -> p.tres().memoryBytes()).sum();
    String id = first.id().text() + (run == 1 ? "" : "-run" + run);
    int whole = (int) Math.min(gpus, Integer.MAX_VALUE);
    return TraceJob.of(id, (double) submit, whole, (double) seconds)
        .waited((double) (start - submit))
        .by(first.user(), group(first.name()))
        .taking(cpus / gpus, memory / gpus);
  }

  /** Jobs that have not ended; the parts of a heterogeneous one are one job. */
  private void open(List<SlurmRow> rows) {
    Map<String, List<SlurmRow>> jobs = new LinkedHashMap<>();
    rows.forEach(row -> jobs.computeIfAbsent(row.id().text(), _ -> new ArrayList<>(1)).add(row));
    jobs.forEach((id, parts) -> out.open(opened(id, parts)));
    for (SlurmRow row : waitingTasks) {
      tasks(row);
    }
  }

  /** Of an array that lets so many of its tasks run at once, the others wait for those. */
  private void tasks(SlurmRow row) {
    SlurmId.Tasks tasks = row.id().tasks();
    long run =
        running.values().stream().filter(other -> other.id().job() == row.id().job()).count();
    long next = tasks.atOnce() == 0 ? Long.MAX_VALUE : tasks.atOnce() - run;
    for (int task : tasks.numbers()) {
      SeenJob seen = opened("%s_%d".formatted(row.id().text(), task), List.of(row));
      boolean behind = seen.heldBecause().isEmpty() && next-- <= 0;
      out.open(behind ? seen.held(SlurmReason.atOnce(tasks.atOnce())) : seen);
    }
  }

  private SeenJob opened(String id, List<SlurmRow> parts) {
    SlurmRow first = parts.getFirst();
    boolean waits = first.waits();
    String held = waits ? SlurmReason.held(id, first, zone) : "";
    long gpus = parts.stream().mapToLong(this::gpus).sum();
    boolean submitted = first.submitSeconds() != SlurmTime.UNKNOWN;
    double start = waits ? Double.NaN : (double) first.startSeconds();
    double cpus = parts.stream().mapToDouble(p -> p.tres().cpus()).sum();
    double memory = parts.stream().mapToDouble(p -> p.tres().memoryBytes()).sum();
    return new SeenJob(
        id,
        waits ? SeenJob.State.WAITING : SeenJob.State.RUNNING,
        !submitted ? start : (double) (held.isEmpty() ? submit(first) : first.submitSeconds()),
        start,
        Double.NaN,
        waits ? 0 : (double) Math.max(0, first.elapsedSeconds()),
        (int) Math.min(gpus, Integer.MAX_VALUE),
        first.queued().limitSeconds(),
        first.queued().priority(),
        held,
        first.user(),
        group(first.name()),
        new Demand(cpus / Math.max(1, gpus), memory / Math.max(1, gpus)),
        waits ? Map.of() : places(parts),
        parts.size() == 1 ? first.queued().asked() : together(parts));
  }

  /** Parts go where each is asked to; how they are cut differs from part to part. */
  private static AskedPlace together(List<SlurmRow> parts) {
    AskedPlace first = parts.getFirst().queued().asked();
    int nodes = parts.stream().mapToInt(part -> part.queued().asked().nodes()).sum();
    return new AskedPlace(
        first.partitions(), nodes, 0, "", List.of(), "", first.reservation(), first.dependency());
  }

  private Map<String, Integer> places(List<SlurmRow> parts) {
    Map<String, Integer> places = new LinkedHashMap<>();
    for (SlurmRow part : parts) {
      ServersSeen.split(part.servers(), gpus(part))
          .forEach((server, share) -> places.merge(server, share, Integer::sum));
    }
    return places;
  }

  private long submit(SlurmRow row) {
    return fromEligible
        ? Math.max(row.submitSeconds(), row.eligibleSeconds())
        : row.submitSeconds();
  }

  private long gpus(SlurmRow row) {
    return cpusPerGpu > 0 ? (long) Math.ceil(row.tres().cpus() / cpusPerGpu) : row.tres().gpus();
  }

  private static long seconds(SlurmRow row) {
    return row.elapsedSeconds() != SlurmTime.UNKNOWN
        ? row.elapsedSeconds()
        : row.endSeconds() - row.startSeconds();
  }

  /** What jobs that differ in a number only have in common: {@code train_017} is {@code train_}. */
  static String group(String name) {
    int end = name.length();
    while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
      end--;
    }
    return name.substring(0, end);
  }
}
