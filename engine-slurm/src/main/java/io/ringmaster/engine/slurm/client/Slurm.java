package io.ringmaster.engine.slurm.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * What is asked of a slurmctld, a method a question. Each is one call of a command, and fails on
 * its own. {@link SlurmByRest} asks some of it otherwise.
 */
public class Slurm {
  /** So many ids fit into one command line. */
  private static final int IDS_AT_ONCE = 5_000;

  /** Not those of the script itself, which have words for numbers. */
  private static final Pattern STEP = Pattern.compile("\\d+\\.\\d+");

  private final SlurmCommands commands;

  /** Nodes that jobs must not have, by {@link #key}; those of all that were looked at. */
  private volatile Map<String, List<String>> excluded = Map.of();

  public Slurm(SlurmCommands commands) {
    this.commands = commands;
  }

  /** All jobs of a partition that slurmctld remembers, a task of an array each by itself. */
  public List<SlurmJob> jobs(String partition) throws IOException {
    return excluding(queue(List.of("-r", "-p", partition)), partition);
  }

  /** Of what squeue tells by names, excluded nodes are left out: they are asked for once. */
  private List<SlurmJob> excluding(List<SlurmJob> jobs, String partition) throws IOException {
    Map<String, List<String>> known = excluded;
    if (jobs.stream().anyMatch(job -> job.isWaiting() && !known.containsKey(key(job)))) {
      Map<String, String> told = new HashMap<>();
      commands
          .run("squeue", "-h", "-a", "-r", "-t", "PD", "-p", partition, "-o", "%i %x")
          .lines()
          .forEach(line -> {
            int space = line.indexOf(' ');
            told.put(line.substring(0, Math.max(0, space)), line.substring(space + 1).strip());
          });
      Map<String, List<String>> now = new HashMap<>();
      for (SlurmJob job : jobs) {
        if (job.isWaiting()) {
          String names = told.getOrDefault(job.address(), "");
          now.put(key(job), names.isEmpty() ? List.of() : HostList.names(names));
        }
      }
      excluded = now;
    }
    return withExcluded(jobs);
  }

  private List<SlurmJob> withExcluded(List<SlurmJob> jobs) {
    Map<String, List<String>> known = excluded;
    return jobs.stream()
        .map(job -> {
          List<String> nodes = known.getOrDefault(key(job), List.of());
          return nodes.isEmpty() ? job : job.excluding(nodes);
        })
        .toList();
  }

  /** Next time it is looked which nodes a job must not have: its owner may have changed them. */
  public void lookAgain(String job) {
    Map<String, List<String>> left = new HashMap<>(excluded);
    left.keySet().removeIf(key -> key.startsWith(job + "@"));
    excluded = left;
  }

  private static String key(SlurmJob job) {
    return job.address() + "@" + job.submitSeconds();
  }

  /** Jobs by their ids; those that are not known are left out. */
  public List<SlurmJob> jobs(Collection<String> ids) throws IOException {
    List<SlurmJob> jobs = new ArrayList<>();
    List<String> all = List.copyOf(ids);
    for (int from = 0; from < all.size(); from += IDS_AT_ONCE) {
      List<String> some = all.subList(from, Math.min(all.size(), from + IDS_AT_ONCE));
      jobs.addAll(queue(List.of("-r", "-j", String.join(",", some))));
    }
    return withExcluded(jobs);
  }

