package io.ringmaster.engine.local;

import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A control group of Linux for each attempt, in each hierarchy that can be had: of version 2, of
 * version 1, or both side by side. It holds an attempt to what it asked for, and knows its
 * processes, whatever they do to be forgotten.
 */
final class ControlGroups {
  private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
  private static final List<String> WANTED = List.of("cpu", "memory", "pids");
  private static final int PERIOD_MICROS = 100_000;
  private static final int LEAST_QUOTA_MICROS = 1_000;

  /**
   * Most that an attempt may take.
   *
   * @param cpus cores; 0: as many as there are
   * @param memoryBytes 0: as much as there is
   * @param processes and threads
   */
  record Limits(double cpus, double memoryBytes, int processes) {}

  /**
   * Where groups are made.
   *
   * @param folder holds a group for each attempt, and nothing else
   * @param isSecond version 2
   * @param controllers what can be limited there
   */
  private record Hierarchy(Path folder, boolean isSecond, Set<String> controllers) {}

  private final List<Hierarchy> hierarchies;

  private ControlGroups(List<Hierarchy> hierarchies) {
    this.hierarchies = List.copyOf(hierarchies);
  }

  static ControlGroups none() {
    return new ControlGroups(List.of());
  }

  /** Finds what can be had, and says what cannot. Groups of other data folders are left alone. */
  static ControlGroups find(Path data) {
    CRC32 hash = new CRC32();
    hash.update(data.toString().getBytes(StandardCharsets.UTF_8));
    String name = "ringmaster-%08x".formatted(hash.getValue());
    List<Hierarchy> found = new ArrayList<>();
    Set<String> missing = new TreeSet<>(WANTED);
    Set<String> troubles = new LinkedHashSet<>();
    try {
      List<CgroupMount> mounts = CgroupMount.all();
      for (CgroupMount mount : mounts) {
        try {
          Hierarchy hierarchy =
              mount.isSecond() ? second(mount, name) : first(mount, name, missing);
          if (hierarchy != null) {
            missing.removeAll(hierarchy.controllers());
            found.add(hierarchy);
          }
        } catch (IOException e) {
          troubles.add(String.valueOf(e.getMessage()));
        }
      }
    } catch (IOException e) {
      troubles.add(String.valueOf(e.getMessage()));
    }
    if (!missing.isEmpty()) {
      LOG.warn(
          "control groups: attempts are not held to limits of {}{}",
          String.join(", ", missing),
          troubles.isEmpty() ? "" : ": " + String.join("; ", troubles));
    }
    return new ControlGroups(found);
  }

  /** Beside the server's own group: a group that has processes cannot have limited ones below. */
  private static Hierarchy second(CgroupMount mount, String name) throws IOException {
    Path own = mount.own();
    Path base = own.equals(mount.folder()) ? own : Objects.requireNonNull(own.getParent());
    Path folder = base.resolve(name);
    Files.createDirectories(folder);
    Set<String> there = new TreeSet<>();
    for (String controller : words(base.resolve("cgroup.controllers"))) {
      if (WANTED.contains(controller) && enable(base, controller) && enable(folder, controller)) {
        there.add(controller);
      }
    }
    return new Hierarchy(folder, true, there);
  }

