package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmReasonTest {
  private static String held(String reason, String dependency) {
    SlurmRow row =
        new SlurmRow(
            SlurmId.of("5"),
            1,
            1,
            SlurmTime.UNKNOWN,
            SlurmTime.UNKNOWN,
            0,
            "PENDING",
            Tres.NOTHING,
            "ann",
            "main",
            "x",
            List.of(),
            new SlurmRow.Queued(
                1, 1, reason, new AskedPlace(List.of(), 1, 1, "", List.of(), "", "", dependency)));
    return SlurmReason.held("5", row, ZoneOffset.UTC);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Priority; ",
        "Resources; ",
        "None; ",
        "'ReqNodeNotAvail, UnavailableNodes:n4'; ",
        "'Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
            + " partitions'; ",
        "JobHeldAdmin; an administrator holds it, who alone can release it (JobHeldAdmin)",
        "PartitionInactive; its partition is closed; administrators open it (PartitionInactive)",
        "BeginTime; it is not to begin yet (BeginTime)",
        "SomethingNew; SomethingNew"
      })
  void ofASlurmWord(String reason, String plain) {
    // The plain words may hold the delimiter.
    assertThat(held(reason, "")).startsWith(plain == null ? "" : plain);
    assertThat(held(reason, "").isEmpty()).isEqualTo(plain == null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "QOSMaxGRESPerUser; a limit of GPUs of its quality of service is reached",
        "QOSMaxJobsPerUserLimit; a limit of jobs at once of its quality of service is reached",
        "AssocGrpGRES; a limit of GPUs of its account is reached",
        "MaxCpuPerAccount; a limit of CPUs is reached"
      })
  void limitsSayOfWhatAndWhose(String reason, String begin) {
    assertThat(held(reason, "")).startsWith(begin).endsWith("(" + reason + ")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "afterok:12(unfulfilled); it waits for job 12 to end well",
        "'afterany:12(unfulfilled),afternotok:13(unfulfilled)'; it waits for job 12 to end and job"
            + " 13 to fail",
        "afterok:1:2?after:3+5; it waits for job 1 to end well or job 2 to end well or job 3 to"
            + " begin",
        "singleton(unfulfilled); it waits for other jobs of its user and name to end",
        "'afterok:1,afterok:2,afterok:3,afterok:4,afterok:5'; it waits for job 1 to end well and"
            + " job 2 to end well and job 3 to end well and for 2 more"
      })
  void dependenciesAreNamed(String dependency, String plain) {
    assertThat(held("Dependency", dependency)).isEqualTo(plain);
  }
}
