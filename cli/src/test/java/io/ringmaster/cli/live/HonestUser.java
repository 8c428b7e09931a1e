package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Submits short jobs at a steady pace and watches them as the commands do: by a stream of events
 * that wakes, and by asking for the job, its log, the list and an explanation.
 */
final class HonestUser {
  private static final double ITERATION_SECONDS = 0.05;
  private static final int MOST_ITERATIONS = 4;
  private static final long ASK_ANYWAY_SECONDS = 15;

  /** Then it begins anew, as every command does: there must always be a place. */
  private static final double LISTEN_SECONDS = 5;

  private static final int LISTED_EVERY = 4;
  private static final int MOST_TOLD = 20;

  private final String name;
  private final Client client;
  private final Path folder;
  private final Path script;
  private final Map<String, String> environment;
  private final Random random;
  private final Latencies latencies = new Latencies();
  private final List<TrainedJob> jobs = new ArrayList<>();
  private final Map<Long, Boolean> open = new ConcurrentHashMap<>();
  private final LinkedBlockingQueue<Long> news = new LinkedBlockingQueue<>();
  private final List<String> failed = new ArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong predictions = new AtomicLong();
  private volatile boolean over;

  HonestUser(
      String name,
      Client client,
      Path folder,
      Path script,
      Map<String, String> environment,
      long seed) {
    this.name = name;
    this.client = client;
    this.folder = folder;
    this.script = script;
    this.environment = environment;
    this.random = new Random(seed);
  }

  Latencies latencies() {
    return latencies;
  }

  List<TrainedJob> jobs() {
    synchronized (jobs) {
      return List.copyOf(jobs);
    }
  }

  int openJobs() {
    return open.size();
  }

  /** Explanations of a job that was just submitted and that had a prediction, or no need of one. */
  long predictions() {
    return predictions.get();
  }

  /** Requests that were not answered as they should, the first of them in words. */
  List<String> failed() {
    synchronized (failed) {
      List<String> told = new ArrayList<>(failed);
      if (failures.get() > told.size()) {
        told.add("%s: %d requests failed in all".formatted(name, failures.get()));
      }
      return told;
    }
  }

  void end() {
    over = true;
  }

  /** Submits so many jobs, evenly over a time. */
  void submit(int count, double seconds) {
    long began = System.nanoTime();
    for (int i = 0; i < count && !over; i++) {
      long due = began + (long) (1e9 * seconds * i / count);
      while (System.nanoTime() - due < 0 && !over) {
        Client.pause(10);
      }
      int number = i;
      String key = UUID.randomUUID().toString();
      int iterations = 1 + random.nextInt(MOST_ITERATIONS);
      Path log = folder.resolve("%s-%d.log".formatted(name, number));
      Map<String, Object> wanted = description(number, iterations, log);
      Fields job = Fields.of(Map.of());
      while (!job.has("id") && !over) {
        job = timed("submit", () -> client.submit("submit", "/jobs", wanted, key));
      }
      if (!job.has("id")) {
        return;
      }
      long id = job.whole("id");
      open.put(id, true);
      synchronized (jobs) {
        jobs.add(new TrainedJob(id, iterations, log));
      }
      news.add(id);
      Fields why = timed("explain", () -> client.get("explain", "/jobs/" + id + "/explain"));
      predictions.addAndGet(why.has("as_of_s") || JobText.hasEnded(why) ? 1 : 0);
      if (number % LISTED_EVERY == 0) {
        timed("list", () -> client.get("jobs", "/jobs?limit=20"));
      }
    }
  }

  private Map<String, Object> description(int number, int iterations, Path log) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", name + "-" + number);
    job.put(
        "command",
        List.of(
            "sh",
            script.toString(),
            Integer.toString(iterations),
            Double.toString(ITERATION_SECONDS),
            log.toString()));
    job.put("env", environment);
    job.put("gpus", 1 + random.nextInt(2));
    job.put("duration_s", iterations * ITERATION_SECONDS);
    job.put("grace_s", 20);
    return job;
  }

  /** Asks for each job of which there is news, and for all that are open now and then. */
  void watch() {
    while (!over) {
      try {
        Long id = news.poll(ASK_ANYWAY_SECONDS, TimeUnit.SECONDS);
        if (id == null) {
          open.keySet().forEach(this::ask);
        } else if (open.containsKey(id)) {
          ask(id);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void ask(long id) {
    Fields job = timed("job", () -> client.get("job", "/jobs/" + id));
    if (JobText.hasEnded(job)) {
      open.remove(id);
      timed(
          "log",
          () -> {
            client.raw("log", "/jobs/" + id + "/logs", Client.Patience.NONE);
            return job;
          });
    }
  }

  /** Listens to events until the end, and comes back after the last one that was heard. */
  void listen() {
    long last = 0;
    while (!over) {
      long began = System.nanoTime();
      try {
        HttpResponse<InputStream> answer = client.stream("/events", last);
        try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
          String line = lines.readLine();
          latencies.add("events", (System.nanoTime() - began) / 1e9);
          if (answer.statusCode() != 200) {
            fail("events: status %d, %s".formatted(answer.statusCode(), line));
            Client.pause(1000);
          }
          for (;
              line != null && !over && (System.nanoTime() - began) / 1e9 < LISTEN_SECONDS;
              line = lines.readLine()) {
            if (line.startsWith("data:")) {
              Fields event = Fields.of(Json.parse(line.substring("data:".length())));
              last = event.whole("serial");
              news.add(event.whole("job"));
            }
          }
        }
      } catch (IOException e) {
        if (!over) {
          fail("events: " + e);
          Client.pause(1000);
        }
      }
    }
  }

  private Fields timed(String kind, Supplier<Fields> request) {
    long began = System.nanoTime();
    try {
      return request.get();
    } catch (BadInput | Unanswered e) {
      if (!over) {
        fail(e.getMessage());
        Client.pause(1000);
      }
      return Fields.of(Map.of());
    } finally {
      latencies.add(kind, (System.nanoTime() - began) / 1e9);
    }
  }

  private void fail(@Nullable String what) {
    failures.incrementAndGet();
    synchronized (failed) {
      if (failed.size() < MOST_TOLD) {
        failed.add("%s: %s".formatted(name, what));
      }
    }
  }
}
