package io.ringmaster.control.store;

import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Backoff;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobBuilder;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.job.Lost;
import io.ringmaster.control.job.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Jobs and entries with everything in them that a column could lose. */
final class SampleJobs {
  private static final List<String> TEXTS =
      List.of("", "a", "it's \"so\"", "zwölf; DROP TABLE job", "多\n行 \\ %s ? :x", "🎪");

  private SampleJobs() {}

  static Job queued(long id, String user) {
    return queued(id, user, "");
  }

  static Job queued(long id, String user, String key) {
    JobSpec spec =
        JobSpecs.of(
            Map.of(
                "command",
                List.of("python", "train.py"),
                "gpus",
                2,
                "duration_s",
                3600,
                "group",
                "bert"));
    return Lifecycle.submitted(id, user, key, spec, 1.5);
  }

  static Job queued(long id, String user, JobSpec spec) {
    return Lifecycle.submitted(id, user, "", spec, 1.5);
  }

  static Job in(Job job, JobState state, double attainedGpuSeconds) {
    return JobBuilder.like(job).state(state).attainedGpuSeconds(attainedGpuSeconds).build();
  }

  static Job random(RandomGenerator random, long id) {
    return random(
        random,
        id,
        "user" + random.nextInt(3),
        random.nextBoolean() ? "" : "key" + id,
        random.nextBoolean() ? "" : "slurm/a/" + id,
        randomSpec(random));
  }

  /** The same job at another time: what never changes is as it was. */
  static Job randomLater(RandomGenerator random, Job job) {
    return random(
        random,
        job.id(),
        job.user(),
        job.key(),
        job.arrival(),
        job.spec().withPriority(random.nextInt(9)));
  }

  private static Job random(
      RandomGenerator random, long id, String user, String key, String arrival, JobSpec spec) {
    JobState[] states = JobState.values();
    return new Job(
        id,
        user,
        key,
        arrival,
        spec,
        states[random.nextInt(states.length)],
        random.nextInt(5),
        allocation(random),
        allocation(random),
        random.nextInt(3),
        random.nextInt(3),
        random.nextInt(3),
        seconds(random),
        seconds(random),
        seconds(random),
        seconds(random),
        seconds(random),
        seconds(random),
        seconds(random),
        random.nextDouble(),
        random.nextDouble(),
        random.nextBoolean() ? null : random.nextInt(),
        text(random),
        new Meter(
            seconds(random),
            seconds(random),
            seconds(random),
            seconds(random),
            seconds(random),
            random.nextBoolean() ? Double.NaN : random.nextDouble(),
            seconds(random),
            random.nextInt(100),
            random.nextBoolean() ? Double.NaN : random.nextDouble(),
            random.nextDouble(1e6)),
        new Backoff(random.nextInt(300), seconds(random)),
        new Lost(random.nextDouble(1e6), random.nextDouble(1e6)),
        random.nextBoolean(),
        random.nextBoolean());
  }

  static Entry entry(RandomGenerator random, long serial, Job job) {
    return new Entry(
        serial,
        seconds(random),
        job.id(),
        job.user(),
        random.nextBoolean() ? null : JobState.QUEUED,
        job.state(),
        job.attempt(),
        job.held() == null ? "" : job.held().text(),
        text(random));
  }

  private static JobSpec randomSpec(RandomGenerator random) {
    int gpus = 1 + random.nextInt(64);
    List<String> command = new ArrayList<>(List.of("run"));
    random.ints(random.nextInt(4), 0, TEXTS.size()).forEach(i -> command.add(TEXTS.get(i)));
    return new JobSpec(
        "job-" + random.nextInt(9),
        command,
        random.nextBoolean() ? Map.of() : Map.of("A", text(random), "B_2", text(random)),
        random.nextBoolean() ? "" : "/data/" + random.nextInt(9),
        gpus,
        1 + random.nextInt(gpus),
        gpus + random.nextInt(8),
        random.nextBoolean() ? "" : "resnet50",
        random.nextBoolean() ? Double.NaN : random.nextDouble(1, 1e6),
        random.nextBoolean() ? Double.NaN : random.nextDouble(1, 1e9),
        random.nextBoolean() ? "" : "group" + random.nextInt(2),
        random.nextInt(-1000, 1001),
        random.nextBoolean() ? List.of() : List.of(1L, 1L + random.nextLong(1, 1L << 40)),
        random.nextBoolean() ? Double.NaN : random.nextDouble(1, 1e6),
        random.nextDouble(0, 100),
        random.nextBoolean() ? 0 : random.nextDouble(1, 1e4),
        random.nextInt(4),
        random.nextBoolean() ? 0 : random.nextDouble(64),
        random.nextBoolean() ? 0 : random.nextDouble(64),
        random.nextBoolean() ? 1 : gpus,
        random.nextBoolean() ? "" : "pool=a",
        random.nextBoolean());
  }

  private static @Nullable Allocation allocation(RandomGenerator random) {
    return random.nextBoolean()
        ? null
        : new Allocation(
            List.of(
                new Allocation.Share("s1", 1 + random.nextInt(8)),
                new Allocation.Share("rack-2.host", 1 + random.nextInt(8))));
  }

  private static double seconds(RandomGenerator random) {
    return random.nextBoolean() ? Double.NaN : 1.7e9 + random.nextDouble(1e8);
  }

  private static String text(RandomGenerator random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }
}
