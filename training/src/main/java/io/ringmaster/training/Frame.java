package io.ringmaster.training;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What members say to each other before they are a ring.
 *
 * @param rank who speaks; in an answer, whose address is told
 * @param port where that rank listens
 * @param id of the ring: a worker of another job or attempt may come to the same port
 * @param text host of an answer, reason of a failure
 */
record Frame(Kind kind, int rank, int size, int port, String id, String text) {
  enum Kind {
    /** To rank 0: here I listen. */
    MEET('M'),
    /** From rank 0: there your successor listens. */
    ANSWER('A'),
    /** From rank 0: there will be no ring. */
    FAILED('F'),
    /** To the successor: I am your predecessor. */
    RING('R'),
    /** Somebody who does not speak like this. */
    STRANGER('?');

    private final int letter;

    Kind(char letter) {
      this.letter = letter;
    }

    private static Kind of(int letter) {
      for (Kind kind : KINDS) {
        if (kind.letter == letter) {
          return kind;
        }
      }
      return STRANGER;
    }
  }

  static final int BYTES_MAX = 2048;
  static final int ID_BYTES_MAX = 512;
  private static final long MAGIC = 0x52494e474d415354L; // "RINGMAST"
  private static final int HEAD_BYTES = 8 + 4 * 4 + 2 * 2;
  private static final Kind[] KINDS = Kind.values();
  private static final Frame STRANGER = new Frame(Kind.STRANGER, -1, 0, 0, "", "");

  boolean is(Kind wanted, int ofSize, String ofId) {
    return kind == wanted && size == ofSize && id.equals(ofId) && rank >= 0 && rank < size;
  }

  ByteBuffer bytes() {
    byte[] idBytes = id.getBytes(UTF_8);
    byte[] textBytes = text.getBytes(UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + idBytes.length + textBytes.length);
    bytes.putLong(MAGIC).putInt(kind.letter).putInt(rank).putInt(size).putInt(port);
    bytes.putShort((short) idBytes.length).putShort((short) textBytes.length);
    return bytes.put(idBytes).put(textBytes).flip();
  }

  /** How far to read: what follows a frame is not ours. */
  static int bytesWanted(ByteBuffer soFar) {
    if (soFar.position() < HEAD_BYTES) {
      return HEAD_BYTES;
    }
    int idBytes = soFar.getShort(HEAD_BYTES - 4);
    int textBytes = soFar.getShort(HEAD_BYTES - 2);
    return Math.clamp(HEAD_BYTES + idBytes + textBytes, HEAD_BYTES, BYTES_MAX);
  }

  /** The frame at the beginning of what came so far, or null while more must come. */
  static @Nullable Frame parse(ByteBuffer soFar) {
    ByteBuffer bytes = soFar.duplicate().flip();
    if (bytes.remaining() >= Long.BYTES && bytes.getLong(0) != MAGIC) {
      return STRANGER;
    }
    if (bytes.remaining() < HEAD_BYTES) {
      return null;
    }
    bytes.getLong();
    Kind kind = Kind.of(bytes.getInt());
    int rank = bytes.getInt();
    int size = bytes.getInt();
    int port = bytes.getInt();
    int idBytes = bytes.getShort();
    int textBytes = bytes.getShort();
    if (kind == Kind.STRANGER
        || idBytes < 0
        || textBytes < 0
        || HEAD_BYTES + idBytes + textBytes > BYTES_MAX) {
      return STRANGER;
    }
    if (bytes.remaining() < idBytes + textBytes) {
      return null;
    }
    return new Frame(kind, rank, size, port, text(bytes, idBytes), text(bytes, textBytes));
  }

  private static String text(ByteBuffer bytes, int length) {
    byte[] text = new byte[length];
    bytes.get(text);
    return new String(text, UTF_8);
  }
}
