package io.ringmaster.engine.slurm.allocation;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Node;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.testing.Namespace;
import io.ringmaster.testing.SlurmTestbed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on two nodes of a real Slurm. */
class SlurmContractTest extends AllocationContract {
  @SuppressWarnings("NullAway.Init")
  private static SlurmTestbed testbed;

  @SuppressWarnings("NullAway.Init")
  private static Namespace namespace;

  @TempDir static Path folder;
  private static long job;

  @BeforeAll
  static void up() {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    testbed = SlurmTestbed.up(Map.of("NODES", "2"));
    namespace = testbed.enter();
    job = SlurmFaultsTest.allocated(testbed, "-N2", "--gres=gpu:4", "--cpus-per-task=8");
  }

  @AfterAll
  static void down() {
    if (testbed != null) {
      namespace.close();
      testbed.close();
    }
  }

  @Override
  Path data() {
    return folder.resolve("data of 'some' server");
  }

  @Override
  SlurmCommands slurm() {
    return new SlurmCommands(testbed.prefix(), Duration.ofSeconds(60));
  }

  @Override
  long job() {
    return job;
  }

  @Override
  protected List<Node> nodes() {
    return List.of(node("n1"), node("n2"));
  }

  private static Node node(String name) {
    return new Node(
        name,
        4,
        "",
        8,
        Double.POSITIVE_INFINITY,
        Double.NaN,
        List.of(),
        Map.of(),
        Node.Held.NOTHING,
        true);
  }
}
