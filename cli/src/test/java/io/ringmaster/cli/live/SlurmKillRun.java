package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Table;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kills a server and slurmctld at random moments while people's own and submitted jobs run on a
 * real Slurm, and then looks whether each was done once. Each job writes a line when it starts and
 * one when it is done. {@code script/kill-test --slurm} runs it.
 */
final class SlurmKillRun {
  private static final int NODES = 4;
  private static final double LONGEST_LIFE_SECONDS = 4;
  private static final double LONGEST_AWAY_SECONDS = 2;
  private static final double END_SECONDS = 300;

  /** Kills of a server that is ready, and has got something done; the others come before. */
  private static final double LATE_SHARE = 0.75;

  private static final double PROGRESS_SECONDS = 20;

  private final Path folder;
  private final int jobs;
  private final int serverKills;
  private final int slurmKills;
  private final Random random;
  private final String mark = "ringmaster-kill-run-" + UUID.randomUUID();
  private final KillDiary diary;
  private final SlurmTestbed testbed;
  private final SlurmSubmitters people;
  private final AtomicInteger killed = new AtomicInteger();
  private int resumed;

  /**
   * Prepares a run.
   *
   * @param testbed with a partition ring, in which what people submit is held
   */
  SlurmKillRun(SlurmTestbed testbed, int jobs, int serverKills, int slurmKills, long seed)
      throws IOException {
    this.testbed = testbed;
    this.folder = Files.createTempDirectory(testbed.folder(), "kill-run");
    this.jobs = jobs;
    this.serverKills = serverKills;
    this.slurmKills = slurmKills;
    this.random = new Random(seed);
    this.diary = KillDiary.open(folder);
    this.people = new SlurmSubmitters(testbed, diary, mark);
    testbed.folder().toFile().setExecutable(true, false);
  }

  /** A Slurm for it, with job_submit.lua of the examples. */
  static SlurmTestbed testbed(Path root) throws IOException {
    SlurmTestbed testbed =
        SlurmTestbed.up(
            Map.of(
                "NODES",
                Integer.toString(NODES),
                "RATE",
                "1gbit",
                "CONF",
                "PartitionName=ring Nodes=n[1-%d] MaxTime=INFINITE State=UP".formatted(NODES)));
    Path etc = testbed.folder().resolve("etc");
    Files.copy(root.resolve("examples/slurm/job_submit.lua"), etc.resolve("job_submit.lua"));
    Path conf = etc.resolve("slurm.conf");
    Files.writeString(conf, "JobSubmitPlugins=lua\n" + Files.readString(conf));
    testbed.cluster("kill", "slurmctld");
    testbed.cluster("start", "slurmctld");
    return testbed;
  }

  /** {@code SlurmKillRun [--kills N] [--slurm-kills N] [--jobs N] [--seed N]}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, Long> given = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      boolean isKnown =
          Set.of("--kills", "--slurm-kills", "--jobs", "--seed").contains(args[i])
              && i + 1 < args.length;
      if (isKnown) {
        given.put(args[i], Long.valueOf(args[++i]));
      } else if (!args[i].equals("--slurm")) {
        System.err.println(
            "kill-test: expected --slurm [--kills N] [--slurm-kills N] [--jobs N] [--seed N]");
        System.exit(2);
      }
    }
    if (!SlurmTestbed.canRun()) {
      System.err.println("kill-test: " + SlurmTestbed.MISSING);
      System.exit(2);
    }
    long seed = given.getOrDefault("--seed", System.nanoTime());
    System.err.println("seed " + seed);
    KillRun.Outcome outcome;
    try (SlurmTestbed testbed = testbed(Path.of(""))) {
      outcome =
          new SlurmKillRun(
                  testbed,
                  given.getOrDefault("--jobs", 200L).intValue(),
                  given.getOrDefault("--kills", 50L).intValue(),
                  given.getOrDefault("--slurm-kills", 20L).intValue(),
                  seed)
              .run();
    }
    System.out.print(outcome.table());
    outcome.wrong().forEach(System.out::println);
    System.exit(outcome.wrong().isEmpty() ? 0 : 1);
  }

  KillRun.Outcome run() throws IOException, InterruptedException {
    long began = System.nanoTime();
    Path config = folder.resolve("serve.yaml");
    Files.writeString(
        config,
        """
        engine: {name: slurm, partition: ring, settle-s: 5, command-limit-s: 10, wrapper: "%s"}
        """
            .formatted(String.join(" ", testbed.prefix())));
    try (ServerProcess server = new ServerProcess(folder, "--config", config.toString())) {
      server.awaitReady();
      Throwable[] failed = new Throwable[1];
      Random sizes = new Random(random.nextLong());
      Thread submitter =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failed[0] = e)
              .start(() -> people.submit(server, jobs, sizes, this::mostByNow));
      killBoth(server, failed);
      server.awaitReady();
      submitter.join();
      if (failed[0] != null) {
        throw new IllegalStateException("submitting failed\n" + server.log(), failed[0]);
      }
      awaitEnd(server);
      return judge(server.client(), (System.nanoTime() - began) / 1e9);
    }
  }

  /** So that jobs come for as long as there are kills. */
  private int mostByNow(int all) {
    return all * (killed.get() + 1) / (serverKills + slurmKills);
  }

