package io.ringmaster.policy.asrpt;

import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.View;
import io.ringmaster.policy.ordered.Starter;
import io.ringmaster.policy.ordered.WaitingLine;

/**
 * A-SRPT with reservations: jobs that the virtual machine has finished come first, in that order;
 * then the others, those with the least left on the virtual machine first. Jobs that do not fit are
 * passed over; those that communicate much reserve servers once the virtual machine has finished
 * them, and before that start only if they get the fewest servers ({@link Starter}).
 *
 * <p>Departures from the paper, which a prototype of it showed to be needed: reservations, passing
 * over, starting jobs early, and a virtual machine slower than the cluster: at full speed it runs
 * ahead of a busy cluster, and the order by its completions turns into first come, first served.
 */
final class EagerAsrpt implements Policy {
  private final Starter starter;
  private final VirtualMachine machine;
  private final WaitingLine due = new WaitingLine();
  private final WaitingLine early = new WaitingLine();

  /** Whether the virtual machine has finished a waiting job since the last pass. */
  private boolean moved;

  EagerAsrpt(Starter starter, double speed) {
    this.starter = starter;
    this.machine = new VirtualMachine(speed);
  }

  @Override
  public void decide(View view, Decisions decisions) {
    moved = false;
    machine.advance(
        view.nowSeconds(),
        (job, seconds) -> {
          if (early.contains(job)) {
            early.remove(job, view.gpus(job), view.demand(job));
            due.put(job, view.gpus(job), view.demand(job), seconds);
            moved = true;
          }
        });
    view.ended()
        .forEach(job -> {
          due.remove(job, view.gpus(job), view.demand(job));
          early.remove(job, view.gpus(job), view.demand(job));
        });
    double gpus = view.cluster().totalGpus();
    view.arrived()
        .forEach(job -> {
          double size = view.gpus(job) / gpus * view.estimateSeconds(job);
          machine.add(job, size);
          if (view.waiting(job)) {
            early.put(job, view.gpus(job), view.demand(job), size);
          }
        });
    if (starter.open(view) || moved) {
      serve(view, decisions);
    }
    if (!early.isEmpty()) {
      decisions.wakeAt(machine.nextSeconds());
    }
  }

  private void serve(View view, Decisions decisions) {
    if (!machine.isEmpty() && early.contains(machine.current())) {
      int current = machine.current();
      early.put(current, view.gpus(current), view.demand(current), machine.left(current));
    }
    starter.serve(view, decisions, due, Starter.Rule.SKIP, early.fewestGpus());
    starter.serve(view, decisions, early, Starter.Rule.EARLY, Integer.MAX_VALUE);
  }
}
