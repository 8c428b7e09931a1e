package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Jobs with data and pipeline parallelism, most of which recur, for the setting of Luo, Liu, Lee,
 * Shroff, "Prediction-Assisted Online Distributed Deep Learning Workload Scheduling in GPU
 * Clusters", INFOCOM 2025 (arXiv 2501.05563). The paper draws from a public trace; its numbers were
 * not to hand. The mix is a choice of this project:
 *
 * <ul>
 *   <li>Groups: 65 % of jobs are from groups that recur, exactly. The sizes of groups follow Zipf's
 *       law: size k has a chance in proportion to 1/k^2, from 2 to 100, so that the r-th largest
 *       group has about 1/r of the jobs of the largest. The other jobs are groups of one. The jobs
 *       of a group are spread over the whole span.
 *   <li>Duration: log-normal, median 10 minutes, sigma 1.6. A recurring group has a median of its
 *       own; around it, its jobs have sigma {@code spread}, and medians have what makes up 1.6
 *       together. Nothing is below a minute or above {@code longest}: what is drawn beyond is set
 *       to the limit, which leaves the median as it is.
 *   <li>GPUs: 1, 2, 4, 8, 16 or 32 with the chances below; those that the cluster cannot hold are
 *       left out.
 *   <li>Models, evenly: up to 2 GPUs among the convolutional networks, up to 8 also BERT and XLNet,
 *       above 8 the two GPT-2.
 *   <li>Stages, evenly among those that divide the GPUs: 1 or 2 for convolutional networks, 2 to 4
 *       for BERT and XLNet, 4 to 8 for GPT-2. All stages have the same number of replicas.
 *   <li>Users: each group belongs to one; their activity falls as 1/rank. The group alone tells of
 *       a length: user, model and GPUs tell nothing more.
 *   <li>Arrivals: a Poisson process, given that all jobs come in the span that makes the offered
 *       load exact: GPU-seconds of all jobs in ideal places over GPUs times span.
 * </ul>
 *
 * <p>A seed gives the same jobs in the same order at every load, bandwidth and longest job; only
 * the scale of time and the cut differ.
 */
final class ASrptMix {
  private static final int[] SIZES = {1, 2, 4, 8, 16, 32};
  private static final double[] SIZE_SHARES = {0.5, 0.09, 0.16, 0.19, 0.05, 0.01};

  private static final double MEDIAN_SECONDS = 600;
  private static final double SIGMA = 1.6;
  private static final double SHORTEST_SECONDS = 60;
  private static final double HOUR_SECONDS = 3600;

  private static final int LARGEST_GROUP = 100;
  private static final int MOST_JOBS = 5_000_000;
  private static final double RESTART_SECONDS = 10;
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;

  /** A model, and how many stages it is cut into. */
  private record Kind(String model, int fewestStages, int mostStages) {
    /** What it may be cut into on so many GPUs. */
    List<Integer> stages(int gpus) {
      return IntStream.rangeClosed(fewestStages, mostStages)
          .filter(s -> gpus % s == 0)
          .boxed()
          .toList();
    }
  }

  private static final List<Kind> SMALL =
      List.of(new Kind("vgg19", 1, 2), new Kind("resnet152", 1, 2), new Kind("inception-v3", 1, 2));
  private static final List<Kind> MIDDLE =
      List.of(
          SMALL.get(0),
          SMALL.get(1),
          SMALL.get(2),
          new Kind("bert-large", 2, 4),
          new Kind("xlnet-large", 2, 4));
  private static final List<Kind> LARGE =
      List.of(new Kind("gpt2-medium", 4, 8), new Kind("gpt2-xl", 4, 8));

  static final Generator GENERATOR =
      new Generator(
          "a-srpt",
          "Jobs with pipeline stages, 65 % of them from groups that recur; by default 4,000 on 32"
              + " servers of 8 GPUs.",
          "a mix of this project for the setting of A-SRPT, Luo, Liu, Lee, Shroff, INFOCOM 2025"
              + " (arXiv 2501.05563), whose own numbers were not to hand",
          List.of(
              Parameter.whole("jobs", 4000, 1, MOST_JOBS).saying("how many"),
              Parameter.number("load", 0.9, 0.01, 100)
                  .saying("GPU-seconds submitted over GPU-seconds there are in the span"),
              Parameter.number("recurring", 0.65, 0, 1)
                  .saying("share of the jobs that are of recurring groups"),
              Parameter.number("spread", 0.3, 0, SIGMA)
                  .saying("sigma of the log-normal durations within a recurring group"),
              Parameter.number("longest", 24, 0.02, 10_000)
                  .saying("hours after which a job is stopped"),
              Parameter.whole("users", 100, 1, 100_000).saying("users who submit"),
              Parameter.whole("servers", 32, 1, 1_000_000).saying("servers of the cluster"),
              Parameter.whole("gpus", 8, 1, 1024).saying("GPUs of each server"),
              Parameter.number("bandwidth", 25, 0.001, 1_000_000)
                  .saying("link of each server, Gbit/s"),
              Parameter.number("intra", 300, 0.001, 1_000_000)
                  .saying("bandwidth between the GPUs of a server, GB/s")),
          ASrptMix::generate);

  private ASrptMix() {}

