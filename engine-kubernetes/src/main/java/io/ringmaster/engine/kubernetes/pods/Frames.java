package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Engine.Stream;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The log of a pod, as its supervisor writes it: pieces of what each worker printed. */
final class Frames {
  private static final Pattern HEADER =
      Pattern.compile("RM1 ([oep][0-9]{1,9}) ([0-9]{1,15}) ([0-9]{1,9})");

  /** What is longer is no header. */
  private static final int MOST_HEADER_BYTES = 64;

  private static final int MOST_BYTES = 1 << 28;
  private static final String CUT =
      "ringmaster: cut here: the node keeps only the last part of a pod's log\n";

  private Frames() {}

  /** What one worker printed to one stream, from a byte on. */
  static byte[] read(InputStream log, int rank, Stream stream, long fromByte) throws IOException {
    String wanted =
        switch (stream) {
          case STDOUT -> "o" + rank;
          case STDERR -> "e" + rank;
          case PROGRESS -> "p0";
        };
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    BufferedInputStream in = new BufferedInputStream(log);
    long at = 0;
    for (String line = line(in); line != null; line = line(in)) {
      Matcher header = HEADER.matcher(line);
      // What is none is the supervisor's own, or what is left of a frame whose begin is gone.
      if (header.matches()) {
        long begin = Long.parseLong(header.group(2));
        int length = Integer.parseInt(header.group(3));
        if (!header.group(1).equals(wanted)) {
          skip(in, length);
        } else {
          byte[] bytes = in.readNBytes(length);
          if (begin > at && fromByte < begin) {
            found.writeBytes(CUT.getBytes(StandardCharsets.UTF_8));
          }
          int skip = Math.clamp(fromByte - begin, 0, bytes.length);
          found.write(bytes, skip, bytes.length - skip);
          at = begin + bytes.length;
        }
      }
      if (found.size() > MOST_BYTES) {
        break;
      }
    }
    return found.toByteArray();
  }

  /** A frame at the very end may be there in part. */
  private static void skip(InputStream in, int length) throws IOException {
    try {
      in.skipNBytes(length);
    } catch (EOFException e) {
      // Nothing comes behind it.
    }
  }

  private static @Nullable String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (text.length() <= MOST_HEADER_BYTES) {
        text.append((char) next);
      }
      next = in.read();
    }
    return text.toString();
  }
}
