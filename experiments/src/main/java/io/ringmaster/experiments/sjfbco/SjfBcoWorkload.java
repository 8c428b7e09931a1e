package io.ringmaster.experiments.sjfbco;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.workload.BatchOf160;
import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One random workload of the experiment (section 7 of arXiv 2207.07817), in slots; a slot is a
 * second of the simulator.
 *
 * <p>From the paper: the sizes of 160 jobs; iterations evenly from 1000 to 6000; an iteration takes
 * 0.01 to 0.05 slot and a job 50 to 300; servers of 4, 8, 16 or 32 GPUs, evenly; contention and
 * overhead add at most a cap, 15 %, to a job's time; xi1 = 1.
 *
 * <p>Choices, where the paper is silent. The execution time is drawn evenly from 50 to 300, and
 * iterations until their time is in its range. The exchange of a ring that crosses servers alone
 * takes a third of the cap, in f(alpha, k) with alpha = 0.2 and k = p: so two rings on a server
 * cost each almost three quarters of the cap, and three reach it. The overhead of each server
 * further is a thirtieth of the cap of an average iteration. Ten servers are the first ten of
 * twenty.
 */
final class SjfBcoWorkload {
  private static final int[] SERVER_GPUS = {4, 8, 16, 32};
  private static final int MOST_SERVERS = 20;
  private static final int FEWEST_ITERATIONS = 1000;
  private static final int MOST_ITERATIONS = 6000;
  private static final double SHORTEST_ITERATION = 0.01;
  private static final double LONGEST_ITERATION = 0.05;
  private static final double SHORTEST = 50;
  private static final double LONGEST = 300;
  private static final double ALPHA = 0.2;
  private static final double EXCHANGE_OF_CAP = 1.0 / 3;
  private static final double OVERHEAD_OF_CAP = 1.0 / 30;

  /** Not a part of any iteration's time. */
  private static final double ENDLESS = 1e30;

  private final List<Integer> sizes;
  private final int[] iterations;
  private final double[] slots;
  private final int[] serverGpus;

  SjfBcoWorkload(long seed) {
    Draws jobs = new Draws(seed, 0);
    sizes = BatchOf160.shuffled(jobs);
    iterations = new int[sizes.size()];
    slots = new double[sizes.size()];
    for (int i = 0; i < iterations.length; i++) {
      slots[i] = SHORTEST + (LONGEST - SHORTEST) * jobs.uniform();
      double iteration;
      do {
        iterations[i] = FEWEST_ITERATIONS + jobs.below(MOST_ITERATIONS - FEWEST_ITERATIONS + 1);
        iteration = slots[i] / iterations[i];
      } while (iteration < SHORTEST_ITERATION || iteration > LONGEST_ITERATION);
    }
    Draws servers = new Draws(seed, 1);
    serverGpus = new int[MOST_SERVERS];
    for (int s = 0; s < serverGpus.length; s++) {
      serverGpus[s] = SERVER_GPUS[servers.below(SERVER_GPUS.length)];
    }
  }

  private static double overhead(double cap) {
    return cap * OVERHEAD_OF_CAP * (SHORTEST_ITERATION + LONGEST_ITERATION) / 2;
  }

  /** Rings contend; crossing servers adds at most a share of an iteration. */
  static Network network(double cap) {
    return new Network.Contention(new RingTerms(1, ALPHA, overhead(cap), ENDLESS, cap, 1));
  }

  Cluster cluster(int count, Network network) {
    List<Server> servers = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      servers.add(new Server(Cluster.serverName(s), serverGpus[s], "gpu", "rack", 1, ENDLESS));
    }
    return new Cluster("sjf-bco", servers, network, 0);
  }

  /**
   * Every job trains a model of its own: its gradient takes its share of the cap on a free link.
   */
  Jobs jobs(double cap) {
    List<ModelProfile> profiles = new ArrayList<>();
    for (int i = 0; i < iterations.length; i++) {
      double iteration = slots[i] / iterations[i];
      int workers = sizes.get(i);
      double exchange = cap * EXCHANGE_OF_CAP * iteration;
      double bytes = workers == 1 ? 0 : exchange * workers / (2 * (workers - 1));
      profiles.add(new ModelProfile(id(i), bytes, 1, iteration - overhead(cap), 0, "drawn"));
    }
    JobsBuilder jobs = Jobs.builder(ModelTable.standard().with(profiles));
    for (int i = 0; i < iterations.length; i++) {
      jobs.addIterations(id(i), 0, sizes.get(i), iterations[i], id(i));
    }
    return jobs.build();
  }

  private static String id(int i) {
    return String.format(Locale.ROOT, "j%03d", i + 1);
  }
}
