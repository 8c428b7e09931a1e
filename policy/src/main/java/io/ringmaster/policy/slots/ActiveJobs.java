package io.ringmaster.policy.slots;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.policy.View;
import java.util.Arrays;

/** Jobs in order of submission: those that wait or run, or some of them. */
public final class ActiveJobs {
  private int[] jobs = new int[64];
  private int size;

  /** Takes in who arrived and who ended since the last decision. */
  public void update(View view) {
    for (int i = 0; i < view.arrived().size(); i++) {
      add(view.arrived().get(i));
    }
    for (int i = 0; i < view.ended().size(); i++) {
      remove(view.ended().get(i));
    }
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int first() {
    return jobs[0];
  }

  public int[] toArray() {
    return Arrays.copyOf(jobs, size);
  }

  /** Jobs mostly come in order: at the end. */
  public void add(int job) {
    int at = Arrays.binarySearch(jobs, 0, size, job);
    if (at < 0) {
      jobs = Grow.ensure(jobs, size + 1);
      System.arraycopy(jobs, -at - 1, jobs, -at, size + at + 1);
      jobs[-at - 1] = job;
      size++;
    }
  }

  public void remove(int job) {
    int at = Arrays.binarySearch(jobs, 0, size, job);
    if (at >= 0) {
      System.arraycopy(jobs, at + 1, jobs, at, size - at - 1);
      size--;
    }
  }
}
