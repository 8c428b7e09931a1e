package io.ringmaster.engine.slurm.client;

import io.ringmaster.engine.slurm.client.RestClient.Answer;
import io.ringmaster.engine.slurm.client.RestClient.RestError;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Slurm that is asked by its slurmrestd. What that cannot do is left to Slurm's commands: to put
 * a job back into the queue held, to signal its script or its steps alone, to read its script, to
 * change one task of an array, to tell of runs that are forgotten.
 */
public final class SlurmByRest extends Slurm {
  /** Up to here each job is asked for by itself, some ms each; all of a long queue take seconds. */
  private static final int JOBS_BY_ID = 200;

  /** Slurm's own number for a job that it does not know. */
  private static final long INVALID_JOB_ID = 2017;

  /** What is over is over: a job that has ended cannot be cancelled. */
  private static final long ALREADY_DONE = 2021;

  private final RestClient rest;

  /**
   * One at an address.
   *
   * @param commands for what slurmrestd cannot do; also its time limit
   * @param server as in {@code http://slurm:6820}
   * @param token a file that holds what {@code scontrol token} printed
   */
  public SlurmByRest(SlurmCommands commands, URI server, Path token) {
    super(commands);
    this.rest = new RestClient(server, token, commands.limit());
  }

  @Override
  public List<SlurmJob> jobs(String partition) throws IOException {
    return sorted(
        all().stream()
            .filter(job -> SlurmNode.words(job.partition()).contains(partition))
            .toList());
  }

  private List<SlurmJob> all() throws IOException {
    return RestShapes.jobs(checked("jobs", rest.get("jobs")).fields());
  }

  @Override
  public List<SlurmJob> jobs(Collection<String> ids) throws IOException {
    // Of an array, or a job of several components, all are told by the number of the first.
    Set<String> numbers = ids.stream().map(SlurmByRest::number).collect(Collectors.toSet());
    Set<SlurmJob> jobs = new LinkedHashSet<>();
    if (numbers.size() > JOBS_BY_ID) {
      jobs.addAll(all());
    } else {
      for (String number : numbers) {
        Answer answer = rest.get("job/" + number);
        if (answer.errors().stream().noneMatch(error -> error.number() == INVALID_JOB_ID)) {
          jobs.addAll(RestShapes.jobs(checked("job/" + number, answer).fields()));
        }
      }
    }
    return sorted(jobs.stream().filter(job -> isOneOf(job, ids, numbers)).toList());
  }

  private static boolean isOneOf(SlurmJob job, Collection<String> ids, Set<String> numbers) {
    String number = number(job.address());
    return ids.contains(job.address())
        || ids.contains(number)
        || ids.contains(Long.toString(job.id()))
        || (job.isHeterogeneous() && numbers.contains(number));
  }

  private static String number(String address) {
    return address.replaceFirst("[_+].*", "");
  }

  private static List<SlurmJob> sorted(List<SlurmJob> jobs) {
    return jobs.stream()
        .sorted(Comparator.comparingLong(SlurmJob::submitSeconds).thenComparingLong(SlurmJob::id))
        .toList();
  }

  @Override
  public List<SlurmNode> nodes() throws IOException {
    return RestShapes.nodes(checked("nodes", rest.get("nodes")).fields());
  }

  @Override
  public String clusterName() throws IOException {
    String told = RestShapes.cluster(checked("ping", rest.get("ping")).fields());
    return told.isEmpty() ? super.clusterName() : told;
  }

  @Override
  public void update(String job, List<String> words) throws IOException {
    if (isPart(job)) {
      super.update(job, words);
    } else {
      checked("job/" + job, rest.post("job/" + job, words().change(words)));
    }
  }

  @Override
  public void release(String job) throws IOException {
    if (isPart(job)) {
      super.release(job);
    } else {
      update(job, List.of("hold=false"));
    }
  }

  @Override
  public void hold(Collection<String> jobs) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String job : jobs) {
      if (isPart(job)) {
        parts.add(job);
      } else {
        update(job, List.of("hold=true"));
      }
    }
    if (!parts.isEmpty()) {
      super.hold(parts);
    }
  }

  @Override
  public void cancel(List<String> jobs) throws IOException {
    List<String> parts = new ArrayList<>();
    for (String job : jobs) {
      if (isPart(job)) {
        parts.add(job);
      } else {
        Answer answer = rest.delete("job/" + job);
        boolean isOver = answer.errors().stream().anyMatch(e -> e.number() == ALREADY_DONE);
        if (!isOver) {
          checked("job/" + job, answer);
        }
      }
    }
    if (!parts.isEmpty()) {
      super.cancel(parts);
    }
  }

  @Override
  public String submit(List<String> options, String script) throws IOException {
    Answer answer = rest.post("job/submit", words().submission(options, script));
    String id = RestShapes.submitted(answer.fields());
    // A job that was taken in has an id, whatever is said beside it: that it is held, or that its
    // node is drained and it waits. sbatch says nothing of these.
    if (id.isEmpty()) {
      checked("job/submit", answer);
      throw new IOException("slurmrestd did not tell a job's id");
    }
    return id;
  }

  /** A task of an array, or a component: from v0.0.39 on slurmrestd would change them all. */
  private static boolean isPart(String job) {
    return job.indexOf('_') >= 0 || job.indexOf('+') >= 0;
  }

  private RestWords words() throws IOException {
    return new RestWords(rest.version(), System.currentTimeMillis() / 1000, System.getenv());
  }

  private static Answer checked(String path, Answer answer) throws IOException {
    List<RestError> errors = answer.errors();
    if (!errors.isEmpty()) {
      RestError first = errors.getFirst();
      throw new IOException(
          "slurmrestd refused %s: %s (%d)".formatted(path, first.text(), first.number()));
    }
    return answer;
  }
}
