package io.ringmaster.engine.slurm.allocation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent puts down of itself.
 *
 * @param job the allocation that it runs in
 * @param host its node, as Slurm calls it
 * @param life tells it from all agents before it
 * @param slots its GPUs, as {@code CUDA_VISIBLE_DEVICES} names them
 */
record AgentRecord(
    long job, String host, String address, int port, String life, long pid, List<Integer> slots) {
  AgentRecord {
    slots = List.copyOf(slots);
  }

  String json() {
    return Message.of(
            "job", job, "host", host, "address", address, "port", port, "life", life, "pid", pid,
            "slots", slots)
        .json();
  }

  /** What is put down in a file; null: nothing. */
  static @Nullable AgentRecord read(Path file) throws IOException {
    try {
      Message message = Message.parse(Files.readString(file));
      return new AgentRecord(
          message.whole("job"),
          message.text("host"),
          message.text("address"),
          (int) message.whole("port"),
          message.text("life"),
          message.whole("pid"),
          message.numbers("slots"));
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
