package io.ringmaster.experiments.doubling;

import io.ringmaster.experiments.Row;
import io.ringmaster.model.AllReduce;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.runs.ValidatedRun;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Statistics;
import java.util.List;
import java.util.Map;

/** One job alone, which is stopped after some epochs and goes on with twice its workers. */
final class Resizing {
  static final List<Integer> EPOCHS = List.of(0, 40, 80, 120, DoublingWorkload.EPOCHS);
  static final String POLICY = "4-to-8";
  static final String SETTING = "resize_at_epoch";

  private static final int BEFORE = 4;
  private static final int AFTER = 8;

  private Resizing() {}

  static List<Row> rows() {
    return EPOCHS.stream()
        .map(epoch ->
            new Row(
                Map.of(SETTING, epoch),
                POLICY,
                KnownLengths.NONE,
                DoublingExperiment.METRIC,
                Statistics.of(new double[] {completionHours(epoch)})))
        .toList();
  }

  /**
   * From submission to completion.
   *
   * @param epoch after how many it is stopped; 0: it begins with the greater number of workers;
   *     all: it is never stopped
   */
  static double completionHours(int epoch) {
    ModelProfile profile = EpochTimes.fitted(AllReduce.RING).profile();
    double batches = (double) DoublingWorkload.EPOCHS * EpochTimes.BATCHES;
    Jobs jobs =
        Jobs.builder(ModelTable.standard().with(List.of(profile)))
            .add("job", 0, BEFORE, BEFORE, AFTER, batches / BEFORE, false, profile.id(), "", "")
            .build();
    Cluster cluster = DoublingSetting.cluster(DoublingSetting.RESTART_SECONDS);
    RunResult result =
        ValidatedRun.of(cluster, jobs, POLICY, new AtEpoch(epoch), 1, Double.POSITIVE_INFINITY);
    return DoublingCell.completionHours(jobs, result);
  }

  private record AtEpoch(int epoch) implements Policy {

    @Override
    public void decide(View view, Decisions decisions) {
      double doneAtSeconds = epoch * EpochTimes.measuredSeconds(BEFORE);
      boolean reached = view.nowSeconds() >= doneAtSeconds;
      for (int i = 0; i < view.arrived().size(); i++) {
        decisions.start(view.arrived().get(i), Placement.on(0, reached ? AFTER : BEFORE));
      }
      if (!reached && epoch < DoublingWorkload.EPOCHS) {
        decisions.wakeAt(doneAtSeconds);
      } else if (reached && view.running(0) && view.placement(0).workers() == BEFORE) {
        decisions.resize(0, Placement.on(0, AFTER));
      }
    }
  }
}
