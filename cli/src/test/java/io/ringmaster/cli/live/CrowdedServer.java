package io.ringmaster.cli.live;

import io.ringmaster.control.api.Api;
import io.ringmaster.control.api.ApiDependencies;
import io.ringmaster.control.api.HistoryTail;
import io.ringmaster.control.api.HttpServer;
import io.ringmaster.control.api.Limits;
import io.ringmaster.control.api.Metrics;
import io.ringmaster.control.api.Site;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.plane.Inventory;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.Entry;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Sample;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Write;
import io.ringmaster.model.ModelTable;
import io.ringmaster.policy.registry.Policies;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A server without a plane, whose store was filled by hand: many jobs, of which some move on. */
final class CrowdedServer implements AutoCloseable {
  private static final int GPUS = 8;
  private static final int JOB_GPUS = 4;
  private static final int RACK = 20;

  private final Store store = Store.open("sqlite::memory:");
  private final long term = store.tryLead().orElseThrow();
  private final HistoryTail history = new HistoryTail(store, 0);
  private final double began = Moments.now() - 3600;
  private final List<NodeRow> nodes;
  private final List<Job> jobs = new ArrayList<>();
  private final HttpServer server;
  private long serial;
  private int next;

  /** Three quarters of all GPUs are held; one job in twenty has ended. */
  CrowdedServer(int servers, int jobCount) {
    nodes =
        IntStream.range(0, servers)
            .mapToObj(i ->
                new NodeRow(
                    new Node(
                        "s%04d".formatted(i),
                        GPUS,
                        i % 3 == 0 ? "H100" : "A100",
                        Double.POSITIVE_INFINITY,
                        Double.POSITIVE_INFINITY,
                        Double.NaN,
                        List.of("rack %d".formatted(i / RACK)),
                        Map.of(),
                        Node.Held.NOTHING,
                        i % 97 != 0),
                    i % 50 == 1,
                    i % 50 == 1 ? "fan" : ""))
            .toList();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < jobCount; i++) {
      JobState state =
          i < jobCount / 20
              ? JobState.SUCCEEDED
              : i < jobCount / 20 + servers * 3 / 2 ? JobState.RUNNING : JobState.QUEUED;
      Job job = job(i + 1, state, nodes.get(i % servers).name());
      jobs.add(job);
      entries.add(entry(job, null));
    }
    store.write(term, new Write(jobs, entries, nodes, Map.of()));
    history.published(serial);
    PlaneConfig config =
        new PlaneConfig(
            Inventory.found("crowded", nodes.stream().map(NodeRow::node).toList()),
            false,
            ModelTable.standard(),
            "srtf",
            Map.of(),
            Map.of(),
            1,
            5,
            3,
            UserLimits.usual(),
            Policies::named);
    Api api =
        new Api(
            new ApiDependencies(
                store,
                _ -> {},
                (_, _, _, _) -> InputStream.nullInputStream(),
                _ -> Optional.empty(),
                new Site(config, "operator"),
                Limits.usual(),
                Moments::now,
                Runnable::run,
                new Metrics(),
                new Cleanup(store, Optional::empty, Retention.USUAL, Moments::now)));
    server = new HttpServer(api, history, "127.0.0.1", 0);
  }

  String url() {
    return "http://127.0.0.1:" + server.port();
  }

  /**
   * As if it had looked once a minute for so long: half of the GPUs held, and more jobs waiting.
   */
  void looked(int minutes) {
    long now = (long) Moments.now() / Sample.STEP_SECONDS * Sample.STEP_SECONDS;
    double gpus = nodes.size() * GPUS;
    for (int ago = minutes; ago >= 0; ago--) {
      store.write(
          term,
          new Write(
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              Map.of(),
              List.of(),
              new Sample(
                  now - (long) ago * Sample.STEP_SECONDS,
                  gpus,
                  gpus * (0.5 + 0.4 * Math.sin(ago / 90.0)),
                  100 + ago % 100,
                  400,
                  6,
                  3,
                  1,
                  120,
                  ago % 60 == 0 ? 1 : 0,
                  ago % 60 == 0 ? 3600 : 0)));
    }
  }

  /**
   * So many jobs that run are stopped, or waiting ones start in their place, one after the other.
   */
  void moveOn(int count) {
    List<Job> changed = new ArrayList<>();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = jobs.size() / 20 + next++ % nodes.size();
      Job old = jobs.get(at);
      boolean stops = old.state() == JobState.RUNNING;
      Job job =
          job(
              old.id(),
              stops ? JobState.QUEUED : JobState.RUNNING,
              nodes.get(at % nodes.size()).name());
      jobs.set(at, job);
      changed.add(job);
      entries.add(entry(job, old.state()));
    }
    store.write(term, new Write(changed, entries, List.of(), Map.of()));
    history.published(serial);
  }

  private Entry entry(Job job, @Nullable JobState from) {
    return new Entry(
        ++serial,
        Moments.now(),
        job.id(),
        job.user(),
        from,
        job.state(),
        job.attempt(),
        job.held() == null ? "" : job.held().text(),
        job.reason());
  }

  private Job job(long id, JobState state, String node) {
    JobSpec spec =
        JobSpecs.of(
            Map.of(
                "name",
                "%s-%d".formatted(List.of("bert", "resnet-50", "gpt").get((int) (id % 3)), id),
                "gpus",
                JOB_GPUS,
                "command",
                List.of("python", "train.py", "--seed", Long.toString(id))));
    Job job = Lifecycle.submitted(id, "user" + id % 40, "", spec, began);
    if (state == JobState.QUEUED) {
      return job;
    }
    double started = began + id % 600;
    job = step(job, new JobEvent.Assign(Allocation.of(node + ":" + JOB_GPUS), 1, ""), started);
    job = step(job, new JobEvent.Begin(), started);
    job = seen(job, new Status.Running(), id % 100 / 100.0, started);
    return state == JobState.RUNNING
        ? job
        : seen(job, new Status.Exited(0, false), 1, began + 600 + id);
  }

  private static Job seen(Job job, Status.Phase phase, double doneShare, double seconds) {
    return step(job, new JobEvent.Seen(new Status(job.attemptId(), phase, doneShare)), seconds);
  }

  private static Job step(Job job, JobEvent event, double seconds) {
    return new Lifecycle(0).step(job, event, seconds).job();
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
