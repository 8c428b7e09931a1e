package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that are processes, as in earnest. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RingProcessesTest {
  private static final int SIZE = 4;

  private final List<Process> members = new ArrayList<>();

  /** Adds up for ever, and says so after each sum. */
  static final class Member {
    private Member() {}

    public static void main(String[] args) {
      int rank = Integer.parseInt(args[0]);
      int port = Integer.parseInt(args[1]);
      try (Ring ring = Ring.join(rank, SIZE, "127.0.0.1", port, "9.1", Duration.ofSeconds(20))) {
        while (true) {
          float[] data = new float[10_000];
          data[data.length - 1] = rank;
          ring.allReduce(data);
          System.out.println(data[data.length - 1]);
          Thread.sleep(20);
        }
      } catch (RingBroken e) {
        System.out.println(e.getMessage());
        System.exit(1);
      } catch (InterruptedException e) {
        System.exit(2);
      }
    }
  }

  @AfterEach
  void end() {
    members.forEach(Process::destroyForcibly);
  }

  @Test
  void aKilledProcessMakesAllOthersEnd() throws Exception {
    int port = RingOfThreads.freePort();
    for (int rank = 0; rank < SIZE; rank++) {
      members.add(start(rank, port));
    }
    List<BufferedReader> outputs = new ArrayList<>();
    for (Process member : members) {
      BufferedReader output = member.inputReader();
      outputs.add(output);
      assertThat(output.readLine()).isEqualTo("6.0"); // 0 + 1 + 2 + 3
    }
    members.get(2).destroyForcibly();
    for (int rank : new int[] {0, 1, 3}) {
      assertThat(members.get(rank).waitFor()).isEqualTo(1);
      String last = outputs.get(rank).lines().reduce("", (before, after) -> after);
      assertThat(last)
          .matches(
              "rank %d lost the ring: rank \\d( at 127.0.0.1:\\d+)? is gone: .+".formatted(rank));
    }
  }

  private static Process start(int rank, int port) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            Member.class.getName(),
            Integer.toString(rank),
            Integer.toString(port))
        .redirectErrorStream(true)
        .start();
  }
}
