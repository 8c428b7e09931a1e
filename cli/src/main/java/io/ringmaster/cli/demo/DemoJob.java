package io.ringmaster.cli.demo;

import io.ringmaster.training.Worker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A training job of the demo. Its workers really train; that each mini-batch takes {@link
 * #PACE_SECONDS} and each step around the ring {@link #HOP_SECONDS} stands for devices and links
 * that this machine need not have. With 1, 2, 4 and 8 workers that is a speed of 1, 1.9, 3.2 and
 * 5.1: about that of ResNet-110 on K40m in Capes et al. (1, 1.7, 2.9, 4.7).
 *
 * @param submitSeconds after the demo's start
 * @param steps mini-batches in all
 */
record DemoJob(String name, double submitSeconds, long steps, long seed) {
  static final String MODEL = "demo-spirals";
  static final int GPUS = 4;
  static final int MIN_GPUS = 1;
  static final int MAX_GPUS = 8;
  static final int BATCH = 32;

  /** For the workers that it asks for. */
  private static final String RATE = "0.2";

  static final double PACE_SECONDS = 0.05;
  static final double HOP_SECONDS = 0.002;

  private static final List<String> NAMES = List.of("vision", "speech", "text", "ranking");
  private static final int GRACE_SECONDS = 10;

  /** Of one job with one worker: so long in the mean, and up to half more or less. */
  private static final double MEAN_SECONDS = 60;

  private static final double SPREAD = 0.5;

  /** What comes in the time of one job, over what all GPUs could do one by one. */
  private static final double LOAD = 1.2;

  /** Jobs that come at random. */
  static List<DemoJob> draw(int jobs, int gpus, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<DemoJob> drawn = new ArrayList<>();
    double submit = 0;
    for (int i = 0; i < jobs; i++) {
      double seconds = MEAN_SECONDS * (1 - SPREAD + 2 * SPREAD * random.nextDouble());
      String name = NAMES.get(random.nextInt(NAMES.size())) + "-" + (i + 1);
      drawn.add(new DemoJob(name, submit, Math.round(seconds / PACE_SECONDS), seed + i));
      submit -= Math.log(1 - random.nextDouble()) * MEAN_SECONDS / (gpus * LOAD);
    }
    return drawn;
  }

  /** Iterations with the workers that it asks for. */
  double iterations() {
    return (double) steps / GPUS;
  }

  List<String> command() {
    return Worker.command(
        "--samples",
        Long.toString(steps * BATCH),
        "--batch",
        Integer.toString(BATCH),
        "--rate",
        RATE,
        "--pace",
        PACE_SECONDS + "s",
        "--hop",
        HOP_SECONDS + "s",
        "--seed",
        Long.toString(seed));
  }

  /** As it is submitted. */
  Map<String, Object> description() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("command", command());
    map.put("gpus", GPUS);
    map.put("min_gpus", MIN_GPUS);
    map.put("max_gpus", MAX_GPUS);
    map.put("model", MODEL);
    map.put("iterations", iterations());
    map.put("grace_s", GRACE_SECONDS);
    return map;
  }
}
