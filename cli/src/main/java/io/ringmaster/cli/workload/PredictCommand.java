package io.ringmaster.cli.workload;

import io.ringmaster.cli.options.ModelsOption;
import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.cli.terminal.Next;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.predictor.forest.Forest;
import io.ringmaster.predictor.forest.ForestSettings;
import io.ringmaster.predictor.length.Evaluation;
import io.ringmaster.predictor.length.JobFacts;
import io.ringmaster.predictor.length.PastJob;
import io.ringmaster.predictor.length.SavedForest;
import io.ringmaster.runs.Machine;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.json.RecordFields.Inline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringmaster predict}: how well the lengths of jobs can be told when they come. */
@Command(
    name = "predict",
    description = {
      "Learns from the first jobs of a file, predicts the lengths of those that came later, and"
          + " says how far off it is beside simpler methods."
    },
    mixinStandardHelpOptions = true)
public final class PredictCommand implements Callable<Integer> {
  /** As many as a jobs file may ask for: the jobs are not to be run. */
  private static final int ANY_GPUS = 100_000_000;

  private static final double INTERVAL_SHARE = 0.8;
  private static final int MOST_TREES = 1000;

  @Parameters(paramLabel = "JOBS", description = "jobs file (CSV; .gz, .xz and .zst too)")
  Path file = Path.of("");

  @Option(
      names = "--train",
      paramLabel = "SHARE",
      description = "of the jobs, the first by submission, to learn from; default 0.8")
  double train = 0.8;

  @Option(names = "--trees", paramLabel = "N", description = "of the forest; default 100")
  int trees = 100;

  @Option(names = "--seed", paramLabel = "N", description = "of the forest; default 1")
  long seed = 1;

  @Mixin ModelsOption models = new ModelsOption();

  @Option(names = "--plot", paramLabel = "FILE", description = "write a picture (SVG)")
  @Nullable Path plot;

  @Option(names = "--save", paramLabel = "FILE", description = "write the forest")
  @Nullable Path save;

  @Option(
      names = "--load",
      paramLabel = "FILE",
      description = "take a forest that --save wrote instead of growing one")
  @Nullable Path load;

  @Mixin OutputOptions output = new OutputOptions();

