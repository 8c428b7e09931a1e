package io.ringmaster.cli.fit;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.loss.Convergence;
import io.ringmaster.predictor.loss.LossAnalysis;
import io.ringmaster.predictor.loss.LossPoint;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.LossFile;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster fit loss}: when a job's loss will have fallen far enough. */
@Command(
    name = "loss",
    description = {
      "Finds when a job's loss will have fallen far enough from the losses it reported so far:",
      "b0, b1 and b2 of l(k) = 1 / (b0 k + b1) + b2, and the epochs that remain."
    },
    mixinStandardHelpOptions = true)
final class FitLossCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "losses (CSV: epoch, loss and, for several, job; .gz, .xz and .zst too)")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--tolerance",
      paramLabel = "X",
      description = "done when the loss falls by at most this share of the greatest; default 0.05")
  @Nullable Double tolerance;

  @Option(names = "--window", paramLabel = "N", description = "... in this many epochs; default 10")
  @Nullable Integer window;

  @Option(
      names = "--target",
      paramLabel = "LOSS",
      description = "done at this loss, instead of when it is flat")
  @Nullable Double target;

  @Option(
      names = "--most",
      paramLabel = "N",
      description = "expect no more epochs than this; default ${DEFAULT-VALUE}")
  int most = Convergence.MOST_EPOCHS;

  @Option(
      names = "--steps-per-epoch",
      paramLabel = "N",
      description = "if the file counts steps: how many are an epoch; default ${DEFAULT-VALUE}")
  double stepsPerEpoch = 1;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    FitFigures.eachOnce("fit loss", files);
    Convergence convergence = convergence();
    try (OutputOptions.Opened folder = output.open()) {
      List<LossReport> reports = new ArrayList<>();
      for (Path file : files) {
        LossFile.read(file)
            .forEach((job, points) ->
                reports.add(
                    new LossReport(
                        name(file, job), LossAnalysis.of(inEpochs(points), convergence))));
      }
      String document =
          Json.document(LossReport.document(reports, convergence, FitFigures.inputs(files)));
      Path path = folder.path();
      if (path != null) {
        AtomicFile.write(path.resolve("fit.json"), document);
        for (int i = 0; i < reports.size(); i++) {
          String plot = reports.size() == 1 ? "plot.svg" : "plot-" + (i + 1) + ".svg";
          AtomicFile.write(path.resolve(plot), reports.get(i).plot());
        }
      }
      folder.commit();
      System.out.print(output.json.given ? document : LossText.of(reports));
      output.sayWhere("look at the curves in %s"::formatted);
    }
    return ExitStatus.OK;
  }

  private String name(Path file, String job) {
    if (job.isEmpty()) {
      return String.valueOf(file.getFileName());
    }
    return files.size() == 1 ? job : file.getFileName() + ": " + job;
  }

  private List<LossPoint> inEpochs(List<LossPoint> points) {
    return points.stream().map(p -> new LossPoint(p.epoch() / stepsPerEpoch, p.loss())).toList();
  }

  private Convergence convergence() {
    if (most < 1) {
      throw wrong("--most", most, "a whole number from 1 on");
    }
    if (!(stepsPerEpoch > 0) || Double.isInfinite(stepsPerEpoch)) {
      throw wrong("--steps-per-epoch", stepsPerEpoch, "a number above 0");
    }
    if (target != null) {
      if (tolerance != null || window != null) {
        throw new BadInput("fit loss: --target or --tolerance and --window, not both");
      }
      if (!(target > 0) || Double.isInfinite(target)) {
        throw wrong("--target", target, "a loss above 0");
      }
      return Convergence.of(new Convergence.Goal.Target(target), most);
    }
    Convergence.Goal.Flat flat = Convergence.Goal.Flat.DEFAULT;
    int epochs = window == null ? flat.windowEpochs() : window;
    double share = tolerance == null ? flat.tolerance() : tolerance;
    if (epochs < 1) {
      throw wrong("--window", epochs, "a whole number of epochs from 1 on");
    }
    if (!(share > 0 && share < 1)) {
      throw wrong("--tolerance", share, "a share of the greatest loss, above 0 and below 1");
    }
    return Convergence.of(new Convergence.Goal.Flat(epochs, share), most);
  }

  private static BadInput wrong(String option, Object value, String expected) {
    return new BadInput("fit loss: %s %s is not %s".formatted(option, value, expected));
  }
}
