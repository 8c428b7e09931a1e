package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.workload.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ringmaster explain}: why a job is where it is. */
@Command(
    name = "explain",
    description = "Says why a job waits, and when it is expected to start and end.",
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  /** A server answers at once; a person would rather wait for a prediction. */
  private static final double MOST_SECONDS = 15;

  private static final long PAUSE_MILLIS = 300;

  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(paramLabel = "ID", description = "the job")
  long id;

  @Override
  public Integer call() {
    Fields answer = ask();
    long began = System.nanoTime();
    while (isPending(answer) && (System.nanoTime() - began) / 1e9 < MOST_SECONDS) {
      Client.pause(PAUSE_MILLIS);
      answer = ask();
    }
    System.out.print(live.json.given ? Json.document(answer) : text(answer, Moments.now()));
    return 0;
  }

  private Fields ask() {
    return live.client().get("explain " + id, "/jobs/%d/explain".formatted(id));
  }

  /** Whether the queue is yet to be simulated with the job. An older server does not say. */
  private static boolean isPending(Fields answer) {
    return answer.map().containsKey("as_of_s")
        && !answer.has("as_of_s")
        && !JobText.hasEnded(answer);
  }

  private String text(Fields answer, double now) {
    StringBuilder out = new StringBuilder();
    out.append("job %d is %s\n".formatted(id, answer.text("state")));
    for (String sentence : answer.texts("why")) {
      out.append(Prose.wrapped("  ", sentence));
    }
    JobText.Lines lines = new JobText.Lines();
    if (answer.whole("ahead") > 0) {
      lines.add("before it", JobText.count(answer.whole("ahead"), "waiting job", "waiting jobs"));
    }
    if (answer.has("predicted_start_s")) {
      lines.add("start", Moments.ahead(answer.number("predicted_start_s"), now));
    }
    if (answer.has("predicted_end_s")) {
      lines.add("end", Moments.ahead(answer.number("predicted_end_s"), now));
    }
    lines.add("rests on", answer.text("basis"));
    String more = lines.text();
    return out + (more.isEmpty() ? "" : "\n" + more);
  }
}
