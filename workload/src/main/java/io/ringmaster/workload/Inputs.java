package io.ringmaster.workload;

import com.github.luben.zstd.ZstdInputStream;
import io.ringmaster.model.BadInput;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** Opens the files that users give. */
public final class Inputs {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int LONGEST_SHOWN = 60;

  /** A damaged header must not ask for all memory. */
  private static final int XZ_MEMORY_KIB = 1 << 19;

  private static final int[] GZIP = {0x1f, 0x8b};
  private static final int[] XZ = {0xfd, '7', 'z', 'X', 'Z', 0};
  private static final int[] ZSTD = {0x28, 0xb5, 0x2f, 0xfd};
  private static final int[] UTF8_MARK = {0xef, 0xbb, 0xbf};
  private static final int[] UTF16_BIG = {0xfe, 0xff};
  private static final int[] UTF16_LITTLE = {0xff, 0xfe};

  private static final String TAR_WORD = "ustar";
  private static final int TAR_WORD_AT = 257;
  private static final int TAR_NAME_END = 99;

  private Inputs() {}

  /** Refuses what is missing or no file. */
  public static void check(Path file) {
    if (Files.isDirectory(file)) {
      throw new BadInput(file + ": it is a directory; expected a file");
    }
    if (!Files.exists(file)) {
      throw new BadInput(file + ": no such file");
    }
    if (!Files.isReadable(file)) {
      throw new BadInput(file + ": cannot read: permission denied");
    }
  }

  /** The text of a file, decompressed if need be, without the mark that some editors put first. */
  public static InputStream open(Path file, JobsFile.Progress progress) throws IOException {
    check(file);
    InputStream raw =
        new BufferedInputStream(
            new Counted(Files.newInputStream(file), Files.size(file), progress), BUFFER_BYTES);
    try {
      InputStream text = decompressed(file, raw);
      if (startsWith(text, UTF16_BIG) || startsWith(text, UTF16_LITTLE)) {
        throw new BadInput(file + ": the text is UTF-16; save it as UTF-8");
      }
      if (isArchive(text)) {
        throw new BadInput(file + ": it is a tar archive; unpack it and give the files in it");
      }
      if (startsWith(text, UTF8_MARK)) {
        text.skipNBytes(UTF8_MARK.length);
      }
      return text;
    } catch (IOException | BadInput e) {
      raw.close();
      throw e;
    }
  }

  /** The whole text of a file, which may have so many bytes once it is decompressed. */
  public static String text(Path file, int longest) {
    try (InputStream in = open(file, (_, _) -> {})) {
      byte[] bytes = in.readNBytes(longest);
      if (in.read() >= 0) {
        throw new BadInput("%s: longer than %d MiB".formatted(file, longest >> 20));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw notUtf8(file);
    } catch (IOException e) {
      throw new BadInput(file + ": cannot read: " + AtomicFile.reason(e));
    }
  }

  /**
   * The error for a file with bytes that are no UTF-8. Readers decode in blocks: the line is looked
   * for here, once there is an error to show.
   */
  public static BadInput notUtf8(Path file) {
    long line = 1;
    try (InputStream in = open(file, (_, _) -> {})) {
      byte[] bytes = in.readAllBytes();
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      StandardCharsets.UTF_8.newDecoder().decode(rest, CharBuffer.allocate(bytes.length), true);
      for (int i = 0; i < rest.position(); i++) {
        line += bytes[i] == '\n' ? 1 : 0;
      }
    } catch (IOException e) {
      return new BadInput(file + ": cannot read: " + AtomicFile.reason(e));
    }
    return new BadInput("%s:%d: not UTF-8 text; save the file as UTF-8".formatted(file, line));
  }

  private static InputStream decompressed(Path file, InputStream raw) throws IOException {
    String name = file.toString();
    if (startsWith(raw, GZIP)) {
      return new BufferedInputStream(new GZIPInputStream(raw, BUFFER_BYTES), BUFFER_BYTES);
    }
    if (startsWith(raw, XZ)) {
      return new BufferedInputStream(new XZInputStream(raw, XZ_MEMORY_KIB), BUFFER_BYTES);
    }
    if (startsWith(raw, ZSTD)) {
      return new BufferedInputStream(new ZstdInputStream(raw), BUFFER_BYTES);
    }
    for (String ending : new String[] {".gz", ".xz", ".zst"}) {
      if (name.endsWith(ending)) {
        throw new BadInput(
            "%s: the name ends in %s but the file is not compressed that way; rename it"
                .formatted(file, ending));
      }
    }
    return raw;
  }

  /** The header of a tar archive: a name filled up with zeros, and a word further on. */
  private static boolean isArchive(InputStream in) throws IOException {
    in.mark(TAR_WORD_AT + TAR_WORD.length());
    byte[] start = in.readNBytes(TAR_WORD_AT + TAR_WORD.length());
    in.reset();
    return start.length == TAR_WORD_AT + TAR_WORD.length()
        && start[TAR_NAME_END] == 0
        && new String(start, TAR_WORD_AT, TAR_WORD.length(), StandardCharsets.US_ASCII)
            .equals(TAR_WORD);
  }

  private static boolean startsWith(InputStream in, int[] magic) throws IOException {
    in.mark(magic.length);
    boolean same = true;
    for (int i = 0; i < magic.length && same; i++) {
      same = in.read() == magic[i];
    }
    in.reset();
    return same;
  }

  /** A value as a message shows it: on one line, and not endless. */
  public static String shown(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "...";
  }

  /** Reports how much of the file is read. */
  private static final class Counted extends FilterInputStream {
    private final long total;
    private final JobsFile.Progress progress;
    private long read;

    Counted(InputStream in, long total, JobsFile.Progress progress) {
      super(in);
      this.total = total;
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int got = super.read(bytes, from, length);
      count(Math.max(0, got));
      return got;
    }

    private void count(int bytes) {
      read += bytes;
      progress.read(read, total);
    }
  }
}
