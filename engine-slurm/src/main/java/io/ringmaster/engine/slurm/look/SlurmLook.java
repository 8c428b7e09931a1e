package io.ringmaster.engine.slurm.look;

import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.workload.Numbers;
import io.ringmaster.workload.trace.SlurmTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks Slurm what it is doing, at most once a minute, whoever and however often somebody wants to
 * know: three calls of slurmctld. What changes little, its settings and how long jobs took, is
 * asked for once an hour; the latter is slurmdbd's to answer.
 *
 * <p>Never {@code --json}: at 5,000 jobs that is 16 MB.
 */
public final class SlurmLook {
  /** Within this nothing is asked again. */
  public static final double FRESH_SECONDS = 60;

  private static final double HISTORY_SECONDS = 3600;
  private static final String HISTORY_DAYS = "7";

  private static final String NOW = "now";
  private static final String SELDOM = "seldom";
  private static final String AT = "at";
  private static final String JOBS = "jobs";
  private static final String NODES = "nodes";
  private static final String PARTITIONS = "partitions";
  private static final String SETTINGS = "settings";
  private static final String HISTORY = "history";
  private static final String MISSING = "missing";
  private static final String CALLS = "calls";
  private static final String BYTES = "bytes";
  private static final String MILLISECONDS = "milliseconds";

  private final SlurmCommands commands;
  private final KeptLooks kept;
  private final Clock clock;
  private int calls;
  private long bytes;
  private long nanos;

  public SlurmLook(SlurmCommands commands, KeptLooks kept, Clock clock) {
    this.commands = commands;
    this.kept = kept;
    this.clock = clock;
  }

  /**
   * What Slurm said less than a minute ago, or else says now.
   *
   * @param fresh now, in any case
   * @throws IOException if it does not answer
   */
  public Look look(boolean fresh) throws IOException {
    Optional<Map<String, String>> before = fresh ? Optional.empty() : recent(NOW, FRESH_SECONDS);
    calls = 0;
    bytes = 0;
    nanos = 0;
    Map<String, String> now = before.isPresent() ? before.get() : ask();
    Map<String, String> seldom = seldom(before.isPresent());
    SlurmTexts texts =
        new SlurmTexts(
            text(now, JOBS),
            text(now, NODES),
            text(now, PARTITIONS),
            text(seldom, SETTINGS),
            text(seldom, HISTORY),
            text(seldom, MISSING));
    Look.Cost cost =
        before.isPresent()
            ? new Look.Cost(
                (int) number(now, CALLS), (long) number(now, BYTES), number(now, MILLISECONDS))
            : cost();
    return new Look(texts, number(now, AT), cost, before.isPresent());
  }

  private Look.Cost cost() {
    return new Look.Cost(calls, bytes, nanos / 1e6);
  }

  private Optional<Map<String, String>> recent(String name, double seconds) {
    double now = seconds();
    return kept.read(name)
        .filter(values -> number(values, AT) <= now && now - number(values, AT) < seconds);
  }

  private double seconds() {
    return clock.millis() / 1e3;
  }

  private Map<String, String> ask() throws IOException {
    Map<String, String> now = new LinkedHashMap<>();
    now.put(AT, Double.toString(seconds()));
    now.put(JOBS, call("squeue", "--all", "--Format=" + SlurmTexts.SQUEUE_FIELDS));
    now.put(NODES, call("scontrol", "--details", "--oneliner", "show", "node"));
    now.put(PARTITIONS, call("scontrol", "--all", "--oneliner", "show", "partition"));
    Look.Cost cost = cost();
    now.put(CALLS, Integer.toString(cost.calls()));
    now.put(BYTES, Long.toString(cost.bytes()));
    now.put(MILLISECONDS, Double.toString(cost.milliseconds()));
    kept.write(NOW, now);
    return now;
  }

  /** With what was kept a minute ago goes what was kept of this, however old. */
  private Map<String, String> seldom(boolean atAnyAge) throws IOException {
    Optional<Map<String, String>> before =
        recent(SELDOM, atAnyAge ? Double.POSITIVE_INFINITY : HISTORY_SECONDS);
    if (before.isPresent()) {
      return before.get();
    }
    Map<String, String> seldom = new LinkedHashMap<>();
    seldom.put(AT, Double.toString(seconds()));
    seldom.put(SETTINGS, call("scontrol", "show", "config"));
    List<String> sacct =
        List.of(
            "sacct",
            "--allusers",
            "--allocations",
            "--parsable2",
            "--starttime=now-%sdays".formatted(HISTORY_DAYS),
            "--format=" + SlurmTexts.SACCT_FIELDS);
    try {
      SlurmCommands.Answer answer = commands.answer(sacct, "");
      boolean answered = answer.code() == 0;
      seldom.put(HISTORY, answered ? answer.text() : "");
      seldom.put(MISSING, answered ? "" : "sacct: " + firstLine(answer.errors()));
    } catch (IOException e) {
      seldom.put(MISSING, String.valueOf(e.getMessage()));
    }
    kept.write(SELDOM, seldom);
    return seldom;
  }

  private static String firstLine(String errors) {
    return errors.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }

  private String call(String... words) throws IOException {
    long began = System.nanoTime();
    String text = commands.run(words);
    nanos += System.nanoTime() - began;
    calls++;
    bytes += text.getBytes(StandardCharsets.UTF_8).length;
    return text;
  }

  private static String text(Map<String, String> values, String key) {
    return values.getOrDefault(key, "");
  }

  private static double number(Map<String, String> values, String key) {
    double number = Numbers.parse(text(values, key));
    return Double.isFinite(number) ? number : 0;
  }
}
