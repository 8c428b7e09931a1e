package io.ringmaster.whatif;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A question: what if all of these were so? */
public record Case(String name, List<Change> changes) {
  /** Nothing is otherwise. */
  static final Case REPLAY = new Case("replay", List.of());

  /** Policies worth a look at any site: plain, fair, and those with the shortest waits. */
  static final List<String> GOOD_POLICIES = List.of("easy", "las", "srsf", "maestro");

  private static final double FASTER = 10;

  /** Reads a case, such as {@code grown: add 2x8, policy maestro}; the name may be left out. */
  public static Case parse(String text) {
    int colon = isKind(text, text.indexOf(':')) ? -1 : text.indexOf(':');
    String listed = text.substring(colon + 1);
    List<Change> changes = Arrays.stream(listed.split(",")).map(Change::parse).toList();
    String name = colon < 0 ? "" : text.substring(0, colon).strip();
    if (name.equals(REPLAY.name)) {
      throw new BadInput("'%s': that is what a replay as it is is called".formatted(name));
    }
    return name.isEmpty() ? of(changes) : new Case(name, changes);
  }

  /** Whether a colon is that of servers of a kind, as in {@code 2x8:h100}. */
  private static boolean isKind(String text, int colon) {
    return colon > 0
        && Change.SERVERS.matcher(text.substring(0, colon).replaceFirst(".*\\s", "")).matches()
        && !text.startsWith(" ", colon + 1);
  }

  /** Named by what it changes. */
  public static Case of(List<Change> changes) {
    return new Case(changes.stream().map(Change::text).collect(Collectors.joining(", ")), changes);
  }

  /** What people ask: another policy, servers more or fewer, a faster network. */
  static List<Case> usual(Scenario replay) {
    List<Case> cases = new ArrayList<>();
    for (String policy : GOOD_POLICIES) {
      if (!policy.equals(replay.policy())) {
        cases.add(of(List.of(new Change.UsePolicy(policy))));
      }
    }
    int gpus = commonSize(replay.cluster());
    long alike = replay.cluster().servers().stream().filter(s -> s.gpus() == gpus).count();
    cases.add(of(List.of(new Change.AddServers(1, gpus))));
    cases.add(of(List.of(new Change.AddServers(2, gpus))));
    for (int fewer = 1; fewer <= 2; fewer++) {
      Change removal = new Change.RemoveServers(fewer, gpus);
      if (alike > fewer && holdsAll(removal.of(replay, 0))) {
        cases.add(of(List.of(removal)));
      }
    }
    double nic =
        replay.cluster().servers().stream()
            .mapToDouble(Server::nicBytesPerSecond)
            .max()
            .getAsDouble();
    cases.add(of(List.of(new Change.Nic(FASTER * nic))));
    return cases;
  }

  /** Whether it is about the network. */
  boolean isOfTraffic() {
    return changes.stream().anyMatch(c -> c instanceof Change.Nic);
  }

  /** The size that most servers have; of those, the largest. */
  static int commonSize(Cluster cluster) {
    Map<Integer, Long> counts =
        cluster.servers().stream()
            .map(Server::gpus)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return counts.entrySet().stream()
        .max(
            Map.Entry.<Integer, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
        .orElseThrow()
        .getKey();
  }

  Scenario of(Scenario replay, long seed) {
    Scenario changed = replay;
    for (Change change : changes) {
      changed = change.of(changed, seed);
    }
    if (!holdsAll(changed)) {
      throw new BadInput(
          "case '%s': the largest jobs do not fit the %d GPUs that are left"
              .formatted(name, changed.cluster().totalGpus()));
    }
    return changed;
  }

  /** Whether no job is too large for the empty cluster. */
  static boolean holdsAll(Scenario scenario) {
    Cluster cluster = scenario.cluster().counting(scenario.jobs());
    for (int job = 0; job < scenario.jobs().size(); job++) {
      if (scenario.jobs().gpus(job) > cluster.totalGpus()
          || (cluster.limitsMoreThanGpus()
              && scenario.jobs().gpus(job)
                  > cluster.mostWorkers(
                      cluster.demand(scenario.jobs().demand(job), scenario.jobs().profile(job))))) {
        return false;
      }
    }
    return true;
  }
}
