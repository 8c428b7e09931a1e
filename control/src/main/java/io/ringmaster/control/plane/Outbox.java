package io.ringmaster.control.plane;

import io.ringmaster.control.job.Effect;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.Entry;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Sample;
import io.ringmaster.control.store.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one step of the plane leaves to be done, in this order: store it all at once, reply, ask the
 * engine.
 */
final class Outbox {
  private final Map<Long, Job> jobs = new LinkedHashMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, NodeRow> nodes = new LinkedHashMap<>();
  private final List<String> goneNodes = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<Measured> measured = new ArrayList<>();
  final List<Runnable> replies = new ArrayList<>();
  final List<Effect> effects = new ArrayList<>();
  private long lastEntry;

  Outbox(long lastEntry) {
    this.lastEntry = lastEntry;
  }

  long lastEntry() {
    return lastEntry;
  }

  /** Jobs that are new or have changed, as they are now. */
  Collection<Job> jobs() {
    return jobs.values();
  }

  /** A job is new or has changed. Only what people care about becomes a line of history. */
  void put(@Nullable Job before, Job after, double nowSeconds) {
    jobs.put(after.id(), after);
    JobState from = before == null ? null : before.state();
    boolean told =
        before == null
            || from != after.state()
            || before.spec().priority() != after.spec().priority()
            || !java.util.Objects.equals(before.target(), after.target());
    if (told) {
      String where =
          after.target() != null
              ? after.target().text()
              : after.held() != null ? after.held().text() : "";
      entries.add(
          new Entry(
              ++lastEntry,
              nowSeconds,
              after.id(),
              after.user(),
              from,
              after.state(),
              after.attempt(),
              where,
              after.reason()));
    }
  }

  void put(NodeRow node) {
    goneNodes.remove(node.name());
    nodes.put(node.name(), node);
  }

  /** A node is gone for good, as far as anybody can tell. */
  void forgetNode(String name) {
    nodes.remove(name);
    goneNodes.add(name);
  }

  void put(String setting, String value) {
    settings.put(setting, value);
  }

  void put(Measured news) {
    measured.add(news);
  }

  boolean isEmpty() {
    return write(null).isEmpty() && replies.isEmpty() && effects.isEmpty();
  }

  Write write(@Nullable Sample sample) {
    return new Write(
        List.copyOf(jobs.values()),
        List.copyOf(entries),
        List.copyOf(nodes.values()),
        List.copyOf(goneNodes),
        Map.copyOf(settings),
        List.copyOf(measured),
        sample);
  }

  void clear() {
    jobs.clear();
    entries.clear();
    nodes.clear();
    goneNodes.clear();
    settings.clear();
    measured.clear();
    replies.clear();
    effects.clear();
  }
}
