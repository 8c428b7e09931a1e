package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.testing.Seeds;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.JobsFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.YamlFile;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of every kind, spoilt by chance: read, or one line that says what is wrong. */
class MutatedFilesTest {
  private static final Duration HANGS = Duration.ofMinutes(2);
  private static final int SEEDS = 100;

  @TempDir Path dir;

  /** What a reader makes of a file. */
  private interface Reader {
    void read(Path file) throws IOException;
  }

  enum Kind {
    CLUSTER(
        """
        name: lab
        servers:
        - &one {count: 2, gpus: 8, gpu: v100, rack: a, nic: 10Gbps, memory: 512GB}
        - *one
        - {name: "big", gpus: 16, cpus: 64, rack: b}
        racks: [{name: a, uplink: 100Gbps}, {name: b, oversubscription: 4}]
        network: {model: contention, xi1: 0.5, overhead: 1ms}
        restart: 10s
        """,
        ClusterFile::read),
    JOB(
        "name: train\ngpus: 2\ncommand: [sh, -c, 'echo $X']\nenv: {X: \"1\"}\n---\ngpus: 1\n",
        file -> Json.text(YamlFile.documents(file, "a job"))),
    JOBS(
        "job_id,submit_s,gpus,duration_s,user\nj1,0,1,60,\"a \"\"b\"\"\"\nj2,1.5,2,1e3,\n",
        file ->
            JobsFile.read(
                file, ModelTable.standard(), Cluster.uniform(4, 8, Network.Contention.USUAL, 10))),
    MODELS("model,gradient_bytes,forward_s\nx,1e8,0.1\n", ModelsFile::read),
    BODY(
        "{\"name\": \"train\", \"gpus\": 2, \"command\": [\"sh\", \"-c\", null], \"x\": [1e3, -2]}",
        file -> Json.parse(Files.readString(file, StandardCharsets.ISO_8859_1))),
    SACCT(sample("lab.txt"), file -> trace("sacct", file)),
    SACCT_JSON(sample("lab.json"), file -> trace("sacct", file)),
    KUBECTL(
        """
        {"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "a", "uid": "u",
         "creationTimestamp": "2026-11-02T10:00:00Z"}, "spec": {"nodeName": "n", "containers": [
         {"resources": {"limits": {"nvidia.com/gpu": "2", "memory": "8Gi"}}}]}, "status":
         {"phase": "Succeeded", "startTime": "2026-11-02T10:00:05Z", "containerStatuses": [{"state":
         {"terminated": {"finishedAt": "2026-11-02T10:01:00Z"}}}]}}]}
        """,
        file -> trace("kubectl", file));

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // Reads, and holds nothing.
    private final Reader reader;

    Kind(String text, Reader reader) {
      this.text = text;
      this.reader = reader;
    }
  }

  private static String sample(String name) {
    try {
      return Files.readString(RecordedTrace.sample(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void trace(String format, Path file) {
    TraceFormats.read(format, List.of(file), Map.of(), 1, (_, _) -> {});
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void areReadOrRefusedInOneLine(Kind kind) {
    assertTimeoutPreemptively(
        HANGS,
        () ->
            Seeds.each(
                SEEDS,
                (random, _) -> {
                  byte[] bytes = kind.text.getBytes(StandardCharsets.UTF_8);
                  for (int i = 1 + random.nextInt(4); i > 0; i--) {
                    bytes = spoilt(random, bytes);
                  }
                  read(kind, bytes);
                }));
  }

  private void read(Kind kind, byte[] bytes) {
    Path file = dir.resolve("file");
    try {
      Files.write(file, bytes);
      kind.reader.read(file);
    } catch (BadInput e) {
      assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Something cut out, doubled, flipped or put in. */
  private static byte[] spoilt(RandomGenerator random, byte[] bytes) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int from = random.nextInt(bytes.length);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(40));
    return switch (random.nextInt(5)) {
      case 0 -> joined(bytes, from, new byte[0], to);
      case 1 -> joined(bytes, from, repeated(bytes, from, to, 2000), to);
      case 2 -> joined(bytes, from, new byte[] {(byte) random.nextInt(256)}, from + 1);
      case 3 -> Arrays.copyOf(bytes, from);
      default -> {
        String[] junk = {
          "[",
          "{",
          "{\"a\":",
          "[{a: ",
          "- ",
          "? ",
          "&a [*a, ",
          "*one ",
          "\"",
          "|",
          "9",
          "0x",
          "1e",
          "\u0000",
          "\u001b",
          "\ufeff",
          "\u2028",
          "\t",
          "\r",
          "%",
          "!!binary ",
          "---\n",
          "[1-9]"
        };
        byte[] chosen = junk[random.nextInt(junk.length)].getBytes(StandardCharsets.UTF_8);
        int times = random.nextBoolean() ? 1 : 5000;
        yield joined(bytes, from, repeated(chosen, 0, chosen.length, times), from);
      }
    };
  }

  private static byte[] repeated(byte[] bytes, int from, int to, int times) {
    byte[] all = new byte[(to - from) * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(bytes, from, all, i * (to - from), to - from);
    }
    return all;
  }

  private static byte[] joined(byte[] bytes, int until, byte[] between, int from) {
    byte[] all = new byte[until + between.length + bytes.length - from];
    System.arraycopy(bytes, 0, all, 0, until);
    System.arraycopy(between, 0, all, until, between.length);
    System.arraycopy(bytes, from, all, until + between.length, bytes.length - from);
    return all;
  }
}
