package io.ringmaster.cli.demo;

import io.ringmaster.cli.terminal.Terminal;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Where the board is drawn: a terminal's second screen, or nowhere if nobody looks. */
final class Screen implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String END_OF_LINE = "\u001b[K\r\n";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final int WIDTH = 100;
  private static final int HEIGHT = 40;

  private final PrintStream out;
  private final int width;
  private final int height;

  private Screen(PrintStream out, int height, int width) {
    this.out = out;
    this.height = height;
    this.width = width;
    out.print(ENTER);
    out.flush();
  }

  static Screen open() {
    int[] size = size();
    return new Screen(Terminal.rawOut(), size[0], size[1]);
  }

  /** Rows and columns, asked of the terminal: Java does not know them. */
  private static int[] size() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      String text = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String[] parts = text.strip().split(" ", -1);
      int rows = Integer.parseInt(parts[0]);
      int columns = Integer.parseInt(parts[1]);
      return new int[] {rows > 0 ? rows : HEIGHT, columns > 0 ? columns : WIDTH};
    } catch (IOException | RuntimeException e) {
      return new int[] {HEIGHT, WIDTH};
    }
  }

  void draw(Board board) {
    List<String> lines = board.lines(width, height - 1, true);
    out.print(HOME + String.join(END_OF_LINE, lines) + END_OF_LINE + CLEAR_BELOW);
    out.flush();
  }

  @Override
  public void close() {
    out.print(LEAVE);
    out.flush();
  }
}
