package io.ringmaster.cli.live;

import io.ringmaster.cli.live.HostileUser.Answer;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

/** Harm that is done by jobs, and by what is said of jobs. */
final class HostileJobs {
  /** For what happens at once unless something hangs. */
  private static final double HANG_SECONDS = 120;

  private static final double BEGIN_SECONDS = 30;

  private HostileJobs() {}

  static List<Harm> all() {
    return List.of(
        new Harm("progress made a folder, a loop, a FIFO", "progress", 2, HostileJobs::progress),
        new Harm("log made a FIFO or a link", "logs", 2, HostileJobs::log),
        new Harm("secrets looked for", "spy", 5, HostileJobs::secrets),
        new Harm("after others' jobs", "after", 2, HostileJobs::after),
        new Harm("priority and grace at their most", "stubborn", 2, HostileJobs::stubborn),
        new Harm("log flooded", "flood", 5, HostileJobs::flood),
        new Harm("a thousand retries", "retries", 2, HostileJobs::retries));
  }

  private static final List<String> BAD_PROGRESS =
      List.of(
          "rm -f \"$RINGMASTER_PROGRESS\"; mkdir \"$RINGMASTER_PROGRESS\"",
          "ln -sfn \"$RINGMASTER_PROGRESS\" \"$RINGMASTER_PROGRESS\"",
          "rm -f \"$RINGMASTER_PROGRESS\"; mkfifo \"$RINGMASTER_PROGRESS\"",
          "ln -sfn /dev/zero \"$RINGMASTER_PROGRESS\"");

  private static void progress(HostileUser me) {
    String harm = BAD_PROGRESS.get(me.rounds() % BAD_PROGRESS.size());
    OptionalLong taken = me.submit(harm + "; sleep 2");
    if (taken.isEmpty()) {
      return;
    }
    long id = taken.getAsLong();
    me.await(id, BEGIN_SECONDS, HostileUser::isRunning);
    for (int i = 0; i < 3; i++) {
      answered(me, "/jobs/" + id + "/progress");
      answered(me, "/progress?jobs=" + id);
    }
    ends(me, id, harm);
  }

  /** Reads of what is no file are answered, with whatever status. */
  private static Answer answered(HostileUser me, String path) {
    Answer answer = me.get(path);
    me.expect(answer.status() > 0, "%s was not answered", path);
    return answer;
  }

  private static void ends(HostileUser me, long id, String what) {
    Fields job = me.await(id, HANG_SECONDS, JobText::hasEnded);
    me.expect(JobText.hasEnded(job), "job %d is still %s: %s", id, job.text("state"), what);
  }

  private static final List<String> BAD_LOG =
      List.of(
          "rm -f \"$log\"; mkfifo \"$log\"",
          "ln -sfn /etc/passwd \"$log\"",
          "ln -sfn \"$1/ringmaster.db\" \"$log\"",
          "ln -f \"$1/ringmaster.db\" \"$log\"",
          "rm -f \"$log\"; mkdir \"$log\"");

  private static void log(HostileUser me) {
    String harm = BAD_LOG.get(me.rounds() % BAD_LOG.size());
    OptionalLong taken =
        me.submit("log=$1/logs/$RINGMASTER_JOB/$RINGMASTER_ATTEMPT/0.out; " + harm + "; sleep 3");
    if (taken.isEmpty()) {
      return;
    }
    long id = taken.getAsLong();
    me.await(id, BEGIN_SECONDS, HostileUser::isRunning);
    for (int i = 0; i < 2; i++) {
      for (Answer answer : me.atOnce(3, "/jobs/" + id + "/logs")) {
        me.expect(answer.status() > 0, "the log of job %d was not answered: %s", id, harm);
        me.expect(
            !answer.body().contains("root:") && !answer.body().contains("SQLite format"),
            "the log of job %d showed another file: %s",
            id,
            harm);
      }
      ends(me, id, harm);
    }
  }

  /** What stands in a job's environment is in nobody's process list, nor its files open to all. */
  private static void secrets(HostileUser me) {
    String secret = "hidden-" + UUID.randomUUID();
    Map<String, Object> job = me.shell("sleep 2");
    job.put("env", Map.of(Target.MARK, me.target().mark(), "SECRET", secret));
    OptionalLong taken = me.submit(job);
    if (taken.isEmpty()) {
      return;
    }
    Fields seen =
        me.await(
            taken.getAsLong(),
            BEGIN_SECONDS,
            j -> {
              lookForSecret(me, secret);
              return HostileUser.isRunning(j) || JobText.hasEnded(j);
            });
    me.expect(!seen.map().isEmpty(), "job %d was not shown", taken.getAsLong());
    for (int i = 0; i < 5; i++) {
      lookForSecret(me, secret);
      Client.pause(100);
    }
    Path data = me.target().data();
    for (String each : List.of("", "ringmaster.db", "logs", "work", "checkpoints", "progress")) {
      isPrivate(me, data.resolve(each), data);
    }
  }

