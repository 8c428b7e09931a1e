package io.ringmaster.advise;

import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds free GPUs that no job which waits can use: there are too few together, or in no reach. */
final class Fragments {
  private record Shape(int gpus, Demand demand) {
    /** GPUs that it takes at least on one server. */
    int least() {
      return Math.max(1, demand.where().perServer());
    }
  }

  private Fragments() {}

  /** By server, in the order of the cluster; none if nobody waits. */
  static List<Advice.Fragment> of(Queue queue, Variant present) {
    ScratchServers free = free(queue);
    Set<Shape> shapes = new LinkedHashSet<>();
    queue
        .waiting()
        .forEach(
            job -> shapes.add(new Shape(job.gpus(), queue.cluster().demand(job.demand(), null))));
    PolicySpec spec = Policies.named(present.policy());
    PlacementRule rule = spec.placement(spec.settings(present.settings()), queue.cluster(), false);
    List<Shape> fit =
        shapes.stream()
            .filter(s -> s.gpus <= free.total() && rule.room().holds(free, s.demand, s.gpus))
            .toList();
    List<Advice.Fragment> fragments = new ArrayList<>();
    for (int s = free.firstWithRoom(0);
        s >= 0 && !shapes.isEmpty();
        s = free.firstWithRoom(s + 1)) {
      int server = s;
      if (fit.stream().noneMatch(shape -> free.workers(server, shape.demand) >= shape.least())) {
        Server at = queue.cluster().server(s);
        fragments.add(
            new Advice.Fragment(at.name(), free.gpus(s), at.gpus(), why(free, s, at, shapes)));
      }
    }
    return fragments;
  }

  static ScratchServers free(Queue queue) {
    ScratchServers free = new ScratchServers(queue.cluster());
    for (Queue.Running job : queue.running()) {
      Placement placement = job.placement();
      free.take(placement, queue.cluster().demand(job.job().demand(), null));
    }
    return free;
  }

  private static String why(ScratchServers free, int s, Server server, Set<Shape> shapes) {
    List<Shape> allowed =
        shapes.stream().filter(shape -> shape.demand.where().allows(server)).toList();
    if (allowed.isEmpty()) {
      return "no job that waits may go there";
    }
    int least = allowed.stream().mapToInt(Shape::least).min().orElse(1);
    if (least > free.gpus(s)) {
      return "jobs that wait need %d or more on a server".formatted(least);
    }
    if (allowed.stream().noneMatch(shape -> free.workers(s, shape.demand) >= shape.least())) {
      return "its CPUs or memory do not suffice";
    }
    return allowed.stream().allMatch(shape -> shape.demand.where().perServer() == 0)
        ? "jobs that wait need more in all"
        : "too few other servers have as many free";
  }
}
