package io.ringmaster.engine.slurm.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job as squeue tells it. Name and comment are whatever its owner wrote.
 *
 * @param address what Slurm's commands know it by, also a task of an array: {@code 17} or {@code
 *     17_3}
 * @param state in short: PD, R, CG, CD, F, ...
 * @param isHeld whether its priority is 0
 * @param timeLimitSeconds NaN: none
 * @param submitSeconds since 1970; another one after each requeue
 * @param restarts how often it was requeued
 * @param nodes how many it asks for or has
 * @param gpusPerNode 0: it does not say
 * @param gpus of the whole job; 0: it does not say
 * @param gpusPerTask 0: it does not say
 * @param tasksPerNode 0: it does not say
 * @param nodeList those that it has
 * @param needs what it asks for beside GPUs; of one that has nodes, what it has
 * @param eligibleSeconds before then Slurm does not start it; 0: any time
 * @param waitStatus how it ended, as of wait(2)
 * @param isBatch whether it has a script: others cannot be requeued
 * @param isHeterogeneous whether it has several components
 */
public record SlurmJob(
    String address,
    long id,
    String partition,
    String state,
    String reason,
    String user,
    String account,
    boolean isHeld,
    double timeLimitSeconds,
    long submitSeconds,
    int restarts,
    int nodes,
    int gpusPerNode,
    int gpus,
    int gpusPerTask,
    int tasks,
    int tasksPerNode,
    List<String> nodeList,
    Needs needs,
    long eligibleSeconds,
    int waitStatus,
    String dependency,
    boolean isHeterogeneous,
    boolean isBatch,
    boolean mayRequeue,
    String command,
    String name,
    String comment) {

  private static final List<String> COLUMNS =
      List.of(
          "JobArrayID",
          "JobID",
          "Partition",
          "StateCompact",
          "Reason",
          "UserName",
          "Account",
          "PriorityLong",
          "TimeLimit",
          "SubmitTime",
          "RestartCnt",
          "NumNodes",
          "tres-per-node",
          "tres-per-job",
          "tres-per-task",
          "NumTasks",
          "NTPerNode",
          "NodeList",
          "tres-alloc",
          "MinMemory",
          "cpus-per-tres",
          "mem-per-tres",
          "Feature",
          "ReqNodes",
          "EligibleTime",
          "exit_code",
          "Dependency",
          "HetJobID",
          "BatchFlag",
          "Requeue",
          "Command",
          "Name",
          "Comment");

  private static final Pattern IN_BRACKETS = Pattern.compile("\\([^)]*\\)");
  private static final Pattern NODES = Pattern.compile("(?:^|,)node=(\\d{1,9})");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern TIME = Pattern.compile("(\\d+-)?\\d+(:\\d+){0,2}");
  private static final Set<String> WAITING = Set.of("PD", "CF", "RH", "RQ", "RF", "SE");
  private static final Set<String> WITH_PROCESSES = Set.of("R", "CG", "S", "ST", "SO", "SI", "RS");

  /**
   * What squeue is to print.
   *
   * @param mark ends each column: a word that no owner of a job could know in advance, since they
   *     may write whole lines into their jobs' comments
   */
  public static String format(String mark) {
    return String.join(",", COLUMNS.stream().map(column -> column + ":" + mark).toList());
  }

  /** What squeue printed. */
  public static List<SlurmJob> parse(String text, String mark) {
    List<SlurmJob> jobs = new ArrayList<>();
    String[] row = new String[COLUMNS.size()];
    int column = 0;
    int from = 0;
    for (int to = text.indexOf(mark); to >= 0; to = text.indexOf(mark, from)) {
      row[column++] = known(text.substring(from, to).strip());
      from = to + mark.length();
      if (column == row.length) {
        jobs.add(of(row));
        column = 0;
      }
    }
    return jobs;
  }

  private static SlurmJob of(String[] row) {
    return new SlurmJob(
        row[0],
        whole(row[1]),
        row[2],
        row[3],
        row[4],
        row[5],
        row[6],
        row[7].equals("0"),
        seconds(row[8]),
        whole(row[9]),
        (int) whole(row[10]),
        nodes(whole(row[11]), row[18], whole(row[15]), tasksPerNode(row[16])),
        gpus(row[12]),
        gpus(row[13]),
        gpus(row[14]),
        (int) whole(row[15]),
        tasksPerNode(row[16]),
        HostList.names(row[17]),
        new Needs.Told(
                row[12],
                row[13],
                row[14],
                row[18],
                whole(row[19]) > 0,
                row[20],
                row[21],
                row[22],
                HostList.names(row[23]),
                List.of())
            .needs(),
        whole(row[24]),
        (int) whole(row[25]),
        row[26],
        !row[27].isEmpty() && !row[27].equals("0"),
        !row[28].equals("0"),
        !row[29].equals("0"),
        row[30],
        row[31],
        row[32]);
  }

  /**
   * How many nodes it asks for. What Slurm tells as their number is a guess where a job only says
   * how many tasks, and too high if these need several CPUs each.
   */
  static int nodes(long told, String tres, long tasks, int tasksPerNode) {
    Matcher asked = NODES.matcher(tres);
    long least = asked.find() ? Long.parseLong(asked.group(1)) : told;
    long forTasks = tasksPerNode == 0 ? 0 : Math.ceilDiv(tasks, tasksPerNode);
    return (int) Math.max(least, forTasks);
  }

  private static String known(String word) {
    return word.equals("(null)") || word.equals("N/A") ? "" : word;
  }

  private static long whole(String word) {
    // Numbers of nodes may be ranges: 1-4.
    int end = 0;
    while (end < word.length() && Character.digit(word.charAt(end), 10) >= 0) {
      end++;
    }
    return end == 0 || end > 18 ? 0 : Long.parseLong(word.substring(0, end));
  }

  private static int tasksPerNode(String word) {
    long tasks = whole(word);
    // Slurm's own words for "not said".
    return tasks >= 65_533 ? 0 : (int) tasks;
  }

  /** Of {@code gres:gpu:a100:2}, {@code gres/gpu=2} or {@code gpu:2(S:0)} the 2. */
  static int gpus(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    int gpus = 0;
    for (String part : IN_BRACKETS.matcher(text).replaceAll("").split(",", -1)) {
      String name = part.strip();
      name = name.startsWith("gres:") || name.startsWith("gres/") ? name.substring(5) : name;
      if (name.equals("gpu")) {
        gpus += 1;
      } else if (name.startsWith("gpu:") || name.startsWith("gpu=")) {
        String count = name.substring(Math.max(name.lastIndexOf(':'), name.lastIndexOf('=')) + 1);
        // A kind without a number is one, and none is none: gpu:a100, gpu:0.
        gpus += NUMBER.matcher(count).lookingAt() ? (int) whole(count) : 1;
      }
    }
    return gpus;
  }

  /** Of {@code 1-02:03:04}, {@code 10:00} or {@code 5}; NaN: no limit. */
  static double seconds(String text) {
    if (!TIME.matcher(text).matches()) {
      return Double.NaN;
    }
    int dash = text.indexOf('-');
    double seconds = dash < 0 ? 0 : 86_400 * Double.parseDouble(text.substring(0, dash));
    String[] parts = text.substring(dash + 1).split(":", -1);
    double rest = 0;
    for (String part : parts) {
      rest = 60 * rest + Double.parseDouble(part);
    }
    boolean isHours = parts.length == 1 && dash >= 0;
    return seconds + (isHours ? 3600 * rest : parts.length == 1 ? 60 * rest : rest);
  }

  /** The same, which must not have these nodes. */
  SlurmJob excluding(List<String> nodes) {
    return new SlurmJob(
        address,
        id,
        partition,
        state,
        reason,
        user,
        account,
        isHeld,
        timeLimitSeconds,
        submitSeconds,
        restarts,
        this.nodes,
        gpusPerNode,
        gpus,
        gpusPerTask,
        tasks,
        tasksPerNode,
        nodeList,
        needs.excluding(nodes),
        eligibleSeconds,
        waitStatus,
        dependency,
        isHeterogeneous,
        isBatch,
        mayRequeue,
        command,
        name,
        comment);
  }

  public boolean isWaiting() {
    return WAITING.contains(state);
  }

  /** Whether it may have processes, also such that are being ended. */
  public boolean hasProcesses() {
    return WITH_PROCESSES.contains(state);
  }

  public boolean isOver() {
    return !isWaiting() && !hasProcesses();
  }

  /** As a shell would tell it: 128 + n for signal n. */
  public int exitCode() {
    int signal = waitStatus & 127;
    return signal != 0 ? 128 + signal : (waitStatus >> 8) & 255;
  }
}
