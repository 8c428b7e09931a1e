package io.ringmaster.advise;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Server;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Simulates a queue from where it is, many times, and says what is to be expected. */
public final class Advisor {
  /** Policies that people ask about, beside their own. */
  private static final List<String> OTHERS =
      List.of(InOrder.POLICY, InOrder.BACKFILL, "srsf", "las", "maestro");

  /** A change is tried in so many of the futures. */
  private static final int DRAWS_OF_CHANGES = 25;

  private static final int RUNNING_TO_CANCEL = 3;
  private static final int WAITING_TO_CANCEL = 2;
  private static final int RUNNING_TO_SHRINK = 2;

  /** Less is not worth telling. */
  private static final double WORTH_SECONDS = 60;

  /** Jobs for which half the GPUs are tried. */
  private static final int MOST_HALVED = 10;

  private final Queue queue;
  private final String policy;
  private final String basis;
  private final Correction correction;
  private final int draws;
  private final long seed;
  private final int threads;
  private final Clock clock;
  private final AtomicLong simulated = new AtomicLong();

  /** A change to try, in words. */
  private record Trial(String change, Variant variant, int onlyFor) {
    static final int ALL = -1;
  }

  /**
   * About to ask.
   *
   * @param policy the site's
   * @param correction what earlier forecasts teach
   */
  public Advisor(
      Queue queue,
      SitePolicy policy,
      Correction correction,
      int draws,
      long seed,
      int threads,
      Clock clock) {
    this.queue = queue;
    this.correction = correction;
    this.policy = policy.name();
    this.basis = policy.basis();
    this.draws = draws;
    this.seed = seed;
    this.threads = threads;
    this.clock = clock;
  }

  /** About how many simulations there are. */
  public long simulations() {
    return draws
        + (long) (OTHERS.size() + RUNNING_TO_CANCEL + WAITING_TO_CANCEL + RUNNING_TO_SHRINK)
            * DRAWS_OF_CHANGES;
  }

  /**
   * Asks.
   *
   * @param ids jobs to be told of, with what only they could do; none: all
   * @param progress told how many simulations are done
   */
  public Advice advise(List<String> ids, LongConsumer progress) {
    List<Integer> asked = asked(ids);
    Outlook outlook = new Outlook(queue, draws, seed, threads);
    Variant present = outlook.under(policy);
    List<double[]> rows = starts(outlook, present, draws, progress);
    List<double[]> some = rows.subList(0, Math.min(DRAWS_OF_CHANGES, rows.size()));
    Reasons reasons = new Reasons(queue, present, outlook.futures(), clock);
    List<Trial> trials = trials(outlook, present, asked, !ids.isEmpty());
    List<List<double[]>> tried =
        trials.stream()
            .map(trial -> starts(outlook, trial.variant(), some.size(), progress))
            .toList();
    List<Advice.OfJob> answers = new ArrayList<>();
    for (int job : asked) {
      Advice.Start start =
          Advice.Start.of(
              correction.of(Outlook.ofJob(rows, job)), outlook.openShare(present, rows, job));
      double before = Outlook.ofJob(some, job).median();
      List<Advice.Help> helps = new ArrayList<>();
      for (int t = 0; t < trials.size(); t++) {
        Trial trial = trials.get(t);
        double sooner = before - Outlook.ofJob(tried.get(t), job).median();
        boolean concerns = trial.onlyFor() == Trial.ALL || trial.onlyFor() == job;
        if (concerns && sooner >= WORTH_SECONDS) {
          helps.add(new Advice.Help(trial.change(), sooner));
        }
      }
      helps.sort(Comparator.comparingDouble(help -> -help.soonerSeconds()));
      answers.add(
          new Advice.OfJob(
              queue.waiting().get(job),
              false,
              Optional.of(start),
              reasons.why(job, start) + overtaken(start),
              List.copyOf(helps)));
    }
    Set<String> wanted = new HashSet<>(ids);
    queue.held().stream()
        .filter(held -> wanted.isEmpty() || wanted.contains(held.job().id()))
        .forEach(held ->
            answers.add(
                new Advice.OfJob(
                    held.job(),
                    true,
                    Optional.empty(),
                    "it is held back: " + held.because(),
                    List.of())));
    return new Advice(
        queue,
        policy,
        basis,
        draws,
        answers,
        ids.isEmpty() ? policies(some, trials, tried) : List.of(),
        Fragments.of(queue, present),
        notes(answers, outlook.reachSeconds()));
  }

