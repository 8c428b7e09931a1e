package io.ringmaster.simulator;

import io.ringmaster.model.AllReduceCost;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.RingTerms;
import io.ringmaster.model.Server;
import io.ringmaster.policy.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random clusters and jobs, so small that every corner and many ties are met. */
final class Workloads {
  private static final List<String> MODELS = List.of("", "vgg16", "resnet50", "gpt2-medium");

  private Workloads() {}

  /** One to six servers with one to eight GPUs, links that differ. */
  static Cluster cluster(RandomGenerator random, Network network, double restartSeconds) {
    List<Server> servers = new ArrayList<>();
    int count = random.nextInt(1, 7);
    for (int s = 0; s < count; s++) {
      double nic = random.nextInt(1, 4) * 10e9 / 8;
      double intra = random.nextInt(1, 4) * 100e9 / 8;
      int gpus = random.nextInt(1, 9);
      servers.add(new Server(Cluster.serverName(s), gpus, "v100", "r1", nic, intra));
    }
    return new Cluster("random", servers, network, restartSeconds);
  }

  /** A network with any of the documented parameters. */
  static Network contention(RandomGenerator random) {
    return new Network.Contention(
        new RingTerms(
            random.nextInt(1, 5) / 4.0,
            random.nextInt(0, 4) / 4.0,
            random.nextInt(0, 3) * 0.01,
            100e9));
  }

  /** A network where rings feel each other, of each kind in turn. */
  static Network sharing(RandomGenerator random, long seed) {
    Network whole = contention(random);
    return switch ((int) (seed % 4)) {
      case 0 -> whole;
      case 1 -> new Network.Shifted(whole.terms(), Network.Shifted.USUAL_SLACK);
      case 2 -> new Network.Priority(whole.terms());
      default -> new Network.Transmit(whole.terms());
    };
  }

  /** A network of any kind, in turn. */
  static Network network(RandomGenerator random, long seed) {
    Network shared = contention(random);
    RingTerms terms = shared.terms();
    return switch ((int) (seed % 6)) {
      case 0 -> Network.None.USUAL;
      case 1 -> shared.reserving(0);
      case 2 -> new Network.Measured(terms, AllReduceCost.TEN_GIGABIT);
      case 3 ->
          new Network.Contention(
              new RingTerms(
                  terms.xi1(),
                  terms.alpha(),
                  terms.overheadSeconds(),
                  terms.reduceBytesPerSecond(),
                  random.nextDouble(),
                  0));
      case 4 -> new Network.Transmit(terms);
      default -> shared;
    };
  }

  /** Up to half the cluster mostly, now and then all of it. */
  static int gpus(RandomGenerator random, Cluster cluster) {
    int total = cluster.totalGpus();
    return random.nextInt(5) == 0
        ? random.nextInt(1, total + 1)
        : random.nextInt(1, Math.max(1, total / 2) + 1);
  }

  /**
   * Adds a job of which so many workers fit, mostly a small one. An elastic one may take more than
   * there are.
   */
  static JobsBuilder addFitting(
      JobsBuilder builder,
      RandomGenerator random,
      Cluster cluster,
      int most,
      String model,
      boolean elastic) {
    int gpus = random.nextInt(1, random.nextInt(4) == 0 ? most + 1 : Math.min(most, 4) + 1);
    boolean stretches = elastic && random.nextBoolean();
    return builder.add(
        "j" + builder.size(),
        random.nextInt(300),
        gpus,
        stretches ? random.nextInt(1, gpus + 1) : gpus,
        stretches ? random.nextInt(gpus, 2 * cluster.totalGpus() + 1) : gpus,
        1 + 2000 * random.nextDouble(),
        random.nextBoolean(),
        model,
        random.nextInt(3) == 0 ? "" : "u" + random.nextInt(3),
        "");
  }

  /** Rigid jobs without communication, at whole seconds, with many equal lengths. */
  static Jobs whole(RandomGenerator random, Cluster cluster, int count) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    int span = random.nextInt(1, 60);
    int longest = random.nextInt(1, 25);
    for (int i = 0; i < count; i++) {
      int submit = random.nextInt(span);
      builder.addDuration(
          "j" + i, submit, gpus(random, cluster), random.nextInt(1, longest + 1), "");
    }
    return builder.build();
  }

  /** Rigid jobs without communication, at whole seconds, with hardly ever two alike. */
  static Jobs distinct(RandomGenerator random, Cluster cluster, int count) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < count; i++) {
      int submit = random.nextInt(count * 20_000);
      builder.addDuration("j" + i, submit, gpus(random, cluster), random.nextInt(1, 100_000), "");
    }
    return builder.build();
  }

  /** Jobs of all kinds: models or none, durations or iterations, users, groups, elastic or not. */
  static Jobs mixed(RandomGenerator random, Cluster cluster, int count, boolean elastic) {
    return mixed(random, cluster, count, elastic, Demand.NONE);
  }

  /** The same where every worker takes so much beside its GPU. */
  static Jobs mixed(
      RandomGenerator random, Cluster cluster, int count, boolean elastic, Demand each) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    int span = random.nextInt(1, 300);
    for (int i = 0; i < count; i++) {
      int gpus = gpus(random, cluster);
      boolean stretches = elastic && random.nextBoolean();
      int least = stretches ? random.nextInt(1, gpus + 1) : gpus;
      int most = stretches ? random.nextInt(gpus, cluster.totalGpus() + 3) : gpus;
      boolean duration = random.nextBoolean();
      builder
          .add(
              "j" + i,
              random.nextInt(span),
              gpus,
              least,
              most,
              duration ? 1 + 100 * random.nextDouble() : random.nextInt(1, 300),
              duration,
              MODELS.get(random.nextInt(MODELS.size())),
              random.nextInt(3) == 0 ? "" : "u" + random.nextInt(3),
              random.nextInt(3) == 0 ? "" : "g" + random.nextInt(4))
          .asking(each);
    }
    return builder.build();
  }

  /** Jobs that end no later than {@code noise:1} estimates: names are tried until it is so. */
  static Jobs overestimated(RandomGenerator random, Cluster cluster, int count, long seed) {
    Jobs plain = whole(random, cluster, count);
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < count; job++) {
      for (int attempt = 0; ; attempt++) {
        String id = "j" + job + "-" + attempt;
        Jobs one =
            Jobs.builder(ModelTable.standard())
                .addDuration(id, 0, plain.gpus(job), plain.work(job), "")
                .build();
        if (noisy(one, cluster, 0, seed) >= plain.work(job)) {
          builder.addDuration(id, plain.submitSeconds(job), plain.gpus(job), plain.work(job), "");
          break;
        }
      }
    }
    return builder.build();
  }

  /** The length that a policy is told under {@code noise:1}. */
  static double noisy(Jobs jobs, Cluster cluster, int job, long seed) {
    Estimates told = new Estimates(jobs, Lengths.of(jobs, cluster), new Estimate.Noise(1), seed);
    told.arrive(job, 0);
    return told.seconds(job);
  }

  /** The jobs, one a line, for messages. */
  static String describe(Cluster cluster, Jobs jobs) {
    StringBuilder text = new StringBuilder(cluster.totalGpus() + " GPUs; submit, GPUs, seconds:");
    for (int job = 0; job < jobs.size(); job++) {
      text.append(
          "%n%d: %s %d %s".formatted(job, jobs.submitSeconds(job), jobs.gpus(job), jobs.work(job)));
    }
    return text.toString();
  }
}
