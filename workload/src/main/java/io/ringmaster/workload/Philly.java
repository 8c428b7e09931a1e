package io.ringmaster.workload;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Jobs like those of Microsoft's Philly clusters: Jeon, Venkataraman, Phanishayee, Qian, Xiao,
 * Yang, "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads", USENIX ATC
 * 2019. The figures below sum up 82,247 jobs of September to December 2017 from the data that the
 * authors published (msr-fiddle/philly-traces, CC-BY-4.0).
 *
 * <ul>
 *   <li>Size: the trace's own mix. Sizes that the cluster cannot hold are left out.
 *   <li>Duration: for each class of sizes a mixture of log-normals, none longer than the longest
 *       job of the class: the short ones are jobs that fail or are stopped early. By default jobs
 *       are stopped after 48 hours, as by a site's time limit, which the trace's site did not have.
 *       Otherwise a few jobs of many days hold most of the work of a week; it is then done long
 *       after the last arrival, and hardly a queue forms.
 *   <li>Arrivals: the trace's daily and weekly rhythm, from October and November. Hours with more
 *       than 90 jobs count as 90, since single users submit hundreds at once; such bursts are not
 *       generated.
 *   <li>Users: the published data names them, this summary does not. Their activity falls as
 *       1/rank, which is a choice of this project.
 *   <li>Groups: four of five jobs repeat an earlier one of the same user and size, with the same
 *       model and about the same duration: of the variance of the logarithm, a fifth is within a
 *       group. The shares are choices of this project.
 *   <li>Models: drawn for each group, evenly: up to 2 GPUs among the convolutional networks and the
 *       LSTM, up to 8 among the convolutional networks, BERT and XLNet, above 8 among BERT and the
 *       two GPT-2. The trace names none.
 * </ul>
 */
final class Philly {
  private static final int[] SIZES = {1, 2, 4, 8, 12, 16, 24, 32, 64, 128};
  private static final double[] SIZE_COUNTS = {76627, 1818, 1870, 1643, 7, 199, 7, 67, 6, 3};

  /** One part of a mixture of log-normals. */
  private record Part(double weight, double medianSeconds, double sigma) {}

  /** How long the jobs of a class run. */
  private static final class Durations {
    private final double longestSeconds;
    private final List<Part> parts;
    private final double[] cumulative;

    Durations(double longestSeconds, Part... parts) {
      this.longestSeconds = longestSeconds;
      this.parts = List.of(parts);
      cumulative = Draws.cumulative(this.parts.stream().mapToDouble(Part::weight).toArray());
    }
  }

  private static final Durations ABOVE_8 =
      new Durations(1_711_000, new Part(0.504, 550, 2.32), new Part(0.496, 111_500, 0.987));

  /** By index of the size; from the fifth on all are {@link #ABOVE_8}. */
  private static final List<Durations> DURATIONS =
      List.of(
          new Durations(
              3_256_000,
              new Part(0.268, 66, 0.267),
              new Part(0.608, 1515, 1.019),
              new Part(0.124, 11_753, 1.79)),
          new Durations(
              2_583_000,
              new Part(0.644, 18.1, 0.344),
              new Part(0.184, 43.8, 1.453),
              new Part(0.172, 88_980, 1.241)),
          new Durations(2_751_000, new Part(0.325, 276, 1.32), new Part(0.675, 48_240, 1.398)),
          new Durations(4_628_000, new Part(0.692, 4919, 2.6), new Part(0.308, 208_500, 0.632)),
          ABOVE_8);

  /** GPU-seconds of the mean job of the whole mix, if none is stopped. */
  private static final double MEAN_WORK = 42_800;

  private static final double MEAN_GPUS = 1.3;

  private static final Rhythm RHYTHM =
      new Rhythm(
          new double[] {
            1.16, 0.94, 1.07, 1.01, 0.78, 1.18, 1.45, 1.43, 1.08, 1.03, 1.01, 0.81,
            0.77, 0.77, 0.62, 0.76, 0.94, 0.94, 1.00, 0.90, 1.04, 1.01, 1.17, 1.14
          },
          new double[] {0.91, 1.14, 1.19, 1.28, 1.20, 0.72, 0.56});

  private static final double REPEATS = 0.8;
  private static final double GROUP_SHARE = 0.8;

  /** How many of its latest groups a user may come back to, for each size. */
  private static final int RECENT = 4;

  private static final double DEFAULT_DAYS = 7;
  private static final double DAY_SECONDS = 86_400;
  private static final double HOUR_SECONDS = 3600;
  private static final int MOST_JOBS = 20_000_000;
  private static final int MOST_LEFT_OUT = 10_000;
  private static final double RESTART_SECONDS = 10;

