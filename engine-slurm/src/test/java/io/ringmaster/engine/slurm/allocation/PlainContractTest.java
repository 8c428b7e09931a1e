package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Node;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract, with agents that are plain processes of this machine. */
class PlainContractTest extends AllocationContract {
  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static PlainSlurm plain;

  @BeforeAll
  static void up() throws IOException {
    plain = new PlainSlurm(folder);
  }

  @AfterAll
  static void down() throws IOException {
    plain.close();
  }

  @Override
  Path data() {
    // A place whose name a careless script would trip over.
    return folder.resolve("data of 'some' server");
  }

  @Override
  SlurmCommands slurm() {
    return plain.commands();
  }

  @Override
  long job() {
    return PlainSlurm.JOB;
  }

  @Override
  protected List<Node> nodes() {
    return PlainSlurm.nodes();
  }
}
