package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.cli.terminal.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Attacks a server in every known way at once while honest users work with it, and then looks
 * whether they were harmed. {@code script/attack} runs it.
 */
final class AttackRun {
  static final int SLOTS = 64;
  static final int REQUESTS_PER_SECOND = 100;

  private static final int QUOTA_GPUS = 3;
  private static final int HEAP_MEGABYTES = 512;

  /** Classes, compiled code, stacks, buffers of connections and of the database. */
  private static final int BESIDE_HEAP_MEGABYTES = 512;

  private static final double JOBS_PER_MINUTE = 2000 / 30.0;
  private static final double LONGEST_P99_SECONDS = 1;
  private static final long LOG_LIMIT_BYTES = 1_000_000;
  private static final double END_SECONDS = 180;
  private static final List<String> HONEST = List.of("ann", "bob", "cyd");

  /** Of whom the jobs wait in the policy's sight, which a quota would keep them from. */
  private static final List<String> WITHOUT_QUOTA = List.of("stuffer", "large");

  private final Path folder;
  private final Options options;
  private final Random random;
  private final String mark = "ringmaster-attack-" + UUID.randomUUID();
  private final AtomicBoolean on = new AtomicBoolean(true);
  private final List<Harm> harms;
  private final Map<String, HonestUser> honest = new LinkedHashMap<>();
  private final Map<Harm, HostileUser> hostile = new LinkedHashMap<>();
  private final Latencies requests = new Latencies();
  private final List<String> wrong = new ArrayList<>();

  /**
   * What is asked for.
   *
   * @param only users of the harm to do; empty: all
   * @param judgesTime whether slow answers are wrong
   */
  record Options(double minutes, long seed, String policy, List<String> only, boolean judgesTime) {}

  /** What was found wrong, if anything, and all in words. */
  record Outcome(List<String> wrong, String text) {}

  AttackRun(Path folder, Options options) {
    this.folder = folder;
    this.options = options;
    this.random = new Random(options.seed);
    this.harms =
        Stream.concat(HostileJobs.all().stream(), HostileRequests.all().stream())
            .filter(harm -> options.only.isEmpty() || options.only.contains(harm.user()))
            .toList();
  }

  /** {@code AttackRun [--minutes N] [--seed N] [--policy NAME] [--only USER,...]}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, String> given = new LinkedHashMap<>();
    List<String> known = List.of("--minutes", "--seed", "--policy", "--only");
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length || !known.contains(args[i])) {
        System.err.println(
            "attack: expected [--minutes N] [--seed N] [--policy NAME] [--only USER,...]");
        System.exit(2);
      }
      given.put(args[i], args[i + 1]);
    }
    Options options =
        new Options(
            Double.parseDouble(given.getOrDefault("--minutes", "30")),
            Long.parseLong(given.getOrDefault("--seed", Long.toString(System.nanoTime()))),
            given.getOrDefault("--policy", "srtf"),
            given.containsKey("--only") ? List.of(given.get("--only").split(",", -1)) : List.of(),
            true);
    Path folder = Files.createTempDirectory("ringmaster-attack");
    System.err.println("seed " + options.seed + ", in " + folder);
    Outcome outcome = new AttackRun(folder, options).run();
    System.out.print(outcome.text);
    System.exit(outcome.wrong.isEmpty() ? 0 : 1);
  }

  Outcome run() throws IOException, InterruptedException {
    try (ServerProcess server =
        new ServerProcess(
            folder, List.of("-Xmx" + HEAP_MEGABYTES + "m"), "--config", config().toString())) {
      server.awaitReady();
      Client admin = people(server);
      anchor(admin);
      AttackHealth health = new AttackHealth(server);
      List<Thread> threads = start(health);
      stand(health);
      on.set(false);
      awaitEnd(health, () -> threads.stream().noneMatch(Thread::isAlive));
      awaitEnd(health, () -> honest.values().stream().allMatch(user -> user.openJobs() == 0));
      honest.values().forEach(HonestUser::end);
      AttackJudge judge = new AttackJudge(admin, folder.resolve("data"));
      judge(server, health, judge);
      return outcome(server, health, judge);
    } finally {
      on.set(false);
      honest.values().forEach(HonestUser::end);
      left().kill();
    }
  }

  /** Users who are not trusted have quotas, as an operator would give them. */
  private Path config() throws IOException {
    StringBuilder quotas = new StringBuilder();
    for (Harm harm : harms) {
      if (!WITHOUT_QUOTA.contains(harm.user())) {
        quotas.append("  %s: %d%n".formatted(harm.user(), QUOTA_GPUS));
      }
    }
    return Files.writeString(
        folder.resolve("serve.yaml"),
        """
        engine: {name: local, slots: %d, log-limit-mb: %d}
        policy: %s
        limits: {requests_per_second: %d}
        %s\
        """
            .formatted(
                SLOTS,
                LOG_LIMIT_BYTES / 1_000_000,
                options.policy,
                REQUESTS_PER_SECOND,
                quotas.isEmpty() ? "" : "quotas:\n" + quotas));
  }

