package io.ringmaster.bench;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Ledger;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Free GPUs of a nearly full cluster: the oldest job ends, and a job starts where it fits best. */
public class FreeServersBenchmark extends ShortBenchmark {
  private static final int GPUS = 8;

  @Param({"250", "12500"})
  public int servers;

  private int jobs;
  private int[] gpus = new int[0];
  private int oldest;
  private Ledger ledger = ledger(1, 1);

  private static Ledger ledger(int serverCount, int jobCount) {
    Cluster cluster = Cluster.uniform(serverCount, GPUS, Network.None.USUAL, 0);
    return new Ledger("bench", cluster, new AnyGang(), jobCount);
  }

  private record AnyGang() implements Ledger.Gangs {
    @Override
    public int minGpus(int job) {
      return 1;
    }

    @Override
    public int maxGpus(int job) {
      return GPUS;
    }

    @Override
    public Demand demand(int job) {
      return Demand.NONE;
    }

    @Override
    public String id(int job) {
      return Integer.toString(job);
    }
  }

  @Setup
  public void fill() {
    // 1.875 GPUs a job: 15 of 16 GPUs are taken, so a whole server is seldom free but often asked.
    jobs = servers * 4;
    SplittableRandom random = new SplittableRandom(Workloads.SEED);
    gpus = new int[jobs];
    ledger = ledger(servers, jobs);
    for (int job = 0; job < jobs; job++) {
      gpus[job] = size(random.nextInt(16));
      ledger.submit(job);
      start(job);
    }
  }

  /** 10 of 16 take 1 GPU, 3 take 2, 2 take 4 and 1 takes 6. */
  private static int size(int draw) {
    return draw < 10 ? 1 : draw < 13 ? 2 : draw < 15 ? 4 : 6;
  }

  private void start(int job) {
    ledger.open(0);
    int server = ledger.free().bestFit(gpus[job]);
    if (server >= 0) {
      ledger.start(job, Placement.on(server, gpus[job]));
    }
  }

  @Benchmark
  public int endAndStart() {
    int job = oldest;
    oldest = job + 1 == jobs ? 0 : job + 1;
    if (ledger.running(job)) {
      ledger.end(job);
      ledger.submit(job);
    }
    // Another size than before, or it would take the same place again.
    int other = gpus[oldest];
    gpus[oldest] = gpus[job];
    gpus[job] = other;
    start(job);
    return ledger.free().total();
  }
}
