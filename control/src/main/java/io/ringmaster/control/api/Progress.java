package io.ringmaster.control.api;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.json.Json;
import io.ringmaster.control.store.Entry;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private final Map<Integer, Map<String, Object>> attempts = new TreeMap<>();

  /** A line, and whether it is the first or the last of its attempt. */
  private record Point(Map<String, Object> map, boolean outer) {}

  private Progress(Logs logs) {
    this.logs = logs;
  }

  static Map<String, Object> of(Job job, List<Entry> history, Logs logs, int most) {
    Progress progress = new Progress(logs);
    history.forEach(progress::take);
    List<Point> points = new ArrayList<>();
    long share = MOST_BYTES_IN_ALL / Math.max(1, job.attempt());
    long bytes = Math.clamp(share, FEWEST_BYTES, MOST_BYTES);
    for (int attempt = 1; attempt <= job.attempt(); attempt++) {
      points.addAll(progress.points(new AttemptId(job.id(), attempt), (int) bytes));
    }
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put("attempts", List.copyOf(progress.attempts.values()));
    reply.put("points", thinned(points, most).stream().map(Point::map).toList());
    return reply;
  }

  /** An attempt begins when its launch is decided, runs from when that was seen, and ends. */
  private void take(Entry entry) {
    if (entry.to() == JobState.STARTING) {
      Map<String, Object> attempt = new LinkedHashMap<>();
      attempt.put("attempt", entry.attempt());
      attempt.put("workers", Allocation.of(entry.allocation()).workers());
      Shapes.put(attempt, "from_s", null);
      Shapes.put(attempt, "to_s", null);
      attempts.put(entry.attempt(), attempt);
    }
    Map<String, Object> attempt = attempts.get(entry.attempt());
    if (attempt == null) {
      return;
    }
    if (entry.to() == JobState.RUNNING && attempt.get("from_s") == null) {
      attempt.put("from_s", entry.seconds());
    } else if (!entry.to().holdsGpus() && attempt.get("to_s") == null) {
      attempt.put("to_s", entry.seconds());
    }
  }

  private List<Point> points(AttemptId attempt, int bytes) {
    List<Map<String, Object>> maps = new ArrayList<>();
    for (String line : text(attempt, bytes).split("\n", -1)) {
      @Nullable Map<String, Object> map = point(attempt.attempt(), line);
      if (map != null) {
        maps.add(map);
      }
    }
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < maps.size(); i++) {
      points.add(new Point(maps.get(i), i == 0 || i == maps.size() - 1));
    }
    return points;
  }

  /** The beginning and the end of what an attempt said. A line that is cut in two says nothing. */
  private String text(AttemptId attempt, int bytes) {
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
        return text
            + separator
            + new String(tail.readNBytes(bytes / 2), StandardCharsets.UTF_8);
      }
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new Problem(
              503, "the progress of %s cannot be read now: %s".formatted(attempt, e.getMessage()))
          .with("Retry-After", "5");
    }
  }

  private static @Nullable Map<String, Object> point(int attempt, String line) {
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
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("attempt", attempt);
      Shapes.put(map, "at_s", number(said.get("at_s")));
      map.put("done", done);
      for (String name : List.of("iteration", "samples", "loss")) {
        Shapes.put(map, name, number(said.get(name)));
      }
      return map;
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
  private static List<Point> thinned(List<Point> points, int most) {
    if (points.size() <= most) {
      return points;
    }
    int outer = (int) points.stream().filter(Point::outer).count();
    boolean crowded = outer > most;
    int among = crowded ? outer : points.size() - outer;
    int wanted = crowded ? most : most - outer;
    List<Point> kept = new ArrayList<>();
    int seen = 0;
    for (Point point : points) {
      if (point.outer() != crowded) {
        if (!crowded) {
          kept.add(point);
        }
        continue;
      }
      // The i-th is kept if a new whole step of wanted / among begins with it; the last always.
      long before = (long) seen * (wanted - (crowded ? 1 : 0)) / among;
      seen++;
      long after = (long) seen * (wanted - (crowded ? 1 : 0)) / among;
      if (after > before || (crowded && seen == 1)) {
        kept.add(point);
      }
    }
    return kept;
  }
}
