package io.ringmaster.predictor.length;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.forest.Forest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * A forest of job lengths as the bytes of a file, all numbers with their highest byte first: the
 * text {@code RMFOREST}, the version of the format, the number of bytes of the names of the
 * features and these, joined by commas, in UTF-8; the forest; and the CRC-32 of all before it.
 */
public final class SavedForest {
  private static final byte[] MAGIC = "RMFOREST".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final String AGAIN = "; grow and save it again";

  private SavedForest() {}

  public static byte[] write(Forest forest) {
    byte[] names = names();
    int rest = MAGIC.length + 4 + 4 + names.length + 4;
    ByteBuffer out = ByteBuffer.allocate(Math.addExact(rest, forest.byteCount()));
    out.put(MAGIC).putInt(VERSION).putInt(names.length).put(names);
    forest.write(out);
    return out.putInt(checksum(out.array(), out.position())).array();
  }

  /**
   * Reads a forest.
   *
   * @param source where the bytes are from, for messages
   * @throws BadInput if this is no such file, or damaged, or of another version
   */
  public static Forest read(byte[] bytes, String source) {
    if (bytes.length < MAGIC.length || !Arrays.equals(Arrays.copyOf(bytes, MAGIC.length), MAGIC)) {
      throw new BadInput(source + ": is no saved forest; expected what predict --save wrote");
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes).position(MAGIC.length);
      int version = in.getInt();
      if (version != VERSION) {
        throw new BadInput(
            "%s: is a forest of version %d, expected %d%s"
                .formatted(source, version, VERSION, AGAIN));
      }
      int end = bytes.length - 4;
      if (ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
        throw new BadInput(source + ": the forest is damaged: its checksum is wrong" + AGAIN);
      }
      byte[] names = new byte[Math.clamp(in.getInt(), 0, in.remaining())];
      in.get(names);
      Forest forest = Forest.read(in);
      if (!Arrays.equals(names, names()) || forest.width() != JobFeatures.names().size()) {
        throw new BadInput(source + ": the forest asks for other features than ours" + AGAIN);
      }
      return forest;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new BadInput(source + ": the forest is damaged" + AGAIN);
    }
  }

  private static byte[] names() {
    return String.join(",", JobFeatures.names()).getBytes(StandardCharsets.UTF_8);
  }

  private static int checksum(byte[] bytes, int to) {
    CRC32 sum = new CRC32();
    sum.update(bytes, 0, to);
    return (int) sum.getValue();
  }
}
