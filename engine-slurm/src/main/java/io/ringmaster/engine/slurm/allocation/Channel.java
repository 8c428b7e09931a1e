package io.ringmaster.engine.slurm.allocation;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Messages over a connection between two that have the same secret key, read and changed by nobody
 * else. Each side sends a number that was never used before; of both and the key follow two keys of
 * this connection, one for each direction. Each message is sealed with AES-GCM and numbered: one
 * that is left out, repeated or made by others is not opened, and ends the connection.
 */
final class Channel implements Closeable {
  static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 32;
  private static final int TAG_BITS = 128;
  private static final int IV_BYTES = 12;
  private static final int MOST_BYTES = 16 << 20;
  private static final int FIRST_MOST_BYTES = 1024;
  private static final int GREETING_MILLIS = 5_000;
  private static final byte[] PROTOCOL = "ringmaster agent 1 ".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final SecretKeySpec inKey;
  private final SecretKeySpec outKey;
  private long received;
  private long sent;

  /** Calls somebody, and returns when both have shown that they know the key. */
  static Channel connect(InetSocketAddress to, byte[] key) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(to, GREETING_MILLIS);
      return new Channel(socket, key, true);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** The same for the one who was called. */
  static Channel accepted(Socket socket, byte[] key) throws IOException {
    return new Channel(socket, key, false);
  }

  private Channel(Socket socket, byte[] key, boolean isCaller) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(GREETING_MILLIS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = new DataOutputStream(socket.getOutputStream());
    byte[] mine = new byte[NONCE_BYTES];
    RANDOM.nextBytes(mine);
    out.write(mine);
    byte[] theirs = in.readNBytes(NONCE_BYTES);
    if (theirs.length < NONCE_BYTES) {
      throw new IOException("the connection was closed");
    }
    byte[] both =
        ByteBuffer.allocate(2 * NONCE_BYTES)
            .put(isCaller ? mine : theirs)
            .put(isCaller ? theirs : mine)
            .array();
    outKey = derived(key, isCaller ? 1 : 2, both);
    inKey = derived(key, isCaller ? 2 : 1, both);
    // The caller first: who does not know the key learns nothing but a random number.
    if (isCaller) {
      send(Message.of("hello", "agent"));
      receive(FIRST_MOST_BYTES);
    } else {
      receive(FIRST_MOST_BYTES);
      send(Message.of("hello", "server"));
    }
  }

  private static SecretKeySpec derived(byte[] key, int direction, byte[] nonces) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(PROTOCOL);
      mac.update((byte) direction);
      return new SecretKeySpec(mac.doFinal(nonces), "AES");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How long {@link #receive} waits before it fails. */
  void patience(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  synchronized void send(Message message) throws IOException {
    byte[] sealed =
        crypt(Cipher.ENCRYPT_MODE, outKey, sent++, message.json().getBytes(StandardCharsets.UTF_8));
    byte[] frame = ByteBuffer.allocate(4 + sealed.length).putInt(sealed.length).put(sealed).array();
    out.write(frame);
  }

  /** The next message. For one thread only. */
  Message receive() throws IOException {
    return receive(MOST_BYTES);
  }

  private Message receive(int most) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > most) {
      throw new IOException("a message of %d bytes".formatted(length));
    }
    byte[] sealed = in.readNBytes(length);
    if (sealed.length < length) {
      throw new IOException("the connection was closed within a message");
    }
    byte[] text = crypt(Cipher.DECRYPT_MODE, inKey, received++, sealed);
    return Message.parse(new String(text, StandardCharsets.UTF_8));
  }

  private static byte[] crypt(int mode, SecretKeySpec key, long number, byte[] bytes)
      throws IOException {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      byte[] iv = ByteBuffer.allocate(IV_BYTES).putInt(0).putLong(number).array();
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
      return cipher.doFinal(bytes);
    } catch (GeneralSecurityException e) {
      throw new IOException("a message that was not made with this server's key", e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
