package io.ringmaster.rehearsal;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.model.Server;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What goes wrong beside the network, until the weather is fair. */
final class Faults {
  private final Rehearsal rehearsal;
  private final RandomGenerator random;

  Faults(Rehearsal rehearsal, RandomGenerator random) {
    this.rehearsal = rehearsal;
    this.random = random;
  }

  void begin() {
    World world = rehearsal.world();
    every(world.killEverySeconds(), this::kill);
    every(world.pauseEverySeconds(), this::pause);
    every(world.nodeEverySeconds(), this::node);
    every(world.loseEverySeconds(), this::lose);
    every(world.silenceEverySeconds(), this::silence);
  }

  private void every(double meanSeconds, Runnable fault) {
    if (Double.isInfinite(meanSeconds)) {
      return;
    }
    rehearsal
        .agenda()
        .in(
            -meanSeconds * Math.log(1 - random.nextDouble()),
            () -> {
              if (!rehearsal.isFair()) {
                fault.run();
                every(meanSeconds, fault);
              }
            });
  }

  private void kill() {
    @Nullable PlaneProcess leader = rehearsal.servers().leader();
    if (leader == null) {
      return;
    }
    PlaneProcess.Where[] places = PlaneProcess.Where.values();
    int place = random.nextInt(places.length + 1);
    if (place == places.length) {
      leader.kill();
    } else {
      leader.killAt(places[place], random.nextInt(6));
      rehearsal.agenda().in(60, leader::kill);
    }
  }

  private void pause() {
    @Nullable PlaneProcess leader = rehearsal.servers().leader();
    if (leader == null || leader.isPaused()) {
      return;
    }
    double seconds = 5 + 200 * random.nextDouble();
    if (random.nextBoolean()) {
      leader.sleepAfterCommit(seconds);
    } else {
      leader.pause();
      rehearsal.servers().replace(leader);
      rehearsal.agenda().in(seconds, leader::resume);
    }
  }

  private void node() {
    List<Server> servers = rehearsal.world().config().cluster().servers();
    String node = servers.get(random.nextInt(servers.size())).name();
    boolean dies = random.nextBoolean();
    rehearsal.trace().say("fault", node + (dies ? " goes down" : " is cut off"));
    rehearsal.engine().nodeDown(node, dies);
    rehearsal
        .agenda()
        .in(
            300 * random.nextDouble(),
            () -> {
              rehearsal.trace().say("fault", node + " is back");
              rehearsal.engine().nodeUp(node);
            });
  }

  private void lose() {
    for (AttemptId attempt : rehearsal.engine().unended()) {
      if (random.nextInt(3) > 0) {
        continue;
      }
      if (random.nextBoolean()) {
        rehearsal.trace().say("fault", "the engine loses " + attempt + " and its processes");
        rehearsal.checks().lost(attempt);
        rehearsal.engine().lose(attempt);
      } else {
        rehearsal.trace().say("fault", "the engine does not list " + attempt);
        rehearsal.engine().hide(attempt, 200 * random.nextDouble());
      }
    }
  }

  private void silence() {
    rehearsal.trace().say("fault", "the engine falls silent");
    rehearsal.engine().silent(true);
    rehearsal
        .agenda()
        .in(
            100 * random.nextDouble(),
            () -> {
              rehearsal.trace().say("fault", "the engine answers again");
              rehearsal.engine().silent(false);
            });
  }
}
