package io.ringmaster.policy.ordered;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs by a key, then by submission. One sorted set for each number of GPUs: traces have
 * few, and if no job of a number can start, a pass leaves them all out at once.
 */
public final class Line {
  private final Map<Integer, TreeSet<Entry>> bySize = new TreeMap<>();
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
  public void put(int job, int gpus, double key) {
    remove(job, gpus);
    while (keys.size() <= job) {
      keys.add(Double.NaN);
    }
    keys.set(job, key);
    bySize.computeIfAbsent(gpus, _ -> new TreeSet<>()).add(new Entry(key, job));
    size++;
  }

  public boolean contains(int job) {
    return job < keys.size() && !Double.isNaN(keys.get(job));
  }

  /** Takes a job out, if it is there. */
  public void remove(int job, int gpus) {
    if (contains(job)) {
      TreeSet<Entry> entries = bySize.get(gpus);
      if (entries == null || !entries.remove(new Entry(keys.get(job), job))) {
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

  /** The first job of a number of GPUs; -1 if there is none. */
  public int first(int gpus) {
    TreeSet<Entry> entries = bySize.get(gpus);
    return entries == null || entries.isEmpty() ? -1 : entries.first().job;
  }

  /** The fewest GPUs that a job in it has; more than any cluster has if it is empty. */
  public int fewestGpus() {
    for (Map.Entry<Integer, TreeSet<Entry>> entry : bySize.entrySet()) {
      if (!entry.getValue().isEmpty()) {
        return entry.getKey();
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
    private final List<Integer> sizes = new ArrayList<>();
    private final int[] passedOver;
    private int last = -1;

    private Walk(int depth) {
      this.depth = depth;
      bySize.forEach((gpus, entries) -> {
        Iterator<Entry> iterator = entries.iterator();
        if (iterator.hasNext()) {
          iterators.add(iterator);
          heads.add(iterator.next());
          sizes.add(gpus);
        }
      });
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
          return sizes.get(i);
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

    /** The job that came last stays. Of each number of GPUs so many are looked at. */
    public void passOver() {
      if (++passedOver[last] >= depth) {
        close();
      }
    }

    /** No other job of as many GPUs can start in this pass. */
    public void close() {
      heads.set(last, null);
    }
  }
}