  private static String overtaken(Advice.Start start) {
    return start.hasEnd()
        ? ""
        : "; in %.0f of 100 futures it is overtaken for as long as others come"
            .formatted(100 * start.openShare());
  }

  /** The queue's own, and whether jobs that are still to come may start before those that wait. */
  private List<String> notes(List<Advice.OfJob> answers, double reachSeconds) {
    List<String> notes = new ArrayList<>(queue.notes());
    boolean looksBeyond =
        answers.stream()
            .flatMap(answer -> answer.start().stream())
            .anyMatch(start -> start.highSeconds() > reachSeconds);
    if (looksBeyond && reachSeconds > 0 && !policy.equals(InOrder.POLICY)) {
      notes.add(
          ("the past reaches back %s only, so jobs to come are drawn for as long ahead; if more"
                  + " come and overtake, starts are later than said")
              .formatted(Clock.span(reachSeconds)));
    }
    if (!answers.isEmpty() && !InOrder.isKept(policy)) {
      notes.add(
          ("do not count on starts under %s: forecasts held about as often as they say under fifo"
               + " and easy only; where jobs may be stopped for others, intervals were many times"
               + " as wide as the wait. --check tells how they did on this history")
              .formatted(policy));
    }
    return List.copyOf(notes);
  }

  /** What each policy would do with the whole queue, the present one first. */
  private List<Advice.OfPolicy> policies(
      List<double[]> some, List<Trial> trials, List<List<double[]>> tried) {
    List<Advice.OfPolicy> policies = new ArrayList<>();
    if (queue.waiting().isEmpty()) {
      return policies;
    }
    double[] now = medians(some);
    policies.add(ofPolicy(policy, now, now));
    for (int t = 0; t < trials.size(); t++) {
      String other = trials.get(t).variant().policy();
      if (!other.equals(policy)) {
        policies.add(ofPolicy(other, medians(tried.get(t)), now));
      }
    }
    return policies;
  }

  private double[] medians(List<double[]> rows) {
    return IntStream.range(0, queue.waiting().size())
        .mapToDouble(job -> Outlook.ofJob(rows, job).median())
        .toArray();
  }

  private static Advice.OfPolicy ofPolicy(String name, double[] starts, double[] now) {
    int sooner = 0;
    int later = 0;
    for (int job = 0; job < now.length; job++) {
      sooner += now[job] - starts[job] >= WORTH_SECONDS ? 1 : 0;
      later += starts[job] - now[job] >= WORTH_SECONDS ? 1 : 0;
    }
    return new Advice.OfPolicy(name, Arrays.stream(starts).average().orElse(0), sooner, later);
  }

  private List<double[]> starts(
      Outlook outlook, Variant variant, int count, LongConsumer progress) {
    return outlook.starts(
        variant, count, threads, _ -> progress.accept(simulated.incrementAndGet()));
  }

  /** Places among those that wait; of held jobs there are none. */
  private List<Integer> asked(List<String> ids) {
    List<Queue.Job> waiting = queue.waiting();
    List<String> known = new ArrayList<>(waiting.stream().map(Queue.Job::id).toList());
    queue.held().forEach(held -> known.add(held.job().id()));
    for (String id : ids) {
      if (queue.running().stream().anyMatch(job -> job.job().id().equals(id))) {
        throw new BadInput("job '%s' runs already".formatted(id));
      }
      if (!known.contains(id)) {
        throw new BadInput(
            "no job '%s' waits; %s"
                .formatted(
                    id,
                    known.isEmpty()
                        ? "none does"
                        : Settings.Nearest.hint(id, known.subList(0, Math.min(20, known.size())))));
      }
    }
    return IntStream.range(0, waiting.size())
        .filter(i -> ids.isEmpty() || ids.contains(waiting.get(i).id()))
        .boxed()
        .toList();
  }

