package io.ringmaster.whatif;

import io.ringmaster.model.Past;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.whatif.Answer.Part;
import io.ringmaster.whatif.Answer.Result;
import io.ringmaster.workload.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What the figures of an answer come to, in words, and what they rest on. */
final class Sentences {
  private static final double MINUTE = 60;
  private static final double HOUR = 3600;

  /** Below this share a change of a mean says nothing. */
  private static final double NOTHING = 0.02;

  private final History history;
  private final Optional<Past> truth;
  private final List<Result> cases;
  private final Result replay;

  Sentences(History history, Optional<Past> truth, List<Result> cases) {
    this.history = history;
    this.truth = truth;
    this.cases = cases;
    this.replay = cases.getFirst();
  }

  List<String> all() {
    List<String> all = new ArrayList<>();
    all.add(replayed());
    best(Sentences::isServersMore).ifPresent(r -> all.add(cut(r)));
    best(Sentences::isPolicy).ifPresent(r -> all.add(cut(r)));
    cases.stream()
        .skip(1)
        .filter(r -> !isServersMore(r) && !isPolicy(r) && !r.asked().isOfTraffic())
        .map(this::cut)
        .forEach(all::add);
    cases.stream().filter(r -> r.asked().isOfTraffic()).map(this::network).forEach(all::add);
    best(r -> !r.asked().isOfTraffic())
        .map(this::whoPays)
        .filter(text -> !text.isEmpty())
        .ifPresent(all::add);
    all.add(lengths());
    all.addAll(history.notes().stream().map(note -> "Note: " + note + ".").toList());
    return all;
  }

  private String replayed() {
    double wait = replay.waitMeanSeconds().mean();
    if (truth.isEmpty()) {
      return "The history does not tell when jobs started. Replayed under %s they wait %s in the mean."
          .formatted(replay.policy(), time(wait));
    }
    double was = truth.get().waitMeanSeconds();
    return "In truth jobs waited %s in the mean; replayed under %s, which comes closest, %s (%s)."
        .formatted(time(was), replay.policy(), time(wait), percent(wait / was - 1));
  }

  private Optional<Result> best(Predicate<Result> wanted) {
    return cases.stream()
        .skip(1)
        .filter(wanted)
        .min(Comparator.comparingDouble(r -> r.waitMeanSeconds().mean()));
  }

  private String cut(Result result) {
    double before = replay.waitMeanSeconds().mean();
    double after = result.waitMeanSeconds().mean();
    String subject = upper(subject(result));
    if (Math.abs(after / before - 1) < NOTHING) {
      return "%s: no difference that can be told; the mean wait stays at %s."
          .formatted(subject, time(before));
    }
    return "%s: the mean wait %s from %s to %s%s."
        .formatted(
            subject, after < before ? "falls" : "grows", time(before), time(after), spread(result));
  }

  private static String spread(Result result) {
    Range wait = result.waitMeanSeconds();
    return wait.high() - wait.low() < NOTHING * wait.mean()
        ? ""
        : " (%s to %s over the draws)".formatted(time(wait.low()), time(wait.high()));
  }

  private static String subject(Result result) {
    return result.asked().changes().stream()
        .map(Sentences::words)
        .collect(Collectors.joining(" and "));
  }

  private static String words(Change change) {
    return switch (change) {
      case Change.AddServers(int count, int gpus) -> servers(count, gpus, "more");
      case Change.RemoveServers(int count, int gpus) -> servers(count, gpus, "fewer");
      case Change.UsePolicy(String policy) -> "policy " + policy;
      case Change.Nic nic -> "links of " + nic.text().substring("nic ".length());
      case Change.Load(double factor) ->
          String.format(Locale.ROOT, "%.0f %% of the work", 100 * factor);
      case Change.Restart restart -> "restarts of " + restart.text().substring("restart ".length());
    };
  }

  private static String servers(int count, int gpus, String how) {
    return "%d %s %s of %d GPUs".formatted(count, how, count == 1 ? "server" : "servers", gpus);
  }

  private String network(Result result) {
    int guessed = history.jobsWithoutModel();
    Range is = result.completionMeanSeconds();
    double was = replay.completionMeanSeconds().mean();
    String effect =
        Math.abs(is.mean() / was - 1) < NOTHING
            ? "the mean completion stays at " + time(was)
            : "the mean completion goes from %s to %s".formatted(time(was), time(is.mean()));
    return guessed == 0
        ? "%s: %s.".formatted(upper(subject(result)), effect)
        : ("%s: %s of %s jobs do not say what they train, and without that the network has no"
                + " effect. With models drawn as they are elsewhere, and links of %s now, %s (%s to"
                + " %s over the draws); what jobs cost each other on links is left out.")
            .formatted(
                upper(subject(result)),
                whole(guessed),
                whole(history.jobs().size()),
                Units.bits(history.cluster().server(0).nicBytesPerSecond()),
                effect,
                time(is.low()),
                time(is.high()));
  }

  private String whoPays(Result result) {
    List<Part> worse =
        result.bySize().stream().filter(part -> part.changeSeconds() > MINUTE).toList();
    List<Part> users =
        result.byUser().stream()
            .filter(part -> part.changeSeconds() > MINUTE)
            .sorted(Comparator.comparingDouble(part -> -part.changeSeconds()))
            .toList();
    if (worse.isEmpty() && users.isEmpty()) {
      return "With %s nobody pays: no size of job and no user waits over a minute longer in the mean."
          .formatted(subject(result));
    }
    List<String> who = new ArrayList<>();
    worse.forEach(part ->
        who.add(
            "jobs of %s GPUs wait %s longer".formatted(part.name(), time(part.changeSeconds()))));
    if (!users.isEmpty()) {
      who.add(
          "of %d users %d wait longer, %s the most (%s)"
              .formatted(
                  result.byUser().size(),
                  users.size(),
                  users.getFirst().name(),
                  time(users.getFirst().changeSeconds())));
    }
    return "Who pays for %s: %s.".formatted(subject(result), String.join("; ", who));
  }

  private String lengths() {
    String named = policies(KnownLengths.PREDICTED);
    if (!named.isEmpty()) {
      return "No policy knows how long a job will run: %s guess from the jobs that ended before."
          .formatted(named);
    }
    named = policies(KnownLengths.KNOWN);
    return named.isEmpty()
        ? "No policy here asks how long a job will run."
        : "Beware: %s know how long each job will run, which nobody would.".formatted(named);
  }

  private String policies(KnownLengths lengths) {
    return cases.stream()
        .filter(r -> r.lengths() == lengths)
        .map(Result::policy)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static boolean isServersMore(Result result) {
    return isOnly(result, Change.AddServers.class);
  }

  private static boolean isPolicy(Result result) {
    return isOnly(result, Change.UsePolicy.class);
  }

  private static boolean isOnly(Result result, Class<? extends Change> kind) {
    List<Change> changes = result.asked().changes();
    return changes.size() == 1 && kind.isInstance(changes.getFirst());
  }

  private static String upper(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private static String time(double seconds) {
    if (seconds < 2 * MINUTE) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    }
    return seconds < 3 * HOUR
        ? String.format(Locale.ROOT, "%.0f min", seconds / MINUTE)
        : String.format(Locale.ROOT, "%.1f h", seconds / HOUR);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%+.0f %%", 100 * share);
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
