package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Users by the GPU time they got, the most first; those beyond a number are told of as one. */
public final class Users {
  private static final String NOBODY = "(none)";

  private final Jobs jobs;

  /** By user; those without a name are the first. */
  private final int[] rank;

  private final List<String> labels;

  /**
   * @param most how many are told of by name
   * @param gpuSeconds by job
   */
  public Users(Jobs jobs, int most, IntToDoubleFunction gpuSeconds) {
    this.jobs = jobs;
    List<String> names = jobs.userNames();
    double[] used = new double[names.size() + 1];
    int[] count = new int[used.length];
    for (int job = 0; job < jobs.size(); job++) {
      used[jobs.user(job) + 1] += gpuSeconds.applyAsDouble(job);
      count[jobs.user(job) + 1]++;
    }
    List<Integer> order =
        IntStream.range(0, used.length)
            .filter(u -> count[u] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble(u -> -used[u]))
            .toList();
    this.rank = new int[used.length];
    List<String> all = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      int user = order.get(i);
      rank[user] = Math.min(i, most);
      if (i < most) {
        all.add(user == 0 ? NOBODY : names.get(user - 1));
      }
    }
    if (order.size() > most) {
      all.add(String.format(Locale.ROOT, "%,d others", order.size() - most));
    }
    labels = List.copyOf(all);
  }

  public List<String> labels() {
    return labels;
  }

  /** The user of a job, as an index of the labels. */
  public int of(int job) {
    return rank[jobs.user(job) + 1];
  }
}
