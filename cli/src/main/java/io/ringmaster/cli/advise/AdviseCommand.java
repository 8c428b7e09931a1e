package io.ringmaster.cli.advise;

import io.ringmaster.advise.Advice;
import io.ringmaster.advise.Advisor;
import io.ringmaster.advise.Check;
import io.ringmaster.advise.Clock;
import io.ringmaster.advise.Correction;
import io.ringmaster.advise.Queue;
import io.ringmaster.advise.Site;
import io.ringmaster.advise.SitePolicy;
import io.ringmaster.cli.options.JsonOption;
import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.options.SeedOption;
import io.ringmaster.cli.options.ThreadsOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.Progress;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.Inputs;
import io.ringmaster.workload.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster advise}: when each waiting job starts, why not now, what would help. */
@Command(
    name = "advise",
    description = {
      "Says when each waiting job of a queue starts, why not now, and what would start it sooner.",
      "With --check it looks how often such answers would have held in the past."
    },
    mixinStandardHelpOptions = true)
public final class AdviseCommand implements Callable<Integer> {
  private static final int MOST_DRAWS = 10_000;
  private static final int FEWEST_DRAWS = 20;

  private static final Set<String> LIVE = Set.of(LiveSlurm.NAME, LiveKubernetes.NAME);

  /** At which forecasts are made, to learn from how they did. */
  private static final int PAST_MOMENTS = 16;

