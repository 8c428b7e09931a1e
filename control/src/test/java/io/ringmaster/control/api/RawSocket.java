package io.ringmaster.control.api;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Says what no HTTP client would say. */
final class RawSocket {
  private static final int PATIENCE_MILLIS = 5000;

  private RawSocket() {}

  /** The lines before a body. */
  static String head(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  static String ask(int port, String text) throws IOException {
    return ask(port, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends bytes, says that there are no more, and returns all that comes back. */
  static String ask(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      StringBuilder reply = new StringBuilder();
      try {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        socket.shutdownOutput();
        byte[] buffer = new byte[8192];
        for (int n; (n = socket.getInputStream().read(buffer)) >= 0; ) {
          reply.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        }
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        // The server may close before it has read all.
        return reply.toString();
      }
      return reply.toString();
    }
  }
}
