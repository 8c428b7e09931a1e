package io.ringmaster.model.pipeline;

import java.util.ArrayList;
import java.util.List;

/**
 * A training job as a graph: the replicas of its stages are the vertices; each replica of a stage
 * is joined to each of the next, and the replicas of one stage are joined in a ring.
 */
public record Pipeline(List<Stage> stages) {
  public Pipeline {
    stages = List.copyOf(stages);
  }

  /** One stage: what data parallelism alone is. */
  public static Pipeline dataParallel(
      int workers, double forwardSeconds, double backwardSeconds, double parameterBytes) {
    return new Pipeline(
        List.of(new Stage(workers, forwardSeconds, backwardSeconds, 0, parameterBytes)));
  }

  /**
   * A network cut into balanced stages. An iteration takes one mini-batch for each replica that a
   * stage has in the mean; the replicas of a stage divide all of them evenly.
   *
   * @param batch samples of a mini-batch
   * @param forwardSeconds of a mini-batch through the whole network on one GPU
   * @param backwardSeconds of the same
   * @param parameterBytes of the whole network
   */
  public static Pipeline of(
      List<Layer> layers,
      Replicas replicas,
      int batch,
      double forwardSeconds,
      double backwardSeconds,
      double parameterBytes) {
    double parameters = layers.stream().mapToDouble(Layer::parameters).sum();
    double compute = layers.stream().mapToDouble(Layer::compute).sum();
    int[] starts = Partition.starts(layers, replicas.toArray());
    int count = replicas.stages();
    double miniBatches = (double) replicas.gpus() / count;
    List<Stage> stages = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      List<Layer> own = layers.subList(starts[s], starts[s + 1]);
      double part = miniBatches / replicas.ofStage().get(s);
      double time = part * own.stream().mapToDouble(Layer::compute).sum() / compute;
      double held = own.stream().mapToDouble(Layer::parameters).sum() / parameters;
      double sent = s + 1 < count ? own.getLast().sentBytesPerSample() * batch * part : 0;
      stages.add(
          new Stage(
              replicas.ofStage().get(s),
              time * forwardSeconds,
              time * backwardSeconds,
              sent,
              held * parameterBytes));
    }
    return new Pipeline(stages);
  }

  public int size() {
    return stages.size();
  }

  public Stage stage(int s) {
    return stages.get(s);
  }

  public int gpus() {
    return stages.stream().mapToInt(Stage::replicas).sum();
  }

  public Replicas replicas() {
    return new Replicas(stages.stream().map(Stage::replicas).toList());
  }

  /** Weight of the edge between a replica of a stage and one of the next: 2 d / k of the next. */
  double forwardEdge(int s) {
    return 2 * stage(s).sentBytes() / stage(s + 1).replicas();
  }
}
