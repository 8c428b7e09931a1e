package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that share elastic jobs out in slots: fifo-elastic, las-elastic and optimus. */
class ElasticTest {
  private static final ModelTable MODELS = ModelTable.standard();

  /**
   * Four GPUs. "a" comes first and has as many as it takes, three; "b" needs two and is passed over
   * for "c". When "a" ends, 40 GPU-seconds over 3 GPUs later, "b" has three: "c" keeps its one.
   */
  @Test
  void firstComeFirstServedAndTheRestFills() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(MODELS)
            .add("a", 0, 2, 1, 3, 20, true, "", "", "")
            .add("b", 0, 2, 2, 4, 30, true, "", "", "")
            .add("c", 0, 1, 1, 1, 50, true, "", "", "")
            .build();
    Play run = Play.of(cluster, jobs, "fifo-elastic");
    assertThat(run.finishSeconds(0)).isEqualTo(40.0 / 3);
    assertThat(run.startSeconds(1)).isEqualTo(40.0 / 3);
    assertThat(run.finishSeconds(1)).isEqualTo(40.0 / 3 + 60.0 / 3);
    assertThat(run.startSeconds(2)).isZero();
    assertThat(run.restarts(2)).isZero();
  }

  /**
   * VGG-16 on servers of four GPUs at 10 Gbit/s: an iteration takes 0.12 s on one server and 0.7 s
   * and more on two, so that eight workers are slower than four.
   */
  @ParameterizedTest
  @ValueSource(strings = {"fifo-elastic", "las-elastic", "optimus"})
  void noMoreWorkersThanMakeItFaster(String policy) {
    Cluster cluster = Cluster.uniform(2, 4, Network.Contention.USUAL, 10);
    Jobs jobs = Jobs.builder(MODELS).add("a", 0, 4, 1, 8, 100, true, "vgg16", "", "").build();
    assertThat(Play.of(cluster, jobs, policy).firstWorkers()).containsExactly(4);
  }

  /**
   * Where a ring has as large a part of a link as of the GPUs, five workers have a quarter of one
   * server's link, and eight have all of two: +1 stops at four, where eight would be faster.
   */
  @Test
  void oneByOneStallsWhereSpeedIsNotConcave() {
    List<Server> servers =
        List.of(
            new Server("s1", 4, "v100", "r1", 40e9 / 8, 300e9 / 8),
            new Server("s2", 4, "v100", "r1", 40e9 / 8, 300e9 / 8));
    Cluster cluster = new Cluster("two", servers, Network.Contention.USUAL.reserving(0), 10);
    IterationTime time = IterationTime.of(cluster);
    String model = "resnet50";
    double[] speed = new double[9];
    for (int w = 4; w <= 8; w++) {
      speed[w] =
          w
              / time.seconds(
                  MODELS.profile(MODELS.indexOf(model)), cluster.idealPlacement(w, Demand.NONE), 1);
    }
    assertThat(speed[5]).isLessThan(speed[4]);
    assertThat(speed[8]).isGreaterThan(speed[4]);
    Jobs jobs = Jobs.builder(MODELS).add("a", 0, 4, 1, 8, 100, true, model, "", "").build();
    assertThat(Play.of(cluster, jobs, "optimus").firstWorkers()).containsExactly(4);
    assertThat(Play.of(cluster, jobs, "fifo-elastic").firstWorkers()).containsExactly(8);
  }

  /**
   * Four GPUs; "a" is 100 s long with one of them, "b" 30 s. One each. A second one saves "a" 50 s
   * and "b" 15 s, a third saves "a" 100/2 - 100/3 = 16.7 s: both go to "a".
   */
  @Test
  void theNextWorkerGoesWhereItSavesMost() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    Jobs jobs =
        Jobs.builder(MODELS)
            .add("a", 0, 1, 1, 4, 100, true, "", "", "")
            .add("b", 0, 1, 1, 4, 30, true, "", "", "")
            .build();
    assertThat(Play.of(cluster, jobs, "optimus").firstWorkers()).containsExactly(3, 1);
  }
}
