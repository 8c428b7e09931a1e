package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Table;
import io.ringmaster.control.job.JobState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Kills a server at random moments while jobs are submitted, run and preempted, and then looks
 * whether anything was lost, done twice or left behind. {@code script/kill-test} runs it.
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
  private final List<Wanted> wanted = new ArrayList<>();
  private final AtomicBoolean submitting = new AtomicBoolean(true);
  private double readySeconds;
  private int readyCount;

  /** A job that was submitted. */
  private record Wanted(long id, int iterations, Path log) {}

  KillRun(Path folder, int kills, long seed) throws IOException {
    this.folder = folder;
    this.kills = kills;
    this.random = new Random(seed);
    this.script = folder.resolve("train.sh");
    try (InputStream in =
        Objects.requireNonNull(KillRun.class.getResourceAsStream("/live/train.sh"))) {
      Files.copy(in, script);
    }
  }

  /** What was found wrong, if anything, and the numbers. */
  record Outcome(List<String> wrong, String table) {}

  /** {@code KillRun [--kills N] [--seed N]}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int kills = 200;
    long seed = System.nanoTime();
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length || !List.of("--kills", "--seed").contains(args[i])) {
        System.err.println("kill-test: expected [--kills N] [--seed N]");
        System.exit(2);
      }
      if (args[i].equals("--kills")) {
        kills = Integer.parseInt(args[i + 1]);
      } else {
        seed = Long.parseLong(args[i + 1]);
      }
    }
    Path folder = Files.createTempDirectory("ringmaster-kill-test");
    System.err.println("seed " + seed + ", in " + folder);
    Outcome outcome = new KillRun(folder, kills, seed).run();
    System.out.print(outcome.table);
    outcome.wrong.forEach(System.out::println);
    System.exit(outcome.wrong.isEmpty() ? 0 : 1);
  }

  Outcome run() throws IOException, InterruptedException {
    long began = System.nanoTime();
    try (ServerProcess server =
        new ServerProcess(
            folder, "--slots", Integer.toString(SLOTS), "--policy", POLICIES.getFirst())) {
      server.awaitReady();
      Client client = server.client();
      client.get("jobs", "/jobs");
      Throwable[] failed = new Throwable[1];
      Thread submitter =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failed[0] = e)
              .start(() -> submit(client));
      for (int i = 0; i < kills; i++) {
        boolean early = i > 0 && random.nextDouble() < EARLY_SHARE;
        if (!early) {
          readySeconds += server.awaitReady();
          readyCount++;
          if ((i + 1) % KILLS_BETWEEN_POLICIES == 0) {
            choosePolicy(server.client(), i);
          }
        }
        double most = early ? readySeconds / readyCount : LONGEST_LIFE_SECONDS;
        Thread.sleep((long) (1000 * most * random.nextDouble()));
        server.kill();
        server.start();
        progress(i + 1);
        if (failed[0] != null) {
          break;
        }
      }
      submitting.set(false);
      server.awaitReady();
      submitter.join();
      if (failed[0] != null) {
        throw new IllegalStateException("submitting failed", failed[0]);
      }
      return judge(client, (System.nanoTime() - began) / 1e9);
    }
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
    String policy = POLICIES.get(kill / KILLS_BETWEEN_POLICIES % POLICIES.size());
    Map<String, String> settings =
        policy.equals("las-elastic") ? Map.of("slot", "1") : Map.of("shield", "0");
    client.get("policy", "/policy");
    client.change("policy", "PUT", "/policy", Map.of("policy", policy, "settings", settings));
  }

  /** Keeps some jobs open. As the command does, with a key of its own for each. */
  private void submit(Client client) {
    Random sizes = new Random(random.nextLong());
    while (submitting.get()) {
      Fields open =
          client.get(
              "jobs",
              "/jobs?limit=100&state=submitted,queued,placed,starting,running,checkpointing,lost",
              Client.Patience.LONG);
      if (open.objects("jobs").size() >= MOST_OPEN) {
        Client.pause(200);
        continue;
      }
      int number = count();
      int iterations = 5 + sizes.nextInt(30);
      int gpus = 1 << sizes.nextInt(3);
      Path log = folder.resolve("job-" + number + ".log");
      Fields job =
          submitted(
              client, description(number, iterations, gpus, log), UUID.randomUUID().toString());
      synchronized (wanted) {
        wanted.add(new Wanted(job.whole("id"), iterations, log));
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

  /** Kills may follow each other for longer than the client has patience: then once more. */
  private static Fields submitted(Client client, Map<String, Object> job, String key) {
    while (true) {
      try {
        return client.submit("submit", "/jobs", job, key);
      } catch (Unanswered e) {
        if (e.status() != Unanswered.UNAVAILABLE) {
          throw e;
        }
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
    for (Wanted each : wanted) {
      Fields job = ended(client, each.id, deadline);
      attempts += job.whole("attempt");
      restarts += job.whole("restarts");
      losses += job.whole("losses");
      iterations += each.iterations;
      if (!job.text("state").equals("succeeded")) {
        wrong.add("job %d is %s: %s".formatted(each.id, job.text("state"), job.text("reason")));
      }
      check(each, job.objects("history"), wrong);
    }
    long stored = 0;
    for (Object number : client.get("jobs", "/jobs").object("counts").map().values()) {
      stored += number instanceof Number n ? n.longValue() : 0;
    }
    if (stored != wanted.size()) {
      wrong.add("%d jobs were submitted and %d are stored".formatted(wanted.size(), stored));
    }
    wrong.addAll(leftBehind());
    Table table = new Table("killed with SIGKILL", "");
    table.row("kills", Integer.toString(kills));
    table.row("seconds", number(seconds));
    table.row("seconds from start to ready, mean", number(readySeconds / readyCount));
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

  /**
   * What a job saved has each iteration once and in order, by attempts in order. Its log, which all
   * attempts write to, never goes back to an earlier attempt: no two ran at the same time. Nor does
   * an attempt write after the server took it for ended.
   */
  private void check(Wanted job, List<Fields> history, List<String> wrong) throws IOException {
    List<String> saved = lines(folder.resolve("data/checkpoints/" + job.id + "/saved"));
    List<String> numbers = saved.stream().map(line -> line.split(" ", -1)[0]).toList();
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= job.iterations; i++) {
      expected.add(Integer.toString(i));
    }
    expected.add("done");
    if (!numbers.equals(expected)) {
      wrong.add("job %d saved %s and not 1 to %d, done".formatted(job.id, saved, job.iterations));
    }
    int last = 0;
    for (String line : lines(job.log)) {
      int attempt = Integer.parseInt(line.split(" ", -1)[1]);
      double at = Double.parseDouble(line.split(" ", -1)[2]);
      if (at > endSeconds(history, attempt)) {
        wrong.add("job %d: '%s' is after the end of that attempt".formatted(job.id, line));
      }
      if (attempt < last) {
        wrong.add("job %d: attempt %d went on after %d began".formatted(job.id, attempt, last));
      }
      last = attempt;
    }
    List<String> starts = lines(job.log).stream().filter(l -> l.startsWith("start ")).toList();
    if (starts.stream().map(l -> l.split(" ", -1)[1]).distinct().count() != starts.size()) {
      wrong.add("job %d: an attempt began twice: %s".formatted(job.id, starts));
    }
  }

  /** When the server knew that an attempt had ended. */
  private static double endSeconds(List<Fields> history, int attempt) {
    boolean begun = false;
    for (Fields entry : history) {
      boolean ofIt = entry.whole("attempt") == attempt;
      begun |= ofIt && entry.text("to").equals("starting");
      boolean holds = JobState.of(entry.text("to")).holdsGpus();
      if (begun && (!ofIt || !holds)) {
        return entry.number("at_s");
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** Processes of jobs, known by a variable that all have, and supervisors, by the data folder. */
  private List<String> leftBehind() throws InterruptedException {
    List<String> found = List.of();
    for (int look = 0; look < 50; look++) {
      found = processes();
      if (found.isEmpty()) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return found;
  }

  private List<String> processes() {
    List<String> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      for (Path each : all.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
        String environment = read(each.resolve("environ"));
        String command = read(each.resolve("cmdline"));
        if (environment.contains("KILL_RUN=" + mark)
            || (command.contains("supervise.sh") && command.contains(folder.toString()))) {
          found.add("left running: " + command.replace('\0', ' '));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // It has ended, or is not ours.
      return "";
    }
  }
}
