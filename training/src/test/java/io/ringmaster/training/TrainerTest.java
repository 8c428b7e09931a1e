package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrainerTest {
  private static final int STRETCH = 8_000;

  /** A stretch of a training: so many workers until so many samples are done. */
  private record Stretch(int workers, int batch, long untilSample) {}

  @Test
  void workersTogetherTakeTheStepOfOneWithAllTheirSamples() {
    WorkerOptions options = options(3000, 7);
    Progress one = train(options, 1, List.of(new Stretch(1, 24, 3000)));
    Progress three = train(options, 1, List.of(new Stretch(3, 8, 3000)));
    assertThat(three.iteration).isEqualTo(one.iteration).isEqualTo(125);
    assertThat(three.parameters).containsExactly(one.parameters, offset(1e-4f));
    assertThat(three.loss).isCloseTo(one.loss, offset(1e-4));
  }

  /** 32 samples a step, whoever takes them: only the same samples in the same order give this. */
  @Test
  void aResizedTrainingTakesTheSameSamples() {
    WorkerOptions options = options(9610, 3);
    Progress untouched = train(options, 1, List.of(new Stretch(1, 32, 9610)));
    Progress resized =
        train(
            options,
            1,
            List.of(new Stretch(1, 32, 3200), new Stretch(4, 8, 6400), new Stretch(2, 16, 9610)));
    // 9610 = 300 * 32 + 10: the last step is a small one.
    assertThat(resized.samples).isEqualTo(untouched.samples).isEqualTo(9610);
    assertThat(resized.iteration).isEqualTo(untouched.iteration).isEqualTo(301);
    assertThat(resized.parameters).containsExactly(untouched.parameters, offset(1e-3f));
  }

  @Test
  void theRateRisesToItsNewValueAndFallsAtOnce() {
    WorkerOptions options = options(100_000, 1);
    Progress progress = Trainer.fresh(options);
    try (Ring alone = Ring.join(0, 1, "", 0, "", Duration.ofSeconds(1))) {
      Trainer scaled = new Trainer(options, alone, 5, progress);
      scaled.compute();
      scaled.exchange(false);
      // From 0.05 to 0.25 in 10 steps: 0.02 each.
      assertThat(progress.rate).isCloseTo(0.07, offset(1e-9));
      for (int i = 0; i < 30; i++) {
        scaled.compute();
        scaled.exchange(false);
      }
      assertThat(progress.rate).isCloseTo(0.25, offset(1e-9));
      Trainer smaller = new Trainer(options, alone, 2, progress);
      smaller.compute();
      smaller.exchange(false);
      assertThat(progress.rate).isCloseTo(0.1, offset(1e-9));
    }
  }

  @Test
  void itLearns() {
    WorkerOptions options = options(60_000, 1);
    try (Ring alone = Ring.join(0, 1, "", 0, "", Duration.ofSeconds(1))) {
      Trainer trainer = new Trainer(options, alone, 1, Trainer.fresh(options));
      assertThat(trainer.heldOutAccuracy()).isLessThan(0.6);
      run(trainer, options.samples());
      assertThat(trainer.progress().loss).isLessThan(0.4);
      assertThat(trainer.heldOutAccuracy()).isGreaterThan(0.85);
    }
  }

  @Test
  void everybodyStopsAfterTheSameStep() {
    WorkerOptions options = options(100_000, 1);
    List<Long> iterations =
        RingOfThreads.run(
            4,
            ring -> {
              Trainer trainer = new Trainer(options, ring, 1, Trainer.fresh(options));
              boolean isStopped = false;
              while (!isStopped) {
                trainer.compute();
                isStopped =
                    trainer.exchange(ring.rank() == 2 && trainer.progress().iteration >= 20);
              }
              return trainer.progress().iteration;
            });
    assertThat(iterations).containsOnly(21L);
  }

  /**
   * With a rate that follows the workers, the loss by samples is the same curve whether a training
   * is resized or not, up to noise. Noise is what trainings do that are never resized: the spread
   * over seeds and over 1, 2 and 4 workers.
   */
  @Test
  void resizingLeavesTheLossCurveAsItIs() {
    int seeds = 4;
    int[][] untouched = {{1, 1, 1, 1}, {2, 2, 2, 2}, {4, 4, 4, 4}};
    List<double[]> expected = new ArrayList<>();
    List<double[]> resized = new ArrayList<>();
    for (int seed = 1; seed <= seeds; seed++) {
      for (int[] workers : untouched) {
        expected.add(losses(seed, workers));
      }
      resized.add(losses(seed, new int[] {1, 4, 2, 4}));
    }
    System.out.println("samples  untouched  noise  resized 1, 4, 2, 4");
    for (int i = 0; i < 4; i++) {
      int mark = i;
      double mean = expected.stream().mapToDouble(curve -> curve[mark]).average().orElseThrow();
      double squares =
          expected.stream().mapToDouble(curve -> Math.pow(curve[mark] - mean, 2)).sum();
      double noise = Math.sqrt(squares / (expected.size() - 1));
      double other = resized.stream().mapToDouble(curve -> curve[mark]).average().orElseThrow();
      System.out.printf("%7d  %9.3f  %5.3f  %.3f%n", (i + 1) * STRETCH, mean, noise, other);
      assertThat(other).isCloseTo(mean, offset(2 * noise));
    }
  }

  /** After each stretch, with so many workers in each. */
  private static double[] losses(long seed, int[] workers) {
    WorkerOptions options = options((long) STRETCH * workers.length, seed);
    Progress progress = Trainer.fresh(options);
    double[] losses = new double[workers.length];
    for (int i = 0; i < workers.length; i++) {
      Stretch stretch = new Stretch(workers[i], 32, (i + 1L) * STRETCH);
      progress = train(options, workers[i], progress, stretch);
      losses[i] = progress.loss;
    }
    return losses;
  }

  private static WorkerOptions options(long samples, long seed) {
    return WorkerOptions.parse("--samples", "" + samples, "--seed", "" + seed);
  }

  private static Progress train(WorkerOptions options, double scale, List<Stretch> stretches) {
    Progress progress = Trainer.fresh(options);
    for (Stretch stretch : stretches) {
      progress = train(options, scale, progress, stretch);
    }
    return progress;
  }

  /** As the next attempt of a job: rank 0 knows the past, and the others only begin. */
  private static Progress train(
      WorkerOptions options, double scale, Progress past, Stretch stretch) {
    WorkerOptions batch =
        new WorkerOptions(
            options.samples(),
            stretch.batch(),
            options.hidden(),
            options.rate(),
            options.pace(),
            options.seed(),
            options.checkpointEvery());
    return RingOfThreads.run(
            stretch.workers(),
            ring -> {
              Progress own = ring.rank() == 0 ? past : Trainer.fresh(batch);
              Trainer trainer = new Trainer(batch, ring, scale, own);
              run(trainer, stretch.untilSample());
              return own;
            })
        .getLast();
  }

  private static void run(Trainer trainer, long untilSample) {
    while (!trainer.isDone() && trainer.progress().samples < untilSample) {
      trainer.compute();
      trainer.exchange(false);
    }
  }
}
