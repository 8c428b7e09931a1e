package io.ringmaster.cli.live;

import io.ringmaster.cli.options.WideOption;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ringmaster jobs}: what waits, runs, and has ended. */
@Command(
    name = "jobs",
    description = "Lists jobs: open ones and those that ended last.",
    mixinStandardHelpOptions = true)
final class JobsCommand implements Callable<Integer> {
  private static final int FEW = 5;
  private static final int MOST = 100;

  @Mixin LiveOptions live = new LiveOptions();

  @Option(names = "--user", paramLabel = "NAME", description = "only jobs of this user")
  String user = "";

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description = "only jobs in these states, between commas")
  List<String> states = new ArrayList<>();

  @Option(names = "--all", description = "all that ended too, not only the last " + FEW)
  boolean all;

  @Option(names = "--limit", paramLabel = "N", description = "at most so many (default: 100)")
  int limit = MOST;

  @Mixin WideOption wide = new WideOption();

  @Override
  public Integer call() {
    check();
    Client client = live.client();
    Listed listed;
    if (!states.isEmpty()) {
      listed = list(client, states, limit);
    } else if (all) {
      listed = list(client, JobLists.STATES, limit);
    } else {
      listed = list(client, JobLists.states(false), limit);
      Listed ended = list(client, JobLists.states(true), Math.min(FEW, limit - listed.jobs.size()));
      listed = both(listed, ended);
    }
    if (live.json.given) {
      System.out.print(Json.document(new Document(listed.jobs, listed.counts)));
    } else {
      print(listed);
    }
    return 0;
  }

  private void check() {
    if (limit < 1) {
      throw new BadInput("--limit: expected a whole number from 1, not " + limit);
    }
    JobLists.check(states);
  }

  /** A job that ended between the two answers is in both: the later one is true. */
  private static Listed both(Listed open, Listed ended) {
    Set<Long> over = ended.jobs.stream().map(job -> job.whole("id")).collect(Collectors.toSet());
    Listed both = new Listed();
    open.jobs.stream().filter(job -> !over.contains(job.whole("id"))).forEach(both.jobs::add);
    both.jobs.addAll(ended.jobs);
    both.counts = ended.counts.map().isEmpty() ? open.counts : ended.counts;
    both.more = open.more;
    return both;
  }

  private record Document(List<Fields> jobs, Fields counts) {}

  private static final class Listed {
    final List<Fields> jobs = new ArrayList<>();
    Fields counts = Fields.of(Map.of());
    boolean more;
  }

  /** Newest first, page by page. */
  private Listed list(Client client, List<String> wanted, int most) {
    Listed listed = new Listed();
    String below = "";
    while (listed.jobs.size() < most) {
      Fields answer = JobLists.page(client, wanted, user, most - listed.jobs.size(), below);
      listed.jobs.addAll(answer.objects("jobs"));
      listed.counts = answer.object("counts");
      listed.more = answer.has("next");
      if (!listed.more) {
        break;
      }
      below = "&below=" + answer.whole("next");
    }
    return listed;
  }

  private void print(Listed listed) {
    if (listed.jobs.isEmpty()) {
      System.out.println("no such jobs");
      System.err.println("Next: ringmaster submit JOB.yaml");
    } else {
      System.out.print(JobText.table(listed.jobs, Moments.now(), wide.columns()));
    }
    if (listed.more) {
      System.out.println("... and more: see --limit");
    }
    String counts =
        JobLists.STATES.stream()
            .filter(state -> listed.counts.whole(state) > 0)
            .map(state -> listed.counts.whole(state) + " " + state)
            .collect(Collectors.joining(", "));
    if (!counts.isEmpty()) {
      System.out.println("\nIn all: " + counts);
    }
  }
}