  static final Generator GENERATOR =
      new Generator(
          "philly",
          "Sizes, durations and daily rhythm of Microsoft's Philly clusters; by default a week on"
              + " 64 servers of 8 GPUs.",
          "Jeon et al., Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training"
              + " Workloads, USENIX ATC 2019; data msr-fiddle/philly-traces, CC-BY-4.0",
          List.of(
              Parameter.whole("jobs", 0, 0, MOST_JOBS)
                  .saying("how many; 0: as many as the days take at the load"),
              Parameter.number("days", 0, 0, 3650)
                  .saying("span of the arrivals; 0: a week, or what the jobs take at the load"),
              Parameter.number("load", 1, 0.01, 100)
                  .saying("GPU-seconds submitted over GPU-seconds there are in the span"),
              Parameter.number("longest", 48, 0, 10_000)
                  .saying("hours after which a job is stopped; 0: never, the longest take weeks"),
              Parameter.whole("servers", 64, 1, 1_000_000).saying("servers of the cluster"),
              Parameter.whole("gpus", 8, 1, 1024).saying("GPUs of each server"),
              Parameter.choice("network", "contention", "reserved", "none")
                  .saying("the cluster's network model"),
              Parameter.whole("elastic", 1, 1, 1024)
                  .saying(
                      "jobs may have so many times fewer or more workers than they ask for; 1: they"
                          + " are rigid"),
              Parameter.whole("users", 300, 1, 100_000).saying("users who submit")),
          Philly::generate);

  private Philly() {}

  private static Generated generate(Settings settings, long seed) {
    Cluster cluster = cluster(settings);
    double capacity = cluster.totalGpus() * settings.number("load");
    int count = settings.whole("jobs");
    double days = settings.number("days");
    if (count > 0 && days > 0) {
      throw new BadInput(
          "generator philly: set jobs or days, not both: the other follows from the load");
    }
    double targetDays = days == 0 ? DEFAULT_DAYS : days;
    double target = count > 0 ? Double.POSITIVE_INFINITY : targetDays * DAY_SECONDS * capacity;
    double longest = settings.number("longest");
    double stopSeconds = longest == 0 ? Double.POSITIVE_INFINITY : longest * HOUR_SECONDS;
    if (count == 0) {
      double atLeast = target / Math.min(MEAN_WORK, Math.max(1, stopSeconds) * MEAN_GPUS);
      refuseTooMany(Math.round(atLeast));
    }
    Attributes drawn =
        new Attributes(cluster.totalGpus(), settings.whole("users"), stopSeconds, seed);
    // One more than allowed, to tell whether they are enough.
    drawn.draw(count > 0 ? count : MOST_JOBS + 1, target);
    refuseTooMany(drawn.count);
    double span = count > 0 ? drawn.work / capacity : targetDays * DAY_SECONDS;
    double[] submits = RHYTHM.times(drawn.count, span, new Draws(seed, 1));
    return new Generated(drawn.jobs(submits, settings.whole("elastic")), cluster);
  }

  private static void refuseTooMany(long jobs) {
    if (jobs > MOST_JOBS) {
      throw new BadInput(
          ("generator philly: these days, load, GPUs and longest job take at least %d jobs;"
                  + " expected at most %d")
              .formatted(jobs, MOST_JOBS));
    }
  }

  private static Cluster cluster(Settings settings) {
    int servers = settings.whole("servers");
    int gpus = settings.whole("gpus");
    if ((long) servers * gpus > JobRows.MOST_GPUS) {
      throw new BadInput(
          "generator philly: %d servers of %d GPUs are more than %d GPUs"
              .formatted(servers, gpus, JobRows.MOST_GPUS));
    }
    Network network =
        switch (settings.text("network")) {
          case "reserved" -> Network.Contention.USUAL.reserving(0);
          case "none" -> Network.None.USUAL;
          default -> Network.Contention.USUAL;
        };
    return Cluster.uniform(servers, gpus, network, RESTART_SECONDS);
  }

  /** All of the jobs but their times, in order of submission. */
  private static final class Attributes {
    private final Draws draws;
    private final double[] sizes;
    private final double[] users;
    private final double stopSeconds;
    private final int[] recent;
    private final int[] recentCount;

    private int groups;
    private int[] groupUser = new int[1 << 10];
    private int[] groupSize = new int[1 << 10];
    private int[] groupPart = new int[1 << 10];
    private int[] groupModel = new int[1 << 10];
    private double[] groupLevel = new double[1 << 10];

    private int count;
    private double work;
    private int[] group = new int[1 << 12];
    private double[] seconds = new double[1 << 12];

