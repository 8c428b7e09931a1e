package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Arrival.State;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.engine.slurm.client.Needs;
import io.ringmaster.engine.slurm.client.SlurmJob;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that people submitted to the partition, as the plane is to see them. Their id is made of
 * what Slurm calls them, when they were submitted and what they ask for. Once one is launched, that
 * is remembered: a requeue changes the one, and we the other.
 */
final class PeoplesJobs {
  private static final Pattern DEPENDENCY = Pattern.compile("(\\w+):(\\d+(?:_\\d+)?)");
  private static final DateTimeFormatter BEGIN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final double LONGEST_SECONDS = 3e9;

  /** Each mark is a label on many nodes, and a kind of node to policies. */
  private static final int MOST_MARKS = 50;

  private static final int LONGEST_MARK = 100;
  private static final double BYTES_PER_GB = 1e9;
  private static final double MILLIONTH = 1e-6;

  private final String cluster;

  /** Of those that were launched, by what Slurm calls them. */
  private final Map<String, String> launched;

  /**
   * What scripts say of themselves, by what Slurm calls their jobs, and when they were submitted.
   */
  private final Map<String, String> said = new HashMap<>();

  /** What was made of each row the last time, by what Slurm calls it: most stay as they are. */
  private Map<String, Seen> seen = new HashMap<>();

  private record Seen(SlurmJob row, String id, Request request, JobSpec spec) {}

  /** What nodes are marked with, and who may be there: policies know of marks only. */
  private final Map<String, Needs> marks = new LinkedHashMap<>();

  /** Arrays of which Slurm runs no more tasks at once, and how many these are. */
  private final Map<String, Long> full = new HashMap<>();

  /** How many tasks of each array have processes. */
  private Map<String, Long> running = Map.of();

  /** Told as not over the last time. */
  private Set<String> open = new HashSet<>();

  PeoplesJobs(String cluster, Map<String, String> launched) {
    this.cluster = cluster;
    this.launched = new HashMap<>(launched);
  }

  /** What the script of a job says of itself. */
  void says(SlurmJob job, String script) {
    Matcher line = Pattern.compile("(?m)^#RINGMASTER\\b.*$").matcher(script);
    said.put(key(job), line.find() ? line.group() : "");
  }

  /** Whether its script has not been looked at. */
  boolean isUnread(SlurmJob job) {
    return job.isBatch() && job.comment().isEmpty() && !said.containsKey(key(job));
  }

  private static String key(SlurmJob job) {
    // Tasks of an array have one script.
    return array(job.address()) + "@" + job.submitSeconds();
  }

  Request request(SlurmJob job) {
    return Request.of(request(id(job)));
  }

  private static String request(String id) {
    return id.substring(id.lastIndexOf('/') + 1);
  }

  /** What Slurm calls the job of an id. */
  static String address(String id) {
    String[] parts = id.split("/", -1);
    return parts.length < 4 ? "" : parts[parts.length - 3];
  }

  /** Unique for ever: also if Slurm gives a number again. */
  String id(SlurmJob job) {
    String known = launched.get(job.address());
    if (known != null && (job.restarts() > 0 || known.contains("/" + job.submitSeconds() + "/"))) {
      return known;
    }
    String says = job.comment().isEmpty() ? said.getOrDefault(key(job), "") : job.comment();
    return cluster
        + "/"
        + job.address()
        + "/"
        + job.submitSeconds()
        + "/"
        + Request.of(job, says).text();
  }

  /** The row of a job as it was last seen; null: it is not one of those that were told. */
  @Nullable SlurmJob seen(String address) {
    Seen row = seen.get(address);
    return row == null ? null : row.row;
  }

  void launched(String address, String id) {
    launched.put(address, id);
  }

  /** Slurm does not start a job of an array, since as many of its tasks run as may at once. */
  void isFull(String address) {
    String array = array(address);
    full.put(array, running.getOrDefault(array, 0L));
  }

  private static String array(String address) {
    int task = address.indexOf('_');
    return task < 0 ? address : address.substring(0, task);
  }

