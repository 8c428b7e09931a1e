package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.engine.local.LocalSettings;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.List;
import java.util.stream.Stream;

/**
 * What can be set.
 *
 * @param slots GPUs of each node, whether or not there are any; 0: those of the allocation
 * @param ownersOnly whether only jobs of the server's own OS user are run
 * @param leaseSeconds after which an agent that is cut off kills what it runs
 * @param closingSeconds so long before the end of an allocation nothing is started there
 * @param ofAgents what agents do with files of jobs
 */
record AllocationSettings(
    int slots,
    boolean ownersOnly,
    double leaseSeconds,
    double closingSeconds,
    LocalSettings ofAgents) {
  private static final String SLOTS = "slots";
  private static final String JOBS_OF = "jobs-of";
  private static final String LEASE = "lease-s";
  private static final String CLOSING = "closing-s";

  private static final List<Parameter> OF_ALLOCATIONS =
      List.of(
          Parameter.whole(SLOTS, 0, 0, 1000)
              .saying(
                  "GPUs of each node, whether or not there are any; 0: those of the allocation"),
          Parameter.choice(JOBS_OF, "owner", "everybody")
              .saying(
                  "whose jobs are run: those of the OS user who has the allocation, or everybody's,"
                      + " as that user"),
          Parameter.number(LEASE, 30, 3, 3600)
              .saying("after so long a node that is cut off from everybody kills what it runs, s"),
          Parameter.number(CLOSING, 120, 0, 86_400)
              .saying("so long before the end of an allocation nothing is started there, s"));

  static final List<Parameter> PARAMETERS =
      Stream.concat(OF_ALLOCATIONS.stream(), LocalSettings.OF_FILES.stream()).toList();

  static AllocationSettings of(Settings settings) {
    return new AllocationSettings(
        settings.whole(SLOTS),
        settings.text(JOBS_OF).equals("owner"),
        settings.number(LEASE),
        settings.number(CLOSING),
        LocalSettings.ofFiles(settings));
  }
}
