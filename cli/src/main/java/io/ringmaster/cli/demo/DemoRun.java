package io.ringmaster.cli.demo;

import io.ringmaster.cli.live.Client;
import io.ringmaster.cli.live.Fields;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Submits the demo's jobs to a server when their time comes, and follows them to their end. */
final class DemoRun {
  private static final long LOOK_MILLIS = 250;
  private static final double GIVE_UP_SECONDS = 300;

  private final Client client;
  private final List<DemoJob> jobs;
  private final String policy;
  private final String url;
  private final Map<String, Integer> nodes = new LinkedHashMap<>();
  private final Consumer<String> tell;
  private final Consumer<Board> draw;
  private final List<String> news = new ArrayList<>();
  private final Map<Long, String> known = new HashMap<>();
  private final Map<Long, Double> losses = new HashMap<>();
  private final long beganNanos = System.nanoTime();
  private int submitted;

  /** As the server says, in the order of submission. */
  private List<Fields> seen = List.of();

  /**
   * @param tell told of each thing that happens, in a line
   * @param draw given a new picture several times a second
   */
  DemoRun(
      Client client,
      String url,
      List<DemoJob> jobs,
      String policy,
      Cluster cluster,
      Consumer<String> tell,
      Consumer<Board> draw) {
    this.client = client;
    this.url = url;
    this.jobs = jobs;
    this.policy = policy;
    this.tell = tell;
    this.draw = draw;
    for (Server server : cluster.servers()) {
      nodes.put(server.name(), server.gpus());
    }
  }

  /** Returns when all jobs have ended or it is to stop; says whether they have. */
  boolean follow(CompletableFuture<Integer> stop) throws InterruptedException, ExecutionException {
    while (elapsed() < GIVE_UP_SECONDS) {
      while (submitted < jobs.size() && jobs.get(submitted).submitSeconds() <= elapsed()) {
        DemoJob job = jobs.get(submitted++);
        client.submit("the demo", "/jobs", job.description(), UUID.randomUUID().toString());
      }
      look();
      draw.accept(board());
      if (submitted == jobs.size() && seen.stream().allMatch(DemoRun::hasEnded)) {
        return true;
      }
      try {
        stop.get(pauseMillis(), TimeUnit.MILLISECONDS);
        return false;
      } catch (TimeoutException _) {
        // Go on.
      }
    }
    return false;
  }

  private long pauseMillis() {
    if (submitted == jobs.size()) {
      return LOOK_MILLIS;
    }
    double next = jobs.get(submitted).submitSeconds() - elapsed();
    return Math.clamp((long) (1000 * next), 1, LOOK_MILLIS);
  }

  private double elapsed() {
    return (System.nanoTime() - beganNanos) * 1e-9;
  }

  private void look() {
    seen =
        client.get("the demo's jobs", "/jobs?limit=1000").objects("jobs").stream()
            .sorted(Comparator.comparingLong(job -> job.whole("id")))
            .toList();
    for (Fields job : seen) {
      long id = job.whole("id");
      String now = job.text("state") + " " + job.text("allocation");
      if (!now.equals(known.put(id, now))) {
        String line =
            String.format(
                Locale.ROOT, "%6.1f s  %-11s %s", elapsed(), job.text("name"), words(job));
        news.add(line);
        tell.accept(line);
      }
      if (job.text("state").equals("running")) {
        List<Fields> points =
            client.get("job " + id, "/jobs/" + id + "/progress?points=2").objects("points");
        if (!points.isEmpty() && points.get(points.size() - 1).has("loss")) {
          losses.put(id, points.get(points.size() - 1).number("loss"));
        }
      }
    }
  }

  private static String words(Fields job) {
    String state = job.text("state");
    String workers = job.whole("workers") == 1 ? "1 worker" : job.whole("workers") + " workers";
    String reason = job.text("reason");
    return switch (state) {
      case "running" -> "runs with %s on %s".formatted(workers, job.text("allocation"));
      case "succeeded" -> "is done";
      default -> reason.isEmpty() ? state : state + ": " + reason;
    };
  }

  private Board board() {
    List<Board.Row> rows = new ArrayList<>();
    for (Fields job : seen) {
      long id = job.whole("id");
      rows.add(
          new Board.Row(
              id,
              job.text("name"),
              job.text("state"),
              holdsGpus(job) ? job.text("allocation") : "",
              job.text("state").equals("succeeded") ? 1 : Math.max(0, job.number("done")),
              losses.getOrDefault(id, Double.NaN),
              job.whole("restarts")));
    }
    return new Board(
        policy, url, elapsed(), nodes, rows, jobs.size() - submitted, List.copyOf(news));
  }

  /** One that is placed is told where it will be; those GPUs may still be another's. */
  private static boolean holdsGpus(Fields job) {
    return JobState.of(job.text("state")).holdsGpus();
  }

  private static boolean hasEnded(Fields job) {
    return job.has("ended_s");
  }

  /** Cancels what has not ended, and returns when no process is left. */
  void cancelAll() {
    double until = elapsed() + 30;
    while (elapsed() < until) {
      look();
      List<Fields> left = seen.stream().filter(job -> !hasEnded(job)).toList();
      if (left.isEmpty()) {
        return;
      }
      for (Fields job : left) {
        if (!job.text("state").equals("cancelling")) {
          client.change(
              "job " + job.whole("id"), "POST", "/jobs/" + job.whole("id") + "/cancel", Map.of());
        }
      }
      Client.pause(LOOK_MILLIS);
    }
  }

  /** Jobs that did not succeed. */
  List<String> failed() {
    return seen.stream()
        .filter(job -> !job.text("state").equals("succeeded"))
        .map(job -> job.text("name") + ": " + job.text("state") + ", " + job.text("reason"))
        .toList();
  }

  /** What was measured. */
  Outcome outcome() {
    double first = seen.get(0).number("submitted_s");
    double last = seen.stream().mapToDouble(job -> job.number("ended_s")).max().orElseThrow();
    return new Outcome(
        policy,
        seen.stream().map(job -> job.number("ended_s") - job.number("submitted_s")).toList(),
        last - first,
        seen.stream().mapToLong(job -> job.whole("restarts")).sum(),
        seen.stream().mapToDouble(job -> job.number("restart_s")).sum());
  }
}
