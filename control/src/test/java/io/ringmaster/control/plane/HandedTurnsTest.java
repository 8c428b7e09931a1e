package io.ringmaster.control.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Command;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.policy.registry.Policies;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs of three on servers of two GPUs: the second shares a server with the first. */
class HandedTurnsTest {
  private static final Network SHIFTED = new Network.Shifted(RingTerms.USUAL, 0.03);

  private static Stage stage(Network network) {
    return stage(network, 100e9 / 8);
  }

  private static Stage stage(Network network, double nic) {
    List<Server> servers =
        IntStream.range(0, 3)
            .mapToObj(i -> new Server(Cluster.serverName(i), 2, "v100", "r1", nic, 300e9 / 8))
            .toList();
    return new Stage(
        new Cluster("test", servers, network, 0),
        "fifo",
        Map.of(),
        UserLimits.usual(),
        Policies::named);
  }

  private static String job(String model) {
    return "{\"command\": [\"train\"], \"gpus\": 3, \"model\": \"%s\"}".formatted(model);
  }

  /** What each start in turn was told; empty: nothing. */
  private static List<String> turns(Stage stage) {
    return stage.sent.stream()
        .filter(Command.Start.class::isInstance)
        .map(Command.Start.class::cast)
        .map(start -> start.launch().spec().environment().getOrDefault("RINGMASTER_TURN", ""))
        .toList();
  }

  /**
   * 526.4 MB around a ring of three at 12.5 GB/s: 56.15 ms. With 3.51 ms to add up, 90 to compute
   * and 1 of overhead 150.66 ms, and 3 % more. The second begins when the first has sent, and 3 %.
   */
  @Test
  void ringsThatShareALinkGetTurnsThatDoNotMeet() {
    Stage stage = stage(SHIFTED);
    stage.submit(job("vgg16"));
    stage.submit(job("vgg16"));
    List<String> turns = turns(stage);
    assertThat(turns).containsExactly("0.155178427,0.000000000", "0.155178427,0.057833813");
  }

  /** VGG-16 sends most of the time on a slow link; what is not told cannot be known. */
  @Test
  void noTurnsWhereTheyWouldNotHelp() {
    Stage stage = stage(SHIFTED, 10e9 / 8);
    stage.submit(job("vgg16"));
    stage.submit(job("vgg16"));
    assertThat(turns(stage)).containsExactly("", "");
    Stage other = stage(Network.Contention.USUAL);
    other.submit(job("vgg16"));
    assertThat(turns(other)).containsExactly("");
    Stage silent = stage(SHIFTED);
    silent.submit("{\"command\": [\"train\"], \"gpus\": 3}");
    silent.submit("{\"command\": [\"train\"], \"gpus\": 2, \"model\": \"vgg16\"}");
    assertThat(turns(silent)).containsExactly("", "");
  }

  @Test
  void aServerThatTakesOverPromisesNothingBesideRingsItDoesNotKnow() {
    Stage stage = stage(SHIFTED);
    long first = stage.submit(job("vgg16"));
    stage.runs(first);
    stage.restart();
    stage.observe();
    stage.submit(job("vgg16"));
    assertThat(turns(stage)).containsExactly("");
  }
}
