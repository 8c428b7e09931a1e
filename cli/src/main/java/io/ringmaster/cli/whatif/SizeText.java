package io.ringmaster.cli.whatif;

import io.ringmaster.cli.terminal.Durations;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.whatif.Sized;
import java.util.Optional;

/** What each policy needs, as a table, all times in one unit, and sentences below it. */
final class SizeText {
  private SizeText() {}

  static String of(Sized sized, int draws) {
    Durations unit = Durations.fitting(sized.goal().limitSeconds() / 2);
    String figure = "%s, %s".formatted(sized.goal().figure(), unit.label());
    Table table = new Table("policy", "servers", "change", "GPUs", figure, "one fewer", "lengths");
    for (Sized.Needed needed : sized.policies()) {
      Optional<Sized.Point> fewest = needed.fewest();
      table.row(
          needed.policy(),
          fewest.map(point -> Integer.toString(point.servers())).orElse("none"),
          fewest
              .map(point -> "%+d".formatted(point.servers() - sized.history().cluster().size()))
              .orElse(""),
          fewest.map(point -> Integer.toString(point.gpus())).orElse(""),
          fewest.map(point -> unit.number(point.seconds().mean())).orElse(""),
          needed.oneFewer().map(point -> unit.number(point.seconds().mean())).orElse(""),
          needed.lengths().word());
    }
    return "%s%n%s%n%s%n%s"
        .formatted(
            AnswerText.headline(sized.history(), draws),
            table.text(),
            AnswerText.sentences(sized.sentences()),
            Prose.wrapped(
                ("servers: the fewest with %s; one fewer: the same with a server less. All"
                        + " schedules were validated.")
                    .formatted(sized.goal().text())));
  }
}
