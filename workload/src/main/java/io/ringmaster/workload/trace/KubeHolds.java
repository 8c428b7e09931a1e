package io.ringmaster.workload.trace;

import io.ringmaster.workload.trace.KubeGangs.Gang;
import io.ringmaster.workload.trace.KubeGangs.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What of a gang's objects matters for when it may start. */
final class KubeHolds {
  private KubeHolds() {}

  /** Why it may not start whatever is free, in plain words; empty if it may. */
  static String because(Gang gang) {
    JsonItems workload = gang.workload();
    if (workload != null) {
      if (workload.text("spec", "active").equals("false")) {
        return "it is not active in Kueue";
      }
      // Kueue suspends what waits for its turn: it waits as others do.
      return inactiveQueue(workload);
    }
    for (Seen owner : gang.owners()) {
      if (owner.object().text("spec", "suspend").equals("true")
          || owner.object().text("spec", "runPolicy", "suspend").equals("true")) {
        return "it is suspended (spec.suspend of %s %s)"
            .formatted(owner.object().text("kind"), owner.item().gangName());
      }
    }
    for (Seen pod : gang.pods()) {
      for (JsonItems gate : pod.object().objects("spec", "schedulingGates")) {
        return "its scheduling gate %s is not lifted".formatted(gate.text("name"));
      }
      String said = volume(pod.object());
      if (!said.isEmpty()) {
        return said;
      }
    }
    return "";
  }

  private static String inactiveQueue(JsonItems workload) {
    for (JsonItems condition : workload.objects("status", "conditions")) {
      if (condition.text("type").equals("QuotaReserved")
          && condition.text("status").equals("False")
          && condition.text("reason").equals("Inadmissible")) {
        return "Kueue does not admit it: " + condition.text("message");
      }
    }
    return "";
  }

  /** A volume that is not there is the scheduler's to tell of. */
  private static String volume(JsonItems pod) {
    for (JsonItems condition : pod.objects("status", "conditions")) {
      String message = condition.text("message");
      if (condition.text("type").equals("PodScheduled")
          && condition.text("status").equals("False")
          && message.toLowerCase(Locale.ROOT).contains("persistentvolumeclaim")) {
        return "the scheduler says: " + message;
      }
    }
    return "";
  }

  /** After which it is ended; infinite if it does not say. */
  static double limitSeconds(Gang gang) {
    double least = Double.POSITIVE_INFINITY;
    for (List<Seen> of : List.of(gang.owners(), gang.pods())) {
      for (Seen each : of) {
        double limit = each.object().number("spec", "activeDeadlineSeconds");
        least = limit > 0 ? Math.min(least, limit) : least;
      }
    }
    return least;
  }

  /** Of its pods, or of its workload while there are none. */
  static double priority(Gang gang) {
    List<JsonItems> from = new ArrayList<>();
    gang.pods().forEach(pod -> from.add(pod.object()));
    JsonItems workload = gang.workload();
    if (workload != null) {
      from.add(workload);
    }
    return from.stream()
        .mapToDouble(object -> object.number("spec", "priority"))
        .filter(priority -> !Double.isNaN(priority))
        .findFirst()
        .orElse(0);
  }

  /** As its owner asks for them, while there are no pods; 0 if they differ or nobody says. */
  static long gpusOfEachPod(Gang gang) {
    long each = 0;
    for (Seen owner : gang.owners()) {
      for (JsonItems spec : KubeItem.podSpecs(owner.object().object("spec"))) {
        long gpus = KubeResources.ofPod(spec).gpus();
        if (gpus > 0 && each > 0 && gpus != each) {
          return 0;
        }
        each = Math.max(each, gpus);
      }
    }
    return each;
  }
}
