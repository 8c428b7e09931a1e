package io.ringmaster.workload.trace;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Why a job waits, as squeue has it, in plain words that stand behind "it is held back:". Slurm's
 * own word stands behind them where somebody may want to look it up.
 *
 * @see <a href="https://slurm.schedmd.com/job_reason_codes.html">Job reason codes</a>
 */
final class SlurmReason {
  /** Of those that wait for nothing but their turn. */
  private static final Set<String> IN_TURN =
      Set.of(
          "",
          "NONE",
          "(NULL)",
          "PRIORITY",
          "RESOURCES",
          "WAITINGFORSCHEDULING",
          "CLEANING",
          "PROLOG");

  private static final String NOT_AVAILABLE = "REQNODENOTAVAIL";
  private static final String NODES_REQUIRED = "NODES REQUIRED FOR JOB ARE";

  private static final Map<String, String> PLAIN =
      Map.ofEntries(
          Map.entry("JobHeldUser", "its user holds it; 'scontrol release %s' lets it go"),
          Map.entry("JobHeldAdmin", "an administrator holds it, who alone can release it"),
          Map.entry(
              "DependencyNeverSatisfied",
              "the job that it waits for did not end as it needs, so it never starts; 'scancel %s'"
                  + " removes it"),
          Map.entry("PartitionDown", "its partition is down; administrators bring it up"),
          Map.entry("PartitionInactive", "its partition is closed; administrators open it"),
          Map.entry(
              "PartitionNodeLimit", "it asks for more nodes than its partition has or allows"),
          Map.entry("PartitionTimeLimit", "it asks for more time than its partition allows"),
          Map.entry("PartitionConfig", "its partition does not allow such a job"),
          Map.entry("BadConstraints", "no node is what it asks for"),
          Map.entry("Licenses", "a licence that it needs is not free"),
          Map.entry("Reservation", "its reservation has not begun, or has no room"),
          Map.entry("ReservationDeleted", "its reservation is gone"),
          Map.entry("InvalidAccount", "its account is not valid"),
          Map.entry("InvalidQOS", "its quality of service is not valid"),
          Map.entry("JobHoldMaxRequeue", "it was put back into the queue too often and is held"),
          Map.entry(
              "JobArrayTaskLimit",
              "its array lets so many of its tasks run at once and no more; it follows when one"
                  + " ends"),
          Map.entry("JobLaunchFailure", "its launch failed, and it is held"),
          Map.entry("NodeDown", "a node that it needs is down"),
          Map.entry("DeadLine", "it can no longer meet its deadline"));

  private static final Map<String, String> AFTER =
      Map.of(
          "after", "job %s to begin",
          "afterany", "job %s to end",
          "afterok", "job %s to end well",
          "afternotok", "job %s to fail",
          "aftercorr", "the same task of job %s to end well",
          "afterburstbuffer", "the data of job %s to be moved");

  private static final int MOST_DEPENDENCIES = 3;

  private SlurmReason() {}

  /** Empty if it waits for nothing but its turn. */
  static String held(String id, SlurmRow row, ZoneId zone) {
    String reason = row.queued().reason();
    String upper = reason.toUpperCase(Locale.ROOT);
    AskedPlace asked = row.queued().asked();
    boolean lacksNodes = upper.startsWith(NOT_AVAILABLE) || upper.startsWith(NODES_REQUIRED);
    if (IN_TURN.contains(upper) || (lacksNodes && asked.onNodes().isEmpty())) {
      return "";
    }
    if (lacksNodes) {
      return "of the nodes that it asks for (%s) some take no jobs now"
          .formatted(String.join(", ", asked.onNodes()));
    }
    String plain = PLAIN.get(reason);
    if (plain != null) {
      String words = plain.contains("%s") ? plain.formatted(id) : plain;
      return "%s (%s)".formatted(words, reason);
    }
    return switch (reason) {
      case "Dependency" -> dependency(asked.dependency());
      case "BeginTime" -> begin(row.startSeconds(), zone);
      default -> limit(reason);
    };
  }

  static String atOnce(int tasks) {
    return "its array lets %d of its tasks run at once; it follows when one ends".formatted(tasks);
  }

  private static String begin(long seconds, ZoneId zone) {
    return seconds == SlurmTime.UNKNOWN
        ? "it is not to begin yet (BeginTime)"
        : "it is not to begin before %s (%s)"
            .formatted(
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT)
                    .format(Instant.ofEpochSecond(seconds).atZone(zone)),
                zone.getId());
  }

  /** Of {@code afterok:12(unfulfilled),afterany:13+5(unfulfilled)}. */
  private static String dependency(String text) {
    List<String> waitsFor = new ArrayList<>();
    boolean any = text.indexOf('?') >= 0;
    for (String each : text.replaceAll("\\([^)]*\\)", "").split("[,?]", -1)) {
      String[] words = each.split(":", -1);
      String after = AFTER.get(words[0]);
      if (words[0].equals("singleton")) {
        waitsFor.add("other jobs of its user and name to end");
      } else if (after != null) {
        for (int i = 1; i < words.length; i++) {
          waitsFor.add(after.formatted(words[i].replaceAll("[+].*", "")));
        }
      }
    }
    if (waitsFor.isEmpty()) {
      return "it waits for another job (Dependency)";
    }
    int more = waitsFor.size() - MOST_DEPENDENCIES;
    List<String> told = waitsFor.subList(0, Math.min(MOST_DEPENDENCIES, waitsFor.size()));
    return "it waits for "
        + String.join(any ? " or " : " and ", told)
        + (more > 0 ? " and for %d more".formatted(more) : "");
  }

  /** Limits have some hundred names, made of whose they are and of what there is too much. */
  private static String limit(String reason) {
    String whose =
        reason.startsWith("QOS")
            ? "its quality of service"
            : reason.startsWith("Assoc") ? "its account" : "";
    boolean isLimit =
        !whose.isEmpty()
            || reason.endsWith("Limit")
            || reason.startsWith("Max")
            || reason.contains("PerUser");
    if (!isLimit) {
      return reason.contains("held")
          ? "it was put back into the queue and is held; 'scontrol release' lets it go (%s)"
              .formatted(reason)
          : reason;
    }
    String what =
        reason.contains("GRES") || reason.contains("Gres")
            ? " of GPUs"
            : reason.contains("Jobs")
                ? " of jobs at once"
                : reason.contains("Cpu") || reason.contains("CPU")
                    ? " of CPUs"
                    : reason.contains("Node")
                        ? " of nodes"
                        : reason.contains("Mem") ? " of memory" : "";
    return "a limit%s%s is reached; it follows when its user's or its account's other jobs end (%s)"
        .formatted(what, whose.isEmpty() ? "" : " of " + whose, reason);
  }
}
