package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import java.util.ArrayList;
import java.util.List;

/** Jobs by the GPUs they ask for: 1, 2, 3-4, 5-8 and so on, up to the largest that there is. */
public final class SizeClasses {
  private final Jobs jobs;
  private final List<String> labels = new ArrayList<>();

  public SizeClasses(Jobs jobs) {
    this.jobs = jobs;
    int most = 1;
    for (int job = 0; job < jobs.size(); job++) {
      most = Math.max(most, jobs.gpus(job));
    }
    for (int size = 0; size <= sizeOf(most); size++) {
      int to = 1 << size;
      int from = to / 2 + 1;
      labels.add(from >= to ? Integer.toString(to) : from + "-" + to);
    }
  }

  private static int sizeOf(int gpus) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(gpus - 1);
  }

  public List<String> labels() {
    return List.copyOf(labels);
  }

  /** The class of a job, as an index of the labels. */
  public int of(int job) {
    return sizeOf(jobs.gpus(job));
  }
}
