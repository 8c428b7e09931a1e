package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.JobsFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The formats of traces by name. A new one is a class and a line here. */
public final class TraceFormats {
  private static final List<TraceFormat> ALL =
      List.of(
          new PhillyLog(),
          new PhillyTable(),
          new Chronus(),
          new ElasticFlow(),
          DatacenterLog.helios(),
          new Pai(),
          new OpenB(),
          new Disaggregated(),
          new LoraRequests(),
          DatacenterLog.acme(),
          new Swf(),
          new GavelTrace(),
          new Pollux(),
          new Sacct(),
          new Kubectl());

  private TraceFormats() {}

  public static List<TraceFormat> all() {
    return ALL;
  }

  /** What every format can be given beside its own settings. */
  public static List<Parameter> commonParameters() {
    return TraceJobs.PARAMETERS;
  }

  /**
   * Finds a format.
   *
   * @throws BadInput for an unknown name, with the nearest known one
   */
  public static TraceFormat named(String name) {
    for (TraceFormat format : ALL) {
      if (format.name().equals(name)) {
        return format;
      }
    }
    List<String> names = ALL.stream().map(TraceFormat::name).toList();
    throw new BadInput(
        "there is no format '%s'; %s".formatted(name, Settings.Nearest.hint(name, names)));
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
    format.read(files, settings, jobs);
    return jobs.imported();
  }
}
