package io.ringmaster.experiments.adasrsf;

import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import java.util.List;

/**
 * What a job trains, as the authors measured it.
 *
 * @param megabytes what an all-reduce moves
 * @param memoryMegabytes what a worker takes of its GPU's memory
 */
record Net(double megabytes, int forwardMillis, int backwardMillis, int memoryMegabytes) {
  /** The four of the paper. */
  static final List<Net> ALL =
      List.of(
          of("vgg16", 4527), of("resnet50", 3213), of("inception-v3", 3291), of("lstm-ptb", 2751));

  private static Net of(String model, int memoryMegabytes) {
    ModelTable table = ModelTable.standard();
    ModelProfile profile = table.profiles().get(table.indexOf(model));
    double forwardMillis = 1e3 * profile.forwardSecondsPerSample() * profile.batch();
    return new Net(
        profile.gradientBytes() / 1e6,
        (int) Math.round(forwardMillis),
        (int) Math.round(1e3 * profile.backwardSeconds()),
        memoryMegabytes);
  }

  int computeMillis() {
    return forwardMillis + backwardMillis;
  }
}
