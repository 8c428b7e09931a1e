package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Table;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.Postgres;
import io.ringmaster.testing.SlurmTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kills a server at random moments while jobs are submitted, run and preempted, and then looks
 * whether anything was lost, done twice or left behind. {@code script/kill-test} runs it. With a
 * database of PostgreSQL there are two servers: the one that leads is killed, the other takes over.
 */
final class KillRun {
  private static final int SLOTS = 8;
  private static final int MOST_OPEN = 6;
  private static final double LONGEST_LIFE_SECONDS = 3;

  /** Kills before the server is ready, where it takes up from the store. */
  private static final double EARLY_SHARE = 0.25;

  private static final double END_SECONDS = 300;
  private static final double ITERATION_SECONDS = 0.15;
  private static final List<String> POLICIES = List.of("srtf", "las-elastic");
  private static final int KILLS_BETWEEN_POLICIES = 7;

  private final int kills;
  private final Random random;
  private final Path folder;
  private final Path script;
  private final String mark = "ringmaster-kill-run-" + UUID.randomUUID();
  private final List<TrainedJob> wanted = new ArrayList<>();
  private final AtomicBoolean submitting = new AtomicBoolean(true);
  private final List<Double> takeoverSeconds = new ArrayList<>();
  private final @Nullable Postgres postgres;
  private final @Nullable SlurmTestbed slurm;
  private final double outageSeconds;
  private volatile @Nullable ServerProcess leader;
  private double backSeconds = Double.NaN;
  private double readySeconds;
  private int readyCount;

  KillRun(Path folder, int kills, long seed) throws IOException {
    this(folder, kills, seed, null, 0, null);
  }

  /**
   * Makes the programs of the jobs.
   *
   * @param postgres for two servers; null: one server with SQLite
   * @param outageSeconds for so long the database is down, after half of the kills; 0: never
   * @param slurm where jobs run, in an allocation of all its nodes, with the calling thread in its
   *     network; null: on this machine
   */
  KillRun(
      Path folder,
      int kills,
      long seed,
      @Nullable Postgres postgres,
      double outageSeconds,
      @Nullable SlurmTestbed slurm)
      throws IOException {
    this.folder = folder;
    this.postgres = postgres;
    this.slurm = slurm;
    this.outageSeconds = outageSeconds;
    this.kills = kills;
    this.random = new Random(seed);
    this.script = TrainedJob.script(folder);
  }

  /** What was found wrong, if anything, and the numbers. */
  record Outcome(List<String> wrong, String table) {}

  /** {@code KillRun [--allocation | --postgresql [--outage SECONDS]] [--kills N] [--seed N]}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    boolean postgresql = false;
    boolean onSlurm = false;
    int kills = 0;
    long seed = System.nanoTime();
    double outageSeconds = 30;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--postgresql")) {
        postgresql = true;
      } else if (args[i].equals("--allocation")) {
        onSlurm = true;
      } else if (i + 1 < args.length && args[i].equals("--kills")) {
        kills = Integer.parseInt(args[++i]);
      } else if (i + 1 < args.length && args[i].equals("--seed")) {
        seed = Long.parseLong(args[++i]);
      } else if (i + 1 < args.length && args[i].equals("--outage")) {
        outageSeconds = Double.parseDouble(args[++i]);
      } else {
        System.err.println(
            "kill-test: expected [--allocation | --postgresql [--outage SECONDS]] [--kills N]"
                + " [--seed N]");
        System.exit(2);
      }
    }
    Path folder = Files.createTempDirectory("ringmaster-kill-test");
    System.err.println("seed " + seed + ", in " + folder);
    Outcome outcome;
    if (postgresql) {
      try (Postgres postgres = Postgres.start()) {
        outcome =
            new KillRun(folder, kills == 0 ? 50 : kills, seed, postgres, outageSeconds, null).run();
      }
    } else if (onSlurm) {
      Map<String, String> nodes = Map.of("NODES", "4", "GPUS", Integer.toString(SLOTS / 4));
      try (SlurmTestbed slurm = SlurmTestbed.up(nodes);
          Namespace _ = slurm.enter()) {
        outcome = new KillRun(folder, kills == 0 ? 50 : kills, seed, null, 0, slurm).run();
      }
    } else {
      outcome = new KillRun(folder, kills == 0 ? 200 : kills, seed).run();
    }
    System.out.print(outcome.table);
    outcome.wrong.forEach(System.out::println);
    System.exit(outcome.wrong.isEmpty() ? 0 : 1);
  }

  Outcome run() throws IOException, InterruptedException {
    long began = System.nanoTime();
    List<String> options = new ArrayList<>(List.of("--policy", POLICIES.getFirst()));
    List<String> before = List.of();
    if (slurm != null) {
      before = Stream.concat(slurm.prefix().stream(), Stream.of("env", allocated(slurm))).toList();
      options.addAll(List.of("--engine", "slurm-allocation"));
    } else if (postgres == null) {
      options.addAll(List.of("--slots", Integer.toString(SLOTS)));
    } else {
      Path config = folder.resolve("serve.yaml");
      Files.writeString(config, "store: %s%nslots: %d%n".formatted(postgres.newDatabase(), SLOTS));
      options.addAll(List.of("--config", config.toString()));
    }
    try (ServerProcess server =
        new ServerProcess(folder, before, List.of(), options.toArray(String[]::new))) {
      server.awaitReady();
      leader = server;
      Throwable[] failed = new Throwable[1];
      Thread submitter =
          Thread.ofPlatform().uncaughtExceptionHandler((_, e) -> failed[0] = e).start(this::submit);
      if (postgres == null) {
        killAgainAndAgain(server, failed);
      } else {
        try (ServerProcess other = new ServerProcess(folder, options.toArray(String[]::new))) {
          killTheLeader(server, other, postgres, failed);
          return end(submitter, failed, began);
        }
      }
      return end(submitter, failed, began);
    }
  }

  /** An allocation of all nodes, as a variable that says so. */
  private static String allocated(SlurmTestbed slurm) {
    String said =
        slurm.run("salloc", "--no-shell", "--exclusive", "-N4", "--gres=gpu:" + SLOTS / 4);
    return "SLURM_JOB_ID=" + said.replaceFirst("(?s).*Granted job allocation (\\d+).*", "$1");
  }

