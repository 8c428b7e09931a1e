package io.ringmaster.workload.trace;

/**
 * What Slurm's commands printed about one moment, with times in seconds since 1970.
 *
 * @param jobs of {@code squeue}, with a header and {@code |} between fields
 * @param nodes of {@code scontrol --details show node --oneliner}
 * @param partitions of {@code scontrol show partition --oneliner}
 * @param settings of {@code scontrol show config}
 * @param history of {@code sacct --parsable2}; empty if it told nothing
 * @param noHistoryBecause what sacct complained of; empty if it did not
 */
public record SlurmTexts(
    String jobs,
    String nodes,
    String partitions,
    String settings,
    String history,
    String noHistoryBecause) {

  /** What squeue is to print. Names come last: they may hold anything. */
  public static final String SQUEUE_FIELDS =
      String.join(
          ":|,",
          "JobArrayID",
          "UserName",
          "Partition",
          "State",
          "SubmitTime",
          "EligibleTime",
          "StartTime",
          "TimeUsed",
          "TimeLimit",
          "NumNodes",
          "tres-alloc",
          "tres-per-node",
          "tres-per-job",
          "tres-per-task",
          "NumTasks",
          "PriorityLong",
          "Reason",
          "Dependency",
          "ReqNodes",
          "Feature",
          "Reservation",
          "NodeList",
          "Name:|");

  /** What sacct is to print. */
  public static final String SACCT_FIELDS =
      "JobID,User,Partition,State,Submit,Eligible,Start,End,ElapsedRaw,Timelimit,NNodes,AllocTRES,"
          + "ReqTRES,NodeList,JobName";
}
