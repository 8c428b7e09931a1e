package io.ringmaster.policy.byhand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ada-SRSF: which rings the gate holds back.
 *
 * <p>Most cases have three servers of two GPUs and jobs of VGG-16 with three workers. An iteration
 * of a ring alone takes
 *
 * <pre>
 *   share     = 526.4 MB * 2/3 = 350.9333 MB
 *   exchange  = 2 * share / 1.25 GB/s = 0.5614933 s
 *   reduction = share / 100 GB/s = 0.0035093 s
 *   compute 0.09 s, overhead 2 * 0.0005 s
 *   tau       = 0.6560027 s
 * </pre>
 *
 * The first job takes both GPUs of the first server and one of the second. The second job takes the
 * idle third server and the other GPU of the second, where the two rings meet.
 */
class AdaSrsfTest {
  private static final Cluster THREE = Cluster.uniform(3, 2, Network.Contention.USUAL, 0);
  private static final double TAU = 0.6560026666666666;

  private static Jobs twoRings(double iterations) {
    return Jobs.builder(ModelTable.standard())
        .addIterations("first", 0, 3, 100, "vgg16")
        .addIterations("second", 10, 3, iterations, "vgg16")
        .build();
  }

  /**
   * At 10 s the first job has done 10 / 0.6560027 = 15.24 iterations and has 84.76 to go. The
   * threshold is 1 / 2.4, so a job of up to 35.3 iterations may join.
   */
  @ParameterizedTest(name = "{0}: {1} iterations, waits {2}")
  @CsvSource({
    "adadual, 35, false",
    "adadual, 36, true",
    "1, 1, true",
    "2, 1000, false",
    "3, 1000, false",
    "none, 1000, false"
  })
  void theGateHoldsARingBackOrLetsItJoin(String gate, double iterations, boolean waits) {
    Play run = Play.of(THREE, twoRings(iterations), "ada-srsf", "gate=" + gate);

    assertThat(run.startSeconds(0)).isZero();
    if (waits) {
      assertThat(run.startSeconds(1)).isCloseTo(100 * TAU, within(1e-9));
    } else {
      assertThat(run.startSeconds(1)).isEqualTo(10);
    }
  }

  /**
   * Servers of 2, 3, 3 and 3 GPUs. "single" has one GPU of the first, "first" the second server and
   * a GPU of the third, "second" the fourth and another GPU of the third. One GPU is left on the
   * first and one on the third server, where "third" would meet two rings.
   */
  @ParameterizedTest(name = "{0}: waits {1}")
  @CsvSource({"adadual, true", "2, true", "3, false", "none, false"})
  void aThirdRingOnAServerIsHeldHoweverSmall(String gate, boolean waits) {
    List<Server> servers =
        IntStream.of(2, 3, 3, 3)
            .mapToObj(gpus -> new Server("s" + gpus, gpus, "v100", "r1", 1.25e9, 37.5e9))
            .toList();
    Cluster cluster = new Cluster("uneven", servers, Network.Contention.USUAL, 0);
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("single", 0, 1, 100_000, "")
            .addIterations("first", 1, 4, 1000, "vgg16")
            .addIterations("second", 2, 4, 100, "vgg16")
            .addIterations("third", 3, 2, 1, "vgg16")
            .build();
    Play run = Play.of(cluster, jobs, "ada-srsf", "gate=" + gate);
    assertThat(run.startSeconds(2)).isEqualTo(2);
    if (waits) {
      assertThat(run.startSeconds(3)).isEqualTo(run.finishSeconds(2));
    } else {
      assertThat(run.startSeconds(3)).isEqualTo(3);
    }
  }

  @Test
  void aJobThatDoesNotCommunicateIsNeverHeld() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addIterations("ring", 0, 3, 100, "vgg16")
            .addDuration("silent", 10, 3, 1000, "")
            .build();
    assertThat(Play.of(THREE, jobs, "ada-srsf", "gate=1").startSeconds(1)).isEqualTo(10);
  }

  /** Held back, the ring lets a later and larger job pass that is not one. */
  @Test
  void othersPassAHeldRing() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addIterations("first", 0, 3, 100, "vgg16")
            .addIterations("held", 10, 3, 90, "vgg16")
            .addDuration("passes", 10, 2, 10_000, "vgg16")
            .build();
    Play run = Play.of(THREE, jobs, "ada-srsf");
    assertThat(run.startSeconds(1)).isGreaterThan(60);
    assertThat(run.startSeconds(2)).isEqualTo(10);
  }
}