  private static Generated generate(Settings settings, long seed) {
    Cluster cluster = cluster(settings);
    int count = settings.whole("jobs");
    int recurring = (int) Math.rint(settings.number("recurring") * count);
    Groups groups =
        new Groups(
            cluster.totalGpus(),
            settings.whole("users"),
            settings.number("spread"),
            new Draws(seed, 0));
    List<Drawn> drawn = groups.draw(count, recurring);
    // A name that follows from the order of drawing would tell how large a group is.
    Collections.sort(drawn, (a, b) -> Double.compare(a.order, b.order));
    double longest = settings.number("longest") * HOUR_SECONDS;
    double[] seconds = drawn.stream().mapToDouble(d -> d.seconds(longest)).toArray();
    double work = 0;
    for (int i = 0; i < count; i++) {
      work += seconds[i] * drawn.get(i).group.gpus;
    }
    double span = work / (cluster.totalGpus() * settings.number("load"));
    return new Generated(jobs(drawn, seconds, submits(count, span, seed)), cluster);
  }

  /** Of a Poisson process with a given number of arrivals, these are evenly spread. */
  private static double[] submits(int count, double span, long seed) {
    Draws draws = new Draws(seed, 1);
    double[] parts = IntStream.range(0, count).mapToDouble(_ -> draws.uniform()).sorted().toArray();
    // To the millisecond: short to write, and read back as it is.
    return Arrays.stream(parts).map(part -> Math.rint(part * span * 1000) / 1000).toArray();
  }

  private static Cluster cluster(Settings settings) {
    int count = settings.whole("servers");
    int gpus = settings.whole("gpus");
    if ((long) count * gpus > JobRows.MOST_GPUS) {
      throw new BadInput(
          "generator a-srpt: %d servers of %d GPUs are more than %d GPUs"
              .formatted(count, gpus, JobRows.MOST_GPUS));
    }
    double nic = settings.number("bandwidth") * BYTES_PER_GIGABIT;
    double intra = settings.number("intra") * 1e9;
    List<Server> servers =
        IntStream.range(0, count)
            .mapToObj(i -> new Server(Cluster.serverName(i), gpus, "v100", "r1", nic, intra))
            .toList();
    return new Cluster(
        "a-srpt", servers, Network.Contention.USUAL.sharing(Pipelining.STEADY), RESTART_SECONDS);
  }

  private static Jobs jobs(List<Drawn> drawn, double[] seconds, double[] submits) {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    int named = 0;
    for (int i = 0; i < seconds.length; i++) {
      Group group = drawn.get(i).group;
      if (group.name.isEmpty()) {
        group.name = Philly.numbered('g', ++named, 6);
      }
      jobs.add(
          Philly.numbered('j', i + 1, 7),
          submits[i],
          group.gpus,
          group.gpus,
          group.gpus,
          seconds[i],
          true,
          group.kind.model,
          Philly.numbered('u', group.user + 1, 4),
          group.name);
      if (group.stages > 1) {
        jobs.staged(new Replicas(Collections.nCopies(group.stages, group.gpus / group.stages)));
      }
    }
    return jobs.build();
  }

  private static final class Group {
    private final int user;
    private final int gpus;
    private final Kind kind;
    private final int stages;

    /** Logarithm of its median duration. */
    private final double level;

    private String name = "";

    private Group(int user, int gpus, Kind kind, int stages, double level) {
      this.user = user;
      this.gpus = gpus;
      this.kind = kind;
      this.stages = stages;
      this.level = level;
    }
  }

  /**
   * A job.
   *
   * @param offset of the logarithm of its duration, from its group's
   * @param order jobs come in the order of these
   */
  private record Drawn(Group group, double offset, double order) {
    /** Whole seconds. */
    double seconds(double longest) {
      double seconds = Math.rint(StrictMath.exp(group.level + offset));
      return Math.max(Math.min(SHORTEST_SECONDS, longest), Math.min(seconds, longest));
    }
  }

  /** Draws groups and their jobs, in a fixed order. */
  private static final class Groups {
    private final double[] sizes;
    private final double[] users;
    private final double[] groupSizes;
    private final double spread;
    private final Draws draws;

    Groups(int totalGpus, int userCount, double spread, Draws draws) {
      int fitting = (int) IntStream.of(SIZES).filter(s -> s <= totalGpus).count();
      this.sizes = Draws.cumulative(Arrays.copyOf(SIZE_SHARES, fitting));
      this.users =
          Draws.cumulative(
              IntStream.rangeClosed(1, userCount).mapToDouble(rank -> 1.0 / rank).toArray());
      this.groupSizes =
          Draws.cumulative(
              IntStream.rangeClosed(2, LARGEST_GROUP)
                  .mapToDouble(k -> 1.0 / ((double) k * k))
                  .toArray());
      this.spread = spread;
      this.draws = draws;
    }

    List<Drawn> draw(int count, int recurring) {
      List<Drawn> drawn = new ArrayList<>(count);
      double levels = StrictMath.sqrt(SIGMA * SIGMA - spread * spread);
      while (drawn.size() < recurring) {
        int left = recurring - drawn.size();
        int size = Math.min(left, 2 + draws.index(groupSizes));
        add(drawn, group(levels), left - size == 1 ? left : size, spread);
      }
      while (drawn.size() < count) {
        add(drawn, group(SIGMA), 1, 0);
      }
      return drawn;
    }

    private void add(List<Drawn> drawn, Group group, int size, double sigma) {
      for (int i = 0; i < size; i++) {
        drawn.add(new Drawn(group, sigma * draws.normal(), draws.uniform()));
      }
    }

    private Group group(double sigma) {
      int user = draws.index(users);
      int gpus = SIZES[draws.index(sizes)];
      List<Kind> kinds = gpus <= 2 ? SMALL : gpus <= 8 ? MIDDLE : LARGE;
      Kind kind = kinds.get(draws.below(kinds.size()));
      List<Integer> stages = kind.stages(gpus);
      double level = StrictMath.log(MEDIAN_SECONDS) + sigma * draws.normal();
      return new Group(user, gpus, kind, stages.get(draws.below(stages.size())), level);
    }
  }
}
