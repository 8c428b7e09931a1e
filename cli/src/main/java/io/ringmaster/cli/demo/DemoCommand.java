package io.ringmaster.cli.demo;

import io.ringmaster.cli.live.Client;
import io.ringmaster.cli.live.ServeConfig;
import io.ringmaster.cli.live.Serving;
import io.ringmaster.cli.live.Signals;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.terminal.Terminal;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringmaster demo}: real elastic training on this machine, watched and predicted. */
@Command(
    name = "demo",
    description = {
      "Trains ten small models on this machine, for a bit over a minute, under a policy"
          + " that stops and restarts them with more or fewer workers.",
      "Then sets what happened beside what the simulator had predicted."
    },
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  private static final int GPUS = 16;
  private static final int MOST_JOBS = 26;
  private static final int OTHERS = 4;

  /** Policies that decide in slots do so in hours elsewhere. */
  private static final String SLOT = "slot";

  private static final String SLOT_SECONDS = "2";
  private static final List<String> COMPARED = List.of("doubling", "gadget", "srtf", "fifo");

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "which policy runs the jobs (default: " + Policies.DEFAULT + ")")
  String policy = Policies.DEFAULT;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "a setting of the policy; may be repeated")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "how many jobs, 1 to " + MOST_JOBS + " (default: 10)")
  int jobs = 10;

  @Option(names = "--seed", paramLabel = "N", description = "of the jobs (default: 1)")
  long seed = 1;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "keep the server's files there (default: nothing is kept)")
  @Nullable Path data;

  @Option(
      names = "--stay",
      description = "keep the server and its dashboard up afterwards, until Ctrl-C")
  boolean stay;

  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    if (jobs < 1 || jobs > MOST_JOBS) {
      throw new BadInput(
          "--jobs: expected a whole number from 1 to %d, not %d".formatted(MOST_JOBS, jobs));
    }
    Map<String, String> given = given(policy, NamedValues.of(settings));
    Policies.named(policy).settings(given);
    CompletableFuture<Integer> stop = Signals.stop();
    DemoFolder folder = new DemoFolder(root());
    try {
      return run(folder, given, stop);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (data == null) {
        folder.delete();
      }
    }
  }

  private Path root() {
    try {
      if (data == null) {
        return Files.createTempDirectory("ringmaster-demo");
      }
      if (Files.exists(data)) {
        throw new BadInput("--data: %s is there already; name a folder to make".formatted(data));
      }
      return Files.createDirectories(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> given(String policy, Map<String, String> settings) {
    PolicySpec spec = Policies.named(policy);
    Map<String, String> given = new LinkedHashMap<>(settings);
    if (spec.parameters().stream().map(Parameter::name).anyMatch(SLOT::equals)) {
      given.putIfAbsent(SLOT, SLOT_SECONDS);
    }
    return given;
  }

  private int run(DemoFolder folder, Map<String, String> given, CompletableFuture<Integer> stop)
      throws IOException, InterruptedException, ExecutionException {
    say("Measuring what training costs on this machine...");
    Measured measured = Trial.run(folder.trial(), GPUS);
    say("  " + DemoText.measured(measured));
    if (stop.isDone()) {
      return stop.get();
    }
    List<DemoJob> mix = DemoJob.draw(jobs, GPUS, seed);
    Cluster cluster = measured.cluster(GPUS);
    List<Outcome> simulated = simulate(mix, cluster, measured, given);
    ServeConfig config = folder.serve(measured, cluster, policy, given);
    try (Serving serving = new Serving(config)) {
      serving.awaitLeading();
      say("Dashboard: " + serving.url());
      DemoRun run;
      boolean ended;
      boolean watched = !json.given && Terminal.isWatched();
      try (Screen screen = watched ? Screen.open() : null) {
        run =
            new DemoRun(
                new Client(URI.create(serving.url()), ""),
                serving.url(),
                mix,
                Outcome.how(policy, given),
                cluster,
                line -> {
                  if (screen == null) {
                    say(line);
                  }
                },
                board -> {
                  if (screen != null) {
                    screen.draw(board);
                  }
                });
        try {
          ended = run.follow(stop);
        } finally {
          run.cancelAll();
        }
      }
      if (stop.isDone()) {
        say("Stopped; nothing is left running.");
        return stop.get();
      }
      int status = report(run, mix, simulated, measured, ended);
      if (stay) {
        say("The dashboard stays at " + serving.url() + " until Ctrl-C.");
        stop.get();
      }
      return status;
    }
  }

  private List<Outcome> simulate(
      List<DemoJob> mix, Cluster cluster, Measured measured, Map<String, String> given) {
    List<Outcome> outcomes = new ArrayList<>();
    outcomes.add(Outcome.simulated(mix, cluster, measured.models(), policy, given));
    COMPARED.stream()
        .filter(other -> !other.equals(policy))
        .limit(OTHERS)
        .map(other ->
            Outcome.simulated(mix, cluster, measured.models(), other, given(other, Map.of())))
        .forEach(outcomes::add);
    return outcomes;
  }

  private int report(
      DemoRun run, List<DemoJob> mix, List<Outcome> simulated, Measured measured, boolean ended) {
    List<String> failed = run.failed();
    if (!ended || !failed.isEmpty()) {
      System.err.println("ringmaster: not all jobs succeeded:");
      failed.forEach(line -> System.err.println("  " + line));
      return 1;
    }
    Outcome real = run.outcome();
    if (json.given) {
      System.out.print(
          Json.document(
              new Document(
                  mix.stream().map(DemoJob::name).toList(),
                  measured.startSeconds(),
                  measured.stopSeconds(),
                  measured.stepSeconds(),
                  real.json(),
                  simulated.stream().map(Outcome::json).toList(),
                  simulated.get(0).errorAgainst(real))));
      return 0;
    }
    say("");
    say(DemoText.jobs(mix, real, simulated.get(0)));
    say(DemoText.policies(real, simulated));
    System.out.print(DemoText.verdict(real, simulated.get(0), measured));
    System.err.println("Next: ringmaster whatif HISTORY tells the same of your own cluster");
    return 0;
  }

  private void say(String line) {
    (json.given ? System.err : System.out).println(line);
  }

  private record Document(
      List<String> jobs,
      double startSeconds,
      double stopSeconds,
      double stepSeconds,
      Outcome.Document measured,
      List<Outcome.Document> simulated,
      double error) {}
}