  private List<Trial> trials(
      Outlook outlook, Variant present, List<Integer> asked, boolean inDetail) {
    List<Trial> trials = new ArrayList<>();
    if (asked.isEmpty()) {
      return trials;
    }
    OTHERS.stream()
        .filter(other -> !other.equals(policy))
        .forEach(
            other -> trials.add(new Trial("policy " + other, outlook.under(other), Trial.ALL)));
    Server largest =
        queue.cluster().servers().stream().max(Comparator.comparingInt(Server::gpus)).orElseThrow();
    trials.add(
        new Trial(
            "one more server of %s".formatted(Reasons.gpus(largest.gpus())),
            present.on(grown(queue.cluster(), largest)),
            Trial.ALL));
    fewer(outlook.futures(), present, asked.getLast(), trials);
    if (inDetail) {
      asked.stream()
          .limit(MOST_HALVED)
          .filter(job -> queue.waiting().get(job).gpus() > 1)
          .forEach(job -> trials.add(halving(present, job)));
    }
    return trials;
  }

  private Trial halving(Variant present, int job) {
    int gpus = queue.waiting().get(job).gpus();
    return new Trial(
        "asking for %d GPUs instead of %d".formatted((gpus + 1) / 2, gpus),
        present.halving(queue.running().size() + job),
        job);
  }

  private static Cluster grown(Cluster cluster, Server like) {
    List<Server> servers = new ArrayList<>(cluster.servers());
    servers.add(like.named("one-more-server"));
    return cluster.having(servers);
  }

  /**
   * Without those that hold the most GPU time, of the running and of those ahead of the last asked
   * for; or with half the GPUs of some that run.
   */
  private void fewer(List<Future> futures, Variant present, int last, List<Trial> trials) {
    int running = queue.running().size();
    double[] held = new double[running + last];
    for (Future future : futures) {
      for (int i = 0; i < held.length; i++) {
        held[i] +=
            i < running
                ? future.leftSeconds(i) * queue.running().get(i).job().gpus()
                : future.lengthSeconds(i - running) * queue.waiting().get(i - running).gpus();
      }
    }
    most(held, 0, running, RUNNING_TO_CANCEL)
        .forEach(i -> trials.add(cancelling(present, i, "running", queue.running().get(i).job())));
    most(held, 0, running, RUNNING_TO_CANCEL).stream()
        .filter(i -> queue.running().get(i).job().gpus() > 1)
        .limit(RUNNING_TO_SHRINK)
        .forEach(i -> trials.add(shrinking(present, i)));
    most(held, running, held.length, WAITING_TO_CANCEL)
        .forEach(
            i -> trials.add(cancelling(present, i, "waiting", queue.waiting().get(i - running))));
  }

  /** It takes twice as long then: what comes free is worth less than all of it. */
  private Trial shrinking(Variant present, int i) {
    Queue.Job job = queue.running().get(i).job();
    return new Trial(
        "shrinking running job %s (%s) to %d"
            .formatted(job.id(), Reasons.gpus(job.gpus()), (job.gpus() + 1) / 2),
        present.halving(i),
        Trial.ALL);
  }

  private static Trial cancelling(Variant present, int i, String state, Queue.Job job) {
    return new Trial(
        "cancelling %s job %s (%s)".formatted(state, job.id(), Reasons.gpus(job.gpus())),
        present.cancelling(i),
        Trial.ALL);
  }

  private static List<Integer> most(double[] values, int from, int to, int count) {
    return IntStream.range(from, to)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -values[i]))
        .limit(count)
        .toList();
  }
}
