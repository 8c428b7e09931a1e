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
  private int joined;

  Faults(Rehearsal rehearsal, RandomGenerator random) {
    this.rehearsal = rehearsal;
    this.random = random;
  }

  void begin() {
    World world = rehearsal.world();
    every(world.killEverySeconds(), this::kill);
    every(world.pauseEverySeconds(), this::pause);
    every(world.nodeEverySeconds(), this::node);
    every(world.leaveEverySeconds(), this::joinOrLeave);
    every(world.resizeEverySeconds(), this::resize);
    every(world.othersEverySeconds(), this::others);
    every(world.loseEverySeconds(), this::lose);
    every(world.silenceEverySeconds(), this::silence);
    every(world.clockEverySeconds(), this::setClock);
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
    String node = server().name();
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

  /** One of those that the world began with. */
  private Server server() {
    List<Server> servers = rehearsal.world().config().cluster().servers();
    return servers.get(random.nextInt(servers.size()));
  }

  private void joinOrLeave() {
    if (random.nextBoolean()) {
      String node = "j" + ++joined;
      size(node, 1 + random.nextInt(8));
      rehearsal.agenda().in(100 + 1000 * random.nextDouble(), () -> leave(node));
    } else {
      Server server = server();
      leave(server.name());
      rehearsal.agenda().in(300 * random.nextDouble(), () -> size(server.name(), server.gpus()));
    }
  }

  private void leave(String node) {
    if (!rehearsal.isFair() && rehearsal.machines().gpus().containsKey(node)) {
      rehearsal.trace().say("fault", node + " leaves");
      rehearsal.engine().nodeLeaves(node);
    }
  }

  private void size(String node, int gpus) {
    rehearsal.trace().say("fault", node + " has " + gpus + " GPUs");
    rehearsal.machines().size(node, gpus);
    rehearsal.engine().roomChanged();
  }

  private void resize() {
    Server server = server();
    if (rehearsal.machines().gpus().containsKey(server.name())) {
      size(server.name(), random.nextInt(9));
      rehearsal.agenda().in(300 * random.nextDouble(), () -> size(server.name(), server.gpus()));
    }
  }

  private void others() {
    String node = server().name();
    int taken = rehearsal.machines().takeByOthers(node, 1 + random.nextInt(4));
    rehearsal.trace().say("fault", "others take " + taken + " GPUs of " + node);
    rehearsal.agenda().in(600 * random.nextDouble(), () -> giveBack(node, taken));
  }

  private void giveBack(String node, int taken) {
    int back = -rehearsal.machines().takeByOthers(node, -taken);
    rehearsal.trace().say("fault", "others give back " + back + " GPUs of " + node);
    rehearsal.engine().roomChanged();
  }

  /** The weather is fair: what there was at the beginning is there again, and for us alone. */
  void end() {
    for (Server server : rehearsal.world().config().cluster().servers()) {
      giveBack(server.name(), rehearsal.machines().others(server.name()));
      size(server.name(), server.gpus());
      rehearsal.engine().nodeUp(server.name());
    }
  }

  private void lose() {
    rehearsal.people().hide();
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

  /** By whole seconds, up to two days: so that no time is rounded otherwise. */
  private void setClock() {
    int aheadSeconds = random.nextInt(-172_800, 172_800);
    rehearsal.setClock(rehearsal.stage().clockAheadSeconds(aheadSeconds));
  }
}
