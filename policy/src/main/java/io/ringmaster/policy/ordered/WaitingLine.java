package io.ringmaster.policy.ordered;

import io.ringmaster.model.Demand;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.queue.BySize;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs by a key, then by submission. One sorted set for each size: workloads have few, and
 * if no job of a size can start, a pass leaves them all out at once.
 */
public final class WaitingLine {
  private final BySize<TreeSet<Entry>> bySize = new BySize<>(TreeSet::new);
  private final List<Double> keys = new ArrayList<>();
  private int size;

  private record Entry(double key, int job) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byKey = Double.compare(key, other.key);
      return byKey != 0 ? byKey : Integer.compare(job, other.job);
    }
  }

  /** Adds a job, or changes its key. */
  public void put(int job, int gpus, Demand demand, double key) {
    remove(job, gpus, demand);
    while (keys.size() <= job) {
      keys.add(Double.NaN);
    }
    keys.set(job, key);
    bySize.queue(gpus, demand).add(new Entry(key, job));
    size++;
  }

  public boolean contains(int job) {
    return job < keys.size() && !Double.isNaN(keys.get(job));
  }

  /** Takes a job out, if it is there. */
  public void remove(int job, int gpus, Demand demand) {
    if (contains(job)) {
      if (!bySize.queue(gpus, demand).remove(new Entry(keys.get(job), job))) {
        throw new IllegalStateException("job " + job + " does not stand under " + gpus + " GPUs");
      }
      forget(job);
    }
  }

  private void forget(int job) {
    keys.set(job, Double.NaN);
    size--;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** The first job of a size; -1 if there is none. */
  public int first(int gpus, Demand demand) {
    TreeSet<Entry> entries = bySize.queue(gpus, demand);
    return entries.isEmpty() ? -1 : entries.first().job;
  }

  /** The fewest GPUs that a job in it has; more than any cluster has if it is empty. */
  public int fewestGpus() {
    for (int c = 0; c < bySize.classes(); c++) {
      if (!bySize.queue(c).isEmpty()) {
        return bySize.gpus(c);
      }
    }
    return Integer.MAX_VALUE;
  }

  /** Goes through all jobs in order. Only the walk itself may change the line meanwhile. */
  public Walk walk(int depth) {
    return new Walk(depth);
  }

  /** A walk through the line. */
  public final class Walk {
    private final int depth;
    private final List<Iterator<Entry>> iterators = new ArrayList<>();
    private final List<@Nullable Entry> heads = new ArrayList<>();
    private final IntList classes = new IntList();
    private final int[] passedOver;
    private int last = -1;

    private Walk(int depth) {
      this.depth = depth;
      for (int c = 0; c < bySize.classes(); c++) {
        Iterator<Entry> iterator = bySize.queue(c).iterator();
        if (iterator.hasNext()) {
          iterators.add(iterator);
          heads.add(iterator.next());
          classes.add(c);
        }
      }
      this.passedOver = new int[heads.size()];
    }

    /** The next job, or -1. */
    public int next() {
      if (last >= 0 && heads.get(last) != null) {
        Iterator<Entry> iterator = iterators.get(last);
        heads.set(last, iterator.hasNext() ? iterator.next() : null);
      }
      last = -1;
      Entry best = null;
      for (int i = 0; i < heads.size(); i++) {
        Entry head = heads.get(i);
        if (head != null && (best == null || head.compareTo(best) < 0)) {
          best = head;
          last = i;
        }
      }
      return best == null ? -1 : best.job;
    }

    /** The fewest GPUs of the jobs that may still come, the last one included. */
    public int fewestGpus() {
      for (int i = 0; i < heads.size(); i++) {
        if (heads.get(i) != null) {
          return bySize.gpus(classes.get(i));
        }
      }
      return Integer.MAX_VALUE;
    }

    /** The job that came last starts: it leaves the line. */
    public void take() {
      Entry head = heads.get(last);
      if (head == null) {
        throw new IllegalStateException("there is no job to take");
      }
      iterators.get(last).remove();
      forget(head.job);
    }

    /** The job that came last stays. Of each size so many are looked at. */
    public void passOver() {
      if (++passedOver[last] >= depth) {
        close();
      }
    }

    /** No other job of its size can start in this pass. */
    public void close() {
      heads.set(last, null);
    }

    /** Nor any that takes as much of everything. */
    public void closeAll() {
      int own = classes.get(last);
      for (int i = last; i < heads.size(); i++) {
        if (bySize.demand(classes.get(i)).covers(bySize.demand(own))) {
          heads.set(i, null);
        }
      }
    }
  }
}
