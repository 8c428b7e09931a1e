package io.ringmaster.workload.trace;

import io.ringmaster.workload.Numbers;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A node as {@code scontrol --details show node --oneliner} tells of it.
 *
 * @param gpus that it has
 * @param usedGpus that jobs hold, whoever may see these
 * @param gpuType empty if Slurm does not say
 * @param usedCpus that jobs hold
 * @param states as in {@code MIXED+DRAIN}
 * @param reason an administrator's words; may be empty
 */
public record SlurmNode(
    String name,
    int gpus,
    int usedGpus,
    String gpuType,
    double cpus,
    double usedCpus,
    double memoryBytes,
    List<String> partitions,
    Set<String> features,
    Set<String> states,
    String reason) {

  private static final Map<String, String> NO_JOBS =
      Map.ofEntries(
          Map.entry("DOWN", "down"),
          Map.entry("DRAIN", "drained"),
          Map.entry("DRAINED", "drained"),
          Map.entry("DRAINING", "drained"),
          Map.entry("FAIL", "failing"),
          Map.entry("FAILING", "failing"),
          Map.entry("MAINT", "in maintenance"),
          Map.entry("MAINTENANCE", "in maintenance"),
          Map.entry("RESERVED", "reserved"),
          Map.entry("NOT_RESPONDING", "not responding"),
          Map.entry("INVAL", "not what slurm.conf says"),
          Map.entry("INVALID_REG", "not what slurm.conf says"),
          Map.entry("REBOOT_ISSUED", "rebooting"),
          Map.entry("REBOOT_REQUESTED", "about to reboot"),
          Map.entry("POWERING_DOWN", "powering down"),
          Map.entry("FUTURE", "not there yet"),
          Map.entry("UNKNOWN", "unknown to Slurm"));

  /** Of several states the one that says the most. */
  private static final List<String> WORST_FIRST =
      List.of("down", "drained", "in maintenance", "reserved");

  static List<SlurmNode> read(String text) {
    return SlurmLines.of(text).stream()
        .filter(values -> values.containsKey("NodeName"))
        .map(SlurmNode::of)
        .toList();
  }

  private static SlurmNode of(Map<String, String> values) {
    String gres = values.getOrDefault("Gres", "");
    String used = values.get("GresUsed");
    return new SlurmNode(
        values.getOrDefault("NodeName", ""),
        count(gres),
        used == null ? allocated(values) : count(used),
        Tres.gpuType(gres),
        number(values, "CPUTot"),
        number(values, "CPUAlloc"),
        number(values, "RealMemory") * (1 << 20),
        words(values.getOrDefault("Partitions", ""), ","),
        new HashSet<>(words(values.getOrDefault("ActiveFeatures", ""), ",")),
        states(values.getOrDefault("State", "")),
        values.getOrDefault("Reason", ""));
  }

  private static int count(String gres) {
    try {
      return (int) Math.min(Tres.ofGres(gres), TraceJobs.MOST_GPUS_EACH);
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /** Without details Slurm tells what is held only where it accounts for GPUs. */
  private static int allocated(Map<String, String> values) {
    try {
      return (int) Math.min(Tres.of(values.getOrDefault("AllocTRES", "")).gpus(), Short.MAX_VALUE);
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  private static double number(Map<String, String> values, String key) {
    double number = Numbers.parse(values.getOrDefault(key, ""));
    return Double.isFinite(number) ? number : 0;
  }

  private static List<String> words(String text, String between) {
    return text.isEmpty() ? List.of() : List.of(text.split(between, -1));
  }

  /** {@code DOWN*} is one that does not answer. */
  private static Set<String> states(String text) {
    Set<String> states =
        words(text.toUpperCase(Locale.ROOT).replaceAll("[^A-Z_+]", ""), "[+]").stream()
            .collect(Collectors.toCollection(HashSet::new));
    if (text.contains("*")) {
      states.add("NOT_RESPONDING");
    }
    return states;
  }

  /** Whether jobs are started there. */
  public boolean takesJobs() {
    return !states.isEmpty() && states.stream().noneMatch(NO_JOBS::containsKey);
  }

  /** Whether it answers. */
  public boolean isUp() {
    return !states.contains("DOWN") && !states.contains("NOT_RESPONDING");
  }

  /** Why it takes no jobs, as in {@code drained: bad fan}; empty if it takes some. */
  public String whyNot() {
    Set<String> words =
        states.stream()
            .filter(NO_JOBS::containsKey)
            .map(state -> NO_JOBS.getOrDefault(state, ""))
            .collect(Collectors.toCollection(HashSet::new));
    if (words.isEmpty()) {
      return states.isEmpty() ? "in no known state" : "";
    }
    String word =
        WORST_FIRST.stream()
            .filter(words::contains)
            .findFirst()
            .orElseGet(() -> words.iterator().next());
    String said = reason.replaceAll(" *\\[[^\\]]*\\]$", "");
    return said.isEmpty() ? word : "%s: %s".formatted(word, said);
  }

  /** Whether it has what a job asks for, as in {@code fast&(a100|h100)}. */
  boolean has(String asked) {
    if (asked.isEmpty() || asked.indexOf('*') >= 0) {
      return true;
    }
    for (String oneOf : asked.replaceAll("[()\\[\\]]", "").split("[|]", -1)) {
      if (features.containsAll(List.of(oneOf.split("[&,]", -1)))) {
        return true;
      }
    }
    return false;
  }
}
