package io.ringmaster.engine.slurm.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts as Slurm 22.05 prints them; the machines behind them are others. */
class SlurmAllocationTest {
  private static final String JOB =
      "JobId=1 JobName=no-shell UserId=ada(1000) GroupId=ada(1000) MCS_label=N/A JobState=RUNNING"
          + " Reason=None RunTime=00:00:00 TimeLimit=00:10:00 StartTime=1794978508"
          + " EndTime=1794979108 NodeList=n[1-3] BatchHost=n1 NumNodes=3"
          + " TRES=cpu=3,node=3,billing=3 JOB_GRES=gpu:11   Nodes=n[1-2] CPU_IDs=0-7,16 Mem=2048"
          + " GRES=gpu:4(IDX:0-3)   Nodes=n3 CPU_IDs=0 Mem=0 GRES=gpu:tesla:3(IDX:0,2-3)"
          + " MinCPUsNode=1 TresPerNode=gres:gpu:4";

  private static final String NODES =
      """
      NodeName=n1 Arch=x86_64 Gres=gpu:a100:4(S:0-1) NodeAddr=10.77.0.1 NodeHostName=n1 State=MIXED
      NodeName=n2 Arch=x86_64 Gres=gpu:4 NodeAddr=10.77.0.2 NodeHostName=n2 State=DOWN*+DRAIN
      NodeName=n3 Arch=x86_64 Gres=(null) NodeAddr=n3 NodeHostName=n3 State=IDLE
      """;

  @TempDir Path folder;

  private Slurm slurm(String job) throws Exception {
    Files.writeString(folder.resolve("job"), job);
    Files.writeString(folder.resolve("nodes"), NODES);
    Files.writeString(
        folder.resolve("slurm"),
        """
        case "$*" in
          "scontrol -d show job "*) cat "$0/../job" ;;
          "scontrol -d show node "*) cat "$0/../nodes" ;;
        esac
        """
            .replace("$0/..", folder.toString()));
    return new Slurm(
        new SlurmCommands(
            List.of("sh", folder.resolve("slurm").toString()), Duration.ofSeconds(60)));
  }

  @Test
  void anAllocationIsReadAsSlurmTellsIt() throws Exception {
    SlurmAllocation job = SlurmAllocation.ask(slurm(JOB), 1);
    assertThat(job)
        .isEqualTo(
            new SlurmAllocation(
                1,
                1000,
                "RUNNING",
                1_794_979_108,
                List.of(
                    new NodeShare("n1", "10.77.0.1", List.of(0, 1, 2, 3), "a100", 9, 2147483648.0),
                    new NodeShare("n2", "10.77.0.2", List.of(0, 1, 2, 3), "", 9, 2147483648.0),
                    new NodeShare(
                        "n3", "n3", List.of(0, 2, 3), "tesla", 1, Double.POSITIVE_INFINITY))));
    assertThat(SlurmAllocation.parse(job.json())).isEqualTo(job);
    assertThat(job.down(slurm(JOB))).containsExactly("n2");
  }

  @Test
  void whatHasNoLimitNeverEnds() throws Exception {
    SlurmAllocation job =
        SlurmAllocation.ask(slurm(JOB.replace("EndTime=1794979108", "EndTime=Unknown")), 1);
    assertThat(job.endSeconds()).isInfinite();
    assertThat(SlurmAllocation.parse(job.json())).isEqualTo(job);
  }

  @Test
  void statesSayWhetherItIsOver() throws Exception {
    for (String state : List.of("RUNNING", "COMPLETING", "SUSPENDED", "CONFIGURING")) {
      assertThat(SlurmAllocation.ask(slurm(JOB.replace("RUNNING", state)), 1).isOver()).isFalse();
    }
    for (String state : List.of("CANCELLED", "TIMEOUT", "NODE_FAIL", "PENDING", "COMPLETED")) {
      assertThat(SlurmAllocation.ask(slurm(JOB.replace("RUNNING", state)), 1).isOver()).isTrue();
    }
  }
}
