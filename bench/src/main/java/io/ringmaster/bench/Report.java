package io.ringmaster.bench;

import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * What is shown of a whole-run benchmark.
 *
 * @param loadBefore the machine's load average when it began: above 0 others worked too
 */
record Report(double loadBefore, double loadAfter, List<Measure> measures, List<String> broken) {
  private record Column(String title, String measure, String format, double unit) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("CPU s", "cpu_s", "%.2f", 1),
          new Column("wall s", "wall_s", "%.2f", 1),
          new Column("MB", "peak_memory_bytes", "%.0f", 1e6),
          new Column("growth", "cpu_s_growth_exponent", "%.2f", 1),
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

  String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(new Indented(), text)) {
      out.writeStartObject();
      out.writeNumberProperty("load_average_before", loadBefore);
      out.writeNumberProperty("load_average_after", loadAfter);
      out.writeNumberProperty("cores", Runtime.getRuntime().availableProcessors());
      out.writeStringProperty("java", Runtime.version().toString());
      out.writeArrayPropertyStart("measures");
      for (Measure measure : measures) {
        out.writeStartObject();
        out.writeStringProperty("measure", measure.name());
        out.writeNumberProperty("jobs", measure.jobs());
        out.writeStringProperty("policy", measure.policy());
        if (Double.isFinite(measure.value())) {
          out.writeNumberProperty("value", measure.value());
        } else {
          out.writeNullProperty("value");
        }
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeArrayPropertyStart("broken");
      broken.forEach(out::writeString);
      out.writeEndArray();
      out.writeEndObject();
    }
    return text + "\n";
  }

  private static final class Indented extends ObjectWriteContext.Base {
    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
