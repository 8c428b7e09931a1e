package io.ringmaster.engine.local;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What can be set of the local engine, beside its nodes.
 *
 * @param asOwner whether a job runs as the OS user that is called as its owner is
 * @param allowRoot whether root's own jobs may run as root then
 * @param groups whether attempts are put into control groups, where they can be had
 * @param processes most processes and threads of an attempt, if there are control groups
 * @param logLimitBytes most bytes of a stream of a worker
 * @param diskReserveBytes what must stay free on the disk of the data folder
 */
public record LocalSettings(
    boolean asOwner,
    boolean allowRoot,
    boolean groups,
    int processes,
    long logLimitBytes,
    long diskReserveBytes) {

  private static final String RUN_AS = "run-as";
  private static final String ALLOW_ROOT = "allow-root";
  private static final String CGROUPS = "cgroups";
  private static final String PROCESSES = "processes";
  private static final String LOG_LIMIT = "log-limit-mb";
  private static final String DISK_RESERVE = "disk-reserve-mb";
  private static final long MEGABYTE = 1_000_000;

  /** Those of every engine that keeps files of jobs in a data folder. */
  public static final List<Parameter> OF_FILES =
      List.of(
          Parameter.whole(LOG_LIMIT, 256, 1, 1_000_000)
              .saying("where the log of one stream of a worker is cut, MB"),
          Parameter.whole(DISK_RESERVE, 1000, 0, 100_000_000)
              .saying(
                  "what must be free on the data folder's disk for attempts to be started, MB"));

  private static final List<Parameter> OF_PROCESSES =
      List.of(
          Parameter.whole(LocalNode.SLOTS, 0, 0, 1000)
              .saying(
                  "GPUs of the one node, whether or not there are any; 0: those there are, or one"
                      + " for each processor"),
          Parameter.choice(RUN_AS, "server", "user")
              .saying(
                  "who jobs run as: the server's OS user, or the one that is called as their owner"
                      + " is; the latter needs a server of root"),
          Parameter.flag(ALLOW_ROOT, false)
              .saying("with 'run-as: user', whether root's jobs run as root"),
          Parameter.choice(CGROUPS, "auto", "off")
              .saying(
                  "control groups, which hold an attempt to the CPUs and memory that its job asks"
                      + " for; auto: where they can be had"),
          Parameter.whole(PROCESSES, 4096, 16, 4_000_000)
              .saying("most processes and threads of an attempt, in a control group"));

  static final List<Parameter> PARAMETERS =
      Stream.concat(OF_PROCESSES.stream(), OF_FILES.stream()).toList();

  static final LocalSettings USUAL =
      of(Settings.of("engine " + LocalEngine.NAME, PARAMETERS, Map.of()));

  /** Where somebody else sees to users and control groups, of settings that have those of files. */
  public static LocalSettings ofFiles(Settings settings) {
    return ofFiles(settings.whole(LOG_LIMIT) * MEGABYTE, settings.whole(DISK_RESERVE) * MEGABYTE);
  }

  public static LocalSettings ofFiles(long logLimitBytes, long diskReserveBytes) {
    return new LocalSettings(false, false, false, USUAL.processes, logLimitBytes, diskReserveBytes);
  }

  static LocalSettings of(Settings settings) {
    return new LocalSettings(
        settings.text(RUN_AS).equals("user"),
        settings.flag(ALLOW_ROOT),
        settings.text(CGROUPS).equals("auto"),
        settings.whole(PROCESSES),
        settings.whole(LOG_LIMIT) * MEGABYTE,
        settings.whole(DISK_RESERVE) * MEGABYTE);
  }
}
