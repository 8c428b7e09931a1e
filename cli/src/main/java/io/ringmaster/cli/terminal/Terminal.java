package io.ringmaster.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Standard output and standard error. All that is printed there is {@linkplain Shown shown}: names,
 * commands and reasons are other people's, and must not steer the terminal of who looks at them.
 * What draws for itself asks for the raw stream.
 */
public final class Terminal {
  /** Lines and columns of our own texts. */
  private static final String LAYOUT = "\n\t";

  /** Programs draw their progress on one line, by going back to its beginning. */
  private static final String LAYOUT_OF_LOGS = "\n\t\r";

  private Terminal() {}

  /** From here on {@link System#out} and {@link System#err} let nothing through that steers. */
  public static void guard() {
    if (!(System.out instanceof Guarded)) {
      System.setOut(new Guarded(System.out, LAYOUT));
    }
    if (!(System.err instanceof Guarded)) {
      System.setErr(new Guarded(System.err, LAYOUT));
    }
  }

  /** Whether somebody looks at standard output: the launcher knows. */
  public static boolean isWatched() {
    return Boolean.getBoolean("ringmaster.screen");
  }

  /**
   * Columns of the terminal; where nobody looks, what COLUMNS says, and 80 if that says nothing.
   */
  public static int columns() {
    return Size.columns;
  }

  /** Rows of the terminal, or what it is given if nobody looks. */
  public static int rows(int otherwise) {
    return Size.rows > 0 ? Size.rows : otherwise;
  }

  /** Asked once: a terminal that is made wider while we print is a rare thing. */
  private static final class Size {
    private static final int USUAL_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 40;
    private static final int rows;
    private static final int columns;

    static {
      int[] size = isWatched() ? asked() : new int[2];
      rows = size[0];
      columns = Math.max(FEWEST_COLUMNS, size[1] > 0 ? size[1] : said());
    }

    /** Rows and columns, zero if unknown: Java does not know them. */
    private static int[] asked() {
      try {
        Process stty =
            new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
        String text = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String[] parts = text.strip().split(" ", -1);
        return new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
      } catch (IOException | RuntimeException e) {
        return new int[2];
      }
    }

    private static int said() {
      try {
        return Integer.parseInt(String.valueOf(System.getenv("COLUMNS")));
      } catch (NumberFormatException e) {
        return USUAL_COLUMNS;
      }
    }
  }

  /** Standard output for what programs of users printed. */
  public static PrintStream logs() {
    return new Guarded(rawOut(), LAYOUT_OF_LOGS);
  }

  public static PrintStream rawOut() {
    return System.out instanceof Guarded guarded ? guarded.raw : System.out;
  }

  public static PrintStream rawErr() {
    return System.err instanceof Guarded guarded ? guarded.raw : System.err;
  }

  private static final class Guarded extends PrintStream {
    private final PrintStream raw;

    Guarded(PrintStream raw, String kept) {
      super(new Escaping(raw, kept), false, StandardCharsets.UTF_8);
      this.raw = raw;
    }

    @Override
    public boolean checkError() {
      flush();
      return raw.checkError();
    }
  }

  /** Takes UTF-8. A character may come in parts; what is none is shown as a replacement. */
  private static final class Escaping extends OutputStream {
    private final PrintStream to;
    private final String kept;
    private final CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] begun = {};

    Escaping(PrintStream to, String kept) {
      this.to = to;
      this.kept = kept;
    }

    @Override
    public void write(int value) {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      ByteBuffer in = ByteBuffer.allocate(begun.length + length).put(begun);
      in.put(bytes, from, length).flip();
      CharBuffer text = CharBuffer.allocate(in.remaining());
      decoder.decode(in, text, false);
      begun = new byte[in.remaining()];
      in.get(begun);
      to.print(Shown.escaped(text.flip().toString(), kept));
    }

    @Override
    public void flush() {
      to.flush();
    }
  }
}