  private List<SlurmJob> queue(List<String> which) throws IOException {
    String mark =
        "~" + Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36), 36) + "~";
    List<String> words = new ArrayList<>(List.of("squeue", "-h", "-a", "-t", "all"));
    words.addAll(which);
    words.addAll(List.of("-O", SlurmJob.format(mark)));
    SlurmCommands.Answer answer = commands.answer(words, "");
    if (answer.code() != 0) {
      // Of a single id that it does not know it complains.
      if (answer.errors().contains("Invalid job id")) {
        return List.of();
      }
      throw failed(words, answer);
    }
    // As they came, whatever somebody set squeue to do.
    return SlurmJob.parse(answer.text(), mark).stream()
        .sorted(Comparator.comparingLong(SlurmJob::submitSeconds).thenComparingLong(SlurmJob::id))
        .toList();
  }

  /** All nodes, of whatever partition. */
  public List<SlurmNode> nodes() throws IOException {
    return SlurmNode.parse(commands.run("scontrol", "-d", "show", "node", "-o"));
  }

  /** Some of them. */
  public List<SlurmNode> nodes(Collection<String> names) throws IOException {
    return SlurmNode.parse(
        commands.run("scontrol", "-d", "show", "node", "-o", String.join(",", names)));
  }

  /** All that is known of a job, in one line; empty: no such job is. */
  public String details(long job) throws IOException {
    List<String> words = List.of("scontrol", "-d", "show", "job", "-o", Long.toString(job));
    SlurmCommands.Answer answer = commands.answer(words, "");
    if (answer.code() != 0 && !answer.errors().contains("Invalid job id")) {
      throw failed(words, answer);
    }
    return answer.code() == 0 ? answer.text() : "";
  }

  /** What the cluster is called. */
  public String clusterName() throws IOException {
    for (String line : commands.run("scontrol", "show", "config").lines().toList()) {
      if (line.startsWith("ClusterName")) {
        return line.substring(line.indexOf('=') + 1).strip();
      }
    }
    throw new IOException("scontrol show config tells no ClusterName");
  }

  /** Changes a job: words as in {@code nodelist=n3}. */
  public void update(String job, List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of("scontrol", "update", "jobid=" + job));
    command.addAll(words);
    run(command);
  }

  public void release(String job) throws IOException {
    run(List.of("scontrol", "release", job));
  }

  /** Keeps jobs from being started, or being started again. */
  public void hold(Collection<String> jobs) throws IOException {
    run(List.of("scontrol", "hold", String.join(",", jobs)));
  }

  /** Stops a job, also one that has ended, and puts it back into the queue, held. */
  public void requeueHold(String job) throws IOException {
    run(List.of("scontrol", "requeuehold", job));
  }

  public void cancel(List<String> jobs) throws IOException {
    List<String> words = new ArrayList<>(List.of("scancel"));
    words.addAll(jobs);
    run(words);
  }

  /** Sends a signal to a job's script; its steps go on. */
  public void signalScript(String job, String signal) throws IOException {
    run(List.of("scancel", "-b", "-s", signal, job));
  }

  /** Sends a signal to all processes of a job's steps; its script goes on. */
  public void signalSteps(String job, String signal) throws IOException {
    run(List.of("scancel", "-s", signal, job));
  }

  /**
   * Kills all processes of jobs' steps; their scripts go on. Two calls: without the names of steps
   * scancel would kill the scripts too.
   */
  public void killSteps(Collection<Long> jobs) throws IOException {
    String ids = String.join(",", jobs.stream().map(String::valueOf).toList());
    List<String> words = new ArrayList<>(List.of("scancel", "-s", "KILL"));
    commands
        .run("squeue", "-h", "-s", "-j", ids, "-o", "%i")
        .lines()
        .filter(step -> STEP.matcher(step).matches())
        .forEach(words::add);
    if (words.size() > 3) {
      run(words);
    }
  }

  /**
   * Runs of a job that have ended, as accounting has them, or else the list of completed jobs. A
   * site may keep neither: then this fails.
   *
   * @param job its number, also of a task of an array
   */
  public List<SlurmRun> endedRuns(long job) throws IOException {
    List<String> words = new ArrayList<>(List.of("sacct", "-n", "-P"));
    List<String> which = List.of("-j", Long.toString(job), "-o", SlurmRun.COLUMNS);
    List<String> accounted = new ArrayList<>(words);
    accounted.addAll(List.of("-X", "-D"));
    accounted.addAll(which);
    SlurmCommands.Answer answer = commands.answer(accounted, "");
    if (answer.code() != 0) {
      words.add("-c");
      words.addAll(which);
      answer = commands.answer(words, "");
    }
    if (answer.code() != 0) {
      throw failed(words, answer);
    }
    return SlurmRun.parse(answer.text(), job);
  }

  /** Submits a script. Returns the job's id. */
  public String submit(List<String> options, String script) throws IOException {
    List<String> words = new ArrayList<>(List.of("sbatch", "--parsable"));
    words.addAll(options);
    String said = commands.run(words, script).strip();
    String id = said.replaceFirst(";.*", "");
    if (!id.matches("\\d+")) {
      throw new IOException("sbatch did not tell a job's id: " + said);
    }
    return id;
  }

  /** The script of a batch job. */
  public String script(String job) throws IOException {
    return commands.run("scontrol", "write", "batch_script", job, "-");
  }

  private void run(List<String> words) throws IOException {
    SlurmCommands.Answer answer = commands.answer(words, "");
    if (answer.code() != 0) {
      throw failed(words, answer);
    }
  }

  private static IOException failed(List<String> words, SlurmCommands.Answer answer) {
    String said = (answer.errors() + answer.text()).strip().lines().findFirst().orElse("");
    return new IOException(
        "%s failed with code %d: %s".formatted(words.getFirst(), answer.code(), said));
  }
}
