package io.ringmaster.cli.fit;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.options.WideOption;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.contention.AllReduceTime;
import io.ringmaster.predictor.contention.ContentionFit;
import io.ringmaster.workload.AllReduceFile;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ringmaster fit contention}: how rings that share a link slow each other down. */
@Command(
    name = "contention",
    description = {
      "Finds how rings that share a link slow each other down from measured all-reduce times:",
      "a, b and eta of T = a + k b M + (k - 1) eta M, and the alpha of a cluster file."
    },
    mixinStandardHelpOptions = true)
final class FitContentionCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "times (CSV: jobs, bytes, seconds; .gz, .xz and .zst too), fitted together")
  List<Path> files = new ArrayList<>();

  @Mixin OutputOptions output = new OutputOptions();

  @Mixin WideOption wide = new WideOption();

  @Override
  public Integer call() {
    FitFigures.eachOnce("fit contention", files);
    try (OutputOptions.Opened folder = output.open()) {
      List<AllReduceTime> times = new ArrayList<>();
      files.forEach(file -> times.addAll(AllReduceFile.read(file)));
      ContentionReport report = new ContentionReport(times, fit(times));
      String document = Json.document(report.document(FitFigures.inputs(files)));
      Path path = folder.path();
      if (path != null) {
        AtomicFile.write(path.resolve("fit.json"), document);
        AtomicFile.write(path.resolve("plot.svg"), report.plot());
      }
      folder.commit();
      System.out.print(
          output.json.given ? document : ContentionText.of(times, report.fit(), wide.columns()));
      output.sayWhere(
          "put the lines above into a cluster file; the picture is %s/plot.svg"::formatted);
    }
    return ExitStatus.OK;
  }

  private ContentionFit fit(List<AllReduceTime> times) {
    try {
      return ContentionFit.of(times);
    } catch (BadInput e) {
      String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
      throw new BadInput(names + ": " + e.getMessage());
    }
  }
}
