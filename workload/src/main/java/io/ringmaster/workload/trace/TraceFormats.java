package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.JobsFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The formats of traces by name. A new one is a constant and a line here. */
public final class TraceFormats {
  private static final List<TraceFormat> ALL =
      List.of(
          PhillyLog.FORMAT,
          CsvTraces.PHILLY,
          CsvTraces.CHRONUS,
          CsvTraces.ELASTIC_FLOW,
          CsvTraces.HELIOS,
          Pai.FORMAT,
          CsvTraces.OPENB,
          CsvTraces.DISAGGREGATED,
          CsvTraces.LORA_REQUESTS,
          CsvTraces.ACME,
          Swf.FORMAT,
          GavelTrace.FORMAT,
          Pollux.FORMAT,
          Sacct.FORMAT,
          Kubectl.FORMAT);

  private TraceFormats() {}

  public static List<TraceFormat> all() {
    return ALL;
  }

  /** What every format can be given beside its own settings. */
  public static List<Parameter> commonParameters() {
    return TraceJobs.PARAMETERS;
  }

  public static TraceFormat named(String name) {
    return Settings.Nearest.named(name, ALL, TraceFormat::name, "there is no format '%s'");
  }

  /**
   * The format that files are of, by reading their beginning as each.
   *
   * @throws BadInput if none can read them, or several can, with what to do
   */
  public static String recognised(List<Path> files) {
    List<String> able =
        ALL.stream()
            .filter(format -> Beginning.isOf(format, files))
            .map(TraceFormat::name)
            .toList();
    if (able.size() == 1) {
      return able.getFirst();
    }
    throw new BadInput(
        able.isEmpty()
            ? "%s: no known format can read it; 'ringmaster import --list' lists them"
                .formatted(files.getFirst())
            : "%s: may be %s; say which with --format"
                .formatted(files.getFirst(), String.join(" or ", able)));
  }

  /**
   * Reads the files of a trace.
   *
   * @param given settings by the user; defaults stand for the rest
   * @param progress told of each file on its own
   */
  public static Imported read(
      String name,
      List<Path> files,
      Map<String, String> given,
      long seed,
      JobsFile.Progress progress) {
    TraceFormat format = named(name);
    List<Parameter> declared =
        Stream.concat(TraceJobs.PARAMETERS.stream(), format.parameters().stream()).toList();
    Settings settings = Settings.of("format " + name, declared, given);
    TraceJobs jobs = new TraceJobs(settings, seed, progress);
    format.reader().read(files, settings, jobs);
    return jobs.imported();
  }
}
