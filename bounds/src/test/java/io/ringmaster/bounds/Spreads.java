package io.ringmaster.bounds;

import io.ringmaster.model.Placement;
import java.util.Arrays;
import java.util.function.Predicate;

/** Every way to spread workers over servers, a given number on a given number of them. */
final class Spreads {
  private final int[] room;
  private final Predicate<Placement> goOn;
  private final int[] servers;
  private final int[] gpus;

  private Spreads(int[] room, int count, Predicate<Placement> goOn) {
    this.room = room;
    this.goOn = goOn;
    this.servers = new int[count];
    this.gpus = new int[count];
  }

  /**
   * Goes through them for as long as it is told to go on.
   *
   * @param room the most that each server holds
   */
  static void each(int[] room, int count, int workers, Predicate<Placement> goOn) {
    new Spreads(room, count, goOn).from(0, 0, workers);
  }

  /** The most workers that so many servers hold, from one on. */
  static int most(int[] room, int from, int count) {
    int[] sorted = Arrays.copyOfRange(room, from, room.length);
    Arrays.sort(sorted);
    int sum = 0;
    for (int i = sorted.length - 1; i >= Math.max(0, sorted.length - count); i--) {
      sum += sorted[i];
    }
    return sum;
  }

  private boolean from(int server, int used, int left) {
    if (used == servers.length) {
      return goOn.test(Placement.of(servers.clone(), gpus.clone()));
    }
    int others = servers.length - used - 1;
    for (int s = server; s < room.length; s++) {
      int rest = most(room, s + 1, others);
      int enough = s + others < room.length ? left - others : 0;
      for (int here = Math.max(1, left - rest); here <= Math.min(room[s], enough); here++) {
        servers[used] = s;
        gpus[used] = here;
        if (!from(s + 1, used + 1, left - here)) {
          return false;
        }
      }
    }
    return true;
  }
}
