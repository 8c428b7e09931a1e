package io.ringmaster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import org.junit.jupiter.api.Test;

class ForetoldTest {
  private static final double UNKNOWN = 3600;

  private static double[] foretold(double[] submitSeconds, double[] lengths, double... ends) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < lengths.length; i++) {
      jobs.addDuration("j" + i, submitSeconds[i], 1, lengths[i], "");
    }
    Jobs built = jobs.build();
    Cluster cluster = Cluster.uniform(1, 8, Network.Contention.USUAL, 10);
    return Foretold.seconds(built, Lengths.of(built, cluster), ends, 1, Runnable::run);
  }

  @Test
  void onlyWhatHadEndedIsKnown() {
    double[] foretold =
        foretold(
            new double[] {0, 50, 100, 300}, new double[] {100, 40, 30, 10}, 100, 250, 130, 310);
    // Before 50 have ended, the mean of those: none, none, 100, and (100 + 40 + 30) / 3.
    assertThat(foretold).containsExactly(UNKNOWN, UNKNOWN, 100, 170 / 3.0);
  }

  @Test
  void ofAJobWhoseEndNobodyKnowsNothingIsLearned() {
    double[] foretold =
        foretold(new double[] {0, 10, 500}, new double[] {100, 40, 30}, Double.NaN, 60, 600);
    assertThat(foretold).containsExactly(UNKNOWN, UNKNOWN, 40);
  }

  @Test
  void noJobIsOverBeforeItCame() {
    double[] foretold =
        foretold(new double[] {0, 10, 10, 20}, new double[] {1, 2, 4, 8}, 0, 10, 3, 99);
    assertThat(foretold[0]).isEqualTo(UNKNOWN);
    assertThat(foretold[1]).isEqualTo(1);
    assertThat(foretold[3]).isEqualTo(7 / 3.0);
  }
}