  @Mixin WideOption wide = new WideOption();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    check();
    Machine machine = new Machine();
    try (OutputOptions.Opened folder = output.open()) {
      Forest loaded = load == null ? null : SavedForest.read(bytes(load), load.toString());
      Jobs jobs = read();
      Evaluation evaluation = new Evaluation(past(jobs), divide(jobs));
      int[] learnt = evaluation.learnt();
      if (learnt.length == 0) {
        throw new BadInput(
            "%s: none of the first %d jobs had ended when the others began; learn from more with"
                    .formatted(file, divide(jobs))
                + " a greater --train");
      }
      double before = Machine.cpuSeconds();
      Forest forest = loaded == null ? grow(evaluation, learnt) : loaded;
      double trainCpuSeconds = Machine.cpuSeconds() - before;
      PredictReport report =
          new PredictReport(
              jobs.workIsDuration(0),
              jobs.size(),
              divide(jobs),
              learnt.length,
              seed,
              forest,
              evaluation.predict(forest, INTERVAL_SHARE),
              INTERVAL_SHARE);
      String document = Json.document(report.document(FitFigures.inputs(List.of(file))));
      Path path = folder.path();
      if (path != null) {
        AtomicFile.write(path.resolve("predict.json"), document);
        AtomicFile.write(path.resolve("plot.svg"), report.plot());
        FeaturesFile.write(path.resolve("train.csv"), evaluation, learnt);
        FeaturesFile.write(path.resolve("test.csv"), evaluation, evaluation.tested());
        Machine.Document run = machine.document(spec.commandLine().getParseResult().originalArgs());
        AtomicFile.write(
            path.resolve(RunFiles.RUN), Json.document(new RunDocument(run, trainCpuSeconds)));
      }
      if (plot != null) {
        AtomicFile.write(plot, report.plot());
      }
      if (save != null) {
        save(save, SavedForest.write(forest));
      }
      folder.commit();
      System.out.print(output.json.given ? document : PredictText.of(report, wide.columns()));
      if (!output.json.given) {
        sayNext();
      }
    }
    return ExitStatus.OK;
  }

  private void sayNext() {
    List<String> written = new ArrayList<>();
    if (output.folder() != null) {
      written.add("Results are in %s.".formatted(output.folder()));
    }
    if (plot != null) {
      written.add("The picture is in %s.".formatted(plot));
    }
    if (save != null) {
      written.add("The forest is in %s; --load takes it.".formatted(save));
    }
    Next.say(
        written.isEmpty() ? "Nothing was written; --out DIR keeps it." : String.join(" ", written),
        "ringmaster compare %s --cluster CLUSTER --set estimate=predicted"
            .formatted(Next.path(file)));
  }

  private void check() {
    if (!(train > 0 && train < 1)) {
      throw new BadInput("--train %s: expected a share above 0 and below 1".formatted(train));
    }
    if (trees < 1 || trees > MOST_TREES) {
      throw new BadInput("--trees %d: expected 1 to %d".formatted(trees, MOST_TREES));
    }
  }

  private Jobs read() {
    ModelTable table = ModelTable.standard();
    if (models.file != null) {
      table = table.with(ModelsFile.read(models.file));
    }
    Jobs jobs = JobsFile.read(file, table, Cluster.uniform(1, ANY_GPUS, Network.None.USUAL, 0));
    if (jobs.size() < 2) {
      throw new BadInput(file + ": 1 job; expected some to learn from and some to predict");
    }
    for (int job = 1; job < jobs.size(); job++) {
      if (jobs.workIsDuration(job) != jobs.workIsDuration(0)) {
        throw new BadInput(
            "%s: job %s has %s and job %s has not; expected either for all"
                .formatted(
                    file,
                    jobs.id(0),
                    jobs.workIsDuration(0) ? "a duration_s" : "iterations",
                    jobs.id(job)));
      }
    }
    return jobs;
  }

  /** As many of the first as asked for; one at least, and one less than all at most. */
  private int divide(Jobs jobs) {
    return Math.clamp(Math.round(train * jobs.size()), 1, jobs.size() - 1);
  }

  /** A job is taken to have started at once and to have ended when its length was over. */
  private static List<PastJob> past(Jobs jobs) {
    List<PastJob> past = new ArrayList<>(jobs.size());
    for (int job = 0; job < jobs.size(); job++) {
      int group = jobs.group(job);
      int user = jobs.user(job);
      ModelProfile model = jobs.profile(job);
      JobFacts facts =
          new JobFacts(
              group < 0 ? "" : jobs.groupNames().get(group),
              user < 0 ? "" : jobs.userNames().get(user),
              model == null ? "" : model.id(),
              jobs.gpus(job));
      double submit = jobs.submitSeconds(job);
      past.add(new PastJob(facts, submit, jobs.work(job), submit + jobs.work(job)));
    }
    return past;
  }

  private Forest grow(Evaluation evaluation, int[] learnt) {
    int threads = Runtime.getRuntime().availableProcessors();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory())) {
      return Forest.grow(
          evaluation.rows(learnt), evaluation.labels(learnt), ForestSettings.of(trees, seed), pool);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new BadInput(file + ": no such file");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + AtomicFile.reason(e), e);
    }
  }

  private static void save(Path file, byte[] bytes) {
    try (AtomicFile out = AtomicFile.create(file)) {
      out.stream().write(bytes);
      out.commit();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + AtomicFile.reason(e), e);
    }
  }

  private record RunDocument(@Inline Machine.Document machine, double trainCpuSeconds) {}
}
