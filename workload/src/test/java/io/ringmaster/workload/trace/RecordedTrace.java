package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Writes down what a reader hands on. */
final class RecordedTrace implements TraceSink {
  long rows;
  private long lastLine;
  final List<TraceJob> jobs = new ArrayList<>();
  final Map<String, Integer> dropped = new TreeMap<>();
  final Map<String, Long> firstDropped = new TreeMap<>();
  final Map<String, Integer> parts = new TreeMap<>();
  final Map<String, Integer> servers = new LinkedHashMap<>();
  final List<String> notes = new ArrayList<>();

  /** Reads files, and checks that each row is accounted for once. */
  static RecordedTrace of(TraceFormat format, Map<String, String> given, Path... files) {
    RecordedTrace trace = new RecordedTrace();
    List<Parameter> declared =
        Stream.concat(TraceFormats.commonParameters().stream(), format.parameters().stream())
            .toList();
    format
        .reader()
        .read(List.of(files), Settings.of("format " + format.name(), declared, given), trace);
    assertThat(trace.jobs.size() + sum(trace.dropped) + sum(trace.parts)).isEqualTo(trace.rows);
    assertThat(trace.jobs.stream().map(TraceJob::id)).doesNotHaveDuplicates();
    return trace;
  }

  /** Reads a text as if it were a file. */
  static RecordedTrace of(TraceFormat format, Map<String, String> given, Path dir, String text) {
    try {
      Path file = dir.resolve("history.txt");
      Files.writeString(file, text);
      return of(format, given, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file that lies beside the tests. */
  static Path sample(String name) {
    return Path.of("src/test/resources/io/ringmaster/workload/trace", name);
  }

  @Override
  public void note(String text) {
    notes.add(text);
  }

  TraceJob job(String id) {
    return jobs.stream().filter(j -> j.id().equals(id)).findFirst().orElseThrow();
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public void row(Path file, long line) {
    rows++;
    lastLine = line;
  }

  @Override
  public void keep(TraceJob job) {
    jobs.add(job);
  }

  @Override
  public void drop(String reason) {
    firstDropped.putIfAbsent(reason, lastLine);
    dropped.merge(reason, 1, Integer::sum);
  }

  @Override
  public void part(String reason) {
    parts.merge(reason, 1, Integer::sum);
  }

  @Override
  public void server(String name, int gpus) {
    assertThat(servers.put(name, gpus)).isNull();
  }

  @Override
  public void progress(long bytes, long ofBytes) {
    assertThat(bytes).isLessThanOrEqualTo(ofBytes);
  }
}
