package io.ringmaster.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** What Flight Recorder saw of a run: every so much CPU time, the methods that a thread was in. */
final class Samples {
  private static final int EVERY_MILLISECONDS = 10;
  private static final String SAMPLE = "jdk.CPUTimeSample";
  private static final String COLLECTIONS = "jdk.GCCPUTime";

  private final Map<Part, Double> seconds = new EnumMap<>(Part.class);
  private final Map<String, Integer> innermost = new HashMap<>();

  private Samples() {}

  /** Of the JVM, to record a run. */
  static String options(Path recording) {
    return ("-XX:StartFlightRecording:filename=%s,settings=none,+%s#enabled=true,"
            + "+%s#throttle=%dms,+%s#enabled=true")
        .formatted(recording, SAMPLE, SAMPLE, EVERY_MILLISECONDS, COLLECTIONS);
  }

  static Samples read(Path recording) throws IOException {
    Samples samples = new Samples();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        samples.add(file.readEvent());
      }
    }
    return samples;
  }

  private void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case SAMPLE -> {
        // One whose methods could not be told, as in the middle of a call, is left to the JVM.
        if (event.getStackTrace() != null) {
          List<String> methods =
              event.getStackTrace().getFrames().stream().map(Samples::name).toList();
          if (methods.stream().noneMatch(method -> method.startsWith("jdk.jfr."))) {
            seconds.merge(Part.of(methods), EVERY_MILLISECONDS / 1e3, Double::sum);
            innermost.merge(methods.getFirst(), 1, Integer::sum);
          }
        }
      }
      case COLLECTIONS ->
          seconds.merge(
              Part.COLLECTING,
              (event.getDuration("userTime").toNanos() + event.getDuration("systemTime").toNanos())
                  / 1e9,
              Double::sum);
      default -> {}
    }
  }

  private static String name(RecordedFrame frame) {
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  double seconds(Part part) {
    return seconds.getOrDefault(part, 0.0);
  }

  /** Of all parts. */
  double seconds() {
    return seconds.values().stream().mapToDouble(s -> s).sum();
  }

  /** The methods that were sampled most, with the share of samples in each. */
  List<String> methods(int most) {
    int all = innermost.values().stream().mapToInt(n -> n).sum();
    return innermost.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .limit(most)
        .map(
            e -> String.format(Locale.ROOT, "%4.1f %%  %s", 100.0 * e.getValue() / all, e.getKey()))
        .toList();
  }
}
