package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.workload.trace.KubeOwner;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Events on pods that wait, and on what makes them, so that {@code kubectl describe} says why. Each
 * has one, which is changed when there is something new to say; how many are written in a while is
 * limited.
 */
final class PodEvents {
  /** Gangs that are told at once, each time that is asked for. */
  private static final int MOST_GANGS = 20;

  /** Of a gang. */
  private static final int MOST_PODS = 16;

  /** A gang is not looked at again before. */
  private static final double AGAIN_SECONDS = 30;

  /** What has not changed is said again after so long: Kubernetes forgets events. */
  private static final double REPEAT_SECONDS = 1800;

  /** A start that moves by less than this is the same. */
  private static final double NEAR_SECONDS = 120;

  /** What gangs that are no job yet are noted under begins so. */
  private static final String UNREADY = "\n";

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

  private final Api api;
  private final Gangs gangs;
  private final Owners owners;
  private final Map<String, Said> said = new ConcurrentHashMap<>();

  private record Said(String why, double startSeconds, double atSeconds, double writtenSeconds) {}

  PodEvents(Api api, Gangs gangs, Owners owners) {
    this.api = api;
    this.gangs = gangs;
    this.owners = owners;
  }

  /** Gangs that wait, those first that were told longest ago. */
  List<String> unexplained() {
    Map<String, Gang> open = gangs.open();
    said.keySet().removeIf(id -> !id.startsWith(UNREADY) && !open.containsKey(id));
    double now = Attempts.now();
    return open.entrySet().stream()
        .filter(each -> each.getValue().pods().stream().allMatch(pod -> pod.node().isEmpty()))
        .map(Map.Entry::getKey)
        .filter(id -> now >= at(id) + AGAIN_SECONDS)
        .sorted(Comparator.comparingDouble(this::at))
        .limit(MOST_GANGS)
        .toList();
  }

  private double at(String id) {
    Said before = said.get(id);
    return before == null ? Double.NEGATIVE_INFINITY : before.atSeconds;
  }

  void explain(String id, String why, double startSeconds) throws IOException {
    Gang gang = gangs.open().get(id);
    if (gang == null) {
      return;
    }
    double now = Attempts.now();
    Said before = said.get(id);
    boolean isSame =
        before != null
            && before.why.equals(why)
            && (Double.isNaN(startSeconds)
                ? Double.isNaN(before.startSeconds)
                : Math.abs(startSeconds - before.startSeconds)
                    <= Math.max(NEAR_SECONDS, 0.1 * (startSeconds - now)))
            && now < before.writtenSeconds + REPEAT_SECONDS;
    if (before != null && isSame) {
      said.put(id, new Said(why, before.startSeconds, now, before.writtenSeconds));
      return;
    }
    String start =
        Double.isNaN(startSeconds)
            ? ""
            : startSeconds <= now + 1
                ? "; it is expected to start now"
                : "; it is expected to start about "
                    + CLOCK.format(Instant.ofEpochSecond((long) startSeconds));
    write(gang, "Waiting", why + start);
    said.put(id, new Said(why, startSeconds, now, now));
  }

  /** Tells of those that are no job yet. */
  void tellUnready() throws IOException {
    double now = Attempts.now();
    List<Map.Entry<Gang, String>> due = new ArrayList<>();
    Map<Gang, String> unready = gangs.unready();
    Set<String> ids =
        unready.keySet().stream().map(PodEvents::unreadyId).collect(Collectors.toSet());
    said.keySet().removeIf(id -> id.startsWith(UNREADY) && !ids.contains(id));
    for (Map.Entry<Gang, String> each : unready.entrySet()) {
      Said before = said.get(unreadyId(each.getKey()));
      if (!gangs.open().containsValue(each.getKey())
          && (before == null
              || (!before.why.equals(each.getValue()) && now > before.atSeconds + AGAIN_SECONDS)
              || now > before.writtenSeconds + REPEAT_SECONDS)) {
        due.add(each);
      }
    }
    for (Map.Entry<Gang, String> each : due.stream().limit(MOST_GANGS).toList()) {
      write(each.getKey(), "Waiting", each.getValue());
      said.put(unreadyId(each.getKey()), new Said(each.getValue(), Double.NaN, now, now));
    }
  }

  private static String unreadyId(Gang gang) {
    return UNREADY + gang.key();
  }

  private void write(Gang gang, String reason, String message) throws IOException {
    String time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    String text = message.length() > 1000 ? message.substring(0, 1000) : message;
    List<Map<String, Object>> all = new ArrayList<>();
    for (PodSight pod : gang.pods().stream().limit(MOST_PODS).toList()) {
      all.add(
          Map.of(
              "apiVersion", "v1",
              "kind", "Pod",
              "name", pod.name(),
              "namespace", pod.namespace(),
              "uid", pod.uid()));
    }
    for (KubeOwner owner : gang.owners()) {
      all.add(owners.reference(owner));
    }
    all.removeIf(Map::isEmpty);
    for (Map<String, Object> reference : all) {
      String about = String.valueOf(reference.get("name"));
      String uid = String.valueOf(reference.get("uid"));
      // One name for each object: the API server refuses a second, and the first is changed.
      String name =
          "%s.ringmaster-%s"
              .formatted(
                  about.substring(0, Math.min(200, about.length())),
                  uid.substring(0, Math.min(8, uid.length())));
      api.tell(
          gang.namespace(),
          name,
          Map.ofEntries(
              Map.entry("apiVersion", "v1"),
              Map.entry("kind", "Event"),
              Map.entry("metadata", Map.of("name", name, "namespace", gang.namespace())),
              Map.entry("involvedObject", reference),
              Map.entry("reason", reason),
              Map.entry("message", text),
              Map.entry("type", "Normal"),
              Map.entry("count", 1),
              Map.entry("firstTimestamp", time),
              Map.entry("lastTimestamp", time),
              Map.entry("source", Map.of("component", Manifests.SCHEDULER)),
              Map.entry("reportingComponent", "ringmaster.io/scheduler"),
              Map.entry("reportingInstance", "ringmaster")));
    }
  }
}
