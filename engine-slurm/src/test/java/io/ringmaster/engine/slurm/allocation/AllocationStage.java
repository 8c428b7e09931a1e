package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An engine on some allocation, and what tests do with it. */
final class AllocationStage implements AutoCloseable {
  static final AttemptId ONE = new AttemptId(1, 1);
  static final double GRACE_SECONDS = 20;

  private final Path data;
  private final SlurmCommands slurm;
  private final long job;
  private final Map<String, String> settings;
  private @Nullable AllocationEngine engine;
  private long order = 1000;

  AllocationStage(Path data, SlurmCommands slurm, long job, Map<String, String> more) {
    this.data = data;
    this.slurm = slurm;
    this.job = job;
    settings = new HashMap<>(Map.of("jobs-of", "everybody", "disk-reserve-mb", "0"));
    settings.putAll(more);
  }

  /** Commands are numbered from here on. */
  void order(long first) {
    order = first;
  }

  Places places() {
    return new Places(data);
  }

  AllocationEngine engine() {
    return Objects.requireNonNull(engine);
  }

  /** Opens it, or opens it again as after a kill. */
  void open() throws Exception {
    close();
    engine =
        new AllocationEngine(
            new EngineSetup(data, AllocationEngine.KIND.settings(settings), null), slurm, job);
    awaitUp();
  }

  void awaitUp() throws Exception {
    Waiting.await("agents", () -> engine().observe().nodes().stream().allMatch(Node::up));
  }

  Node node(String name) {
    return engine().observe().nodes().stream()
        .filter(node -> node.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  void launch(AttemptId id, String on, String script) throws IOException {
    launch(id, on, Map.of(), script);
  }

  void launch(AttemptId id, String on, Map<String, Object> more, String script) throws IOException {
    launch(id, "ada", on, more, script);
  }

  void launch(AttemptId id, String user, String on, Map<String, Object> more, String script)
      throws IOException {
    Allocation allocation = Allocation.of(on);
    Map<String, Object> description = new HashMap<>(more);
    description.put("command", List.of("sh", "-c", script));
    description.put("gpus", allocation.workers());
    description.put("grace_s", GRACE_SECONDS);
    engine().launch(++order, new Launch(id, user, JobSpecs.of(description), allocation, 1));
  }

  /** The same, once its workers have come so far that they say so. */
  void launchAndAwait(AttemptId id, String on, String script) throws Exception {
    launch(id, on, script);
    awaitStarted(id, Allocation.of(on).workers());
  }

  void awaitStarted(AttemptId id, int workers) throws Exception {
    for (int rank = 0; rank < workers; rank++) {
      int each = rank;
      Waiting.await("rank " + rank, () -> output(id, each).contains("started"));
    }
  }

  String output(AttemptId id, int rank) throws IOException {
    try (var in = engine().log(id, rank, Engine.Stream.STDOUT, 0)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  Status.Phase phase(AttemptId id) {
    return engine().observe().attempts().stream()
        .filter(status -> status.attempt().equals(id))
        .findAny()
        .orElseThrow()
        .phase();
  }

  Status.Phase end(AttemptId id) throws Exception {
    Waiting.await("the end of " + id, () -> phase(id).isEnd());
    return phase(id);
  }

  /** As the script of an allocation does when Slurm sends it a signal. */
  void touch(long allocation) throws IOException {
    Files.setLastModifiedTime(places().registration(allocation), FileTime.from(Instant.now()));
  }

  /** What the engine was last told of an allocation. */
  SlurmAllocation told(long allocation) throws IOException {
    return SlurmAllocation.parse(Files.readString(places().job(allocation)));
  }

  AgentRecord agent(String node) throws IOException {
    return Objects.requireNonNull(AgentRecord.read(places().agent(node)));
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }
}
