package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import io.ringmaster.testing.Seeds;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RingTest {
  private static final String HOST = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void sumsAreExactForWholeNumbersWhateverTheSizes() {
    Seeds.each(
        40,
        (random, seed) -> {
          int size = random.nextInt(1, 10);
          int length = random.nextBoolean() ? random.nextInt(12) : random.nextInt(5_000);
          int rounds = random.nextInt(1, 4);
          float[][] given = new float[size * rounds][length];
          for (float[] array : given) {
            for (int i = 0; i < length; i++) {
              array[i] = random.nextInt(-1000, 1000);
            }
          }
          List<float[][]> results =
              RingOfThreads.run(
                  size,
                  ring -> {
                    float[][] mine = new float[rounds][];
                    for (int round = 0; round < rounds; round++) {
                      mine[round] = given[round * size + ring.rank()].clone();
                      ring.allReduce(mine[round]);
                    }
                    return mine;
                  });
          for (int round = 0; round < rounds; round++) {
            float[] expected = new float[length];
            for (int rank = 0; rank < size; rank++) {
              for (int i = 0; i < length; i++) {
                expected[i] += given[round * size + rank][i];
              }
            }
            for (float[][] result : results) {
              assertThat(result[round]).isEqualTo(expected);
            }
          }
        });
  }

  @Test
  void sumsOfFractionsAreTheSameBitsEverywhere() {
    Seeds.each(
        10,
        (random, seed) -> {
          int size = random.nextInt(2, 8);
          float[][] given = new float[size][random.nextInt(1, 3_000)];
          for (float[] array : given) {
            fill(array, random);
          }
          List<float[]> results =
              RingOfThreads.run(
                  size,
                  ring -> {
                    float[] mine = given[ring.rank()].clone();
                    ring.allReduce(mine);
                    return mine;
                  });
          for (float[] result : results) {
            assertThat(Arrays.equals(result, results.get(0))).isTrue();
          }
          for (int i = 0; i < given[0].length; i++) {
            double sum = 0;
            for (float[] array : given) {
              sum += array[i];
            }
            assertThat((double) results.get(0)[i]).isCloseTo(sum, offset(1e-5));
          }
        });
  }

  /** 12 MB for each member is more than any socket buffers: all must send and receive at once. */
  @Test
  void arraysLargerThanSocketBuffersDoNotBlock() {
    int length = 3_000_001;
    List<Long> sent =
        RingOfThreads.run(
            3,
            ring -> {
              float[] mine = new float[length];
              Arrays.fill(mine, ring.rank() + 1);
              ring.allReduce(mine);
              for (float sum : mine) {
                assertThat(sum).isEqualTo(6);
              }
              return ring.bytesSent();
            });
    // Each sends 2 (3 - 1) of 3 parts of 4 bytes a number, and the length once.
    for (long bytes : sent) {
      assertThat(bytes).isBetween(length * 4L * 4 / 3 - 16, length * 4L * 4 / 3 + 16);
    }
  }

  @Test
  void aLoneMemberNeedsNoNetwork() {
    try (Ring ring = Ring.join(0, 1, "nowhere.invalid", 1, "1.1", PATIENCE)) {
      float[] data = {1, 2};
      ring.allReduce(data);
      assertThat(data).containsExactly(1, 2);
      assertThat(ring.bytesSent()).isZero();
    }
  }

  @Test
  void membersMayComeLateAndInAnyOrder() throws Exception {
    List<Future<Float>> results = new ArrayList<>();
    int port;
    try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = door.getLocalPort();
      results.add(threads.submit(() -> sum(Ring.join(2, 4, HOST, port, "1.1", PATIENCE))));
      // Rank 2 comes first, and is sent away by somebody else.
      door.accept().close();
    }
    results.add(threads.submit(() -> sum(Ring.join(0, 4, HOST, port, "1.1", PATIENCE))));
    call(port, new byte[0]).close();
    for (int rank : new int[] {3, 1}) {
      results.add(threads.submit(() -> sum(Ring.join(rank, 4, HOST, port, "1.1", PATIENCE))));
    }
    for (Future<Float> result : results) {
      assertThat(result.get()).isEqualTo(0 + 1 + 2 + 3);
    }
  }

  @Test
  void theSamePortServesAgainAtOnce() throws Exception {
    int port = RingOfThreads.freePort();
    for (int attempt = 1; attempt <= 3; attempt++) {
      String id = "7." + attempt;
      List<Future<Float>> results = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        int own = rank;
        results.add(threads.submit(() -> sum(Ring.join(own, 2, HOST, port, id, PATIENCE))));
      }
      for (Future<Float> result : results) {
        assertThat(result.get()).isEqualTo(1);
      }
    }
  }

  @Test
  void strangersAreNotTakenForMembers() throws Exception {
    int port = RingOfThreads.freePort();
    Future<Float> zero = threads.submit(() -> sum(Ring.join(0, 2, HOST, port, "5.2", PATIENCE)));
    List<Socket> strangers = new ArrayList<>();
    strangers.add(call(port, new byte[0]));
    strangers.add(call(port, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    strangers.add(call(port, frame(new Frame(Frame.Kind.MEET, 1, 2, 9, "5.1", ""))));
    strangers.add(call(port, frame(new Frame(Frame.Kind.MEET, 1, 3, 9, "5.2", ""))));
    strangers.add(call(port, frame(new Frame(Frame.Kind.RING, 1, 2, 0, "5.1", ""))));
    byte[] begun = frame(new Frame(Frame.Kind.MEET, 1, 2, 9, "5.2", ""));
    strangers.add(call(port, Arrays.copyOf(begun, begun.length - 1)));
    // One of an older attempt asks until it has no patience left; rank 0 waits on.
    assertThatThrownBy(() -> Ring.join(1, 2, HOST, port, "5.1", Duration.ofMillis(300)))
        .isInstanceOf(RingBroken.class);
    Future<Float> one = threads.submit(() -> sum(Ring.join(1, 2, HOST, port, "5.2", PATIENCE)));
    assertThat(zero.get()).isEqualTo(1);
    assertThat(one.get()).isEqualTo(1);
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  @Test
  void rankZeroNamesWhoIsMissingAndTellsTheOthers() throws Exception {
    int port = RingOfThreads.freePort();
    Duration short_ = Duration.ofMillis(600);
    List<Future<Float>> results = new ArrayList<>();
    for (int rank : new int[] {1, 0}) {
      Duration patience = rank == 0 ? short_ : PATIENCE;
      results.add(threads.submit(() -> sum(Ring.join(rank, 4, HOST, port, "1.1", patience))));
    }
    for (Future<Float> result : results) {
      assertThatThrownBy(result::get)
          .cause()
          .isInstanceOf(RingBroken.class)
          .hasMessage(
              "ranks 2, 3 did not come to rank 0 at 127.0.0.1:%d within 0.6 s".formatted(port));
    }
  }

  @Test
  void aMemberWithoutRankZeroSaysWhereItLooked() throws Exception {
    int port = RingOfThreads.freePort();
    assertThatThrownBy(() -> Ring.join(1, 2, HOST, port, "1.1", Duration.ofMillis(200)))
        .isInstanceOf(RingBroken.class)
        .hasMessageMatching(
            "rank 1 was not let into the ring by rank 0 at 127.0.0.1:%d within 0.2 s: .*refused.*"
                .formatted(port));
  }

  @Test
  void aPortThatSomebodyElseHoldsIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> Ring.join(0, 2, HOST, port, "1.1", Duration.ofMillis(200)))
          .isInstanceOf(RingBroken.class)
          .hasMessageMatching("rank 0 cannot listen at 127.0.0.1:%d: .*in use.*".formatted(port));
    }
  }

  @Test
  void oneThatLeavesMakesAllOthersFail() {
    int size = 5;
    CountDownLatch together = new CountDownLatch(size);
    List<String> ends =
        RingOfThreads.run(
            size,
            ring -> {
              float[] data = new float[1000];
              ring.allReduce(data);
              together.countDown();
              together.await();
              if (ring.rank() == 2) {
                return "left";
              }
              try {
                while (true) {
                  ring.allReduce(data);
                }
              } catch (RingBroken e) {
                return String.valueOf(e.getMessage());
              } finally {
                ring.close();
              }
            });
    for (int rank = 0; rank < size; rank++) {
      assertThat(ends.get(rank))
          .matches(
              rank == 2
                  ? "left"
                  : "rank %d lost the ring: rank \\d( at 127.0.0.1:\\d+)? is gone: .+"
                      .formatted(rank));
    }
  }

  @Test
  void aSilentMemberIsNamed() throws Exception {
    int port = RingOfThreads.freePort();
    CountDownLatch isOver = new CountDownLatch(1);
    Future<Boolean> silent =
        threads.submit(() -> {
          try (Ring ring = Ring.join(1, 2, HOST, port, "1.1", PATIENCE)) {
            isOver.await();
            return ring.size() == 2;
          }
        });
    try (Ring ring = Ring.join(0, 2, HOST, port, "1.1", Duration.ofSeconds(1))) {
      assertThatThrownBy(() -> ring.allReduce(new float[10]))
          .isInstanceOf(RingBroken.class)
          .hasMessage("rank 0 lost the ring: rank 1 sent nothing for 1.0 s");
    }
    isOver.countDown();
    assertThat(silent.get()).isTrue();
  }

  @Test
  void membersOutOfStepNoticeIt() {
    List<String> ends =
        RingOfThreads.run(
            2,
            ring -> {
              try {
                ring.allReduce(new float[10 + ring.rank()]);
                return "";
              } catch (RingBroken e) {
                return String.valueOf(e.getMessage());
              }
            });
    assertThat(String.join("\n", ends))
        .containsPattern("rank \\d brought 1\\d numbers to a sum, and rank \\d brought 1\\d");
  }

  private static float sum(Ring ring) {
    try (ring) {
      float[] data = {ring.rank()};
      ring.allReduce(data);
      return data[0];
    }
  }

  private static void fill(float[] array, RandomGenerator random) {
    for (int i = 0; i < array.length; i++) {
      array[i] = random.nextFloat() - 0.5f;
    }
  }

  /** Calls as soon as somebody listens. */
  private static Socket call(int port, byte[] bytes) throws Exception {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        return socket;
      } catch (ConnectException e) {
        Thread.onSpinWait();
      }
    }
    throw new InterruptedException("nobody listened at port " + port);
  }

  private static byte[] frame(Frame frame) {
    return frame.bytes().array();
  }
}