    Attributes(int totalGpus, int userCount, double stopSeconds, long seed) {
      draws = new Draws(seed, 0);
      this.stopSeconds = stopSeconds;
      int fitting = (int) IntStream.of(SIZES).filter(s -> s <= totalGpus).count();
      sizes = Draws.cumulative(Arrays.copyOf(SIZE_COUNTS, fitting));
      users =
          Draws.cumulative(IntStream.range(0, userCount).mapToDouble(u -> 1.0 / (u + 1)).toArray());
      recent = new int[userCount * SIZES.length * RECENT];
      recentCount = new int[userCount * SIZES.length];
    }

    /**
     * Draws jobs until there are enough, or their work is within 1 % of a target. A job that would
     * take it further beyond is left out: one of the longest can be a tenth of a week's work.
     */
    void draw(int most, double targetWork) {
      int leftOut = 0;
      while (count < most && work < 0.99 * targetWork) {
        int size = draws.index(sizes);
        int user = draws.index(users);
        int from = groupOf(user, size);
        double duration = duration(from);
        double after = work + duration * SIZES[size];
        if (after > 1.01 * targetWork && leftOut++ < MOST_LEFT_OUT) {
          continue;
        }
        group = Grow.ensure(group, count + 1);
        seconds = Grow.ensure(seconds, count + 1);
        group[count] = from;
        seconds[count] = duration;
        work = after;
        count++;
      }
    }

    private int groupOf(int user, int size) {
      int cell = user * SIZES.length + size;
      int known = Math.min(recentCount[cell], RECENT);
      if (known > 0 && draws.uniform() < REPEATS) {
        return recent[cell * RECENT + draws.below(known)];
      }
      recent[cell * RECENT + recentCount[cell] % RECENT] = groups;
      recentCount[cell]++;
      return newGroup(user, size);
    }

    private int newGroup(int user, int size) {
      groupUser = Grow.ensure(groupUser, groups + 1);
      groupSize = Grow.ensure(groupSize, groups + 1);
      groupPart = Grow.ensure(groupPart, groups + 1);
      groupModel = Grow.ensure(groupModel, groups + 1);
      groupLevel = Grow.ensure(groupLevel, groups + 1);
      Durations durations = durations(size);
      groupUser[groups] = user;
      groupSize[groups] = size;
      groupPart[groups] = draws.index(durations.cumulative);
      groupModel[groups] = draws.below(models(size).size());
      Part part = durations.parts.get(groupPart[groups]);
      double level;
      do {
        level = draws.normal();
      } while (seconds(part, level) > durations.longestSeconds);
      groupLevel[groups] = level;
      return groups++;
    }

    /**
     * Whole seconds. What is longer than the longest job of the trace is drawn again. A stopped job
     * is not: most draws of a long group would be in vain, and the draws after it stay the same.
     */
    private double duration(int from) {
      Durations durations = durations(groupSize[from]);
      Part part = durations.parts.get(groupPart[from]);
      double shared = Math.sqrt(GROUP_SHARE) * groupLevel[from];
      double drawn;
      do {
        drawn = seconds(part, shared + Math.sqrt(1 - GROUP_SHARE) * draws.normal());
      } while (drawn > durations.longestSeconds);
      return Math.max(1, Math.rint(Math.min(drawn, stopSeconds)));
    }

    private static double seconds(Part part, double level) {
      return part.medianSeconds * StrictMath.exp(part.sigma * level);
    }

    private static Durations durations(int size) {
      return DURATIONS.get(Math.min(size, DURATIONS.size() - 1));
    }

    private static List<String> models(int size) {
      return ModelMix.of(SIZES[size]);
    }

    Jobs jobs(double[] submits, int elastic) {
      JobsBuilder jobs = Jobs.builder(ModelTable.standard());
      String[] userNames = new String[recentCount.length / SIZES.length];
      String[] groupNames = new String[groups];
      for (int i = 0; i < userNames.length; i++) {
        userNames[i] = numbered('u', i + 1, 4);
      }
      for (int i = 0; i < groups; i++) {
        groupNames[i] = numbered('g', i + 1, 6);
      }
      for (int i = 0; i < count; i++) {
        int from = group[i];
        int size = SIZES[groupSize[from]];
        // To the millisecond: short to write, and read back as it is.
        double submit = Math.rint(submits[i] * 1000) / 1000;
        jobs.add(
            numbered('j', i + 1, 7),
            submit,
            size,
            Math.ceilDiv(size, elastic),
            (int) Math.min(JobRows.MOST_GPUS, (long) size * elastic),
            seconds[i],
            true,
            models(groupSize[from]).get(groupModel[from]),
            userNames[groupUser[from]],
            groupNames[from]);
      }
      return jobs.build();
    }
  }

  /** A letter and a number, with zeros in front. */
  static String numbered(char letter, int number, int digits) {
    String text = Integer.toString(number);
    return letter + "0".repeat(Math.max(0, digits - text.length())) + text;
  }
}
