package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job that was submitted to the plane, as a batch job: one task for each GPU, started by one srun
 * for each node, so that ranks are in the order of the allocation and splits may be uneven.
 */
final class JobScript {
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 10_000;

  /** How the comments of all jobs begin that servers submitted. */
  static final String TAG = "ringmaster/";

  /** Tells workers that they are to stop; programs that do not wait for it do not notice it. */
  static final String STOP_SIGNAL = "URG";

  /** With this the script ends that finds another has begun the attempt. */
  static final int NOT_THE_FIRST = 98;

  private final PartitionFolder folder;
  private final Launch launch;

  JobScript(PartitionFolder folder, Launch launch) {
    this.folder = folder;
    this.launch = launch;
  }

  /** What marks a job in Slurm as this launch of an attempt. */
  static String tag(String server, AttemptId attempt) {
    return "%s%s/%s/%s"
        .formatted(TAG, server, attempt, Long.toString(System.nanoTime() & Long.MAX_VALUE, 36));
  }

  /** Puts down what the workers need. */
  void prepare(String partition, String tag, String masterAddress) throws IOException {
    AttemptId attempt = launch.attempt();
    Files.createDirectories(folder.attempt(attempt));
    Files.createDirectories(folder.logs(attempt));
    Files.createDirectories(folder.checkpoints(attempt.job()));
    String directory = launch.spec().directory();
    if (directory.isEmpty()) {
      Files.createDirectories(folder.work(attempt.job()));
      directory = folder.work(attempt.job()).toString();
    }
    StringBuilder text = new StringBuilder();
    text.append("cd ").append(quoted(directory)).append(" || exit 126\n");
    Map<String, String> environment = new LinkedHashMap<>(launch.spec().environment());
    environment.keySet().removeAll(List.of("RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE"));
    environment.remove("CUDA_VISIBLE_DEVICES");
    environment.remove("RINGMASTER_NODE");
    environment.put("WORLD_SIZE", Integer.toString(launch.allocation().workers()));
    environment.put("MASTER_ADDR", masterAddress);
    environment.put(
        "MASTER_PORT",
        Long.toString(FIRST_PORT + (31 * attempt.job() + attempt.attempt()) % PORTS));
    environment.put("RINGMASTER_JOB", Long.toString(attempt.job()));
    environment.put("RINGMASTER_ATTEMPT", Integer.toString(attempt.attempt()));
    environment.put("RINGMASTER_CHECKPOINT_DIR", folder.checkpoints(attempt.job()).toString());
    environment.put("RINGMASTER_PROGRESS", folder.progress(attempt).toString());
    environment.put(
        "RINGMASTER_LEARNING_RATE_SCALE",
        BigDecimal.valueOf(launch.learningRateScale()).stripTrailingZeros().toPlainString());
    environment.forEach(
        (name, value) -> text.append("export ").append(quoted(name + "=" + value)).append('\n'));
    text.append("set --");
    launch.spec().command().forEach(word -> text.append(' ').append(quoted(word)));
    text.append("\nexec \"$@\" </dev/null\n");
    PartitionFolder.put(folder.attempt(attempt).resolve("program"), text.toString());
    PartitionFolder.put(folder.attempt(attempt).resolve("worker"), worker());
    PartitionFolder.put(folder.attempt(attempt).resolve("script"), text());
    PartitionFolder.put(
        folder.attempt(attempt).resolve("options"), String.join("\n", options(partition, tag)));
  }

  /**
   * One for each GPU. It waits for its program as the leader of a group: Slurm would send TERM to
   * the processes of a worker one by one, and a shell whose child went first goes on with the next
   * command. So it is Slurm's to tell that there is a stop, and the worker's to send TERM to all at
   * once. A stop may come before there is a program that could hear it: then a file says so. Who
   * ends because it was stopped ends well for srun, which would else kill those that still save.
   */
  private String worker() {
    return """
    stopped=
    told=
    pid=
    stop() {
      if [ -n "$pid" ] && [ -z "$told" ]; then
        told=yes
        kill -s TERM -- "-$pid" 2>/dev/null || kill -s TERM "$pid" 2>/dev/null
      fi
    }
    trap : TERM
    trap 'stopped=yes; stop' %5$s
    rank=$(($1 + SLURM_LOCALID))
    export RANK=$rank LOCAL_RANK=$SLURM_LOCALID LOCAL_WORLD_SIZE=$2 RINGMASTER_NODE=$3
    if [ -e %1$s ]; then
      ln -s 143 %3$s 2>/dev/null
      exit 0
    fi
    setsid sh %2$s >>%4$s/$rank.out 2>>%4$s/$rank.err &
    pid=$!
    [ -z "$stopped" ] || stop
    code=0
    while :; do
      wait $pid
      code=$?
      kill -0 $pid 2>/dev/null || break
    done
    wait $pid 2>/dev/null
    again=$?
    [ $again = 127 ] || code=$again
    if [ $code = 0 ]; then
      : >%6$s$rank
    else
      ln -s $code %3$s 2>/dev/null
    fi
    [ -z "$stopped" ] && [ ! -e %1$s ] || exit 0
    exit $code
    """
        .formatted(
            at(PartitionFolder.STOP),
            at("program"),
            at("first"),
            quoted(folder.logs(launch.attempt()).toString()),
            STOP_SIGNAL,
            at(PartitionFolder.WELL));
  }

