package io.ringmaster.control.api;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.BrokenInvariant;
import io.ringmaster.control.plane.MeasuredSummary;
import io.ringmaster.control.plane.PlaneHealth;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.plane.StartOver;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.NodeRow;
import io.ringmaster.control.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is measured, for Prometheus. Labels take few values: routes are templates. */
public class Metrics implements PlaneListener {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

  private final PrometheusRegistry registry = new PrometheusRegistry();

  private final Gauge jobs =
      Gauge.builder()
          .name("ringmaster_jobs")
          .help("Jobs by state.")
          .labelNames("state")
          .register(registry);
  private final Gauge gpus =
      Gauge.builder()
          .name("ringmaster_gpus")
          .help(
              "GPUs: total = held + others + free + drained + down. Held ones may be on any node.")
          .labelNames("state")
          .register(registry);
  private final Gauge measuredSeconds =
      Gauge.builder()
          .name("ringmaster_measured_seconds")
          .help("What the last restarts and first starts of jobs were measured to cost.")
          .labelNames("kind", "statistic")
          .register(registry);
  private final Gauge measuredCount =
      Gauge.builder()
          .name("ringmaster_measured_count")
          .help("How many measurements that rests on.")
          .labelNames("kind")
          .register(registry);
  private final Gauge dataFree =
      Gauge.builder()
          .name("ringmaster_data_free_bytes")
          .help("What is free on the disk that the data folder is on.")
          .register(registry);
  private final Gauge dataTotal =
      Gauge.builder()
          .name("ringmaster_data_total_bytes")
          .help("How large that disk is.")
          .register(registry);
  private final Gauge leading =
      Gauge.builder()
          .name("ringmaster_leading")
          .help("1 if this server leads, 0 if it stands by.")
          .register(registry);
  private final Gauge stepAge =
      Gauge.builder()
          .name("ringmaster_step_age_seconds")
          .help("How long ago the plane last finished a step; it does so every few seconds.")
          .register(registry);
  private final Histogram decisionSeconds =
      Histogram.builder()
          .name("ringmaster_decision_seconds")
          .help("How long the policy took to decide.")
          .classicOnly()
          .classicUpperBounds(1e-5, 1e-4, 1e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)
          .register(registry);
  private final Counter decisions =
      Counter.builder()
          .name("ringmaster_decisions_total")
          .help("What the policy decided, by kind.")
          .labelNames("kind")
          .register(registry);
  private final Counter startsOver =
      Counter.builder()
          .name("ringmaster_policy_starts_over_total")
          .help("How often the policy was made new and shown all jobs again, by reason.")
          .labelNames("reason")
          .register(registry);
  private final Counter broken =
      Counter.builder()
          .name("ringmaster_invariants_broken_total")
          .help("How often the plane was dropped because of what must not be, by invariant.")
          .labelNames("invariant")
          .register(registry);
  private final Counter lostSeconds =
      Counter.builder()
          .name("ringmaster_lost_seconds_total")
          .help("How long jobs ran for work that they have to do again.")
          .register(registry);
  private final Counter lostGpuSeconds =
      Counter.builder()
          .name("ringmaster_lost_gpu_seconds_total")
          .help("The same, times the GPUs that they held.")
          .register(registry);
  private final Histogram writeSeconds =
      Histogram.builder()
          .name("ringmaster_store_write_seconds")
          .help("How long a transaction of the plane took.")
          .classicOnly()
          .classicUpperBounds(1e-4, 5e-4, 1e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)
          .register(registry);
  private final Counter rows =
      Counter.builder()
          .name("ringmaster_store_rows_total")
          .help("Rows written by the plane.")
          .register(registry);
  private final Counter requests =
      Counter.builder()
          .name("ringmaster_http_requests_total")
          .help("Requests answered.")
          .labelNames("route", "method", "status")
          .register(registry);
  private final Histogram requestSeconds =
      Histogram.builder()
          .name("ringmaster_http_request_seconds")
          .help("How long requests took.")
          .labelNames("route", "method")
          .classicOnly()
          .classicUpperBounds(1e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30)
          .register(registry);

  private final @Nullable Path data;

