package io.ringmaster.workload.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * A made-up Slurm site: jobs that come, wait in one queue where nobody overtakes and run on servers
 * with GPUs, and what sacct would print of them.
 */
final class SacctSite {
  /** The columns of the command in docs/my-cluster.md. */
  static final List<String> COLUMNS =
      List.of(
          "JobID",
          "User",
          "Partition",
          "Submit",
          "Eligible",
          "Start",
          "End",
          "ElapsedRaw",
          "State",
          "AllocTRES",
          "NodeList",
          "JobName");

  private static final int LARGE_SERVERS = 12;
  private static final int SMALL_SERVERS = 4;
  private static final long FIRST = 1_790_000_000;
  private static final int[] SIZES = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 32};
  private static final String[] NAMES = {
    "train_", "bert-ft-", "sweep-lr", "resnet_", "eval", "gan"
  };
  private static final String[] ENDS = {
    "COMPLETED", "COMPLETED", "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1001"
  };

  /** What is true of a job; a start or an end of 0 has not come yet. */
  record Job(
      String id,
      String user,
      String name,
      long submit,
      long eligible,
      long start,
      long end,
      int gpus,
      String state,
      List<String> servers) {

    /** What a reader should make of it. */
    TraceJob expected() {
      double from = Math.max(submit, eligible);
      return TraceJob.of(id, from, gpus, (double) (end - start))
          .waited(start - from)
          .by(user, name.replaceAll("[0-9]+$", ""))
          .taking(8, 32.0 * (1 << 30));
    }

    boolean kept() {
      return gpus > 0 && end > 0;
    }
  }

  final List<Job> jobs = new ArrayList<>();

  private final RandomGenerator random;
  private final int[] free = new int[LARGE_SERVERS + SMALL_SERVERS];
  private final PriorityQueue<Running> running =
      new PriorityQueue<>(Comparator.comparingLong(r -> r.end));
  private long now = FIRST;

  private static final class Running {
    private final long end;
    private final int[] taken;

    Running(long end, int[] taken) {
      this.end = end;
      this.taken = taken;
    }
  }

  /** So many jobs that are submitted in a span. */
  SacctSite(RandomGenerator random, int count, long spanSeconds) {
    this.random = random;
    for (int s = 0; s < free.length; s++) {
      free[s] = gpusOf(s);
    }
    long until = FIRST + spanSeconds;
    long[] eligible = random.longs(count, FIRST, until).sorted().toArray();
    for (int i = 0; i < count; i++) {
      jobs.add(job(Integer.toString(1000 + i), eligible[i], until));
    }
  }

  private static int gpusOf(int server) {
    return server < LARGE_SERVERS ? 8 : 4;
  }

  private static String name(int server) {
    return server < LARGE_SERVERS
        ? String.format(Locale.ROOT, "gpu%02d", server + 1)
        : "old" + (server - LARGE_SERVERS + 1);
  }

  private Job job(String number, long eligible, long until) {
    // One in twenty had to wait for something else first; one in twenty is a task of an array.
    long submit = eligible - (random.nextInt(20) == 0 ? random.nextInt(3600) : 0);
    String id = random.nextInt(20) == 0 ? number + "_" + random.nextInt(100) : number;
    String user = "u" + (1 + Math.min(random.nextInt(24), random.nextInt(24)));
    String name = NAMES[random.nextInt(NAMES.length)] + random.nextInt(30);
    int gpus = random.nextInt(10) == 0 ? 0 : SIZES[random.nextInt(SIZES.length)];
    double level = random.nextGaussian() * 1.7 + (gpus >= 8 ? 8.0 : 7.3);
    long seconds = Math.clamp(Math.round(StrictMath.exp(level)), 1, 172_800);
    if (gpus == 0) {
      return new Job(
          id,
          user,
          name,
          submit,
          eligible,
          eligible,
          eligible + seconds,
          0,
          "COMPLETED",
          List.of("login1"));
    }
    int[] taken = place(eligible, gpus);
    if (now >= until) {
      free(taken);
      return new Job(id, user, name, submit, eligible, 0, 0, gpus, "PENDING", List.of());
    }
    running.add(new Running(now + seconds, taken));
    List<String> servers = new ArrayList<>();
    for (int s = 0; s < taken.length; s++) {
      if (taken[s] > 0) {
        servers.add(name(s));
      }
    }
    boolean ended = now + seconds < until;
    String state = ended ? ENDS[random.nextInt(ENDS.length)] : "RUNNING";
    return new Job(
        id, user, name, submit, eligible, now, ended ? now + seconds : 0, gpus, state, servers);
  }

  /** Waits until there is room: nobody overtakes. */
  private int[] place(long eligible, int gpus) {
    now = Math.max(now, eligible);
    while (true) {
      while (!running.isEmpty() && running.element().end <= now) {
        free(running.remove().taken);
      }
      int[] taken = fit(gpus);
      if (taken.length > 0) {
        return taken;
      }
      now = running.element().end;
    }
  }

  private void free(int[] taken) {
    for (int s = 0; s < taken.length; s++) {
      free[s] += taken[s];
    }
  }

  /** The tightest server, or as many empty large ones as it takes; nothing if there is no room. */
  private int[] fit(int gpus) {
    int[] taken = new int[free.length];
    int each = Math.min(8, gpus);
    for (int left = gpus; left > 0; left -= each) {
      int best = -1;
      for (int s = 0; s < free.length; s++) {
        boolean fits = free[s] >= each && taken[s] == 0;
        best = fits && (best < 0 || free[s] < free[best]) ? s : best;
      }
      if (best < 0) {
        free(taken);
        return new int[0];
      }
      taken[best] = each;
      free[best] -= each;
    }
    return taken;
  }

  /** What sacct would print, seconds as with SLURM_TIME_FORMAT=%s. */
  String text(List<String> columns) {
    StringBuilder out = new StringBuilder(String.join("|", columns)).append('\n');
    for (Job job : jobs) {
      Map<String, String> row = row(job);
      out.append(String.join("|", columns.stream().map(c -> row.getOrDefault(c, "")).toList()));
      out.append('\n');
    }
    return out.toString();
  }

  private static Map<String, String> row(Job job) {
    Map<String, String> row = new LinkedHashMap<>();
    long elapsed = job.end > 0 ? job.end - job.start : 0;
    int size = Math.max(1, job.gpus);
    String tres =
        "billing=%d,cpu=%d,%smem=%dG,node=%d"
            .formatted(
                size * 8,
                size * 8,
                job.gpus == 0 ? "" : "gres/gpu=" + job.gpus + ",",
                size * 32,
                Math.max(1, job.servers.size()));
    row.put("JobID", job.id);
    row.put("JobIDRaw", job.id.replaceAll("_.*", ""));
    row.put("User", job.user);
    row.put("Partition", job.gpus > 0 ? "gpu" : "cpu");
    row.put("Submit", Long.toString(job.submit));
    row.put("Eligible", Long.toString(job.eligible));
    row.put("Start", job.start == 0 ? "Unknown" : Long.toString(job.start));
    row.put("End", job.end == 0 ? "Unknown" : Long.toString(job.end));
    row.put("ElapsedRaw", Long.toString(elapsed));
    row.put("State", job.state);
    row.put("AllocTRES", job.start == 0 ? "" : tres);
    row.put("ReqTRES", tres);
    row.put("NodeList", job.start == 0 ? "None assigned" : hosts(job.servers));
    row.put("JobName", job.name);
    row.put("Account", "lab");
    row.put("ExitCode", "0:0");
    return row;
  }

  /** Two or more servers of one kind are written with brackets. */
  private static String hosts(List<String> servers) {
    String first = servers.getFirst();
    String stem = first.replaceAll("[0-9]+$", "");
    return servers.size() == 1 || !servers.stream().allMatch(s -> s.startsWith(stem))
        ? String.join(",", servers)
        : stem
            + Arrays.toString(servers.stream().map(s -> s.substring(stem.length())).toArray())
                .replace(" ", "");
  }
}
