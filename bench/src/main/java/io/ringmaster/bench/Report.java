package io.ringmaster.bench;

import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * What is shown of a whole-run benchmark.
 *
 * @param loadBefore the machine's load average when it began: above 0 others worked too
 */
record Report(
    double loadBefore,
    double loadAfter,
    List<Measure> measures,
    List<String> broken,
    List<String> doubtful) {
  private record Column(String title, String measure, String format, double unit) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("CPU s", "cpu_s", "%.2f", 1),
          new Column("x kernel", "cpu_over_kernel", "%.2f", 1),
          new Column("MB", "peak_memory_bytes", "%.0f", 1e6),
          new Column("growth", "cpu_over_kernel_growth_exponent", "%.2f", 1),
          new Column("events", "events", "%,.0f", 1),
          new Column("running", "running_jobs", "%,.0f", 1),
          new Column("loop s", "loop_cpu_s", "%.3f", 1),
          new Column("events/s", "loop_events_per_s", "%,.0f", 1),
          new Column("floor s", "floor_cpu_s", "%.3f", 1),
          new Column("x floor", "loop_over_floor", "%.1f", 1),
          new Column("growth", "loop_cpu_s_growth_exponent", "%.2f", 1));

  String table() {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "Load average %.1f before and %.1f after, %d cores, Java %s%n%n",
            loadBefore,
            loadAfter,
            Runtime.getRuntime().availableProcessors(),
            Runtime.version()));
    out.append(
        String.format(
            "%28s%-33s%s%n", "", "end to end, a process of its own", "the event loop alone, warm"));
    out.append(String.format("%10s %-6s", "jobs", "policy"));
    COLUMNS.forEach(column -> out.append(String.format(" %10s", column.title)));
    out.append('\n');
    for (int jobs : new TreeSet<>(measures.stream().map(Measure::jobs).toList())) {
      for (String policy : measures.stream().map(Measure::policy).distinct().toList()) {
        row(out, jobs, policy);
      }
    }
    return out.toString();
  }

  private void row(StringBuilder out, int jobs, String policy) {
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%,10d %-6s", jobs, policy));
    for (Column column : COLUMNS) {
      String cell = "";
      for (Measure measure : measures) {
        if (measure.jobs() == jobs
            && measure.policy().equals(policy)
            && measure.name().equals(column.measure)) {
          cell = String.format(Locale.ROOT, column.format, measure.value() / column.unit);
        }
      }
      line.append(String.format(" %10s", cell));
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }

  private record Document(
      double loadAverageBefore,
      double loadAverageAfter,
      int cores,
      String java,
      List<Measured> measures,
      List<String> broken,
      List<String> doubtful) {}

  private record Measured(
      String measure, int jobs, String policy, double value, double low, double high) {}

  String json() {
    return Json.document(
        new Document(
            loadBefore,
            loadAfter,
            Runtime.getRuntime().availableProcessors(),
            Runtime.version().toString(),
            measures.stream()
                .map(m ->
                    new Measured(
                        m.name(),
                        m.jobs(),
                        m.policy(),
                        m.value(),
                        m.spread().low(),
                        m.spread().high()))
                .toList(),
            broken,
            doubtful));
  }
}