  /** Of a server that keeps nothing on a disk. */
  public Metrics() {
    this(null);
  }

  /** Of a server with this data folder. */
  public Metrics(@Nullable Path data) {
    this.data = data;
  }

  @Override
  public void decided(double seconds, Made made) {
    decisionSeconds.observe(seconds);
    decisions.labelValues("start").inc(made.starts());
    decisions.labelValues("stop").inc(made.stops());
    decisions.labelValues("move").inc(made.moves());
  }

  @Override
  public void startedOver(StartOver reason) {
    startsOver.labelValues(reason.text()).inc();
  }

  @Override
  public void broken(BrokenInvariant.Invariant invariant) {
    broken.labelValues(invariant.text()).inc();
  }

  @Override
  public void lost(double seconds, double gpuSeconds) {
    lostSeconds.inc(Math.max(0, seconds));
    lostGpuSeconds.inc(Math.max(0, gpuSeconds));
  }

  @Override
  public void stored(double seconds, int writtenRows, long lastEntry) {
    writeSeconds.observe(seconds);
    rows.inc(writtenRows);
  }

  void answered(String route, String method, int status, double seconds) {
    String known = METHODS.contains(method) ? method : "other";
    requests.labelValues(route, known, String.valueOf(status)).inc();
    requestSeconds.labelValues(route, known).observe(Math.max(0, seconds));
  }

  /** All of it in words, with what the store says now. */
  Response page(String accept, Store store, PlaneHealth health) {
    leading.set(health.leads() ? 1 : 0);
    stepAge.set(health.sinceStepSeconds());
    Map<JobState, Long> counts = store.counts("");
    for (JobState state : JobState.values()) {
      jobs.labelValues(state.text()).set(counts.getOrDefault(state, 0L));
    }
    countGpus(store);
    tellDisk();
    tellMeasured(store.measured());
    ExpositionFormatWriter writer =
        accept.contains("application/openmetrics-text")
            ? OpenMetricsTextFormatWriter.create()
            : PrometheusTextFormatWriter.create();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(bytes, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Response.bytes(writer.getContentType(), bytes.toByteArray(), Map.of());
  }

  /** Neither number, if there is no folder: that it is gone is said elsewhere. */
  private void tellDisk() {
    double free = Double.NaN;
    double total = Double.NaN;
    try {
      if (data != null) {
        FileStore disk = Files.getFileStore(data);
        free = disk.getUsableSpace();
        total = disk.getTotalSpace();
      }
    } catch (IOException e) {
      free = Double.NaN;
    }
    dataFree.set(free);
    dataTotal.set(total);
  }

  void tellMeasured(List<Measured> measured) {
    for (Measured.Kind kind : List.of(Measured.Kind.RESTART, Measured.Kind.START)) {
      MeasuredSummary summary = MeasuredSummary.of(kind, measured);
      measuredCount.labelValues(kind.text()).set(summary.count());
      if (summary.count() > 0) {
        measuredSeconds.labelValues(kind.text(), "mean").set(summary.meanSeconds());
        measuredSeconds.labelValues(kind.text(), "median").set(summary.medianSeconds());
      }
    }
  }

  private void countGpus(Store store) {
    HeldGpus byNode = HeldGpus.of(store);
    int total = 0;
    int held = 0;
    int others = 0;
    int free = 0;
    int drained = 0;
    int down = 0;
    for (NodeRow node : store.nodes()) {
      int taken = Math.min(node.gpus(), byNode.held(node.name()));
      int elsewhere = Math.min(node.gpus() - taken, node.node().others().gpus());
      int rest = node.gpus() - taken - elsewhere;
      total += node.gpus();
      held += taken;
      others += elsewhere;
      if (!node.up()) {
        down += rest;
      } else if (node.drained()) {
        drained += rest;
      } else {
        free += rest;
      }
    }
    gpus.labelValues("total").set(total);
    gpus.labelValues("held").set(held);
    gpus.labelValues("others").set(others);
    gpus.labelValues("free").set(free);
    gpus.labelValues("drained").set(drained);
    gpus.labelValues("down").set(down);
  }
}
