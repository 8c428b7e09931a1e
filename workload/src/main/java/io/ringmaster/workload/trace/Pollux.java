package io.ringmaster.workload.trace;

import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The workloads of Pollux and Sia: {@code workload-*.csv} of petuum/adaptdl (branch
 * osdi21-artifact) and siasosp23/artifacts.
 *
 * <p>They tell no lengths: their simulators train each application to its end, step by step, from
 * measurements. Here a job takes {@code hours * gpus^growth} GPU-hours, fitted to what these
 * measurements (Pollux, 4 GPUs a server) give for every size and batch that the workloads ask for.
 * Over those jobs the mean error is 2 to 7 %. NCF's length falls with the batch as well.
 */
final class Pollux {
  /**
   * How long an application trains.
   *
   * @param hours GPU-hours with one GPU and the least batch
   * @param growth of GPU-hours with GPUs: 0 would be perfect scaling
   * @param shrink of GPU-hours with the batch: steps get fewer, and hardly longer
   */
  private record Length(double hours, double growth, double leastBatch, double shrink) {
    double seconds(int gpus, double batch) {
      double gpuHours =
          hours
              * StrictMath.pow(gpus, growth)
              * (shrink == 0 ? 1 : StrictMath.pow(batch / leastBatch, -shrink));
      return 3600 * gpuHours / gpus;
    }
  }

  private static final Map<String, Length> LENGTHS =
      Map.of(
          "bert", new Length(3.8, 0.15, 1, 0),
          "cifar10", new Length(1.0, 0.27, 1, 0),
          "deepspeech2", new Length(4.7, 0.23, 1, 0),
          "imagenet", new Length(110, 0.22, 1, 0),
          "yolov3", new Length(6.8, 0.58, 1, 0),
          "ncf", new Length(0.4, 1, 256, 0.78));

  static final TraceFormat FORMAT =
      new TraceFormat(
          "pollux",
          "The workloads of Pollux and Sia (CSV: name, time, application, num_replicas,"
              + " batch_size).",
          "Qiao et al., Pollux, OSDI 2021, petuum/adaptdl; Jayaram Subramanya et al., Sia:"
              + " Heterogeneity-aware, goodput-optimized ML-cluster scheduling, SOSP 2023,"
              + " siasosp23/artifacts",
          Pollux::read);

  private Pollux() {}

  private static void read(List<Path> files, Settings settings, TraceSink out) {
    out.note(
        "The files tell no lengths: each is estimated from its application, GPUs and batch, after"
            + " Pollux's measurements.");
    List<String> columns = List.of("name", "time", "application", "num_replicas", "batch_size");
    for (Path file : files) {
      Rows.csv(file, out, columns, row -> out.keep(job(row)));
    }
  }

  private static TraceJob job(Row row) {
    String application = row.text("application");
    Length length = LENGTHS.get(application);
    if (length == null) {
      throw new Unusable("is of an application whose length is not known");
    }
    int gpus = row.gpus("num_replicas");
    double batch = row.number("batch_size");
    if (batch <= 0) {
      throw new Unusable("batch_size is not above 0");
    }
    double seconds = Math.rint(length.seconds(Math.max(1, gpus), batch));
    return TraceJob.of(row.id("name"), row.time("time"), gpus, seconds)
        .by("", application)
        .training(application);
  }
}