  @Parameters(
      paramLabel = "JOB",
      arity = "0..*",
      description = "jobs to be told of in detail (default: a table of all that wait)")
  List<String> jobs = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description =
          "the queue: 'slurm', which asks the Slurm of this machine; 'kubernetes', which asks what"
              + " kubectl would ask; or what squeue, sacct or kubectl printed, a jobs file, or a"
              + " folder that simulate --out wrote; files may be repeated (default: slurm if there"
              + " is squeue, else kubernetes if there is a kubeconfig)")
  List<String> from = new ArrayList<>();

  @Option(
      names = "--fresh",
      description = "ask Slurm again, also if it told less than a minute ago")
  boolean fresh;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "what sacct printed of jobs that ended, if the queue does not tell of them")
  List<Path> history = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "format of the queue (default: it is recognised)")
  @Nullable String format;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "a setting of the format, as 'import' has it: --set partition=gpu")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      description = "cluster (YAML; default: the servers that the files tell of)")
  @Nullable Path cluster;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "the moment that is now, with what was known then (default: the files' latest)")
  @Nullable String at;

  @Option(
      names = "--zone",
      paramLabel = "NAME",
      description =
          "time zone of what is printed, such as Europe/Berlin (default: UTC; of a live queue that"
              + " of this machine)")
  @Nullable String zone;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "the site's policy (default: fifo or easy, as its past tells)")
  @Nullable String policy;

  @Option(
      names = "--draws",
      paramLabel = "N",
      description = "futures that are simulated (default: ${DEFAULT-VALUE})")
  int draws = 100;

  @Option(
      names = "--check",
      description = "at moments of the past, count how often the truth was within what is said")
  boolean check;

  @Option(
      names = "--moments",
      paramLabel = "N",
      description = "moments of --check (default: ${DEFAULT-VALUE})")
  int moments = 60;

  @Option(names = "--plot", paramLabel = "FILE", description = "write what --check found as SVG")
  @Nullable Path plot;

  @Mixin SeedOption seed = new SeedOption();

  @Mixin ThreadsOption threads = new ThreadsOption();

  @Mixin JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    requireRange("--draws", draws, FEWEST_DRAWS, MOST_DRAWS);
    requireRange("--moments", moments, 1, MOST_DRAWS);
    requireRange("--threads", threads.count, 1, Integer.MAX_VALUE);
    if (from.isEmpty()) {
      Nearby.queue().ifPresent(from::add);
    }
    boolean live = from.size() == 1 && LIVE.contains(from.getFirst());
    ZoneId timeZone = zone(live);
    Optional<String> asked = Optional.ofNullable(policy).map(name -> Policies.named(name).name());
    if (fresh && !from.equals(List.of(LiveSlurm.NAME))) {
      throw new BadInput("--fresh asks Slurm again; add --from slurm");
    }
    if (check) {
      return check(live ? live(timeZone).site() : site(), asked);
    }
    if (plot != null) {
      throw new BadInput("--plot draws what --check found; add --check");
    }
    @Nullable LiveQueue now = live ? live(timeZone) : null;
    Site site = now == null ? site() : now.site();
    Queue queue =
        now != null
            ? site.at(now.atSeconds())
            : site.at(at == null ? site.latestSeconds() : moment(at, timeZone));
    Clock clock = Clock.of(queue, timeZone);
    Correction correction =
        new Check(site, asked.or(site::policy))
            .correction(queue.nowSeconds(), PAST_MOMENTS, FEWEST_DRAWS, seed.value, threads.count);
    Advisor advisor =
        new Advisor(
            queue,
            SitePolicy.of(queue, asked, site.policy()),
            correction,
            draws,
            seed.value,
            threads.count,
            clock);
    Advice advice;
    try (Progress progress = new Progress("simulate", advisor.simulations())) {
      advice = advisor.advise(jobs, progress::at);
    }
    System.out.print(
        json.given
            ? Json.document(AdviseDocument.of(advice, site.notes()))
            : new AdviseText(advice, clock, site.notes()).text(!jobs.isEmpty()));
    if (now != null && !json.given) {
      System.out.println(now.costLine());
    }
    return ExitStatus.OK;
  }

  private LiveQueue live(ZoneId timeZone) {
    if (at != null || cluster != null || format != null || !history.isEmpty()) {
      throw new BadInput(
          "--from %s asks for the present, the nodes and the past; leave out --at, --cluster,"
                  .formatted(from.getFirst())
              + " --format and --history, or give a file");
    }
    Map<String, String> given = NamedValues.of(settings);
    return from.getFirst().equals(LiveSlurm.NAME)
        ? LiveSlurm.read(fresh, timeZone, given)
        : LiveKubernetes.read(given);
  }

  private int check(Site site, Optional<String> asked) {
    if (!jobs.isEmpty()) {
      throw new BadInput(
          "--check looks at the past of all jobs; leave out '%s'".formatted(jobs.getFirst()));
    }
    Check.Coverage coverage;
    try (Progress progress = new Progress("check", moments)) {
      coverage =
          new Check(site, asked.or(site::policy))
              .coverage(moments, draws, seed.value, threads.count, progress::at);
    }
    CheckText text = new CheckText(coverage, draws);
    if (plot != null) {
      AtomicFile.write(plot, text.plot(String.join(", ", from)));
    }
    System.out.print(json.given ? Json.document(coverage) : text.text());
    if (plot != null && !json.given) {
      System.out.println("The plot is in " + plot + ".");
    }
    return ExitStatus.OK;
  }

  private static void requireRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new BadInput(
          "%s %d: expected a whole number from %d to %d".formatted(option, value, least, most));
    }
  }

  private Site site() {
    if (from.isEmpty()) {
      throw new BadInput(
          "say what the queue is: --from slurm, --from kubernetes, or --from FILE with what 'squeue"
              + " --json' or 'kubectl get pods,jobs -A -o json' printed; here is neither squeue nor"
              + " a kubeconfig");
    }
    List<Path> files = new ArrayList<>();
    for (String name : from) {
      if (LIVE.contains(name)) {
        throw new BadInput("--from %s stands alone: it asks, and reads no file".formatted(name));
      }
      files.add(Path.of(name));
    }
    files.stream().filter(file -> !Files.isDirectory(file)).forEach(Inputs::check);
    history.forEach(Inputs::check);
    try (Progress progress = new Progress("read " + files.getFirst().getFileName(), 1000)) {
      return Site.read(
          files,
          history,
          format,
          NamedValues.of(settings),
          cluster,
          (read, all) -> progress.at(1000 * read / Math.max(1, all)));
    }
  }

  private ZoneId zone(boolean live) {
    if (zone == null) {
      return live ? ZoneId.systemDefault() : ZoneId.of("UTC");
    }
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw new BadInput("--zone '%s': expected a time zone such as Europe/Berlin".formatted(zone));
    }
  }

  private static double moment(String text, ZoneId zone) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      String iso = text.strip().replace(' ', 'T');
      try {
        return iso.length() > 19
            ? OffsetDateTime.parse(iso).toEpochSecond()
            : LocalDateTime.parse(iso).atZone(zone).toEpochSecond();
      } catch (DateTimeException notATime) {
        throw new BadInput(
            "--at '%s': expected seconds, or a time such as 2026-11-02T10:00:00".formatted(text));
      }
    }
  }
}
