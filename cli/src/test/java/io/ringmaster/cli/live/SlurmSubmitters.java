package io.ringmaster.cli.live;

import io.ringmaster.testing.SlurmTestbed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntUnaryOperator;

/** People who submit jobs, every other one by sbatch, and the rest to the server. */
final class SlurmSubmitters {
  private static final int MOST_OPEN = 12;
  private static final double LONGEST_JOB_SECONDS = 6;

  /** So long what Slurm does not know may still run. */
  private static final double FORGOTTEN_SECONDS = 10;

  private final SlurmTestbed testbed;
  private final KillDiary diary;
  private final String mark;

  /** What people submitted: the number that Slurm gave last, by the number of the job. */
  private final Map<Integer, String> sbatched = new HashMap<>();

  /** Ids of what was submitted to the server. */
  private final Map<Integer, Long> submitted = new HashMap<>();

  private final Map<Integer, Double> forgottenSince = new HashMap<>();
  private int resubmitted;

  /**
   * Nobody yet.
   *
   * @param mark in the environment of all that runs
   */
  SlurmSubmitters(SlurmTestbed testbed, KillDiary diary, String mark) {
    this.testbed = testbed;
    this.diary = diary;
    this.mark = mark;
  }

  /** Ids of what was submitted to the server, by the number of the job. */
  Map<Integer, Long> submitted() {
    return submitted;
  }

  /** How often sbatch had to be said again. */
  int resubmitted() {
    return resubmitted;
  }

  /** Whose a job is. */
  String name(int number) {
    return submitted.containsKey(number)
        ? "job %d of the server".formatted(submitted.get(number))
        : "job %s of Slurm".formatted(sbatched.get(number));
  }

  /**
   * Submits jobs, a few at a time.
   *
   * @param most the number of the last job that may be submitted by now, of so many jobs
   */
  void submit(ServerProcess server, int jobs, Random sizes, IntUnaryOperator most) {
    int number = 0;
    while (number < jobs) {
      int open = number - diary.done().size();
      if (open >= MOST_OPEN || number > most.applyAsInt(jobs)) {
        submitAgainWhatSlurmForgot();
        Client.pause(500);
        continue;
      }
      double seconds = 0.5 + (LONGEST_JOB_SECONDS - 0.5) * sizes.nextDouble();
      if (number % 2 == 0) {
        sbatch(number, 1 << sizes.nextInt(3), seconds);
      } else {
        submit(server, number, seconds);
      }
      number++;
    }
  }

  private void submit(ServerProcess server, int number, double seconds) {
    Map<String, Object> job =
        Map.of(
            "name",
            "kill-" + number,
            "command",
            List.of("sh", "-c", diary.program(number, seconds)),
            "env",
            Map.of("KILL_RUN", mark),
            "gpus",
            1,
            "duration_s",
            seconds);
    String key = UUID.randomUUID().toString();
    while (!submitted.containsKey(number)) {
      try {
        submitted.put(number, server.client().submit("submit", "/jobs", job, key).whole("id"));
      } catch (Unanswered e) {
        if (e.status() != Unanswered.UNAVAILABLE) {
          throw e;
        }
        Client.pause(50);
      }
    }
  }

  /** As an ordinary user does, who knows nothing of Ringmaster, and tries again after an error. */
  private void sbatch(int number, int gpus, double seconds) {
    while (true) {
      try {
        String id =
            testbed.run(
                "setpriv",
                "--reuid=games",
                "--regid=games",
                "--clear-groups",
                "env",
                "KILL_RUN=" + mark,
                "timeout",
                "20",
                "sbatch",
                "--parsable",
                "-p",
                "ring",
                "-D",
                "/tmp",
                "-o",
                "/dev/null",
                "-J",
                "kill-" + number,
                "-t",
                "5",
                "--gres=gpu:" + gpus,
                "--wrap=" + diary.program(number, seconds));
        sbatched.put(number, id.strip());
        return;
      } catch (IllegalStateException e) {
        // It may have been heard all the same.
        if (names().contains("kill-" + number)) {
          return;
        }
        Client.pause(200);
      }
    }
  }

  private Set<String> names() {
    while (true) {
      try {
        return new HashSet<>(
            testbed
                .run("squeue", "-h", "-a", "-t", "all", "-p", "ring", "-o", "%j")
                .lines()
                .toList());
      } catch (IllegalStateException e) {
        Client.pause(200);
      }
    }
  }

  /**
   * A slurmctld that is killed loses what it was given in its last seconds, with or without us.
   * What runs of it is killed when nodes are back.
   */
  void submitAgainWhatSlurmForgot() {
    Set<String> known = names();
    Set<String> done = diary.done();
    double now = System.nanoTime() * 1e-9;
    for (int number : List.copyOf(sbatched.keySet())) {
      if (known.contains("kill-" + number) || done.contains(Integer.toString(number))) {
        forgottenSince.remove(number);
      } else if (now > forgottenSince.computeIfAbsent(number, _ -> now) + FORGOTTEN_SECONDS) {
        resubmitted++;
        forgottenSince.remove(number);
        sbatch(number, 1, 1);
      }
    }
  }
}
