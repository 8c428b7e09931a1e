package io.ringmaster.experiments.gadget;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One random workload of a {@link GadgetSetting}. The settings of the paper were not to hand: all
 * of this is chosen.
 *
 * <ul>
 *   <li>Every job trains a model of its own: a gradient of 30 to 575 MB, 0.05 to 0.5 s of
 *       computation in an iteration, both drawn evenly, and a reserved bandwidth of 1, 2 or 5
 *       Gbit/s.
 *   <li>Its largest number of workers is 4, 8, 16 or 32, its least 1. Policies with fixed sizes
 *       give it a number that is drawn evenly from 1 to its largest, as users ask for what they
 *       think is right.
 *   <li>Its work is log-normal with sigma 1, whatever its sizes: most jobs are short and a few are
 *       long, as in public traces. All work is then scaled to the load of the setting.
 *   <li>Arrivals are a Poisson process over the first 60 % of the horizon, given its number of
 *       jobs; a job is seen at the beginning of the next slot.
 *   <li>A draw has 160 jobs, and smaller settings its first ones. Loads, servers and horizons
 *       change nothing but the scale.
 * </ul>
 */
final class GadgetWorkload {
  private static final double LEAST_GRADIENT_BYTES = 30e6;
  private static final double MOST_GRADIENT_BYTES = 575e6;
  private static final double LEAST_COMPUTE_SECONDS = 0.05;
  private static final double MOST_COMPUTE_SECONDS = 0.5;
  private static final double[] RESERVED_GIGABITS = {1, 2, 5};
  private static final int[] LARGEST = {4, 8, 16, 32};
  private static final double ARRIVING = 0.6;

  /** A job before its work is scaled. */
  private record Drawn(
      ModelProfile profile, int fixedWorkers, int mostWorkers, double work, double arrival) {}

  private final List<Drawn> jobs = new ArrayList<>();
  private final double[] work;
  private final GadgetSetting setting;

  GadgetWorkload(long seed, GadgetSetting setting) {
    this.setting = setting;
    Draws models = new Draws(seed, 0);
    Draws sizes = new Draws(seed, 1);
    Draws lengths = new Draws(seed, 2);
    Draws arrivals = new Draws(seed, 3);
    for (int i = 0; i < setting.jobs(); i++) {
      int most = LARGEST[sizes.below(LARGEST.length)];
      jobs.add(
          new Drawn(
              model(i, models),
              1 + sizes.below(most),
              most,
              StrictMath.exp(lengths.normal()),
              ARRIVING * arrivals.uniform()));
    }
    jobs.sort(Comparator.comparingDouble(Drawn::arrival));
    work = jobs.stream().mapToDouble(Drawn::work).toArray();
    double gpuSeconds = setting.servers() * GadgetSetting.SERVER_GPUS * setting.horizonSeconds();
    double scale = setting.load() * gpuSeconds / Arrays.stream(work).sum();
    Arrays.setAll(work, i -> scale * work[i]);
  }

  private static ModelProfile model(int index, Draws draws) {
    double gradient =
        LEAST_GRADIENT_BYTES + (MOST_GRADIENT_BYTES - LEAST_GRADIENT_BYTES) * draws.uniform();
    double compute =
        LEAST_COMPUTE_SECONDS + (MOST_COMPUTE_SECONDS - LEAST_COMPUTE_SECONDS) * draws.uniform();
    double reserved = RESERVED_GIGABITS[draws.below(RESERVED_GIGABITS.length)] * 1e9 / 8;
    String id = String.format(Locale.ROOT, "j%03d", index + 1);
    return new ModelProfile(id, gradient, 1, 0, compute, "drawn").reserving(reserved);
  }

  /** Work of each job in GPU-seconds at one worker's speed, without communication. */
  double[] work() {
    return work.clone();
  }

  /** Jobs of the sizes that their users ask for. */
  Jobs fixed() {
    return jobs(false);
  }

  /**
   * The same jobs with any number of workers up to their largest. The size asked for, which elastic
   * policies do not look at, is 1.
   */
  Jobs elastic() {
    return jobs(true);
  }

  private Jobs jobs(boolean elastic) {
    List<ModelProfile> profiles = jobs.stream().map(Drawn::profile).toList();
    JobsBuilder out = Jobs.builder(ModelTable.standard().with(profiles));
    for (int i = 0; i < work.length; i++) {
      Drawn job = jobs.get(i);
      int asked = elastic ? 1 : job.fixedWorkers();
      double miniBatches = work[i] / job.profile().computeSeconds();
      out.add(
          job.profile().id(),
          Math.ceil(job.arrival() * setting.horizon()) * GadgetSetting.SLOT_SECONDS,
          asked,
          asked,
          elastic ? job.mostWorkers() : asked,
          miniBatches / asked,
          false,
          job.profile().id(),
          "",
          "");
    }
    return out.build();
  }
}
