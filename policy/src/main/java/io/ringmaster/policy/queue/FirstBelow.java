package io.ringmaster.policy.queue;

import java.util.Arrays;

/**
 * A queue in order of arrival that finds the first job with a value at or below a limit in
 * logarithmic time: a tree of minima over the queue's places. Backfilling asks it for the first job
 * short enough for a gap.
 */
public final class FirstBelow {
  private int capacity = 16;
  private int[] jobs = new int[capacity];
  private double[] least = filled(2 * capacity);
  private int front;
  private int end;
  private int live;

  private static double[] filled(int length) {
    double[] tree = new double[length];
    Arrays.fill(tree, Double.POSITIVE_INFINITY);
    return tree;
  }

  /** Appends a job. Values are finite. */
  public void add(int job, double value) {
    if (end == capacity) {
      compact();
    }
    jobs[end] = job;
    set(end++, value);
    live++;
  }

  public boolean isEmpty() {
    return live == 0;
  }

  /** The place of the first job with a value at or below the limit, or -1. */
  public int find(double limit) {
    if (live == 0 || !(least[1] <= limit)) {
      return -1;
    }
    int node = 1;
    while (node < capacity) {
      node = 2 * node;
      if (!(least[node] <= limit)) {
        node++;
      }
    }
    return node - capacity;
  }

  /** The place of the first job of all, or -1. */
  public int first() {
    while (front < end && least[capacity + front] == Double.POSITIVE_INFINITY) {
      front++;
    }
    return front < end ? front : -1;
  }

  public int job(int place) {
    return jobs[place];
  }

  public void remove(int place) {
    set(place, Double.POSITIVE_INFINITY);
    live--;
  }

  /** Takes a job out that is somewhere in the queue; for cancellations, which are rare. */
  public void removeJob(int job) {
    for (int place = 0; place < end; place++) {
      if (jobs[place] == job && least[capacity + place] != Double.POSITIVE_INFINITY) {
        remove(place);
        return;
      }
    }
  }

  private void set(int place, double value) {
    int node = capacity + place;
    least[node] = value;
    for (node >>= 1; node >= 1; node >>= 1) {
      double below = Math.min(least[2 * node], least[2 * node + 1]);
      if (least[node] == below) {
        break;
      }
      least[node] = below;
    }
  }

  /** Closes the gaps, and doubles the room if the queue is more than half full. */
  private void compact() {
    int room = live > capacity / 2 ? 2 * capacity : capacity;
    int[] packed = new int[room];
    double[] tree = filled(2 * room);
    int to = 0;
    for (int place = 0; place < end; place++) {
      double value = least[capacity + place];
      if (value != Double.POSITIVE_INFINITY) {
        packed[to] = jobs[place];
        tree[room + to++] = value;
      }
    }
    for (int node = room - 1; node >= 1; node--) {
      tree[node] = Math.min(tree[2 * node], tree[2 * node + 1]);
    }
    capacity = room;
    jobs = packed;
    least = tree;
    front = 0;
    end = to;
  }
}