  /** Gives everybody a token. */
  private Client people(ServerProcess server) throws IOException {
    URI url = URI.create(server.url());
    Client admin = new Client(url, token(server.client(), "operator", "admin"));
    Path script = TrainedJob.script(folder);
    Map<String, String> environment = Map.of(Target.MARK, mark);
    Path logs = Files.createDirectory(folder.resolve("evidence"));
    for (String name : HONEST) {
      Client client = new Client(url, token(admin, name, "user"));
      honest.put(name, new HonestUser(name, client, logs, script, environment, random.nextLong()));
    }
    Target target =
        new Target(
            server.url(),
            folder.resolve("data"),
            mark,
            LOG_LIMIT_BYTES,
            admin,
            () -> honest.values().stream().flatMap(user -> user.jobs().stream()).toList(),
            on);
    for (Harm harm : harms) {
      hostile.put(harm, new HostileUser(target, harm.user(), token(admin, harm.user(), "user")));
    }
    return admin;
  }

  private static String token(Client client, String user, String role) {
    return client
        .once("token", "POST", "/tokens", Map.of("user", user, "role", role))
        .text("token");
  }

  /** The cluster is never quite empty, so that jobs for all of it wait for ever. */
  private void anchor(Client admin) {
    Map<String, Object> job =
        Map.of(
            "name",
            "anchor",
            "command",
            List.of("sleep", "1000000"),
            "env",
            Map.of(Target.MARK, mark),
            "gpus",
            1,
            "priority",
            1000,
            "duration_s",
            0.01,
            "grace_s",
            1);
    admin.submit("submit", "/jobs", job, UUID.randomUUID().toString());
  }

  /** Those threads that end with the attack. */
  private List<Thread> start(AttackHealth health) {
    double seconds = 60 * options.minutes;
    Thread.ofPlatform().daemon().start(health);
    List<Thread> ending = new ArrayList<>();
    int jobs = (int) Math.ceil(JOBS_PER_MINUTE * options.minutes / HONEST.size());
    for (HonestUser user : honest.values()) {
      Thread.ofPlatform().daemon().start(user::listen);
      Thread.ofPlatform().daemon().start(user::watch);
      ending.add(Thread.ofPlatform().daemon().start(() -> user.submit(jobs, seconds)));
    }
    hostile.forEach((harm, user) ->
        ending.add(Thread.ofPlatform().daemon().name(harm.user()).start(() -> harm.play(user))));
    return ending;
  }

  /** Waits for the end of the attack, or of the server. */
  private void stand(AttackHealth health) {
    long began = System.nanoTime();
    long seconds = (long) (60 * options.minutes);
    try (Progress progress = new Progress("attack", seconds)) {
      long elapsed = 0;
      while (elapsed < seconds && !health.isDead()) {
        Client.pause(200);
        elapsed = (System.nanoTime() - began) / 1_000_000_000L;
        progress.at(elapsed);
      }
    }
    if (health.isDead()) {
      wrong.add("the server was stopped after %.0f s".formatted((System.nanoTime() - began) / 1e9));
    }
  }

