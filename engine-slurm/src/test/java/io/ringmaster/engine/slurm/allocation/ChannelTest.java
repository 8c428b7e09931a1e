package io.ringmaster.engine.slurm.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChannelTest {
  private static final byte[] KEY = new byte[Channel.KEY_BYTES];

  @SuppressWarnings("NullAway.Init")
  private ServerSocket door;

  @BeforeEach
  void open() throws IOException {
    door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    door.close();
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(door.getInetAddress(), door.getLocalPort());
  }

  private CompletableFuture<Channel> accepted() {
    return begun(() -> Channel.accepted(door.accept(), KEY));
  }

  /** On a thread of its own: on two processors the common pool has only one, and it waits. */
  private static CompletableFuture<Channel> begun(Callable<Channel> work) {
    CompletableFuture<Channel> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            result.complete(work.call());
          } catch (Exception e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  @Test
  void messagesArriveAsTheyAre() throws Exception {
    CompletableFuture<Channel> called = accepted();
    try (Channel caller = Channel.connect(address(), KEY);
        Channel other = called.get()) {
      caller.send(Message.of("text", "h\u00e4 \ud83d\ude80 \n", "number", 7));
      Message first = other.receive();
      assertThat(first.text("text")).isEqualTo("h\u00e4 \ud83d\ude80 \n");
      assertThat(first.whole("number")).isEqualTo(7);
      other.send(Message.of("yes", true));
      assertThat(caller.receive().flag("yes")).isTrue();
    }
  }

  @Test
  void whoHasAnotherKeyIsRefused() {
    CompletableFuture<Channel> called = accepted();
    byte[] other = KEY.clone();
    other[31] ^= 1;
    assertThatThrownBy(() -> Channel.connect(address(), other)).isInstanceOf(IOException.class);
    assertThatThrownBy(called::get).hasStackTraceContaining("not made with this server's key");
  }

  @Test
  void whoRepeatsWhatWasSaidBeforeIsRefused() throws Exception {
    CompletableFuture<Channel> called = accepted();
    try (ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      byte[] heard = overheard(between);
      assertThat(called.get()).isNotNull();
      CompletableFuture<Channel> again = accepted();
      try (Socket thief = new Socket(door.getInetAddress(), door.getLocalPort())) {
        thief.getOutputStream().write(heard);
        assertThatThrownBy(again::get).hasStackTraceContaining("not made with this server's key");
      }
    }
  }

  /** All that a caller says to the one it calls, who is reached through somebody who listens. */
  private byte[] overheard(ServerSocket between) throws Exception {
    InetSocketAddress detour =
        new InetSocketAddress(between.getInetAddress(), between.getLocalPort());
    CompletableFuture<Channel> caller = begun(() -> Channel.connect(detour, KEY));
    Socket in = between.accept();
    Socket out = new Socket(door.getInetAddress(), door.getLocalPort());
    out.setTcpNoDelay(true);
    Thread back =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                out.getInputStream().transferTo(in.getOutputStream());
              } catch (IOException e) {
                // The end.
              }
            });
    byte[] heard = new byte[4096];
    DataInputStream stream = new DataInputStream(in.getInputStream());
    int count = 0;
    while (!caller.isDone()) {
      if (stream.available() > 0) {
        int read = stream.read(heard, count, heard.length - count);
        out.getOutputStream().write(heard, count, read);
        count += read;
      } else {
        Waiting.pause(1);
      }
    }
    caller.get().close();
    in.close();
    out.close();
    back.join();
    return Arrays.copyOf(heard, count);
  }

  @Test
  void whoSaysNonsenseIsRefused() throws Exception {
    CompletableFuture<Channel> called = accepted();
    try (Socket stranger = new Socket(door.getInetAddress(), door.getLocalPort())) {
      stranger.getOutputStream().write(new byte[32]);
      stranger.getOutputStream().write(new byte[] {0x7f, 0, 0, 0, 1, 2, 3});
      assertThatThrownBy(called::get).hasStackTraceContaining("a message of");
    }
  }
}
