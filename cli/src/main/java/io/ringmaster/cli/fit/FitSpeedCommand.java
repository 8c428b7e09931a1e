package io.ringmaster.cli.fit;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.cli.terminal.FitFigures;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.speed.SpeedForm;
import io.ringmaster.predictor.speed.StepTime;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.StepTimesFile;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster fit speed}: how fast models train with some workers in some place. */
@Command(
    name = "speed",
    description = {
      "Finds how long an iteration takes with some workers in some place from measured iterations:",
      "computation, exchange of gradients, and how far they overlap; and rows of a models file."
    },
    mixinStandardHelpOptions = true)
final class FitSpeedCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "times (CSV: workers, servers or placement, seconds, batch, model; .gz, .xz and .zst"
              + " too); without a column model each file is a model of its own")
  List<Path> files = new ArrayList<>();

  @Option(names = "--form", paramLabel = "FORM", description = "placed (default) or paper")
  String form = "placed";

  @Option(
      names = "--all-reduce",
      paramLabel = "HOW",
      description = "ring (default), halving-doubling or binary-blocks")
  String allReduce = "ring";

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "only times with this batch; default: all, with a line in the batch")
  double batch;

  @Option(
      names = "--hold-out",
      paramLabel = "SHARE",
      description = "also fit without this share of the places, and see how far off all forms are")
  double holdOut;

  @Option(names = "--seed", paramLabel = "N", description = "which places; default 1")
  long seed = 1;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    FitFigures.eachOnce("fit speed", files);
    if (!(holdOut >= 0 && holdOut < 1)) {
      throw new BadInput(
          "--hold-out %s: expected a share above 0 and below 1, as 0.33".formatted(holdOut));
    }
    if (!(batch >= 0)) {
      throw new BadInput("--batch %s: expected a number above 0".formatted(batch));
    }
    SpeedForm what =
        word("--form", form, SpeedForm.values(), f -> f.name().toLowerCase(Locale.ROOT));
    AllReduce how = word("--all-reduce", allReduce, AllReduce.values(), AllReduce::text);
    try (OutputOptions.Opened folder = output.open()) {
      SpeedResult.Split split = new SpeedResult.Split(holdOut, seed);
      List<SpeedResult> results = new ArrayList<>();
      times()
          .forEach((model, times) -> results.add(SpeedResult.of(model, times, what, how, split)));
      SpeedReport report = new SpeedReport(what, how, split, results);
      String document = Json.document(report.document(FitFigures.inputs(files)));
      Path path = folder.path();
      if (path != null) {
        AtomicFile.write(path.resolve("fit.json"), document);
        AtomicFile.write(path.resolve("plot.svg"), report.plot());
        ModelsFile.write(path.resolve("models.csv"), report.profiles());
      }
      folder.commit();
      System.out.print(output.json.given ? document : SpeedText.of(report));
      output.sayWhere(
          "ringmaster compare JOBS --cluster CLUSTER --models %s/models.csv"::formatted);
    }
    return ExitStatus.OK;
  }

  private static <E> E word(String option, String text, E[] all, Function<E, String> name) {
    return Arrays.stream(all)
        .filter(each -> name.apply(each).equals(text))
        .findFirst()
        .orElseThrow(() ->
            new BadInput(
                "%s %s: expected one of %s"
                    .formatted(
                        option,
                        text,
                        Arrays.stream(all).map(name).collect(Collectors.joining(", ")))));
  }

  /** By model; a file without models is named as far back as it takes to tell it from others. */
  private Map<String, List<StepTime>> times() {
    Map<Path, Map<String, List<StepTime>>> read = new LinkedHashMap<>();
    files.forEach(file -> read.put(file, StepTimesFile.read(file)));
    List<Path> nameless =
        files.stream().filter(f -> read.getOrDefault(f, Map.of()).containsKey("")).toList();
    Map<String, List<StepTime>> all = new TreeMap<>();
    read.forEach((file, models) ->
        models.forEach((model, times) ->
            all.computeIfAbsent(
                    model.isEmpty() ? name(file, nameless) : model, _ -> new ArrayList<>())
                .addAll(times)));
    if (batch > 0) {
      all.forEach(this::keepBatch);
    }
    return all;
  }

  private void keepBatch(String model, List<StepTime> times) {
    double[] batches = times.stream().mapToDouble(StepTime::batch).distinct().sorted().toArray();
    times.removeIf(time -> time.batch() != batch);
    if (times.isEmpty()) {
      throw new BadInput(
          "--batch %s: %s was measured with %s"
              .formatted(
                  SpeedText.plain(batch),
                  model,
                  Arrays.stream(batches)
                      .mapToObj(SpeedText::plain)
                      .collect(Collectors.joining(", "))));
    }
  }

  private static String name(Path file, List<Path> files) {
    Path absolute = file.toAbsolutePath().normalize();
    for (int parts = 1; parts < absolute.getNameCount(); parts++) {
      int last = parts;
      String name = ending(absolute, last);
      if (files.stream()
              .filter(f -> ending(f.toAbsolutePath().normalize(), last).equals(name))
              .count()
          == 1) {
        return name;
      }
    }
    return absolute.toString();
  }

  private static String ending(Path file, int parts) {
    int count = file.getNameCount();
    String text = file.subpath(Math.max(0, count - parts), count).toString();
    return text.replaceFirst("(?i)\\.csv(\\.\\w+)?$", "").replace('\\', '/');
  }
}
