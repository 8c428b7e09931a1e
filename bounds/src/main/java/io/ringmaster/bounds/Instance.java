package io.ringmaster.bounds;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Placement;
import io.ringmaster.simulator.Lengths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the models need to know of jobs and servers. Times count from the first submission. */
final class Instance {
  /** Sets of servers are bits, and all are tried. */
  static final int MOST_SERVERS = 8;

  /** Of a set of servers that holds a job in more ways than this, not all are looked at. */
  private static final int MOST_PLACEMENTS = 20_000;

  private final Jobs jobs;
  private final Cluster cluster;
  private final IterationTime time;
  private final Lengths lengths;
  private final Map<Long, List<Choice>> choices = new HashMap<>();

  /**
   * A set of servers that a job may use.
   *
   * @param servers a bit for each
   * @param iterationSeconds by contenders minus one: the least over the placements on just these
   *     servers
   */
  @SuppressWarnings("ArrayRecordComponent") // Choices are never compared.
  record Choice(int servers, double[] iterationSeconds) {
    boolean crosses() {
      return Integer.bitCount(servers) > 1;
    }

    boolean uses(int server) {
      return (servers & (1 << server)) != 0;
    }
  }

  Instance(Jobs jobs, Cluster cluster) {
    this.jobs = jobs;
    this.cluster = cluster;
    this.time = IterationTime.of(cluster);
    this.lengths = Lengths.of(jobs, cluster);
  }

  Jobs jobs() {
    return jobs;
  }

  Cluster cluster() {
    return cluster;
  }

  Lengths lengths() {
    return lengths;
  }

  int size() {
    return jobs.size();
  }

  double releaseSeconds(int job) {
    return jobs.submitSeconds(job) - jobs.submitSeconds(0);
  }

  double iterations(int job) {
    return lengths.idealSeconds(job) / lengths.iterationSeconds(job);
  }

  /** No placement of the workers asked for is faster. */
  double fastestSeconds(int job) {
    return iterations(job) * time.fastestSeconds(jobs.profile(job), jobs.gpus(job));
  }

  /**
   * Whether the job would be a ring to others on several servers. Rings that count only as far as
   * they transmit do not slow each other by their number: the bound leaves out that they do.
   */
  boolean mayContend(int job) {
    return time.countsRings()
        && jobs.model(job) >= 0
        && jobs.gpus(job) > 1
        && cluster.size() > 1
        && cluster.maxServerGpus() > 1;
  }

  /** Whether the job takes the same time wherever it sits, and slows nobody down. */
  boolean sameEverywhere(int job) {
    if (jobs.profile(job) == null || !time.placesMatter()) {
      return true;
    }
    if (mayContend(job) || cluster.size() > MOST_SERVERS) {
      return false;
    }
    List<Choice> all = choices(job);
    double first = all.getFirst().iterationSeconds()[0];
    return all.stream().allMatch(c -> c.iterationSeconds()[0] == first);
  }

  /** Whether two jobs may change places in any schedule. */
  boolean alike(int a, int b) {
    return jobs.gpus(a) == jobs.gpus(b)
        && jobs.model(a) == jobs.model(b)
        && iterations(a) == iterations(b)
        && jobs.submitSeconds(a) == jobs.submitSeconds(b);
  }

  /** The most rings that can meet a job on one server, itself included. */
  int mostRings(int job) {
    int[] others = new int[size()];
    int count = 0;
    for (int k = 0; k < size(); k++) {
      if (k != job && mayContend(k)) {
        others[count++] = jobs.gpus(k);
      }
    }
    Arrays.sort(others, 0, count);
    int left = cluster.totalGpus() - jobs.gpus(job);
    int most = 1;
    while (most <= count && most < cluster.maxServerGpus() && others[most - 1] <= left) {
      left -= others[most - 1];
      most++;
    }
    return most;
  }

  /** The sets of servers that hold a job, for clusters of few servers. */
  List<Choice> choices(int job) {
    long key = (long) jobs.gpus(job) << 32 | (jobs.model(job) + 1);
    return choices.computeIfAbsent(key, _ -> enumerated(job));
  }

  private List<Choice> enumerated(int job) {
    List<Choice> found = new ArrayList<>();
    int workers = jobs.gpus(job);
    for (int mask = 1; mask < 1 << cluster.size(); mask++) {
      int[] servers = new int[Integer.bitCount(mask)];
      int room = 0;
      for (int i = 0, s = 0; i < servers.length; s++) {
        if ((mask & (1 << s)) != 0) {
          servers[i++] = s;
          room += cluster.gpus(s);
        }
      }
      if (servers.length <= workers && workers <= room) {
        found.add(new Choice(mask, new Splits(job, servers).leastSeconds(room)));
      }
    }
    return found;
  }

  /** All ways to split a job's workers over some servers, at least one on each. */
  private final class Splits {
    private final int job;
    private final int[] servers;
    private final int[] gpus;
    private final double[] least;
    private int looked;

    Splits(int job, int[] servers) {
      this.job = job;
      this.servers = servers;
      this.gpus = new int[servers.length];
      this.least = new double[servers.length > 1 && mayContend(job) ? mostRings(job) : 1];
      Arrays.fill(least, Double.POSITIVE_INFINITY);
    }

    double[] leastSeconds(int room) {
      split(0, jobs.gpus(job), room);
      if (looked > MOST_PLACEMENTS) {
        Arrays.fill(least, time.fastestSeconds(jobs.profile(job), jobs.gpus(job)));
      }
      return least;
    }

    private void split(int at, int left, int room) {
      if (looked > MOST_PLACEMENTS) {
        return;
      }
      if (at == servers.length) {
        looked++;
        Placement placement = Placement.of(servers.clone(), gpus.clone());
        for (int p = 1; p <= least.length; p++) {
          least[p - 1] = Math.min(least[p - 1], time.seconds(jobs.profile(job), placement, p));
        }
        return;
      }
      int roomAfter = room - cluster.gpus(servers[at]);
      int most = Math.min(cluster.gpus(servers[at]), left - (servers.length - at - 1));
      for (int here = Math.max(1, left - roomAfter); here <= most; here++) {
        gpus[at] = here;
        split(at + 1, left - here, roomAfter);
      }
    }
  }
}
