package io.ringmaster.whatif;

import io.ringmaster.policy.KnownLengths;
import io.ringmaster.whatif.Sized.Needed;
import io.ringmaster.whatif.Sized.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a search for servers comes to, in words, and what it rests on. */
final class SizedSentences {
  private final History history;
  private final Goal goal;
  private final int serverGpus;
  private final List<Needed> policies;

  SizedSentences(History history, Goal goal, int serverGpus, List<Needed> policies) {
    this.history = history;
    this.goal = goal;
    this.serverGpus = serverGpus;
    this.policies = policies;
  }

  List<String> all() {
    List<String> all = new ArrayList<>();
    policies.stream().map(this::needed).forEach(all::add);
    if (history.jobs().isHistory()) {
      all.add(
          "In truth the %s was %s; what a replay lacks, it lacks at all sizes."
              .formatted(goal.figure(), Spoken.time(goal.of(Outcome.truth(history.jobs())))));
    }
    all.add(Sentences.lengths(named(KnownLengths.PREDICTED), named(KnownLengths.KNOWN)));
    Map<String, Double> stops = new LinkedHashMap<>();
    policies.forEach(needed -> stops.put(needed.policy(), needed.stops()));
    StopsSentence.of(history, stops).ifPresent(all::add);
    all.addAll(history.notes().stream().map(note -> "Note: " + note + ".").toList());
    return all;
  }

  private String needed(Needed needed) {
    if (needed.fewest().isEmpty()) {
      Point largest = needed.curve().getLast();
      return "Under %s no number of servers is enough: with %d the %s is still %s."
          .formatted(
              needed.policy(),
              largest.servers(),
              goal.figure(),
              Spoken.time(largest.seconds().mean()));
    }
    Point answer = needed.fewest().get();
    int change = answer.servers() - history.cluster().size();
    return "Under %s %s takes %d servers%s: the %s is then %s%s."
        .formatted(
            needed.policy(),
            goal.text(),
            answer.servers(),
            change == 0 ? ", those that are there" : ", %s".formatted(change(change)),
            goal.figure(),
            Spoken.time(answer.seconds().mean()),
            fewer(needed));
  }

  private String change(int change) {
    int count = Math.abs(change);
    return "%d %s of %d GPUs %s"
        .formatted(
            count, count == 1 ? "server" : "servers", serverGpus, change > 0 ? "more" : "fewer");
  }

  private String fewer(Needed needed) {
    Optional<Point> fewer = needed.oneFewer();
    return fewer.isEmpty()
        ? ", and fewer do not hold the largest job"
        : ", with %d it is %s"
            .formatted(fewer.get().servers(), Spoken.time(fewer.get().seconds().mean()));
  }

  private List<String> named(KnownLengths lengths) {
    return policies.stream()
        .filter(needed -> needed.lengths() == lengths)
        .map(Needed::policy)
        .toList();
  }
}
