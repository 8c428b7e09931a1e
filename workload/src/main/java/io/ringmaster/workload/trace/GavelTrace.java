package io.ringmaster.workload.trace;

import io.ringmaster.model.KindSpeeds;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gavel's traces: lines of 10 fields parted by tabs, or of 7 as first published. They tell steps,
 * not seconds. Given Gavel's table of measured throughputs too, steps become seconds on a type of
 * GPU, as in its simulator; without it they stay iterations. For more GPUs than were measured, the
 * throughput of the most that were grows in proportion. With all types, a job is told in seconds on
 * the first, and how fast it is on each.
 */
final class GavelTrace {
  private static final List<String> OLD =
      List.of("type", "command", "steps_arg", "data_dir", "steps", "arrival", "scale");
  private static final List<String> NEW =
      List.of(
          "type",
          "command",
          "directory",
          "steps_arg",
          "data_dir",
          "steps",
          "scale",
          "weight",
          "slo",
          "arrival");

  private static final String GPU = "gpu";
  private static final List<String> TYPES = List.of("v100", "p100", "k80");
  private static final String ALL = "all";

  /** Speeds are told to so many digits. */
  private static final double DIGITS = 1e6;

  /** No table has more GPUs than these. */
  private static final int MOST_MEASURED = 1024;

  /** As Python prints the pair: {@code ('ResNet-50 (batch size 64)', 2)}. */
  private static final Pattern TYPE_AND_SCALE = Pattern.compile("\\('(.*)', (\\d{1,9})\\)");

  private static final Pattern BATCH = Pattern.compile(" \\(batch size \\d+\\)$");

  /** A type of job on so many GPUs. */
  private record Kind(String type, int gpus) {}

  static final TraceFormat FORMAT =
      new TraceFormat(
          "gavel",
          "Gavel's traces (tabs, 7 or 10 fields); with its simulation_throughputs.json lengths are"
              + " seconds, without it iterations.",
          "Narayanan et al., Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning"
              + " Workloads, OSDI 2020; stanford-futuredata/gavel",
          List.of(
              Parameter.choice(GPU, "v100", "p100", "k80", ALL)
                  .saying(
                      "whose measured throughput counts; all: lengths are those on v100, and jobs"
                          + " have a speed on each that they were measured on")),
          GavelTrace::read);

  private GavelTrace() {}

  private static void read(List<Path> files, Settings settings, TraceSink out) {
    String gpu = settings.text(GPU);
    Map<String, Map<Kind, Double>> stepsPerSecond = new LinkedHashMap<>();
    for (String type : gpu.equals(ALL) ? TYPES : List.of(gpu)) {
      files.stream()
          .filter(GavelTrace::isTable)
          .forEach(file ->
              stepsPerSecond
                  .computeIfAbsent(type, _ -> new HashMap<>())
                  .putAll(throughputs(file, type, out)));
    }
    if (stepsPerSecond.isEmpty()) {
      out.note(
          "Lengths are iterations, of whatever model the job has here: give Gavel's"
              + " simulation_throughputs.json too for its own times.");
    }
    Numbering ids = new Numbering("j");
    for (Path file : files) {
      if (!isTable(file)) {
        Rows.lines(
            file,
            out,
            Pattern.compile("\t"),
            "",
            fields -> fields == OLD.size() ? OLD : fields == NEW.size() ? NEW : List.of(),
            "7 or 10, parted by tabs",
            row -> out.keep(job(ids.next(), row, stepsPerSecond)));
      }
    }
  }

  private static boolean isTable(Path file) {
    return file.toString().contains(".json");
  }

  private static TraceJob job(String id, Row row, Map<String, Map<Kind, Double>> stepsPerSecond) {
    String type = row.text("type");
    int gpus = row.gpus("scale");
    double steps = row.number("steps");
    if (steps <= 0) {
      throw new Unusable("has no steps to do");
    }
    double arrival = row.time("arrival");
    TraceJob job = TraceJob.of(id, arrival, gpus, 0).iterating(steps);
    if (!stepsPerSecond.isEmpty()) {
      Map<Kind, Double> first = stepsPerSecond.values().iterator().next();
      double speed = speed(type, gpus, first);
      if (speed == 0) {
        throw new Unusable("its throughput is not in the table");
      }
      job = TraceJob.of(id, arrival, gpus, steps / speed);
      if (stepsPerSecond.size() > 1) {
        SortedMap<String, Double> speeds = new TreeMap<>();
        stepsPerSecond.forEach((kind, table) -> {
          double here = Math.rint(DIGITS * speed(type, gpus, table) / speed) / DIGITS;
          if (here >= KindSpeeds.LEAST) {
            speeds.put(kind, Math.min(here, KindSpeeds.MOST));
          }
        });
        job = job.measured(new KindSpeeds(speeds));
      }
    }
    return job.by("", type).training(BATCH.matcher(type).replaceFirst(""));
  }

  /** Steps a second; 0 if nothing was measured. */
  private static double speed(String type, int gpus, Map<Kind, Double> stepsPerSecond) {
    for (int measured = Math.min(gpus, MOST_MEASURED); measured > 0; measured--) {
      Double speed = stepsPerSecond.get(new Kind(type, measured));
      if (speed != null) {
        return speed * gpus / measured;
      }
    }
    return 0;
  }

  private static Map<Kind, Double> throughputs(Path file, String gpu, TraceSink out) {
    Map<Kind, Double> found = new HashMap<>();
    JsonItems ofGpu =
        JsonItems.open(file, out::progress, text -> JsonItems.document(file, text)).object(gpu);
    ofGpu
        .members()
        .keySet()
        .forEach(name -> {
          Matcher kind = TYPE_AND_SCALE.matcher(name);
          double speed = ofGpu.number(name, "null");
          if (kind.matches() && speed > 0) {
            found.put(new Kind(kind.group(1), Integer.parseInt(kind.group(2))), speed);
          }
        });
    return found;
  }
}
