package io.ringmaster.policy.slots;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.policy.View;
import java.util.Arrays;

/** The jobs that wait or run, in order of submission. */
public final class ActiveJobs {
  private int[] jobs = new int[64];
  private int size;

  /** Takes in who arrived and who ended since the last decision. */
  public void update(View view) {
    view.arrived().forEach(this::add);
    view.ended().forEach(this::remove);
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
  private void add(int job) {
    int at = Arrays.binarySearch(jobs, 0, size, job);
    if (at < 0) {
      jobs = Grow.ensure(jobs, size + 1);
      System.arraycopy(jobs, -at - 1, jobs, -at, size + at + 1);
      jobs[-at - 1] = job;
      size++;
    }
  }

  private void remove(int job) {
    int at = Arrays.binarySearch(jobs, 0, size, job);
    if (at >= 0) {
      System.arraycopy(jobs, at + 1, jobs, at, size - at - 1);
      size--;
    }
  }
}