  /** Marks nodes with what jobs may be there. */
  List<Node> marked(List<Node> nodes, Collection<SlurmNode> told) {
    if (marks.isEmpty()) {
      return nodes;
    }
    Map<String, SlurmNode> byName = new HashMap<>();
    told.forEach(node -> byName.put(node.name(), node));
    List<Node> marked = new ArrayList<>();
    for (Node node : nodes) {
      Map<String, String> labels = new HashMap<>(node.labels());
      SlurmNode is = byName.get(node.name());
      marks.forEach((mark, needs) -> {
        if (is != null && needs.isMetBy(is)) {
          labels.put(Node.MARK + mark, "");
        }
      });
      marked.add(node.labelled(labels));
    }
    return marked;
  }

  /** What nodes are marked with that a job may be on; empty: it may be on all. */
  private static String mark(Request request) {
    Needs needs = request.needs();
    if (needs.isAnywhere() || !request.whyNot().isEmpty()) {
      return "";
    }
    String words = needs.words().replaceAll("\\p{C}", "?");
    return words.length() <= LONGEST_MARK
        ? words
        : "%s.. #%08x".formatted(words.substring(0, LONGEST_MARK), words.hashCode());
  }

  /** Keeps those of jobs that are told of, first of those that run. */
  private void mark(Collection<Seen> jobs) {
    if (marks.size() >= MOST_MARKS) {
      // Not before: a mark less is another cluster to policies.
      Set<String> used = new HashSet<>();
      jobs.forEach(job -> used.add(job.spec.nodesMarked()));
      marks.keySet().retainAll(used);
    }
    for (boolean run : new boolean[] {true, false}) {
      for (Seen job : jobs) {
        String mark = job.spec.nodesMarked();
        if (!mark.isEmpty()
            && job.row.hasProcesses() == run
            && (run || marks.size() < MOST_MARKS)) {
          marks.putIfAbsent(mark, job.request.needs());
        }
      }
    }
  }

  /** Forgets those that Slurm does not know any more, or that are over. Which? */
  List<String> forgetAllBut(Set<String> addresses) {
    List<String> gone = launched.keySet().stream().filter(a -> !addresses.contains(a)).toList();
    gone.forEach(launched::remove);
    return gone;
  }

  /**
   * What the plane is told.
   *
   * @param rows people's jobs of the partition
   * @param isOurs whether the run that a row tells of is an attempt of ours
   * @param states of jobs that others depend on, in short; empty: not known
   */
  List<Arrival> told(
      List<SlurmJob> rows, Predicate<SlurmJob> isOurs, Function<String, String> states) {
    List<Arrival> told = new ArrayList<>();
    Set<String> nowOpen = new HashSet<>();
    Map<String, Seen> nowSeen = new LinkedHashMap<>();
    Set<String> keys = new HashSet<>();
    for (SlurmJob row : rows) {
      Seen before = seen.get(row.address());
      Seen same = before != null && before.row.equals(row) ? before : null;
      String id = same != null ? same.id : id(row);
      keys.add(key(row));
      if (!row.isOver() || isOurs.test(row)) {
        nowOpen.add(id);
        nowSeen.put(row.address(), same != null ? same : seen(row, id));
      } else if (open.contains(id)) {
        told.add(new Arrival(id, row.user(), seen(row, id).spec, State.OVER, why(row)));
        nowOpen.add(id);
      }
    }
    mark(nowSeen.values());
    count(rows);
    for (Seen each : nowSeen.values()) {
      String why = isOurs.test(each.row) ? "" : whyNot(each, states);
      State state = why.isEmpty() ? State.READY : State.WAITS;
      told.add(new Arrival(each.id, each.row.user(), each.spec, state, why));
    }
    open = nowOpen;
    seen = nowSeen;
    said.keySet().retainAll(keys);
    return told;
  }

  private void count(List<SlurmJob> rows) {
    running =
        rows.stream()
            .filter(SlurmJob::hasProcesses)
            .collect(Collectors.groupingBy(row -> array(row.address()), Collectors.counting()));
    full.entrySet().removeIf(array -> running.getOrDefault(array.getKey(), 0L) < array.getValue());
  }

  private static String why(SlurmJob row) {
    return switch (row.state()) {
      case "CA" -> "was cancelled in Slurm";
      case "CD" -> "ended in Slurm, where it was started without Ringmaster";
      default -> "ended in Slurm: %s, %s".formatted(row.state(), row.reason());
    };
  }

