package io.ringmaster.whatif;

import io.ringmaster.model.Cluster;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Searches for the fewest servers that meet a goal, for each policy: in growing steps from those
 * that are there, then by halving. Servers of the size that most have come and go. A goal is met if
 * the mean over all draws meets it.
 */
public final class Sizing {
  /** Above so many times the present servers nobody would look. */
  private static final int MOST_TIMES = 64;

  private final History history;
  private final Question question;

  public Sizing(History history, Question question) {
    this.history = history;
    this.question = question;
  }

  /**
   * Searches.
   *
   * @param asked policies; none: what runs now, and those worth a look at any site
   * @param progress told how many runs are done
   */
  public Sized answer(Goal goal, List<String> asked, LongConsumer progress) {
    Replays replays = new Replays(history, question);
    List<Scenario> asItIs = replays.asItIs();
    String now = asItIs.getFirst().policy();
    List<String> policies =
        asked.isEmpty()
            ? Stream.concat(Stream.of(now), Case.GOOD_POLICIES.stream()).distinct().toList()
            : asked;
    int size = Case.commonSize(history.cluster());
    AtomicLong runs = new AtomicLong();
    List<Sized.Needed> needed =
        Parallel.map(
            policies.size(),
            question.threads(),
            _ -> {},
            i -> {
              List<Scenario> own = asItIs.stream().map(s -> s.under(policies.get(i))).toList();
              Search search =
                  new Search(
                      replays, own, size, goal, () -> progress.accept(runs.incrementAndGet()));
              return search.needed(replays.lengths(policies.get(i)));
            });
    return new Sized(
        history, goal, size, now, needed, new SizedSentences(history, goal, size, needed).all());
  }

  /** The search under one policy; a change is how many servers more, or if negative fewer. */
  private static final class Search {
    private final Replays replays;
    private final List<Scenario> asItIs;
    private final int size;
    private final Goal goal;
    private final Runnable ran;
    private final List<Tried> tried = new ArrayList<>();

    private record Tried(int change, Sized.Point point, boolean waits, double stops) {}

    Search(Replays replays, List<Scenario> asItIs, int size, Goal goal, Runnable ran) {
      this.replays = replays;
      this.asItIs = asItIs;
      this.size = size;
      this.goal = goal;
      this.ran = ran;
    }

    Sized.Needed needed(KnownLengths lengths) {
      Optional<Sized.Point> fewest = isMet(0) ? fewer(least()) : more();
      List<Sized.Point> curve =
          tried.stream()
              .map(Tried::point)
              .sorted(Comparator.comparingInt(Sized.Point::servers))
              .toList();
      double stops =
          tried.stream()
              .filter(each -> fewest.isEmpty() || each.point().equals(fewest.get()))
              .reduce((_, last) -> last)
              .orElseThrow()
              .stops();
      return new Sized.Needed(asItIs.getFirst().policy(), lengths, stops, fewest, curve);
    }

    private Optional<Sized.Point> fewer(int least) {
      int met = 0;
      for (int step = 1; met > least; step *= 2) {
        int next = Math.max(least, met - step);
        if (!isMet(next)) {
          return halved(next, met);
        }
        met = next;
      }
      return Optional.of(tried(met).point());
    }

    private Optional<Sized.Point> more() {
      int missed = 0;
      int most = MOST_TIMES * asItIs.getFirst().cluster().size();
      // Where no job waits, more servers change nothing.
      for (int step = 1; missed < most && tried(missed).waits(); step *= 2) {
        int next = missed + step;
        if (isMet(next)) {
          return halved(missed, next);
        }
        missed = next;
      }
      return Optional.empty();
    }

    private Optional<Sized.Point> halved(int tooFew, int enough) {
      int missed = tooFew;
      int met = enough;
      while (met - missed > 1) {
        int middle = missed + (met - missed) / 2;
        if (isMet(middle)) {
          met = middle;
        } else {
          missed = middle;
        }
      }
      return Optional.of(tried(met).point());
    }

    private boolean isMet(int change) {
      return tried(change).point().seconds().mean() < goal.limitSeconds();
    }

    private Tried tried(int change) {
      return tried.stream()
          .filter(each -> each.change() == change)
          .findFirst()
          .orElseGet(() -> {
            List<Outcome> outcomes = new ArrayList<>();
            for (int draw = 0; draw < asItIs.size(); draw++) {
              outcomes.add(replays.outcome(changed(asItIs.get(draw), change), draw));
              ran.run();
            }
            Cluster cluster = changed(asItIs.getFirst(), change).cluster();
            Range seconds = Range.of(outcomes, goal::of);
            boolean waits = outcomes.stream().anyMatch(o -> o.meanWait() > 0);
            Sized.Point point = new Sized.Point(cluster.size(), cluster.totalGpus(), seconds);
            double stops = Range.of(outcomes, Outcome::stops).mean();
            Tried made = new Tried(change, point, waits, stops);
            tried.add(made);
            return made;
          });
    }

    private Scenario changed(Scenario scenario, int change) {
      if (change == 0) {
        return scenario;
      }
      Change servers =
          change > 0
              ? new Change.AddServers(change, size)
              : new Change.RemoveServers(-change, size);
      return servers.of(scenario, 0);
    }

    /** So many fewer that the largest job still fits. */
    private int least() {
      Scenario first = asItIs.getFirst();
      long alike = first.cluster().servers().stream().filter(s -> s.gpus() == size).count();
      long removable = alike == first.cluster().size() ? alike - 1 : alike;
      int change = 0;
      while (-change < removable && Case.holdsAll(changed(first, change - 1))) {
        change--;
      }
      return change;
    }
  }
}