  private static boolean enable(Path group, String controller) {
    try {
      write(group.resolve("cgroup.subtree_control"), "+" + controller);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static @Nullable Hierarchy first(CgroupMount mount, String name, Set<String> missing)
      throws IOException {
    Set<String> there = new TreeSet<>(mount.controllers());
    there.retainAll(missing);
    if (there.isEmpty()) {
      return null;
    }
    return new Hierarchy(
        Files.createDirectories(mount.own().resolve(name)), false, Set.copyOf(there));
  }

  boolean isAny() {
    return !hierarchies.isEmpty();
  }

  /** What attempts can be held to: some of cpu, memory and pids. */
  Set<String> controllers() {
    Set<String> all = new TreeSet<>();
    hierarchies.forEach(hierarchy -> all.addAll(hierarchy.controllers()));
    return all;
  }

  /**
   * Makes the groups of an attempt.
   *
   * @return files that a process writes 0 to, to be in them
   */
  List<Path> make(AttemptId attempt, Limits limits) throws IOException {
    List<Path> doors = new ArrayList<>();
    for (Hierarchy hierarchy : hierarchies) {
      Path group = Files.createDirectories(hierarchy.folder().resolve(attempt.text()));
      limit(hierarchy, group, limits);
      doors.add(group.resolve("cgroup.procs"));
    }
    return doors;
  }

  private static void limit(Hierarchy hierarchy, Path group, Limits limits) throws IOException {
    boolean second = hierarchy.isSecond();
    if (hierarchy.controllers().contains("cpu") && limits.cpus() > 0) {
      long quota = Math.max(LEAST_QUOTA_MICROS, Math.round(limits.cpus() * PERIOD_MICROS));
      if (second) {
        write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
      } else {
        write(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
        write(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
      }
    }
    if (hierarchy.controllers().contains("memory") && limits.memoryBytes() > 0) {
      write(
          group.resolve(second ? "memory.max" : "memory.limit_in_bytes"),
          Long.toString(Math.round(limits.memoryBytes())));
    }
    if (hierarchy.controllers().contains("pids")) {
      write(group.resolve("pids.max"), Integer.toString(limits.processes()));
    }
  }

  /** Kills all that is in an attempt's groups. Returns whether there was anything. */
  boolean kill(AttemptId attempt) {
    boolean found = false;
    for (Hierarchy hierarchy : hierarchies) {
      Path group = hierarchy.folder().resolve(attempt.text());
      try {
        List<Long> processes = living(group);
        if (processes.isEmpty()) {
          continue;
        }
        found = true;
        if (Files.exists(group.resolve("cgroup.kill"))) {
          write(group.resolve("cgroup.kill"), "1");
          continue;
        }
        if (hierarchy.controllers().contains("pids")) {
          // Nobody can fork away from what follows.
          write(group.resolve("pids.max"), "0");
        }
        for (long process : processes) {
          ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
        }
      } catch (IOException e) {
        LOG.warn("{}: {}", group, e.toString());
      }
    }
    return found;
  }

  private static List<Long> living(Path group) throws IOException {
    if (!Files.isDirectory(group)) {
      return List.of();
    }
    List<Long> living = new ArrayList<>();
    for (String line : Files.readAllLines(group.resolve("cgroup.procs"))) {
      // 0 is a process that cannot be seen from here.
      long process = Long.parseLong(line);
      if (process > 0 && ProcessId.isRunning(process)) {
        living.add(process);
      }
    }
    return living;
  }

  /** Whether the system killed something of an attempt because it took too much memory. */
  boolean ranOutOfMemory(AttemptId attempt) {
    for (Hierarchy hierarchy : hierarchies) {
      if (!hierarchy.controllers().contains("memory")) {
        continue;
      }
      Path events =
          hierarchy
              .folder()
              .resolve(attempt.text())
              .resolve(hierarchy.isSecond() ? "memory.events" : "memory.oom_control");
      try {
        for (String line : Files.readAllLines(events)) {
          if (line.startsWith("oom_kill ") && !line.equals("oom_kill 0")) {
            return true;
          }
        }
      } catch (IOException e) {
        // It has no such group, or the system does not count.
      }
    }
    return false;
  }

  /** Takes an attempt's groups away, as far as they are empty. */
  void remove(AttemptId attempt) {
    for (Hierarchy hierarchy : hierarchies) {
      tryRemove(hierarchy.folder().resolve(attempt.text()));
    }
  }

  /**
   * Takes away groups that nobody needs any more. One of a live attempt may be empty: its workers
   * are just being started.
   */
  void sweepOut(Set<AttemptId> live) {
    Set<String> kept = new TreeSet<>();
    live.forEach(attempt -> kept.add(attempt.text()));
    for (Hierarchy hierarchy : hierarchies) {
      try {
        DataFolder.list(hierarchy.folder()).stream()
            .filter(group -> Files.isDirectory(group) && !kept.contains(nameOf(group)))
            .forEach(ControlGroups::tryRemove);
      } catch (IOException e) {
        LOG.debug("{}", e.toString());
      }
      if (kept.isEmpty()) {
        tryRemove(hierarchy.folder());
      }
    }
  }

  private static String nameOf(Path group) {
    return String.valueOf(group.getFileName());
  }

  private static void tryRemove(Path group) {
    try {
      Files.deleteIfExists(group);
    } catch (IOException e) {
      LOG.debug("{}", e.toString());
    }
  }

  private static List<String> words(Path file) throws IOException {
    return List.of(Files.readString(file).strip().split("\\s+", -1));
  }

  /** A file of the system's: it is never made, and takes a text in one go. */
  private static void write(Path file, String text) throws IOException {
    Files.write(file, text.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
  }
}