  private Outcome end(Thread submitter, Throwable[] failed, long began)
      throws IOException, InterruptedException {
    submitting.set(false);
    leader().awaitReady();
    submitter.join();
    if (failed[0] != null) {
      throw new IllegalStateException("submitting failed", failed[0]);
    }
    return judge(leader().client(), (System.nanoTime() - began) / 1e9);
  }

  private ServerProcess leader() {
    return Objects.requireNonNull(leader);
  }

  private void killAgainAndAgain(ServerProcess server, Throwable[] failed)
      throws InterruptedException {
    for (int i = 0; i < kills && failed[0] == null; i++) {
      boolean early = i > 0 && random.nextDouble() < EARLY_SHARE;
      if (!early) {
        readySeconds += server.awaitReady();
        readyCount++;
        choosePolicy(server.client(), i);
      }
      double most = early ? readySeconds / readyCount : LONGEST_LIFE_SECONDS;
      Thread.sleep((long) (1000 * most * random.nextDouble()));
      server.kill();
      server.start();
      progress(i + 1);
    }
  }

  /** Each time the other takes over, and the killed one comes back to stand by. */
  private void killTheLeader(
      ServerProcess first, ServerProcess second, Postgres postgres, Throwable[] failed)
      throws InterruptedException {
    ServerProcess leads = first;
    ServerProcess standsBy = second;
    for (int i = 0; i < kills && failed[0] == null; i++) {
      standsBy.awaitAnswer();
      choosePolicy(leads.client(), i);
      Thread.sleep((long) (1000 * LONGEST_LIFE_SECONDS * random.nextDouble()));
      leads.kill();
      takeoverSeconds.add(standsBy.awaitReady());
      leader = standsBy;
      leads.start();
      if (i == kills / 2 && outageSeconds > 0) {
        standsBy = outage(postgres, leads, standsBy);
        leads = standsBy == first ? second : first;
      }
      ServerProcess killed = leads;
      leads = standsBy;
      standsBy = killed;
      progress(i + 1);
    }
  }

  /**
   * The database goes down under both servers, and comes back.
   *
   * @return the one that leads then
   */
  private ServerProcess outage(Postgres postgres, ServerProcess one, ServerProcess other)
      throws InterruptedException {
    one.awaitAnswer();
    postgres.crash();
    Thread.sleep((long) (1000 * outageSeconds));
    postgres.resume();
    long began = System.nanoTime();
    while (!one.isReady() && !other.isReady() && one.isAlive() && other.isAlive()) {
      Client.pause(50);
    }
    backSeconds = (System.nanoTime() - began) / 1e9;
    ServerProcess leads = one.isReady() ? one : other;
    leader = leads;
    return leads;
  }

  private void progress(int done) {
    if (done % 10 == 0) {
      System.err.printf("%d of %d kills, %d jobs submitted%n", done, kills, count());
    }
  }

  private int count() {
    synchronized (wanted) {
      return wanted.size();
    }
  }

  private static void choosePolicy(Client client, int kill) {
    if ((kill + 1) % KILLS_BETWEEN_POLICIES != 0) {
      return;
    }
    String policy = POLICIES.get(kill / KILLS_BETWEEN_POLICIES % POLICIES.size());
    Map<String, String> settings =
        policy.equals("las-elastic") ? Map.of("slot", "1") : Map.of("shield", "0");
    client.get("policy", "/policy");
    client.change("policy", "PUT", "/policy", Map.of("policy", policy, "settings", settings));
  }