  private static void awaitEnd(AttackHealth health, BooleanSupplier isOver) {
    long began = System.nanoTime();
    while (!isOver.getAsBoolean()
        && (System.nanoTime() - began) / 1e9 < END_SECONDS
        && !health.isDead()) {
      Client.pause(100);
    }
  }

  private void judge(ServerProcess server, AttackHealth health, AttackJudge judge)
      throws IOException, InterruptedException {
    honest.forEach((name, user) -> wrong.addAll(user.failed()));
    if (!health.isDead()) {
      for (Map.Entry<String, HonestUser> user : honest.entrySet()) {
        judge.judge(user.getKey(), user.getValue().jobs());
      }
      judge.clear();
    } else {
      wrong.add("the server does not answer: nobody can say what became of honest jobs");
    }
    health.end();
    wrong.addAll(health.failed());
    judge.judgeServer(server, HEAP_MEGABYTES + BESIDE_HEAP_MEGABYTES);
    wrong.addAll(judge.wrong());
    hostile.forEach((harm, user) ->
        user.told().forEach(told -> wrong.add("%s: %s".formatted(harm.name(), told))));
    honest.values().forEach(user -> requests.addAll(user.latencies()));
    double p99 = requests.quantileSeconds(0.99);
    if (options.judgesTime && p99 >= LONGEST_P99_SECONDS) {
      wrong.add(String.format(Locale.ROOT, "1 %% of honest requests took %.2f s and more", p99));
    }
  }

  private LeftProcesses left() {
    return new LeftProcesses(Target.MARK + "=" + mark, folder);
  }

  private Outcome outcome(ServerProcess server, AttackHealth health, AttackJudge judge)
      throws InterruptedException {
    long peak = AttackJudge.peakMegabytes(server);
    try {
      server.stop();
    } catch (IllegalStateException e) {
      wrong.add("the server does not end when it is asked to");
      server.kill();
    }
    List<LeftProcesses.Left> left = left().find();
    left.stream()
        .limit(10)
        .map(each -> JobText.shortened(each.command(), 200))
        .forEach(command -> wrong.add("left running: " + command));
    int jobs = honest.values().stream().mapToInt(user -> user.jobs().size()).sum();
    Table numbers = new Table("attack of " + number(options.minutes) + " minutes", "");
    numbers.row("policy", options.policy);
    numbers.row("honest jobs", Integer.toString(jobs));
    numbers.row("their attempts", Long.toString(judge.attempts()));
    long predictions = honest.values().stream().mapToLong(HonestUser::predictions).sum();
    numbers.row("explained at once with a prediction", Long.toString(predictions));
    numbers.row("memory of the server at most, MB", Long.toString(peak));
    numbers.row("its heap, MB", Integer.toString(HEAP_MEGABYTES));
    numbers.row("things found wrong", Integer.toString(wrong.size()));
    String text =
        harmTable()
            + "\n"
            + requests.table("honest request")
            + "\n"
            + health.latencies().table("question about health")
            + "\n"
            + numbers.text()
            + "\n"
            + verdict(jobs);
    return new Outcome(wrong, text);
  }

  private String harmTable() {
    Table table = new Table("harm", "rounds", "actions", "refused", "expectations broken");
    hostile.forEach((harm, user) ->
        table.row(
            harm.name(),
            Integer.toString(user.rounds()),
            Integer.toString(user.actions()),
            Integer.toString(user.refused()),
            Integer.toString(user.broken())));
    return table.text();
  }

  private String verdict(int jobs) {
    if (wrong.isEmpty()) {
      return "All %d honest jobs were run exactly once, and nobody was harmed.%n".formatted(jobs);
    }
    return "Harm was done:%n  %s%n".formatted(String.join("\n  ", wrong));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
