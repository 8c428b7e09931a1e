package io.ringmaster.control.api;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Entry;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the attempts of a job said of their progress, thinned for a plot. Programs of users write
 * these lines: what makes no sense is left out, and of long files only the ends are read.
 */
final class Progress {
  /** Of one attempt, and of all attempts of a job together. */
  private static final long MOST_BYTES = 4 << 20;

  private static final long MOST_BYTES_IN_ALL = 16 << 20;
  private static final long FEWEST_BYTES = 64 << 10;

  private final Logs logs;
  private final Map<Integer, Shapes.Attempt> attempts = new TreeMap<>();

  /** A line, and whether it is the first or the last of its attempt. */
  private record Line(Shapes.Point point, boolean outer) {}

  private Progress(Logs logs) {
    this.logs = logs;
  }

  static Shapes.Curve of(Job job, List<Entry> history, Logs logs, int most) throws IOException {
    Progress progress = new Progress(logs);
    history.forEach(progress::take);
    List<Line> points = new ArrayList<>();
    long share = MOST_BYTES_IN_ALL / Math.max(1, job.attempt());
    long bytes = Math.clamp(share, FEWEST_BYTES, MOST_BYTES);
    for (int attempt = 1; attempt <= job.attempt(); attempt++) {
      points.addAll(progress.points(new AttemptId(job.id(), attempt), (int) bytes));
    }
    return new Shapes.Curve(
        List.copyOf(progress.attempts.values()),
        thinned(points, most).stream().map(Line::point).toList());
  }

  /** An attempt begins when its launch is decided, runs from when that was seen, and ends. */
  private void take(Entry entry) {
    int number = entry.attempt();
    if (entry.to() == JobState.STARTING) {
      int workers = Allocation.of(entry.allocation()).workers();
      attempts.put(number, new Shapes.Attempt(number, workers, null, null));
    }
    Shapes.Attempt known = attempts.get(number);
    if (known == null) {
      return;
    }
    double now = entry.seconds();
    if (entry.to() == JobState.RUNNING && known.fromSeconds() == null) {
      attempts.put(number, new Shapes.Attempt(number, known.workers(), now, known.toSeconds()));
    } else if (!entry.to().holdsGpus() && known.toSeconds() == null) {
      attempts.put(number, new Shapes.Attempt(number, known.workers(), known.fromSeconds(), now));
    }
  }

  private List<Line> points(AttemptId attempt, int bytes) throws IOException {
    List<Shapes.Point> said =
        Arrays.stream(text(attempt, bytes).split("\n", -1))
            .map(line -> point(attempt.attempt(), line))
            .filter(Objects::nonNull)
            .toList();
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < said.size(); i++) {
      lines.add(new Line(said.get(i), i == 0 || i == said.size() - 1));
    }
    return lines;
  }

  /** The beginning and the end of what an attempt said. A line that is cut in two says nothing. */
  private String text(AttemptId attempt, int bytes) throws IOException {
    try (InputStream in = logs.log(attempt, 0, Engine.Stream.PROGRESS, 0)) {
      byte[] head = in.readNBytes(bytes / 2);
      long rest = in.skip(Long.MAX_VALUE);
      String text = new String(head, StandardCharsets.UTF_8);
      if (rest <= 0) {
        return text;
      }
      long from = head.length + Math.max(0, rest - bytes / 2);
      try (InputStream tail = logs.log(attempt, 0, Engine.Stream.PROGRESS, from)) {
        String separator = from > head.length ? "\n" : "";
        return text + separator + new String(tail.readNBytes(bytes / 2), StandardCharsets.UTF_8);
      }
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static Shapes.@Nullable Point point(int attempt, String line) {
    if (!line.contains("\"done\"")) {
      return null;
    }
    try {
      if (!(Json.parse(line) instanceof Map<?, ?> said)) {
        return null;
      }
      Double done = number(said.get("done"));
      if (done == null || done < 0 || done > 1) {
        return null;
      }
      return new Shapes.Point(
          attempt,
          number(said.get("at_s")),
          done,
          number(said.get("iteration")),
          number(said.get("samples")),
          number(said.get("loss")));
    } catch (BadInput e) {
      return null;
    }
  }

  private static @Nullable Double number(@Nullable Object value) {
    return value instanceof Number number ? Shapes.number(number.doubleValue()) : null;
  }

  /**
   * At most so many: the first and the last of each attempt, and of the others as many as there is
   * room for, evenly. If there are too many attempts even for that, evenly of their ends.
   */
  private static List<Line> thinned(List<Line> points, int most) {
    if (points.size() <= most) {
      return points;
    }
    List<Line> outer = points.stream().filter(Line::outer).toList();
    if (outer.size() >= most) {
      return IntStream.range(0, most)
          .mapToObj(i -> outer.get((int) ((long) i * (outer.size() - 1) / (most - 1))))
          .toList();
    }
    int room = most - outer.size();
    int inner = points.size() - outer.size();
    List<Line> kept = new ArrayList<>();
    int seen = 0;
    for (Line point : points) {
      // Of equal parts of the inner ones, that in the middle of each.
      if (point.outer() || isMiddle(seen++, inner, room)) {
        kept.add(point);
      }
    }
    return kept;
  }

  /** Whether i is in the middle of one of so many equal parts of 0 to n - 1. */
  private static boolean isMiddle(int i, int n, int parts) {
    long part = (long) i * parts / n;
    return i == (2 * part + 1) * n / (2L * parts);
  }
}
