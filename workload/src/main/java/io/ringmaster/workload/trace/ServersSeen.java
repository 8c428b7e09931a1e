package io.ringmaster.workload.trace;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.collect.Sorted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Works out how many GPUs each server has at least: the most that jobs held there at once.
 *
 * <p>A trace names the servers of a job and its GPUs in all. They are split evenly; what is left
 * over goes to the first servers, one each. So every job fits on the servers found.
 *
 * <p>It holds 20 bytes for each job and server.
 */
final class ServersSeen {
  /** The end of what has not ended. */
  static final long STILL = 1L << 42;

  private static final int GPU_BITS = 20;
  private static final int MOST_GPUS = (1 << GPU_BITS) - 1;

  private final Map<String, Integer> indexOf = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private int count;
  private int[] server = new int[256];

  /** Time, then GPUs, in one number that sorts by time. */
  private long[] start = new long[256];

  private long[] end = new long[256];

  /** A job held GPUs on servers, up to {@link #STILL} if it still does. */
  void held(List<String> servers, long jobGpus, long startSeconds, long endSeconds) {
    for (int i = 0; i < servers.size(); i++) {
      add(servers.get(i), share(jobGpus, servers.size(), i), startSeconds, endSeconds);
    }
  }

  private static int share(long jobGpus, int servers, int at) {
    return (int) Math.min(jobGpus / servers + (at < jobGpus % servers ? 1 : 0), MOST_GPUS);
  }

  /** The GPUs of a job on each of its servers. */
  static Map<String, Integer> split(List<String> servers, long jobGpus) {
    Map<String, Integer> split = new LinkedHashMap<>();
    for (int i = 0; i < servers.size(); i++) {
      int share = share(jobGpus, servers.size(), i);
      if (share > 0) {
        split.merge(servers.get(i), share, Integer::sum);
      }
    }
    return split;
  }

  private void add(String name, int share, long startSeconds, long endSeconds) {
    if (share == 0 || endSeconds <= startSeconds) {
      return;
    }
    Integer known = indexOf.putIfAbsent(name, names.size());
    if (known == null) {
      names.add(name);
    }
    server = Grow.ensure(server, count + 1);
    start = Grow.ensure(start, count + 1);
    end = Grow.ensure(end, count + 1);
    server[count] = known == null ? names.size() - 1 : known;
    start[count] = (startSeconds << GPU_BITS) | share;
    end[count] = (endSeconds << GPU_BITS) | share;
    count++;
  }

  /**
   * GPUs by server, in the order of the names.
   *
   * @param alike servers whose names differ in digits only get as many as the best of them
   */
  Map<String, Integer> gpusByServer(boolean alike) {
    int[] most = most();
    Map<String, Integer> ofFamily = new HashMap<>();
    for (int i = 0; i < most.length; i++) {
      ofFamily.merge(family(names.get(i), alike), most[i], Math::max);
    }
    Map<String, Integer> found = new LinkedHashMap<>();
    names.stream()
        .sorted(ServersSeen::inOrder)
        .forEach(name -> found.put(name, ofFamily.getOrDefault(family(name, alike), 0)));
    return found;
  }

  /**
   * Hands the servers on.
   *
   * @param truth the command that tells how many GPUs there are
   */
  void report(boolean alike, String truth, TraceSink out) {
    Map<String, Integer> found = gpusByServer(alike);
    found.forEach(out::server);
    if (!found.isEmpty()) {
      out.note(
          "a server has as many GPUs as jobs held at once on it%s; see %s for how many there are"
              .formatted(alike ? ", or on one whose name differs in digits only" : "", truth));
    }
  }

  private static String family(String name, boolean alike) {
    return alike ? name.replaceAll("[0-9]+", "0") : name;
  }

  /** {@code n2} before {@code n10}. */
  private static int inOrder(String a, String b) {
    int byFamily = family(a, true).compareTo(family(b, true));
    int byLength = Integer.compare(a.length(), b.length());
    return byFamily != 0 ? byFamily : byLength != 0 ? byLength : a.compareTo(b);
  }

  /** How long there was any job on each server, summed over servers; of jobs that have ended. */
  double busySeconds() {
    int[] order = Sorted.by(Comparator.comparingLong(i -> start[i]), count);
    long[] until = new long[names.size()];
    double busy = 0;
    for (int i : order) {
      long from = Math.max(start[i] >> GPU_BITS, until[server[i]]);
      long to = end[i] >> GPU_BITS;
      if (to != STILL && to > from) {
        busy += to - from;
        until[server[i]] = to;
      }
    }
    return busy;
  }

  private int[] most() {
    int[] first = new int[names.size() + 1];
    for (int i = 0; i < count; i++) {
      first[server[i] + 1]++;
    }
    for (int s = 0; s < names.size(); s++) {
      first[s + 1] += first[s];
    }
    int[] next = Arrays.copyOf(first, names.size());
    long[] starts = new long[count];
    long[] ends = new long[count];
    for (int i = 0; i < count; i++) {
      int at = next[server[i]]++;
      starts[at] = start[i];
      ends[at] = end[i];
    }
    int[] most = new int[names.size()];
    for (int s = 0; s < most.length; s++) {
      most[s] = most(starts, ends, first[s], first[s + 1]);
    }
    return most;
  }

  /** What ends at a moment makes room for what starts at it. */
  private static int most(long[] starts, long[] ends, int from, int to) {
    Arrays.sort(starts, from, to);
    Arrays.sort(ends, from, to);
    long now = 0;
    long most = 0;
    int ended = from;
    for (int i = from; i < to; i++) {
      while (ends[ended] >> GPU_BITS <= starts[i] >> GPU_BITS) {
        now -= ends[ended++] & MOST_GPUS;
      }
      now += starts[i] & MOST_GPUS;
      most = Math.max(most, now);
    }
    return (int) Math.min(most, MOST_GPUS);
  }
}
