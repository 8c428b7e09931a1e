package io.ringmaster.cli.live;

import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.control.job.JobState;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster submit}: hands jobs to the server. */
@Command(
    name = "submit",
    description = "Submits jobs: those of files, or one program with --gpus.",
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "ringmaster submit [--server=URL] [--json] [--wait] JOB.yaml...",
      "ringmaster submit [--server=URL] [--json] [--wait] --gpus=N [--name=NAME]",
      "                  [--set KEY=VALUE]... -- PROGRAM [ARGUMENT...]"
    })
final class SubmitCommand implements Callable<Integer> {
  private static final boolean WATCHED = Boolean.getBoolean("ringmaster.terminal");
  private static final int UNKNOWN_CODE = 1;

  @Mixin LiveOptions live = new LiveOptions();

  @Option(
      names = "--wait",
      description = "wait for the end; the exit status is the job's (Ctrl-C: the job goes on)")
  boolean wait;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "submit the program after -- with so many workers")
  @Nullable Integer gpus;

  @Option(names = "--name", paramLabel = "NAME", description = "what the program's job is called")
  @Nullable String name;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "another key of the program's job, as in a file; may be repeated")
  List<String> settings = new ArrayList<>();

  @Parameters(
      arity = "1..*",
      paramLabel = "JOB.yaml",
      description = "files of jobs; with --gpus the program and its arguments")
  List<String> given = new ArrayList<>();

  @Override
  public Integer call() {
    List<JobFile> wanted = wanted();
    Client client = live.client();
    List<Fields> jobs = new ArrayList<>();
    for (JobFile each : wanted) {
      jobs.add(submit(client, each));
    }
    int status = 0;
    if (wait) {
      List<Fields> ended = new ArrayList<>();
      for (Fields job : jobs) {
        Fields end = end(client, job);
        ended.add(end);
        status = status == 0 ? status(end) : status;
      }
      jobs = ended;
    }
    if (!wait && !live.json.given && !jobs.isEmpty()) {
      System.err.println("Next: ringmaster explain " + jobs.getLast().whole("id"));
    }
    if (live.json.given) {
      System.out.print(Json.document(jobs.size() == 1 ? jobs.getFirst() : new Document(jobs)));
    }
    return status;
  }

  private record Document(List<Fields> jobs) {}

  /** All are read before the first is sent. */
  private List<JobFile> wanted() {
    if (gpus != null) {
      return List.of(JobFile.ofCommand(gpus, name, NamedValues.of(settings), given));
    }
    if (name != null || !settings.isEmpty()) {
      throw new BadInput(
          (name == null ? "--set" : "--name")
              + ": is for a program with --gpus; a file says it itself");
    }
    List<JobFile> wanted = new ArrayList<>();
    for (String file : given) {
      wanted.addAll(JobFile.read(Path.of(file)));
    }
    return wanted;
  }

  /** Under a key of its own, so that trying again never makes two of one. */
  private Fields submit(Client client, JobFile wanted) {
    Fields job =
        client.submit(wanted.source(), "/jobs", wanted.job(), UUID.randomUUID().toString());
    if (!live.json.given) {
      System.out.println(JobText.named(job) + " submitted");
      System.out.flush();
    }
    return job;
  }

  private Fields end(Client client, Fields job) {
    long id = job.whole("id");
    Thread farewell =
        new Thread(() -> System.err.printf("%njob %d goes on; see: ringmaster show %d%n", id, id));
    Runtime.getRuntime().addShutdownHook(farewell);
    try {
      Fields end = new Watch(client, id, entry -> tell(id, entry)).end();
      if (!live.json.given) {
        System.out.println(JobText.ended(end));
      }
      return end;
    } finally {
      forget(farewell);
    }
  }

  private static void forget(Thread farewell) {
    try {
      Runtime.getRuntime().removeShutdownHook(farewell);
    } catch (IllegalStateException _) {
      // It is being run.
    }
  }

  private static void tell(long id, Fields entry) {
    if (WATCHED) {
      System.err.println(JobText.entry(id, entry));
    }
  }

  private static int status(Fields job) {
    if (job.text("state").equals(JobState.SUCCEEDED.text())) {
      return 0;
    }
    long code = job.whole("exit_code");
    boolean failed = job.text("state").equals(JobState.FAILED.text());
    return failed && code != 0 ? (int) code : UNKNOWN_CODE;
  }
}
