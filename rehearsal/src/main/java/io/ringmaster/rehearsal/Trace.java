package io.ringmaster.rehearsal;

import java.util.ArrayDeque;
import java.util.List;

/** What happened in a world, a line each. Keeps all lines or the last few. */
final class Trace {
  private final Agenda agenda;
  private final double startSeconds;
  private final int most;
  private final ArrayDeque<String> lines = new ArrayDeque<>();

  Trace(Agenda agenda, int most) {
    this.agenda = agenda;
    this.startSeconds = agenda.nowSeconds();
    this.most = most;
  }

  void say(String who, String what) {
    if (lines.size() == most) {
      lines.removeFirst();
    }
    lines.addLast(time() + "  " + who + "  " + what);
  }

  /** Time since the beginning, in seconds with three digits. */
  private String time() {
    long millis = Math.round((agenda.nowSeconds() - startSeconds) * 1000);
    String text = Long.toString(millis);
    if (text.length() < 4) {
      text = "0".repeat(4 - text.length()) + text;
    }
    int point = text.length() - 3;
    String time = text.substring(0, point) + "." + text.substring(point);
    return time.length() < 10 ? " ".repeat(10 - time.length()) + time : time;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
