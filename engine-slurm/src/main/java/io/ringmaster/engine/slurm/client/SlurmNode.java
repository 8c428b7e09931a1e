package io.ringmaster.engine.slurm.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A node as scontrol tells it.
 *
 * @param state with all its flags: {@code MIXED+DRAIN}, {@code IDLE*}
 * @param address where others reach it
 * @param reason why it is drained or down; empty: nobody says
 * @param gres what it has, by name and by name and kind: {@code gpu}, {@code gpu:a100}
 */
public record SlurmNode(
    String name,
    String state,
    String reason,
    List<String> partitions,
    int gpus,
    int usedGpus,
    String gpu,
    String address,
    List<String> features,
    List<String> gres,
    double cpus,
    double usedCpus,
    double memoryBytes,
    double usedMemoryBytes) {

  static final double BYTES_PER_MB = 1 << 20;

  /** Flags with which nothing can be started there, in the words of scontrol and of slurmrestd. */
  private static final Set<String> CLOSED =
      Set.of(
          "BLOCKED",
          "DOWN",
          "DRAIN",
          "DRAINED",
          "DRAINING",
          "ERROR",
          "FAIL",
          "FAILING",
          "FUTURE",
          "INVAL",
          "INVALID",
          "INVALID_REG",
          "MAINT",
          "MAINTENANCE",
          "NOT_RESPONDING",
          "POWERED_DOWN",
          "POWERING_DOWN",
          "POWERING_UP",
          "REBOOT",
          "REBOOT_ISSUED",
          "REBOOT_REQUESTED",
          "UNKNOWN");

  /** What {@code scontrol -d show node -o} printed. */
  public static List<SlurmNode> parse(String text) {
    List<SlurmNode> nodes = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("NodeName=")) {
        nodes.add(of(line));
      }
    }
    return nodes;
  }

  private static SlurmNode of(String line) {
    Map<String, String> fields = new HashMap<>();
    for (String word : line.split(" +", -1)) {
      int sign = word.indexOf('=');
      if (sign > 0) {
        fields.putIfAbsent(word.substring(0, sign), word.substring(sign + 1));
      }
    }
    // The last, and the only one with spaces in it.
    int reason = line.indexOf(" Reason=");
    String gres = fields.getOrDefault("Gres", "");
    return new SlurmNode(
        fields.getOrDefault("NodeName", ""),
        fields.getOrDefault("State", "UNKNOWN"),
        reason < 0 ? "" : line.substring(reason + " Reason=".length()).strip(),
        words(fields.getOrDefault("Partitions", "")),
        SlurmJob.gpus(gres),
        SlurmJob.gpus(fields.getOrDefault("GresUsed", "")),
        kind(gres),
        fields.getOrDefault("NodeAddr", fields.getOrDefault("NodeName", "")),
        words(fields.getOrDefault("ActiveFeatures", "")),
        names(gres),
        number(fields, "CPUEfctv", number(fields, "CPUTot", 0)),
        number(fields, "CPUAlloc", 0),
        number(fields, "RealMemory", 0) * BYTES_PER_MB,
        number(fields, "AllocMem", 0) * BYTES_PER_MB);
  }

  private static double number(Map<String, String> fields, String name, double otherwise) {
    String value = fields.getOrDefault(name, "");
    return value.matches("\\d{1,15}") ? Double.parseDouble(value) : otherwise;
  }

  /** Of {@code gpu:a100:8(S:0-1),nvme:2} what is named there: gpu, gpu:a100, nvme. */
  static List<String> names(String gres) {
    List<String> names = new ArrayList<>();
    for (String part : words(gres.replaceAll("\\([^)]*\\)", ""))) {
      String[] words = part.split(":", -1);
      names.add(words[0]);
      if (words.length == 3) {
        names.add(words[0] + ":" + words[1]);
      }
    }
    return names.stream().distinct().toList();
  }

  static List<String> words(String text) {
    return Arrays.stream(text.split(",", -1))
        .filter(word -> !word.isEmpty() && !word.equals("(null)"))
        .toList();
  }

  static String kind(String gres) {
    for (String part : gres.replaceAll("\\([^)]*\\)", "").split(",", -1)) {
      String[] words = part.split(":", -1);
      if (words[0].equals("gpu") && words.length == 3) {
        return words[1];
      }
    }
    return "";
  }

  /** Whether jobs can be started there now. */
  public boolean isUp() {
    return isResponding()
        && Arrays.stream(state.split("\\+", -1)).noneMatch(flag -> CLOSED.contains(plain(flag)));
  }

  /** Whether Slurm hears of it, and so has told it what must not run there. */
  public boolean isResponding() {
    return !state.contains("*") && !state.contains("UNKNOWN") && !state.contains("NOT_RESPONDING");
  }

  private static String plain(String flag) {
    return flag.replaceAll("[^A-Z_]", "");
  }
}
