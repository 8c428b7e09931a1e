package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.Inputs;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;

/**
 * A site's own history, as Slurm's {@code sacct} prints it with {@code --parsable2} or {@code
 * --json}. The first character tells which of the two a file is. {@link SlurmJobs} says what
 * becomes of the rows.
 *
 * @see <a href="https://slurm.schedmd.com/sacct.html">sacct</a>
 */
final class Sacct {
  static final String COUNT = "count";
  private static final String CPUS = "cpus:";
  static final String PARTITION = "partition";
  static final String SUBMIT = "submit";
  static final String SERVERS = "servers";
  static final String ZONE = "zone";

  static final Parameter SERVERS_ALIKE =
      Parameter.choice(SERVERS, "alike", "seen")
          .saying(
              "servers whose names differ in digits only have the same number of GPUs, or each has"
                  + " what was seen on it");

  private static final int LONGEST_BLANK = 1 << 12;

  static final TraceFormat FORMAT =
      new TraceFormat(
          "sacct",
          "The history of a Slurm site, as sacct prints it with --parsable2 or --json.",
          "Slurm, https://slurm.schedmd.com/sacct.html",
          List.of(
              new Parameter(
                  COUNT,
                  "gpus",
                  new Parameter.Pattern(
                      "gpus, or cpus:N with a number N above 0",
                      v -> v.equals("gpus") || cpusPerGpu(v) > 0),
                  "what counts as a GPU: a GPU, or on sites without them N CPUs"),
              new Parameter(
                  PARTITION,
                  "",
                  new Parameter.Pattern("names between commas", v -> !v.replace(",", "").isBlank()),
                  "keep the jobs of these partitions only; empty: of all"),
              Parameter.choice(SUBMIT, "eligible", "submit")
                  .saying(
                      "a job counts from when it could start, or from when it was handed in, held"
                          + " or not"),
              SERVERS_ALIKE,
              new Parameter(
                  ZONE,
                  "UTC",
                  new Parameter.Pattern("a time zone such as Europe/Berlin", Sacct::isZone),
                  "the site's time zone, if times are local; needed only where clocks change")),
          (files, settings, out) -> read(files, settings, out, false));

  /** The same, and what squeue prints: there no job has ended. */
  static final TraceFormat QUEUE =
      new TraceFormat(
          FORMAT.name(),
          FORMAT.summary(),
          FORMAT.source(),
          FORMAT.parameters(),
          (files, settings, out) -> read(files, settings, out, true));

  private Sacct() {}

  /** The number of {@code cpus:N}; 0 if it is none. */
  static double cpusPerGpu(String text) {
    String number = text.startsWith(CPUS) ? text.substring(CPUS.length()) : "";
    return number.matches("[0-9]{1,6}(\\.[0-9]{1,6})?") ? Double.parseDouble(number) : 0;
  }

  private static boolean isZone(String text) {
    try {
      return ZoneId.of(text) != null;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static void read(List<Path> files, Settings settings, TraceSink out, boolean queue) {
    SlurmJobs jobs = new SlurmJobs(settings, out);
    SlurmTime time = new SlurmTime(ZoneId.of(settings.text(ZONE)));
    for (Path file : files) {
      try (InputStream in = new BufferedInputStream(Inputs.open(file, out::progress))) {
        if (firstCharacter(in) == '{') {
          new SacctJson(file, jobs, out, queue).read(in);
        } else {
          new SacctText(file, time, jobs, out, queue).read(in);
        }
      } catch (IOException e) {
        throw new BadInput(file + ": cannot read: " + AtomicFile.reason(e));
      }
    }
    jobs.finish();
  }

  /** The first that is not blank, which stays to be read; -1 if there is none. */
  private static int firstCharacter(InputStream in) throws IOException {
    in.mark(LONGEST_BLANK);
    int c = ' ';
    for (int i = 0; i < LONGEST_BLANK && c != -1 && Character.isWhitespace(c); i++) {
      c = in.read();
    }
    in.reset();
    return c;
  }
}
