package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.model.BadInput;
import io.ringmaster.runs.FinishedRun;
import io.ringmaster.runs.RunFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ringmaster validate}: checks what a run left. */
@Command(
    name = "validate",
    description =
        "Checks a run's own output: capacity, gangs, work done, finish times, and the summary.",
    mixinStandardHelpOptions = true)
public final class ValidateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "a folder that --out wrote")
  Path folder = Path.of("");

  @Override
  public Integer call() {
    boolean good = true;
    for (Path run : runs()) {
      FinishedRun finished = FinishedRun.read(run);
      List<String> findings = finished.check();
      if (findings.isEmpty()) {
        System.out.println(
            String.format(
                Locale.ROOT,
                "%s: valid; %,d jobs, %,d segment rows",
                run,
                finished.jobs(),
                finished.rows()));
      } else {
        good = false;
        findings.forEach(finding -> System.out.println(run + ": " + finding));
      }
    }
    return good ? ExitStatus.OK : ExitStatus.FAILED;
  }

  /** The folder itself, or the runs of a comparison in it. */
  private List<Path> runs() {
    if (!Files.isDirectory(folder)) {
      throw new BadInput(folder + ": expected a folder that --out wrote");
    }
    if (Files.exists(folder.resolve(RunFiles.SEGMENTS))) {
      return List.of(folder);
    }
    try (Stream<Path> inside = Files.list(folder)) {
      List<Path> runs =
          inside.filter(p -> Files.exists(p.resolve(RunFiles.SEGMENTS))).sorted().toList();
      if (runs.isEmpty()) {
        throw new BadInput(
            folder + ": no " + RunFiles.SEGMENTS + "; expected a folder that --out wrote");
      }
      return runs;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + folder, e);
    }
  }
}