  /** Keeps some jobs open. As the command does, with a key of its own for each. */
  private void submit() {
    Random sizes = new Random(random.nextLong());
    while (submitting.get()) {
      Fields open =
          asked(client ->
              client.get(
                  "jobs",
                  "/jobs?limit=100&state=submitted,queued,placed,starting,running,checkpointing,stopping,lost"));
      if (open.objects("jobs").size() >= MOST_OPEN) {
        Client.pause(200);
        continue;
      }
      int number = count();
      int iterations = 5 + sizes.nextInt(30);
      int gpus = 1 << sizes.nextInt(3);
      Path log = folder.resolve("job-" + number + ".log");
      Map<String, Object> description = description(number, iterations, gpus, log);
      String key = UUID.randomUUID().toString();
      Fields job = asked(client -> client.submit("submit", "/jobs", description, key));
      synchronized (wanted) {
        wanted.add(new TrainedJob(job.whole("id"), iterations, log));
      }
    }
  }

  private Map<String, Object> description(int number, int iterations, int gpus, Path log) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", "kill-" + number);
    job.put(
        "command",
        List.of(
            "sh",
            script.toString(),
            Integer.toString(iterations),
            Double.toString(ITERATION_SECONDS),
            log.toString()));
    job.put("env", Map.of("KILL_RUN", mark));
    job.put("gpus", gpus);
    job.put("min_gpus", 1);
    job.put("max_gpus", 2 * gpus);
    job.put("duration_s", iterations * ITERATION_SECONDS);
    job.put("grace_s", 20);
    return job;
  }

  /** Asks whoever leads until one answers: the client has less patience than kills may need. */
  private Fields asked(Function<Client, Fields> question) {
    while (true) {
      try {
        return question.apply(leader().client());
      } catch (Unanswered e) {
        if (e.status() != Unanswered.UNAVAILABLE) {
          throw e;
        }
        Client.pause(20);
      }
    }
  }

  private Outcome judge(Client client, double seconds) throws IOException, InterruptedException {
    List<String> wrong = new ArrayList<>();
    long attempts = 0;
    long restarts = 0;
    long losses = 0;
    long iterations = 0;
    long deadline = System.nanoTime() + (long) (1e9 * END_SECONDS);
    for (TrainedJob each : wanted) {
      Fields job = ended(client, each.id(), deadline);
      attempts += job.whole("attempt");
      restarts += job.whole("restarts");
      losses += job.whole("losses");
      iterations += each.iterations();
      if (!job.text("state").equals("succeeded")) {
        wrong.add("job %d is %s: %s".formatted(each.id(), job.text("state"), job.text("reason")));
      }
      wrong.addAll(each.check(folder.resolve("data"), job.objects("history")));
    }
    long stored = 0;
    for (Object number : client.get("jobs", "/jobs").object("counts").map().values()) {
      stored += number instanceof Number n ? n.longValue() : 0;
    }
    if (stored != wanted.size()) {
      wrong.add("%d jobs were submitted and %d are stored".formatted(wanted.size(), stored));
    }
    for (LeftProcesses.Left left : new LeftProcesses("KILL_RUN=" + mark, folder).find()) {
      wrong.add("left running: " + left.command());
    }
    Table table = new Table("killed with SIGKILL", "");
    table.row("kills", Integer.toString(kills));
    table.row("seconds", number(seconds));
    if (takeoverSeconds.isEmpty()) {
      table.row("seconds from start to ready, mean", number(readySeconds / readyCount));
    } else {
      List<Double> sorted = takeoverSeconds.stream().sorted().toList();
      table.row("seconds to take over, median", number(sorted.get(sorted.size() / 2)));
      table.row("seconds to take over, worst", number(sorted.getLast()));
    }
    if (!Double.isNaN(backSeconds)) {
      table.row("seconds without the database", number(outageSeconds));
      table.row("seconds from its return until a server led", number(backSeconds));
    }
    table.row("jobs", Integer.toString(wanted.size()));
    table.row("attempts", Long.toString(attempts));
    table.row("stopped to go on later or elsewhere", Long.toString(restarts));
    table.row("lost by the engine", Long.toString(losses));
    table.row("iterations, each done once", Long.toString(iterations));
    table.row("things found wrong", Integer.toString(wrong.size()));
    return new Outcome(wrong, table.text());
  }

  private static String number(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  private static Fields ended(Client client, long id, long deadline) throws InterruptedException {
    while (true) {
      Fields job = client.get("job", "/jobs/" + id);
      if (JobText.hasEnded(job) || System.nanoTime() > deadline) {
        return job;
      }
      Thread.sleep(100);
    }
  }
}
