package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Looks after an attack whether honest users were harmed, and whether an admin can clear up. */
final class AttackJudge {
  private static final String OPEN =
      "submitted,queued,placed,starting,running,checkpointing,stopping,lost";
  private static final int PAGE = 1000;
  private static final double CLEAR_SECONDS = 600;
  private static final int MOST_TOLD = 10;

  private final Client admin;
  private final Path data;
  private final List<String> wrong = new ArrayList<>();
  private long attempts;

  AttackJudge(Client admin, Path data) {
    this.admin = admin;
    this.data = data;
  }

  List<String> wrong() {
    return wrong;
  }

  /** Of honest jobs: one each is as it should be. */
  long attempts() {
    return attempts;
  }

  /** Every job of an honest user is stored once, succeeded, and did all its work once. */
  void judge(String user, List<TrainedJob> jobs) throws IOException {
    long stored = 0;
    for (Object number :
        asked(() -> admin.get("jobs", "/jobs?limit=1&user=" + user))
            .object("counts")
            .map()
            .values()) {
      stored += number instanceof Number n ? n.longValue() : 0;
    }
    if (stored != jobs.size()) {
      wrong.add("%s submitted %d jobs and %d are stored".formatted(user, jobs.size(), stored));
    }
    List<String> found = new ArrayList<>();
    for (TrainedJob each : jobs) {
      Fields job = asked(() -> admin.get("job", "/jobs/" + each.id(), Client.Patience.SHORT));
      attempts += job.whole("attempt");
      if (!job.text("state").equals("succeeded")) {
        found.add(
            "job %d of %s is %s: %s"
                .formatted(each.id(), user, job.text("state"), job.text("reason")));
      }
      found.addAll(each.check(data, job.objects("history")));
    }
    found.stream().limit(MOST_TOLD).forEach(wrong::add);
    if (found.size() > MOST_TOLD) {
      wrong.add("%d things are wrong with jobs of %s in all".formatted(found.size(), user));
    }
  }

  /** An admin ends all that is left, whatever it does about it. */
  void clear() {
    long until = System.nanoTime() + (long) (1e9 * CLEAR_SECONDS);
    try {
      List<Fields> open = open();
      while (!open.isEmpty() && System.nanoTime() - until < 0) {
        // Several at once: hostile users may have left thousands.
        open.parallelStream()
            .filter(_ -> System.nanoTime() - until < 0)
            .forEach(job -> cancel(job.whole("id")));
        Client.pause(50);
        open = open();
      }
      if (!open.isEmpty()) {
        wrong.add(
            "%d jobs are left %.0f s after an admin cancelled all, such as job %d of %s, %s"
                .formatted(
                    open.size(),
                    CLEAR_SECONDS,
                    open.getFirst().whole("id"),
                    open.getFirst().text("user"),
                    open.getFirst().text("state")));
      }
    } catch (BadInput | Unanswered e) {
      wrong.add("an admin cannot clear up: " + e.getMessage());
    }
  }

  private List<Fields> open() {
    return asked(() ->
            admin.get(
                "jobs", "/jobs?limit=%d&state=%s".formatted(PAGE, OPEN), Client.Patience.SHORT))
        .objects("jobs");
  }

  /** An admin has a rate, too, and waits for it. */
  private static Fields asked(Supplier<Fields> question) {
    while (true) {
      try {
        return question.get();
      } catch (BadInput e) {
        if (!String.valueOf(e.getMessage()).contains("too many requests")) {
          throw e;
        }
        Client.pause(50);
      }
    }
  }

  private void cancel(long id) {
    try {
      asked(() -> admin.change("cancel", "POST", "/jobs/" + id + "/cancel", Map.of("force", true)));
    } catch (BadInput e) {
      // It may have ended just now: what is left is counted in the end.
      Fields job = asked(() -> admin.get("job", "/jobs/" + id, Client.Patience.SHORT));
      if (!JobText.hasEnded(job)) {
        throw e;
      }
    }
  }

  /** The server leads still, and has not taken more memory than it was given. */
  void judgeServer(ServerProcess server, int mostMegabytes) {
    long peak = peakMegabytes(server);
    if (peak > mostMegabytes) {
      wrong.add("the server took %d MB of memory, more than %d MB".formatted(peak, mostMegabytes));
    }
  }

  /** The most memory that it ever had. */
  static long peakMegabytes(ServerProcess server) {
    try {
      return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
