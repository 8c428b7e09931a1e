package io.ringmaster.cli.demo;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.LocalEngine;
import io.ringmaster.engine.local.LocalNode;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Runs the demo's workers for a few seconds, as many rings at once as the slots hold, to learn what
 * a start, a stop and a step cost here.
 */
final class Trial {
  /** Of steps, after the first: long enough for a mean, short enough to wait for. */
  private static final double STEP_SECONDS = 2;

  private static final double PATIENCE_SECONDS = 30;

  /** So many that no ring ends before it is stopped, and few enough that it ends by itself. */
  private static final int STEPS = 20_000;

  private static final int LOOK_MILLIS = 50;
  private static final String NODE = "trial";

  private final Engine engine;
  private final BlockingQueue<AttemptId> ended = new LinkedBlockingQueue<>();
  private final List<AttemptId> rings = new ArrayList<>();

  /** A line of progress: when, and how many iterations by then. */
  private record Point(double seconds, double iteration) {}

  private Trial(Engine engine) {
    this.engine = engine;
    engine.listen(status -> {
      if (status.phase().isEnd()) {
        ended.add(status.attempt());
      }
    });
  }

  /** Measures, with its files in a folder of its own. */
  static Measured run(Path folder, int gpus) throws IOException, InterruptedException {
    int workers = Math.min(DemoJob.MAX_GPUS, gpus);
    List<LocalNode> nodes = List.of(LocalNode.declared(NODE, gpus));
    try (Engine engine = new LocalEngine(folder, nodes)) {
      return new Trial(engine).measure(gpus / workers, workers);
    }
  }

  private Measured measure(int count, int workers) throws IOException, InterruptedException {
    try {
      // One after the other, as jobs start: the last beside others that train.
      double starts = 0;
      double allRun = 0;
      for (int i = 0; i < count; i++) {
        double launched = now();
        launch(i + 1, workers);
        allRun = await(rings.get(i), launched).get(0).seconds;
        starts += allRun - launched;
      }
      double steps = 0;
      double seconds = 0;
      for (AttemptId ring : rings) {
        double from = allRun;
        List<Point> points =
            await(ring, from + STEP_SECONDS).stream().filter(p -> p.seconds >= from).toList();
        steps += last(points).iteration - points.get(0).iteration;
        seconds += last(points).seconds - points.get(0).seconds;
      }
      double asked = now();
      stop();
      return new Measured(starts / count, now() - asked, workers, seconds / steps);
    } finally {
      stop();
    }
  }

  /** What a ring has said, once it has said something at or after a time. */
  private List<Point> await(AttemptId ring, double until) throws IOException, InterruptedException {
    double deadline = until + PATIENCE_SECONDS;
    List<Point> points = points(ring);
    while (points.isEmpty() || last(points).seconds < until) {
      if (now() > deadline) {
        throw new IOException("the demo's workers do not start on this machine");
      }
      Thread.sleep(LOOK_MILLIS);
      points = points(ring);
    }
    return points;
  }

  private void launch(int number, int workers) throws IOException {
    AttemptId ring = new AttemptId(number, 1);
    rings.add(ring);
    engine.launch(
        number,
        new Launch(
            ring,
            "demo",
            JobSpecs.of(new DemoJob("trial", 0, STEPS, number).description()),
            new Allocation(List.of(new Allocation.Share(NODE, workers))),
            workers));
  }

  /** Returns when all processes are gone. */
  private void stop() throws IOException, InterruptedException {
    Set<AttemptId> left = new HashSet<>(rings);
    for (AttemptId ring : rings) {
      engine.stop(ring, 1);
    }
    while (!left.isEmpty()) {
      AttemptId next = ended.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (next == null) {
        engine.observe().attempts().stream()
            .filter(status -> status.phase().isEnd())
            .map(Status::attempt)
            .forEach(left::remove);
      } else {
        left.remove(next);
      }
    }
    rings.clear();
  }

  private List<Point> points(AttemptId ring) throws IOException {
    List<Point> points = new ArrayList<>();
    try (var in = engine.log(ring, 0, Engine.Stream.PROGRESS, 0)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(line -> Json.parse(line) instanceof Map<?, ?> map ? map : new LinkedHashMap<>())
          .forEach(map -> points.add(new Point(number(map, "at_s"), number(map, "iteration"))));
    } catch (NoSuchFileException e) {
      // Not yet.
    }
    return points;
  }

  private static double number(Map<?, ?> map, String key) {
    return map.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static Point last(List<Point> points) {
    return points.get(points.size() - 1);
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
  }
}
