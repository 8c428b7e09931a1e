package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import java.util.ArrayList;
import java.util.List;

/** Jobs by the GPUs they ask for: 1, 2, 3-4, 5-8 and so on, up to the largest that there is. */
public final class SizeClasses {
  private final byte[] ofJob;
  private final List<String> labels;

  public SizeClasses(Jobs jobs) {
    ofJob = new byte[jobs.size()];
    int most = 0;
    for (int job = 0; job < ofJob.length; job++) {
      ofJob[job] = (byte) sizeOf(jobs.gpus(job));
      most = Math.max(most, ofJob[job]);
    }
    List<String> all = new ArrayList<>();
    for (int size = 0; size <= most; size++) {
      int to = 1 << size;
      int from = to / 2 + 1;
      all.add(from >= to ? Integer.toString(to) : from + "-" + to);
    }
    labels = List.copyOf(all);
  }

  private static int sizeOf(int gpus) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(gpus - 1);
  }

  public List<String> labels() {
    return labels;
  }

  /** The class of a job, as an index of the labels. */
  public int of(int job) {
    return ofJob[job];
  }
}
