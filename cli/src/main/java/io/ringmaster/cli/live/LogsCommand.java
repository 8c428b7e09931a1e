package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Terminal;
import io.ringmaster.model.BadInput;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster logs}: what a job printed. */
@Command(
    name = "logs",
    description = "Prints what a worker of a job printed.",
    mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {
  private static final long SHORT_PAUSE_MILLIS = 200;
  private static final long LONG_PAUSE_MILLIS = 2000;

  @Mixin ServerOptions live = new ServerOptions();

  @Parameters(paramLabel = "ID", description = "the job")
  long id;

  @Option(
      names = {"-f", "--follow"},
      description = "go on with what comes, over all later attempts, until the job has ended")
  boolean follow;

  @Option(names = "--rank", paramLabel = "N", description = "which worker (default: 0)")
  int rank;

  @Option(names = "--stderr", description = "what went to standard error instead")
  boolean stderr;

  @Option(names = "--attempt", paramLabel = "N", description = "which attempt (default: the last)")
  @Nullable Integer attempt;

  @Option(
      names = "--raw",
      description = "as it was printed on a terminal too, with colours and all that steers it")
  boolean raw;

  private PrintStream out = System.out;

  @Override
  public Integer call() {
    out = raw || !Terminal.isWatched() ? Terminal.rawOut() : Terminal.logs();
    Client client = live.client();
    Fields job = job(client);
    int now = attempt == null ? (int) job.whole("attempt") : attempt;
    if (attempt != null && (attempt < 1 || (!follow && attempt > job.whole("attempt")))) {
      throw new BadInput(
          "logs %d: there is no attempt %d; the last is %d"
              .formatted(id, attempt, job.whole("attempt")));
    }
    if (now == 0 && !follow) {
      throw new BadInput(
          "logs %d: the job is %s and has not started; --follow waits for it"
              .formatted(id, job.text("state")));
    }
    while (true) {
      now = begun(client, now);
      if (now == 0) {
        return 0;
      }
      copy(client, now);
      if (!follow) {
        return 0;
      }
      now++;
    }
  }

  private Fields job(Client client) {
    return client.get(
        "logs " + id, "/jobs/" + id, follow ? Client.Patience.LONG : Client.Patience.NONE);
  }

  /**
   * Waits until an attempt was begun.
   *
   * @return its number; 0 if the job ended without
   */
  private int begun(Client client, int wanted) {
    int number = Math.max(1, wanted);
    long pause = SHORT_PAUSE_MILLIS;
    while (true) {
      Fields job = job(client);
      if (job.whole("attempt") >= number) {
        return number;
      }
      if (JobText.hasEnded(job)) {
        return 0;
      }
      Client.pause(pause);
      pause = Math.min(LONG_PAUSE_MILLIS, 2 * pause);
    }
  }

  /** Prints an attempt's output: to what is there now, or to its end. */
  private void copy(Client client, int number) {
    long from = 0;
    boolean over = false;
    long pause = SHORT_PAUSE_MILLIS;
    while (true) {
      HttpResponse<byte[]> part =
          client.raw(
              "logs " + id,
              "/jobs/%d/logs?attempt=%d&rank=%d&stream=%s&from=%d"
                  .formatted(id, number, rank, stderr ? "stderr" : "stdout", from),
              follow ? Client.Patience.LONG : Client.Patience.NONE);
      out.write(part.body(), 0, part.body().length);
      out.flush();
      boolean idle = part.body().length == 0;
      // Only what is asked for after the end is sure to be all.
      if (idle && (over || !follow)) {
        return;
      }
      over = part.headers().firstValue("Ringmaster-Ended").orElse("").equals("true");
      from =
          part.headers().firstValueAsLong("Ringmaster-Next-Byte").orElse(from + part.body().length);
      if (idle && !over) {
        Client.pause(pause);
      }
      pause = idle ? Math.min(LONG_PAUSE_MILLIS, 2 * pause) : SHORT_PAUSE_MILLIS;
    }
  }
}
