package io.ringmaster.rehearsal;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.store.Store;
import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** People who give jobs to the engine itself, and never heard of the plane. */
final class PlacePeople {
  private final Rehearsal rehearsal;
  private final RandomGenerator random;
  private int unborn;

  PlacePeople(Rehearsal rehearsal, RandomGenerator random) {
    this.rehearsal = rehearsal;
    this.random = random;
  }

  /** Whether all that will be given is, and is over. */
  boolean areIdle() {
    return unborn == 0
        && rehearsal.engine().given().all().stream().allMatch(GivenJobs.Given::isOver);
  }

  void begin() {
    for (World.Given given : rehearsal.world().given()) {
      unborn++;
      rehearsal.agenda().in(given.atSeconds(), () -> give(given));
    }
  }

  private void give(World.Given given) {
    unborn--;
    GivenJobs jobs = rehearsal.engine().given();
    boolean waits = !Double.isNaN(given.readySeconds());
    rehearsal.trace().say("people", given.user() + " gives " + given.id() + " to the engine");
    jobs.give(given.id(), given.user(), JobSpecs.of(Json.parse(Json.text(given.body()))), !waits);
    if (waits) {
      later(given.readySeconds(), () -> jobs.ready(given.id(), true));
    }
    if (!Double.isNaN(given.holdSeconds())) {
      later(given.holdSeconds(), () -> jobs.ready(given.id(), false));
      later(given.holdSeconds() + 200, () -> jobs.ready(given.id(), true));
    }
    if (!Double.isNaN(given.cancelSeconds())) {
      later(given.cancelSeconds(), () -> cancel(given));
    }
  }

  private void later(double seconds, Runnable what) {
    rehearsal.agenda().in(seconds, what);
  }

  /** There, or here if it is known here. */
  private void cancel(World.Given given) {
    try (Store store = rehearsal.store()) {
      Store.Taken taken = store.ofArrivals(List.of(given.id())).get(given.id());
      if (taken != null && random.nextBoolean()) {
        rehearsal.clients().cancels(given.user(), taken.job(), random.nextInt(3) == 0);
        return;
      }
    }
    rehearsal.trace().say("people", given.user() + " cancels " + given.id() + " at the engine");
    rehearsal.checks().mayLeave(given.id());
    rehearsal.engine().cancelThere(given.id());
  }

  /** The engine does not tell of some for a while. */
  void hide() {
    for (GivenJobs.Given given : rehearsal.engine().given().all()) {
      if (!given.isOver() && random.nextInt(4) == 0) {
        rehearsal.trace().say("fault", "the engine does not list " + given.id());
        rehearsal.checks().mayLeave(given.id());
        rehearsal.engine().given().hide(given.id(), true);
        later(200 * random.nextDouble(), () -> rehearsal.engine().given().hide(given.id(), false));
      }
    }
  }

  /** What is planned for one world. */
  static List<World.Given> plan(
      RandomGenerator random, int total, Map<String, Integer> quotas, double fair) {
    if (random.nextBoolean()) {
      return List.of();
    }
    return IntStream.rangeClosed(1, 1 + random.nextInt(15))
        .mapToObj(i -> {
          String user = World.USERS.get(random.nextInt(World.USERS.size()));
          int most = Math.min(total, quotas.getOrDefault(user, total));
          Map<String, Object> body = World.body(random, most, random.nextBoolean());
          // Who failed there has failed.
          body.put("retries", 0);
          return new World.Given(
              "place/" + i,
              fair * 0.95 * random.nextDouble(),
              user,
              body,
              random.nextInt(3) == 0 ? 600 * random.nextDouble() : Double.NaN,
              random.nextInt(5) == 0 ? 600 * random.nextDouble() : Double.NaN,
              random.nextInt(4) == 0 ? 1500 * random.nextDouble() : Double.NaN);
        })
        .toList();
  }
}