  private String at(String name) {
    Path path = folder.attempt(launch.attempt());
    return quoted((name.isEmpty() ? path : path.resolve(name)).toString());
  }

  private boolean isEven() {
    int first = launch.allocation().shares().getFirst().gpus();
    return launch.allocation().shares().stream().allMatch(share -> share.gpus() == first);
  }

  /** What sbatch is told. */
  private List<String> options(String partition, String tag) {
    List<String> words = new ArrayList<>();
    List<Allocation.Share> shares = launch.allocation().shares();
    List<String> common =
        List.of(
            "--partition=" + partition,
            "--job-name=" + launch.spec().name(),
            "--comment=" + tag,
            "--no-requeue",
            "--chdir=/",
            "--output=/dev/null",
            "--cpus-per-task=" + (int) Math.max(1, Math.ceil(launch.spec().cpusPerGpu())));
    if (isEven()) {
      words.addAll(common);
      words.add("--export=PATH,HOME,USER,LANG");
      words.addAll(
          of(shares.size(), shares.getFirst().gpus(), shares.stream().map(s -> s.node()).toList()));
      return words;
    }
    for (Allocation.Share share : shares) {
      if (!words.isEmpty()) {
        words.add(":");
      } else {
        words.add("--export=PATH,HOME,USER,LANG");
      }
      words.addAll(common);
      words.addAll(of(1, share.gpus(), List.of(share.node())));
    }
    return words;
  }

  private List<String> of(int nodes, int gpus, List<String> names) {
    List<String> words = new ArrayList<>();
    words.add("--nodes=" + nodes);
    words.add("--ntasks-per-node=" + gpus);
    words.add("--nodelist=" + String.join(",", names));
    words.add("--gres=gpu:" + gpus);
    if (launch.spec().memoryGbPerGpu() > 0) {
      words.add("--mem=%.0fM".formatted(Math.ceil(1000 * launch.spec().memoryGbPerGpu() * gpus)));
    }
    return words;
  }

  /** The script: claims the attempt, runs all workers, and says how they ended. */
  private String text() {
    StringBuilder text = new StringBuilder("#!/bin/sh\n");
    text.append("trap : TERM\n");
    text.append("mkdir ")
        .append(at("claim"))
        .append(" || exit ")
        .append(NOT_THE_FIRST)
        .append('\n');
    text.append("code=0\nids=$SLURM_JOB_ID\n");
    for (int other = 1; !isEven() && other < launch.allocation().shares().size(); other++) {
      text.append("ids=$ids,$SLURM_JOB_ID_HET_GROUP_%d\n".formatted(other));
    }
    // The first that fails takes the others with it. Not by killing the job: its script has to say
    // how it ended.
    text.append(
        """
        one() {
          "$@"
          it=$?
          if [ $it != 0 ] && [ ! -e %s ]; then
            squeue -h -s -j "$ids" -o %%i | grep '[.][0-9]' | xargs -r scancel -s KILL
          fi
          return $it
        }
        """
            .formatted(at(PartitionFolder.STOP)));
    int first = 0;
    int group = 0;
    List<Allocation.Share> shares = launch.allocation().shares();
    for (Allocation.Share share : shares) {
      text.append("one srun --kill-on-bad-exit=1 --mpi=none -N1 -n")
          .append(share.gpus())
          .append(isEven() ? " -w " + share.node() : " --het-group=" + group)
          .append(" --gres=gpu:")
          .append(share.gpus())
          .append(" sh ")
          .append(at("worker"))
          .append(" %d %d %s &\n".formatted(first, share.gpus(), quoted(share.node())))
          .append("p%d=$!\n".formatted(group));
      first += share.gpus();
      group++;
    }
    for (int i = 0; i < group; i++) {
      text.append(
          "while :; do wait $p%d; it=$?; kill -0 $p%d 2>/dev/null || break; done\n"
              .formatted(i, i));
      text.append("[ $it = 0 ] || code=$it\n");
    }
    text.append("it=$(readlink ").append(at("first")).append(") && code=$it\n");
    text.append("echo $code >").append(at("result.new")).append('\n');
    text.append("mv ").append(at("result.new")).append(' ').append(at("result")).append('\n');
    return text.append("exit $code\n").toString();
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