  private static void lookForSecret(HostileUser me, String secret) {
    for (Path process : LeftProcesses.all()) {
      me.expect(
          !LeftProcesses.read(process.resolve("cmdline")).contains(secret),
          "a secret stands in the process list");
    }
  }

  /** A folder that nobody else can enter keeps all that is in it. */
  private static void isPrivate(HostileUser me, Path file, Path data) {
    try {
      String of = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      me.expect(of.endsWith("------"), "%s is %s", file.equals(data) ? "data" : file, of);
    } catch (NoSuchFileException _) {
      // Not there yet.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A job of somebody else looks like one that is not there. */
  private static void after(HostileUser me) {
    OptionalLong honest = me.target().honestJob();
    if (honest.isEmpty()) {
      return;
    }
    long unknown = 999_999_999;
    Answer other = me.post("/jobs", afterJob(me, honest.getAsLong()));
    Answer none = me.post("/jobs", afterJob(me, unknown));
    me.expect(
        other.status() == none.status()
            && without(other, honest.getAsLong()).equals(without(none, unknown)),
        "after another's job: %d %s; after none: %d %s",
        other.status(),
        other.body(),
        none.status(),
        none.body());
    for (String path : List.of("", "/logs", "/explain", "/progress")) {
      Answer theirs = me.get("/jobs/" + honest.getAsLong() + path);
      Answer nobodys = me.get("/jobs/" + unknown + path);
      me.expect(
          theirs.status() == nobodys.status()
              && without(theirs, honest.getAsLong()).equals(without(nobodys, unknown)),
          "another's job%s: %d %s",
          path,
          theirs.status(),
          theirs.body());
    }
  }

  private static Map<String, Object> afterJob(HostileUser me, long id) {
    Map<String, Object> job = me.shell("true");
    job.put("after", List.of(id));
    return job;
  }

  private static String without(Answer answer, long id) {
    return answer.body().replace(Long.toString(id), "ID");
  }

  /** Deaf jobs: a user gets no say over others by them, and an admin ends them at once. */
  private static void stubborn(HostileUser me) {
    Map<String, Object> most = me.shell("trap '' TERM; while :; do sleep 0.2; done");
    most.remove("time_limit_s");
    most.put("priority", 1000);
    most.put("grace_s", 86_400);
    OptionalLong taken = me.submit(most);
    me.expect(taken.isEmpty(), "a user's priority of 1000 and grace of a day were taken");
    if (taken.isEmpty()) {
      most.remove("priority");
      most.put("grace_s", 60);
      taken = me.submit(most);
    }
    if (taken.isEmpty()) {
      return;
    }
    long id = taken.getAsLong();
    me.await(id, BEGIN_SECONDS, HostileUser::isRunning);
    me.post("/jobs/" + id + "/cancel", Map.of());
    try {
      me.target()
          .admin()
          .change("cancel", "POST", "/jobs/" + id + "/cancel", Map.of("force", true));
    } catch (BadInput | Unanswered e) {
      // One that waited still is over with the first cancel.
      boolean over = String.valueOf(e.getMessage()).contains("has already ended");
      me.expect(over, "an admin's cancel with force was refused: %s", e);
    }
    Fields job = me.await(id, BEGIN_SECONDS, JobText::hasEnded);
    me.expect(JobText.hasEnded(job), "job %d is %s after an admin's cancel", id, job.text("state"));
  }

  private static void flood(HostileUser me) throws IOException {
    long most = me.target().logLimitBytes();
    OptionalLong taken = me.submit("yes flood | head -c %d; sleep 1".formatted(50 * most));
    if (taken.isEmpty()) {
      return;
    }
    long id = taken.getAsLong();
    ends(me, id, "a flooded log");
    long bytes = bytes(me.target().data().resolve("logs").resolve(Long.toString(id)));
    me.expect(
        bytes < 2 * most, "the log of job %d takes %d bytes, its limit is %d", id, bytes, most);
    answered(me, "/jobs/" + id + "/logs?from=" + bytes / 2);
  }

  private static long bytes(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  /** Tries again come slower and slower. */
  private static void retries(HostileUser me) {
    int mostAttempts = 25;
    double seconds = 15;
    Map<String, Object> job = me.shell("false");
    job.put("retries", 1000);
    OptionalLong taken = me.submit(job);
    if (taken.isEmpty()) {
      return;
    }
    long id = taken.getAsLong();
    long began = System.nanoTime();
    Fields seen = me.await(id, seconds, j -> j.whole("attempt") > mostAttempts);
    me.expect(
        seen.whole("attempt") <= mostAttempts,
        "%d attempts in %.0f s",
        seen.whole("attempt"),
        (System.nanoTime() - began) / 1e9);
    me.post("/jobs/" + id + "/cancel", Map.of());
    ends(me, id, "cancelled between two tries");
  }
}
