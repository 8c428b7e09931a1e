package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.model.collect.Sorted;
import io.ringmaster.simulator.Segments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * When rings share a link. A ring is a segment of a job with a model on more than one server; it is
 * contended while another ring is on one of its servers.
 */
final class Contention {
  private final Segments segments;

  /** The first row of each ring, and the row after its last. */
  private final IntList from = new IntList();

  private final IntList to = new IntList();
  private final List<IntList> onServer = new ArrayList<>();

  /** Servers of each ring that others are on too. */
  private final int[] shared;

  private final double[] since;
  private final Bins gpus;

  private Contention(Jobs jobs, Segments segments, Bins gpus) {
    this.segments = segments;
    this.gpus = gpus;
    for (int i = 0; i < segments.size(); ) {
      int next = i + 1;
      while (next < segments.size() && segments.sameSegment(i, next)) {
        next++;
      }
      if (next - i > 1 && jobs.model(segments.job(i)) >= 0) {
        from.add(i);
        to.add(next);
      }
      i = next;
    }
    shared = new int[from.size()];
    since = new double[from.size()];
  }

  /** Adds the GPUs of contended rings to bins. */
  static Bins over(Jobs jobs, Segments segments, Bins gpus) {
    new Contention(jobs, segments, gpus).sweep();
    return gpus;
  }

  /** Rings in the order of their starts and in that of their ends; at one time ends come first. */
  private void sweep() {
    int n = from.size();
    int[] starts = order(i -> segments.start(from.get(i)));
    int[] ends = order(i -> segments.end(from.get(i)));
    for (int s = 0, e = 0; e < n; ) {
      if (s < n && segments.start(from.get(starts[s])) < segments.end(from.get(ends[e]))) {
        join(starts[s++]);
      } else {
        leave(ends[e++]);
      }
    }
  }

  private int[] order(IntToDoubleFunction time) {
    double[] keys = new double[from.size()];
    Arrays.setAll(keys, time);
    return Sorted.byKey(keys);
  }

  private void join(int ring) {
    double now = segments.start(from.get(ring));
    for (int row = from.get(ring); row < to.get(ring); row++) {
      IntList here = rings(segments.server(row));
      here.add(ring);
      if (here.size() == 2) {
        share(here.get(0), now);
      }
      if (here.size() > 1) {
        share(ring, now);
      }
    }
  }

  private void leave(int ring) {
    double now = segments.end(from.get(ring));
    for (int row = from.get(ring); row < to.get(ring); row++) {
      IntList here = rings(segments.server(row));
      int at = 0;
      while (here.get(at) != ring) {
        at++;
      }
      int last = here.pop();
      if (at < here.size()) {
        here.set(at, last);
      }
      if (here.size() > 0) {
        unshare(ring, now);
      }
      if (here.size() == 1) {
        unshare(here.get(0), now);
      }
    }
  }

  private IntList rings(int server) {
    while (onServer.size() <= server) {
      onServer.add(new IntList());
    }
    return onServer.get(server);
  }

  private void share(int ring, double now) {
    if (shared[ring]++ == 0) {
      since[ring] = now;
    }
  }

  private void unshare(int ring, double now) {
    if (--shared[ring] == 0) {
      int workers = 0;
      for (int row = from.get(ring); row < to.get(ring); row++) {
        workers += segments.gpus(row);
      }
      gpus.add(since[ring], now, workers);
    }
  }
}
