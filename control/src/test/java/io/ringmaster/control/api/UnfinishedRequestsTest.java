package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers who begin to say something and do not end: raw connections that stay open. */
class UnfinishedRequestsTest {
  private static final int PATIENCE_MILLIS = 30_000;

  private final List<Socket> sockets = new ArrayList<>();

  private Socket say(Stage stage, String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), stage.server.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    sockets.add(socket);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** What comes first, as far as a body's end. */
  private static String hear(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      text.append((char) c);
      if (text.toString().endsWith("}\n")) {
        break;
      }
    }
    return text.toString();
  }

  private static String submission(String token, long bytes) {
    String authorization = token.isEmpty() ? "X-None: x" : "Authorization: Bearer " + token;
    return RawSocket.head(
        "POST /api/v1/jobs HTTP/1.1",
        "Host: localhost",
        authorization,
        "Content-Type: application/json",
        "Content-Length: " + bytes);
  }

  private static boolean isAnswered(Socket socket) {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void hangUp() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void aStrangerIsRefusedBeforeAnythingOfABodyCame() throws IOException {
    try (Stage stage = new Stage()) {
      stage.token("root", "admin", "");
      assertThat(hear(say(stage, submission("", 1 << 20)))).startsWith("HTTP/1.1 401 ");
      assertThat(hear(say(stage, submission("rm_guess", 1 << 20)))).startsWith("HTTP/1.1 401 ");
      assertThat(hear(say(stage, submission("", 1L << 40))))
          .as("how long it would be is no stranger's business")
          .startsWith("HTTP/1.1 401 ");
      hangUp();
    }
  }

  @Test
  void aBodyThatDoesNotComeIsCut() throws IOException {
    try (Stage stage = new Stage(Limits.usual().with(Limit.BODY_S, 0.2))) {
      Socket slow = say(stage, submission("", 1000) + "{");
      assertThat(hear(slow))
          .startsWith("HTTP/1.1 408 ")
          .contains("the body did not come within 0.2 s");
      assertThat(slow.getInputStream().read()).as("and the connection ends").isEqualTo(-1);
      hangUp();
    }
  }

  /** Bytes that came are counted, not those that were promised; one user leaves room for others. */
  @Test
  void bodiesInFlightAreBounded() throws IOException {
    Limits limits =
        Limits.usual()
            .with(Limit.USER_BYTES_IN_FLIGHT, 200_000)
            .with(Limit.BYTES_IN_FLIGHT, 400_000);
    try (Stage stage = new Stage(limits)) {
      String root = stage.token("root", "admin", "");
      String ann = stage.token("ann", "user", root);
      // As long as they are not all there, somebody has their bytes, in a buffer of at most the
      // promised size: there is room for one, and always for one.
      Socket one = say(stage, submission(ann, 100_001) + "x".repeat(100_000));
      Socket other = say(stage, submission(ann, 100_001) + "x".repeat(100_000));
      Stage.await(() -> isAnswered(one) || isAnswered(other));
      Socket refused = isAnswered(one) ? one : other;
      Socket held = isAnswered(one) ? other : one;
      assertThat(hear(refused))
          .startsWith("HTTP/1.1 503 ")
          .contains("requests and answers of ann hold 200000 bytes already");
      assertThat(stage.submit(Stage.JOB, root)).as("others go on").isPositive();
      held.getOutputStream().write('x');
      assertThat(hear(held)).startsWith("HTTP/1.1 400 ").contains("not JSON");
      assertThat(hear(say(stage, submission(ann, 100_000) + "x".repeat(100_000))))
          .as("what ended gave its bytes back")
          .contains("not JSON");
      hangUp();
    }
  }

  /** Whoever only holds connections loses them to those who ask something. */
  @Test
  void connectionsThatAreOnlyHeldGiveWay() throws IOException {
    Limits limits = Limits.usual().with(Limit.CONNECTIONS_PER_ADDRESS, 10);
    try (Stage stage = new Stage(limits)) {
      for (int i = 0; i < 50; i++) {
        say(stage, "GET /api/v1/jobs HTTP/1.1\r\nHost: loc");
      }
      assertThat(stage.get("/api/v1/jobs").statusCode()).isEqualTo(200);
      assertThat(sockets.getFirst().getInputStream().read()).as("the first").isEqualTo(-1);
      hangUp();
    }
  }

  /** A byte now and then does not keep a connection. */
  @Test
  void aHeadThatDoesNotEndIsCut() throws IOException {
    try (Stage stage = new Stage(Limits.usual().with(Limit.IDLE_S, 1))) {
      Socket slow = say(stage, "GET /api/v1/jobs HTTP/1.1\r\n");
      Stage.await(() -> {
        try {
          slow.getOutputStream().write('X');
          slow.getOutputStream().flush();
          slow.setSoTimeout(1);
          return slow.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
          return false;
        } catch (IOException e) {
          return true;
        }
      });
      hangUp();
    }
  }

  /** With every place taken by requests that wait, one can still ask how the server is. */
  @Test
  void healthIsToldWhenAllConnectionsAreAtWork() throws IOException {
    Limits limits = Limits.usual().with(Limit.CONNECTIONS_PER_ADDRESS, 3);
    try (Stage stage = new Stage(limits)) {
      for (int i = 0; i < 3; i++) {
        Socket listener =
            say(stage, RawSocket.head("GET /api/v1/events HTTP/1.1", "Host: localhost"));
        assertThat(listener.getInputStream().read()).isEqualTo('H');
      }
      assertThat(
              RawSocket.ask(
                  stage.server.port(),
                  RawSocket.head("GET /healthz HTTP/1.1", "Host: localhost", "Connection: close")))
          .startsWith("HTTP/1.1 200 ");
      assertThat(
              RawSocket.ask(
                  stage.server.port(),
                  RawSocket.head("GET /api/v1/jobs HTTP/1.1", "Host: localhost")))
          .startsWith("HTTP/1.1 503 ")
          .contains("too many connections");
      hangUp();
    }
  }
}
