package io.ringmaster.cli.demo;

import io.ringmaster.cli.terminal.Terminal;
import java.io.PrintStream;
import java.util.List;

/** Where the board is drawn: a terminal's second screen, or nowhere if nobody looks. */
final class Screen implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String END_OF_LINE = "\u001b[K\r\n";
  private static final String CLEAR_BELOW = "\u001b[J";
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
    return new Screen(Terminal.rawOut(), Terminal.rows(HEIGHT), Terminal.columns());
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