  /** Why it must not be launched; empty: it may. */
  private String whyNot(Seen job, Function<String, String> states) {
    SlurmJob row = job.row;
    if (row.hasProcesses()) {
      return "runs already: Slurm started it by itself";
    }
    if (row.gpusPerNode() + row.gpus() + row.gpusPerTask() == 0) {
      return "asks for no GPU; submit it to another partition";
    }
    if (row.isHeterogeneous()) {
      return "is a heterogeneous job, which cannot be placed; submit it with -N and --gres";
    }
    String unread = job.request.whyNot();
    if (!unread.isEmpty()) {
      return unread;
    }
    if (!job.spec.nodesMarked().isEmpty() && !marks.containsKey(job.spec.nodesMarked())) {
      return "asks for nodes (%s), and jobs before it do so in %d other ways; it waits for one of these to end"
          .formatted(job.spec.nodesMarked(), MOST_MARKS);
    }
    if (!row.isHeld()) {
      return "is about to be held in Slurm";
    }
    // Of one that was requeued this is Slurm's own wait, which ends when it is started.
    if (row.restarts() == 0 && row.eligibleSeconds() > Records.now()) {
      return "is not to begin before %s UTC (--begin)"
          .formatted(BEGIN.format(Instant.ofEpochSecond(row.eligibleSeconds())));
    }
    Long tasks = full.get(array(row.address()));
    if (tasks != null) {
      return "%d tasks of its array run, and no more may at once".formatted(tasks);
    }
    return waitsFor(row.dependency(), states);
  }

  /** Slurm looks at dependencies of jobs that are held only after it released them. */
  static String waitsFor(String dependency, Function<String, String> states) {
    if (dependency.isEmpty()) {
      return "";
    }
    Matcher matcher = DEPENDENCY.matcher(dependency);
    while (matcher.find()) {
      String state = states.apply(matcher.group(2));
      boolean waits =
          switch (matcher.group(1)) {
            case "after" -> state.equals("PD");
            case "afterok", "afterany", "afternotok", "aftercorr", "afterburstbuffer" ->
                Set.of("PD", "R", "CG", "CF", "S").contains(state);
            default -> false;
          };
      if (waits) {
        return "waits in Slurm: " + dependency;
      }
    }
    return "";
  }

  /** Ids of the jobs that this one depends on. */
  static List<String> dependsOn(SlurmJob row) {
    if (row.dependency().isEmpty()) {
      return List.of();
    }
    List<String> ids = new ArrayList<>();
    Matcher matcher = DEPENDENCY.matcher(row.dependency());
    while (matcher.find()) {
      ids.add(matcher.group(2));
    }
    return ids;
  }

  private static Seen seen(SlurmJob row, String id) {
    Request request = Request.of(request(id));
    return new Seen(row, id, request, spec(row, request));
  }

  private static JobSpec spec(SlurmJob row, Request request) {
    String name = row.name().replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^[._-]+", "");
    Map<String, Object> fields = new HashMap<>();
    fields.put("name", name.isEmpty() ? "job" : name.substring(0, Math.min(64, name.length())));
    fields.put("command", List.of(row.command().isEmpty() ? "sbatch" : clean(row.command())));
    fields.put("gpus", Math.max(1, request.gpus()));
    if (request.isElastic()) {
      fields.put("min_gpus", request.minGpus());
      fields.put("max_gpus", request.maxGpus());
    }
    if (row.timeLimitSeconds() > 0 && row.timeLimitSeconds() < LONGEST_SECONDS) {
      // The limit itself is Slurm's to keep; it is the best guess of how long it takes.
      fields.put("duration_s", row.timeLimitSeconds());
    }
    if (!row.account().isEmpty()) {
      fields.put("env", Map.of("SLURM_JOB_ACCOUNT", clean(row.account())));
    }
    if (request.isFixed() && request.gpusPerNode() > 1) {
      fields.put("piece_gpus", request.gpusPerNode());
    }
    fields.put("cpus_per_gpu", rounded(request.cpusPerGpu()));
    fields.put("memory_gb_per_gpu", rounded(request.memoryBytesPerGpu() / BYTES_PER_GB));
    fields.put("nodes_marked", mark(request));
    fields.put("resumable", request.resumable());
    return JobSpecs.of(fields);
  }

  /** Up: who asks for a third has no less. */
  private static double rounded(double amount) {
    return Math.min(Math.ceil(amount / MILLIONTH) * MILLIONTH, 1e6);
  }

  private static String clean(String text) {
    String clean = text.replaceAll("\\p{C}", "?");
    return clean.substring(0, Math.min(1000, clean.length()));
  }
}
