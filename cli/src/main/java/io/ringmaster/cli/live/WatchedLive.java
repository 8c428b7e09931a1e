package io.ringmaster.cli.live;

import io.ringmaster.advise.Advice;
import io.ringmaster.advise.Queue;
import io.ringmaster.cli.advise.LiveQueue;
import io.ringmaster.control.api.WatchedQueue;
import io.ringmaster.control.api.WatchedQueue.WatchedFragment;
import io.ringmaster.control.api.WatchedQueue.WatchedHelp;
import io.ringmaster.control.api.WatchedQueue.WatchedJob;
import io.ringmaster.control.api.WatchedQueue.WatchedPolicy;
import io.ringmaster.control.api.WatchedQueue.WatchedRun;
import io.ringmaster.control.api.WatchedQueue.WatchedStart;
import io.ringmaster.model.Placement;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** Advice on a live queue as the API tells it. */
final class WatchedLive {
  private WatchedLive() {}

  static WatchedQueue of(LiveQueue live, Advice advice) {
    Queue queue = advice.queue();
    double now = queue.nowSeconds();
    return new WatchedQueue(
        now,
        live.scheduler(),
        advice.policy(),
        "From %d futures, with lengths drawn from what is known of each kind of job; %s."
            .formatted(advice.draws(), advice.basis()),
        live.cost(),
        null,
        live.nodes(),
        queue.running().stream().map(run -> run(queue, run)).toList(),
        advice.jobs().stream().map(job -> job(job, now)).toList(),
        advice.policies().stream()
            .map(each ->
                new WatchedPolicy(each.policy(), each.meanSeconds(), each.sooner(), each.later()))
            .toList(),
        advice.fragments().stream()
            .map(each ->
                new WatchedFragment(each.server(), each.freeGpus(), each.gpus(), each.why()))
            .toList(),
        Stream.concat(live.site().notes().stream(), advice.notes().stream()).toList());
  }

  private static WatchedRun run(Queue queue, Queue.Running run) {
    Placement placement = run.placement();
    StringJoiner where = new StringJoiner(",");
    for (int i = 0; i < placement.size(); i++) {
      where.add(queue.cluster().server(placement.server(i)).name() + ":" + placement.gpus(i));
    }
    return new WatchedRun(
        run.job().id(),
        run.job().kind().user(),
        run.job().gpus(),
        queue.nowSeconds() - run.elapsedSeconds(),
        where.toString());
  }

  private static WatchedJob job(Advice.OfJob each, double now) {
    return new WatchedJob(
        each.job().id(),
        each.job().kind().user(),
        each.isHeld() ? "held" : "waiting",
        each.job().gpus(),
        each.start()
            .map(start ->
                new WatchedStart(
                    start.hasMedian() ? now + start.medianSeconds() : null,
                    now + start.lowSeconds(),
                    start.hasEnd() ? now + start.highSeconds() : null))
            .orElse(null),
        each.why(),
        each.helps().stream()
            .map(help -> new WatchedHelp(help.change(), help.soonerSeconds()))
            .toList());
  }
}
