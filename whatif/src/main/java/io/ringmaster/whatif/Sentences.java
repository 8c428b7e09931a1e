package io.ringmaster.whatif;

import io.ringmaster.policy.KnownLengths;
import io.ringmaster.whatif.Answer.Part;
import io.ringmaster.whatif.Answer.Result;
import io.ringmaster.workload.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the figures of an answer come to, in words, and what they rest on. */
final class Sentences {
  private static final double MINUTE = 60;

  /** Below this share a change of a mean says nothing. */
  private static final double NOTHING = 0.02;

  private static final double MOSTLY = 0.5;

  /** More are not read. */
  private static final int MOST_NAMED = 3;

  private final History history;
  private final Optional<Truth> truth;
  private final List<Result> cases;
  private final Result replay;

  Sentences(History history, Optional<Truth> truth, List<Result> cases) {
    this.history = history;
    this.truth = truth;
    this.cases = cases;
    this.replay = cases.getFirst();
  }

  List<String> all() {
    List<String> all = new ArrayList<>();
    all.add(replayed());
    truth.filter(past -> Double.isFinite(past.freeShare())).map(this::free).ifPresent(all::add);
    Optional<Result> servers = best(Sentences::isServersMore);
    Optional<Result> policy = best(Sentences::isPolicy);
    if (servers.isPresent() && policy.isPresent() && both(servers.get(), policy.get())) {
      all.add(rather(servers.get(), policy.get()));
    } else {
      servers.map(this::change).ifPresent(all::add);
      policy.map(this::change).ifPresent(all::add);
    }
    cases.stream()
        .skip(1)
        .filter(r -> !isServersMore(r) && !isPolicy(r) && !r.asked().isOfTraffic())
        .map(this::change)
        .forEach(all::add);
    cases.stream().filter(r -> r.asked().isOfTraffic()).map(this::network).forEach(all::add);
    told().map(this::whoGainsAndPays).forEach(all::add);
    StopsSentence.of(history, stopsByPolicy()).ifPresent(all::add);
    CheckpointSentence.of(history, cases).ifPresent(all::add);
    all.add(lengths());
    all.addAll(history.notes().stream().map(note -> "Note: " + note + ".").toList());
    return all;
  }

  private String replayed() {
    double wait = replay.waitMeanSeconds().mean();
    if (truth.isEmpty()) {
      return "The history does not tell when jobs started. Replayed under %s they wait %s in the mean."
          .formatted(replay.policy(), Spoken.time(wait));
    }
    double was = truth.get().waitMeanSeconds();
    return ("In truth jobs waited %s in the mean; replayed under %s, which comes closest, %s%s."
            + " %.0f %% of the jobs wait as long as they did, to a minute.")
        .formatted(
            Spoken.time(was),
            replay.policy(),
            Spoken.time(wait),
            was > 0 ? " (%s)".formatted(Spoken.percent(wait / was - 1)) : "",
            100 * truth.get().nearShare());
  }

  /** Whether it was GPUs that jobs waited for. */
  private String free(Truth past) {
    String free =
        "While jobs waited, as many GPUs as they asked for were free %.0f %% of the time, as far as the"
                .formatted(100 * past.freeShare())
            + " history tells";
    if (past.freeShare() < MOSTLY) {
      return free + ".";
    }
    return replay.waitMeanSeconds().mean() < MOSTLY * past.waitMeanSeconds()
        ? free
            + ", and the replay does not explain why they waited: for something else, such as"
            + " limits, priorities, memory or the time that a start takes. No case here changes"
            + " that."
        : free + ": they waited for their turn, or for GPUs in one place.";
  }

  private Optional<Result> best(Predicate<Result> wanted) {
    return cases.stream()
        .skip(1)
        .filter(wanted)
        .min(Comparator.comparingDouble(r -> r.waitMeanSeconds().mean()));
  }

  private String change(Result result) {
    double before = replay.waitMeanSeconds().mean();
    double after = result.waitMeanSeconds().mean();
    String subject = Spoken.upper(subject(result));
    return isTold(result)
        ? "%s: the mean wait %s from %s to %s%s."
            .formatted(
                subject,
                after < before ? "falls" : "grows",
                Spoken.time(before),
                Spoken.time(after),
                spread(result))
        : "%s: no difference that can be told; the mean wait is %s instead of %s%s."
            .formatted(subject, Spoken.time(after), Spoken.time(before), spread(result));
  }