  private void killBoth(ServerProcess server, Throwable[] failed) throws InterruptedException {
    int serverLeft = serverKills;
    int slurmLeft = slurmKills;
    while (serverLeft + slurmLeft > 0 && failed[0] == null) {
      if (random.nextDouble() < LATE_SHARE) {
        server.awaitReady();
        awaitProgress();
      }
      Thread.sleep((long) (1000 * LONGEST_LIFE_SECONDS * random.nextDouble()));
      if (random.nextInt(serverLeft + slurmLeft) < slurmLeft) {
        slurmLeft--;
        testbed.cluster("kill", "slurmctld");
        Thread.sleep((long) (1000 * LONGEST_AWAY_SECONDS * random.nextDouble()));
        testbed.cluster("start", "slurmctld");
      } else {
        serverLeft--;
        server.kill();
        server.start();
      }
      resume();
      int done = killed.incrementAndGet();
      if (done % 10 == 0) {
        System.err.printf(
            "%d of %d kills, %d jobs done%n",
            done, serverKills + slurmKills, diary.lines("done").size());
      }
    }
  }

  /**
   * What an administrator does: nodes that Slurm drains because they took the next start of a run
   * that slurmctld forgot for a second copy.
   */
  private void resume() {
    try {
      for (String line : testbed.run("sinfo", "-h", "-R", "-o", "%n %E").lines().toList()) {
        if (line.endsWith(" Duplicate jobid")) {
          resumed++;
          testbed.run(
              "scontrol",
              "update",
              "nodename=" + line.substring(0, line.indexOf(' ')),
              "state=resume");
        }
      }
    } catch (IllegalStateException e) {
      System.err.println("cannot resume nodes now: " + e.getMessage());
    }
  }

  /** Who is killed again before anything happened is not tried. */
  private void awaitProgress() throws InterruptedException {
    long deadline = System.nanoTime() + (long) (1e9 * PROGRESS_SECONDS);
    int before = diary.lines("done").size();
    int some = Math.max(1, jobs / (serverKills + slurmKills));
    while (diary.lines("done").size() < Math.min(before + some, jobs)
        && System.nanoTime() < deadline) {
      Thread.sleep(100);
    }
  }

  private void awaitEnd(ServerProcess server) throws InterruptedException {
    long deadline = System.nanoTime() + (long) (1e9 * END_SECONDS);
    while (System.nanoTime() < deadline) {
      people.submitAgainWhatSlurmForgot();
      resume();
      boolean isEmpty = testbed.run("squeue", "-h", "-a", "-p", "ring").isBlank();
      boolean isOver =
          people.submitted().values().stream()
              .allMatch(id -> JobText.hasEnded(server.client().get("job", "/jobs/" + id)));
      if (isEmpty && isOver && diary.done().size() >= jobs) {
        return;
      }
      Thread.sleep(1000);
    }
  }

  private KillRun.Outcome judge(Client client, double seconds) throws InterruptedException {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> done = new HashMap<>();
    diary.lines("done").forEach(number -> done.merge(number, 1, Integer::sum));
    for (int number = 0; number < jobs; number++) {
      int times = done.getOrDefault(Integer.toString(number), 0);
      if (times != 1) {
        wrong.add("job %d, %s, was done %d times".formatted(number, people.name(number), times));
      }
    }
    diary
        .lines("beside")
        .forEach(number -> wrong.add("job %s ran beside itself".formatted(number)));
    for (long id : people.submitted().values()) {
      Fields job = client.get("job", "/jobs/" + id);
      if (!job.text("state").equals("succeeded")) {
        wrong.add("job %d is %s: %s".formatted(id, job.text("state"), job.text("reason")));
      }
    }
    for (LeftProcesses.Left left : new LeftProcesses("KILL_RUN=" + mark, folder).find()) {
      wrong.add("left running: " + left.command());
    }
    if (!testbed.run("squeue", "-h", "-a", "-p", "ring").isBlank()) {
      wrong.add("left in Slurm:\n" + testbed.run("squeue", "-a", "-p", "ring"));
    }
    Table table = new Table("killed with SIGKILL", "");
    table.row("kills of the server", Integer.toString(serverKills));
    table.row("kills of slurmctld", Integer.toString(slurmKills));
    table.row("seconds", String.format(Locale.ROOT, "%.0f", seconds));
    table.row("jobs by sbatch", Integer.toString(jobs - people.submitted().size()));
    table.row("jobs by ringmaster submit", Integer.toString(people.submitted().size()));
    table.row("starts", Integer.toString(diary.lines("start").size()));
    table.row("jobs done once", Long.toString(done.values().stream().filter(n -> n == 1).count()));
    table.row("started again when all was done", Integer.toString(diary.lines("again").size()));
    table.row("sbatch again, since slurmctld forgot it", Integer.toString(people.resubmitted()));
    table.row("nodes drained as 'Duplicate jobid', resumed", Integer.toString(resumed));
    table.row("things found wrong", Integer.toString(wrong.size()));
    return new KillRun.Outcome(wrong, table.text());
  }
}
