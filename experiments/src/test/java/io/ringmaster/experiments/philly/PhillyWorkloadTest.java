package io.ringmaster.experiments.philly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhillyWorkloadTest {
  private static final int GPUS = 32;

  @TempDir Path folder;

  private Jobs trace(int jobs) throws IOException {
    return TraceFile.read(Sample.write(folder, jobs), GPUS);
  }

  private static double work(Jobs jobs) {
    return IntStream.range(0, jobs.size()).mapToDouble(j -> jobs.work(j) * jobs.gpus(j)).sum();
  }

  @Test
  void whatIsLargerThanTheClusterIsLeftOut() throws IOException {
    Jobs jobs = trace(200);
    assertThat(jobs.size()).isEqualTo(199);
    assertThat(IntStream.range(0, jobs.size()).allMatch(j -> jobs.gpus(j) <= GPUS)).isTrue();
  }

  @Test
  void theLoadIsExact() throws IOException {
    Jobs trace = trace(200);
    for (double load : PhillyTraceExperiment.LOADS) {
      Jobs jobs = PhillyWorkload.numbered(2, trace, 80).jobs(load, GPUS);
      assertThat(jobs.size()).isEqualTo(80);
      assertThat(jobs.submitSeconds(0)).isZero();
      assertThat(work(jobs) / (GPUS * jobs.submitSeconds(79))).isCloseTo(load, within(1e-12));
    }
  }

  /** Only times differ: the same jobs in the same order, all gaps by the same factor. */
  @Test
  void jobsAreThoseOfTheTrace() throws IOException {
    Jobs trace = trace(200);
    PhillyWorkload draw = PhillyWorkload.numbered(3, trace, 80);
    Jobs jobs = draw.jobs(1, GPUS);
    double factor =
        jobs.submitSeconds(79)
            / (trace.submitSeconds(draw.from() + 79) - trace.submitSeconds(draw.from()));
    for (int job = 0; job < jobs.size(); job++) {
      int there = draw.from() + job;
      assertThat(jobs.id(job)).isEqualTo(trace.id(there));
      assertThat(jobs.gpus(job)).isEqualTo(trace.gpus(there));
      assertThat(jobs.model(job)).isEqualTo(trace.model(there)).isNotNegative();
      assertThat(jobs.userNames().get(jobs.user(job)))
          .isEqualTo(trace.userNames().get(trace.user(there)));
      assertThat(jobs.work(job)).isEqualTo(trace.work(there));
      assertThat(jobs.submitSeconds(job))
          .isCloseTo(
              factor * (trace.submitSeconds(there) - trace.submitSeconds(draw.from())),
              within(1e-6));
    }
  }

  @Test
  void longJobsAreStopped() throws IOException {
    Jobs trace = trace(200);
    assertThat(trace.work(0)).isEqualTo(300_000);
    assertThat(new PhillyWorkload(trace, 0, 80).jobs(1, GPUS).work(0)).isEqualTo(172_800);
  }

  /** The places of the documented rule; those of fewer draws stay with more. */
  @Test
  void drawsAreFarApart() {
    JobsBuilder rows = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < 82_247; job++) {
      rows.addDuration("j" + job, job, 1, 60, "");
    }
    Jobs trace = rows.build();
    List<Integer> starts =
        IntStream.rangeClosed(1, 20)
            .mapToObj(d -> PhillyWorkload.numbered(d, trace, Scale.FULL.jobs()).from())
            .toList();
    assertThat(starts).startsWith(45_887, 17_527, 63_415, 35_055, 6694);
    assertThat(starts).doesNotHaveDuplicates().allMatch(from -> from + 8000 <= 82_247);
    List<Integer> sorted = starts.subList(0, 5).stream().sorted().toList();
    for (int i = 1; i < 5; i++) {
      assertThat(sorted.get(i) - sorted.get(i - 1)).isGreaterThan(Scale.FULL.jobs());
    }
  }

  @Test
  void aPartOfTheTraceIsRefused() throws IOException {
    Jobs trace = trace(50);
    assertThatThrownBy(() -> PhillyWorkload.numbered(1, trace, 80))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "the trace has 49 jobs that fit on the cluster, a draw takes 80; use the whole trace");
    JobsBuilder rows = Jobs.builder(ModelTable.standard());
    Jobs atOnce = rows.addDuration("a", 0, 1, 60, "").addDuration("b", 0, 1, 60, "").build();
    assertThatThrownBy(() -> PhillyWorkload.numbered(1, atOnce, 2).jobs(1, GPUS))
        .isInstanceOf(BadInput.class)
        .hasMessage("2 jobs of the trace, from a on, are submitted at once; use the whole trace");
  }
}