  /** Whether a change has the same sign in all draws, and is more than nothing. */
  private boolean isTold(Result result) {
    Range difference = result.waitDifferenceSeconds();
    double before = replay.waitMeanSeconds().mean();
    return Math.abs(result.waitMeanSeconds().mean() - before) >= NOTHING * before
        && difference.low() * difference.high() > 0;
  }

  private boolean both(Result one, Result other) {
    return isTold(one)
        && isTold(other)
        && one.waitDifferenceSeconds().mean() < 0
        && other.waitDifferenceSeconds().mean() < 0;
  }

  private String rather(Result servers, Result policy) {
    return "%s cut the mean wait from %s to %s%s; %s without them cuts it to %s%s."
        .formatted(
            Spoken.upper(subject(servers)),
            Spoken.time(replay.waitMeanSeconds().mean()),
            Spoken.time(servers.waitMeanSeconds().mean()),
            spread(servers),
            subject(policy),
            Spoken.time(policy.waitMeanSeconds().mean()),
            spread(policy));
  }

  private static String spread(Result result) {
    Range wait = result.waitMeanSeconds();
    return wait.high() - wait.low() <= NOTHING * wait.mean()
        ? ""
        : " (%s to %s over the draws)".formatted(Spoken.time(wait.low()), Spoken.time(wait.high()));
  }

  private static String subject(Result result) {
    return result.asked().changes().stream()
        .map(Sentences::words)
        .collect(Collectors.joining(" and "));
  }

  private static String words(Change change) {
    return switch (change) {
      case Change.AddServers(int count, int gpus, String kind) ->
          servers(count, gpus, kind, "more");
      case Change.RemoveServers(int count, int gpus, String kind) ->
          servers(count, gpus, kind, "fewer");
      case Change.UsePolicy(String policy) -> "policy " + policy;
      case Change.Nic nic -> "links of " + nic.text().substring("nic ".length());
      case Change.Load(double factor) ->
          String.format(Locale.ROOT, "%.0f %% of the work", 100 * factor);
      case Change.Restart restart -> "restarts of " + restart.text().substring("restart ".length());
      case Change.Fail fail ->
          fail.text().substring("failures ".length())
              + " failures for each thousand days of a server";
      case Change.Spares(int count) ->
          "%d spare %s".formatted(count, count == 1 ? "server" : "servers");
      case Change.NotResumable _ -> "no job that can go on after a stop";
      case Change.Checkpoint save ->
          "checkpoints every %s%s"
              .formatted(
                  Spoken.time(save.everySeconds()),
                  save.takesSeconds() == 0
                      ? ""
                      : " that take %s each".formatted(Spoken.time(save.takesSeconds())));
    };
  }

  private static String servers(int count, int gpus, String kind, String how) {
    return "%d %s %s of %d%s GPUs"
        .formatted(
            count, how, count == 1 ? "server" : "servers", gpus, kind.isEmpty() ? "" : " " + kind);
  }

  private String network(Result result) {
    int guessed = history.jobsWithoutModel();
    Range is = result.completionMeanSeconds();
    double was = replay.completionMeanSeconds().mean();
    String effect =
        Math.abs(is.mean() / was - 1) < NOTHING
            ? "the mean completion stays at " + Spoken.time(was)
            : "the mean completion goes from %s to %s"
                .formatted(Spoken.time(was), Spoken.time(is.mean()));
    if (guessed == 0) {
      return "%s: %s.".formatted(Spoken.upper(subject(result)), effect);
    }
    return ("%s: %s of %s jobs do not say what they train, and without that the network has no"
            + " effect: the mean completion stays at %s. With models drawn as they are"
            + " elsewhere, and links of %s now (say yours with --cluster), it goes to %s (%s to"
            + " %s over the draws); what jobs cost each other on links is left out.")
        .formatted(
            Spoken.upper(subject(result)),
            Spoken.whole(guessed),
            Spoken.whole(history.jobs().size()),
            Spoken.time(was),
            Units.bits(history.cluster().server(0).nicBytesPerSecond()),
            Spoken.time(is.mean()),
            Spoken.time(is.low()),
            Spoken.time(is.high()));
  }

  /** Of few cases each, of many the best. */
  private Stream<Result> told() {
    List<Result> ofGpus =
        cases.stream().skip(1).filter(result -> !result.asked().isOfTraffic()).toList();
    return ofGpus.size() <= MOST_NAMED
        ? ofGpus.stream()
        : best(result -> !result.asked().isOfTraffic()).stream();
  }

  private String whoGainsAndPays(Result result) {
    List<Part> sizes = those(result.bySize(), 1);
    List<Part> users = those(result.byUser(), 1);
    String gains = gains(result);
    String and = "With %s %s".formatted(subject(result), gains.isEmpty() ? "" : gains + ", and ");
    if (sizes.isEmpty() && users.isEmpty()) {
      return and
          + "nobody pays: no size of job and no user waits over a minute longer in the mean.";
    }
    List<String> who = new ArrayList<>();
    sizes.stream()
        .limit(MOST_NAMED)
        .map(part ->
            "jobs of %s GPUs wait %s longer"
                .formatted(part.name(), Spoken.time(part.changeSeconds())))
        .forEach(who::add);
    if (sizes.size() > MOST_NAMED) {
      who.add("so do those of %d other sizes".formatted(sizes.size() - MOST_NAMED));
    }
    if (!users.isEmpty()) {
      who.add(
          "of %d users %d wait longer, %s the most (%s)"
              .formatted(
                  result.byUser().size(),
                  users.size(),
                  users.getFirst().name(),
                  Spoken.time(users.getFirst().changeSeconds())));
    }
    return "%sthese pay: %s.".formatted(and, String.join("; ", who));
  }

  /** Those whose waits become shorter by the most; empty if nobody's does. */
  private static String gains(Result result) {
    List<String> who = new ArrayList<>();
    those(result.bySize(), -1).stream()
        .limit(1)
        .map(part -> "jobs of %s GPUs gain the most".formatted(part.name()) + less(part))
        .forEach(who::add);
    those(result.byUser(), -1).stream()
        .limit(1)
        .map(part -> "of users " + part.name() + less(part))
        .forEach(who::add);
    return String.join(", ", who);
  }

  private static String less(Part part) {
    return " (%s less)".formatted(Spoken.time(-part.changeSeconds()));
  }

  /** Those who wait noticeably longer, or less if the sign is negative; the most first. */
  private static List<Part> those(List<Part> parts, int sign) {
    return parts.stream()
        .filter(part -> sign * part.changeSeconds() > MINUTE)
        .sorted(Comparator.comparingDouble(part -> -sign * part.changeSeconds()))
        .toList();
  }

  /** The most of any case; where servers fail, nobody tells stops by failures from others. */
  private Map<String, Double> stopsByPolicy() {
    Map<String, Double> stops = new LinkedHashMap<>();
    cases.stream()
        .filter(
            result -> result.asked().changes().stream().noneMatch(Change.Fail.class::isInstance))
        .forEach(result -> stops.merge(result.policy(), result.stops().mean(), Math::max));
    return stops;
  }

  private String lengths() {
    return lengths(policies(KnownLengths.PREDICTED), policies(KnownLengths.KNOWN));
  }

  /** Which policies guessed lengths, and which knew them. */
  static String lengths(List<String> guessed, List<String> known) {
    if (!guessed.isEmpty()) {
      return "No policy knows how long a job will run: %s from the jobs that ended before."
          .formatted(doing(guessed, "guess", "guesses"));
    }
    return known.isEmpty()
        ? "No policy here asks how long a job will run."
        : "Beware: %s how long each job will run, which nobody would."
            .formatted(doing(known, "know", "knows"));
  }

  private static String doing(List<String> policies, String several, String one) {
    return "%s %s".formatted(String.join(", ", policies), policies.size() == 1 ? one : several);
  }

  private List<String> policies(KnownLengths lengths) {
    return cases.stream()
        .filter(r -> r.lengths() == lengths)
        .map(Result::policy)
        .distinct()
        .toList();
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
}
