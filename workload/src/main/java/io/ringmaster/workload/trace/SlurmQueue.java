package io.ringmaster.workload.trace;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts the jobs of a live queue where they are, and says where those that wait may go.
 *
 * <p>Slurm tells how many GPUs are held on each node, but of a job only how many it asked for: what
 * a job with {@code --gpus} holds on each of its nodes is what others leave unexplained. What stays
 * unexplained is held by jobs that this user may not see.
 */
final class SlurmQueue {
  /** Jobs of a higher tier go first, whatever their priority: Slurm's are below this. */
  private static final double TIER = 1L << 33;

  private static final int MOST_NAMED = 4;

  private final SlurmServers servers;
  private final Map<String, String> config;
  private final double nowSeconds;
  private final boolean countsMemory;
  private final List<String> notes = new ArrayList<>();

  /** GPUs of each node that no job explains yet. */
  private final Map<String, Integer> unexplained = new LinkedHashMap<>();

  SlurmQueue(SlurmServers servers, Map<String, String> config, double nowSeconds) {
    this.servers = servers;
    this.config = config;
    this.nowSeconds = nowSeconds;
    this.countsMemory =
        config.getOrDefault("SelectTypeParameters", "").toUpperCase(Locale.ROOT).contains("MEMORY");
  }

  Cluster cluster() {
    return servers.cluster(countsMemory);
  }

  List<String> notes() {
    return notes;
  }

  /** The same jobs, placed, and others that nobody may see. */
  List<SeenJob> jobs(List<SeenJob> seen) {
    servers.told(seen);
    servers.all().forEach(node -> unexplained.put(node.name(), node.usedGpus()));
    List<SeenJob> jobs = new ArrayList<>();
    // Those of which is known what they hold where explain the most.
    List<SeenJob> running =
        seen.stream()
            .filter(job -> job.state() == SeenJob.State.RUNNING)
            .sorted(Comparator.comparing(job -> !isEven(job)))
            .toList();
    for (SeenJob job : running) {
      Map<String, Integer> here = places(job);
      here.keySet().removeIf(node -> !servers.takesJobs(node));
      int gpus = here.values().stream().mapToInt(g -> g).sum();
      if (gpus > 0) {
        jobs.add(job.with(gpus, demand(job), here, job.priority(), ""));
      }
    }
    seen.stream()
        .filter(job -> job.state() == SeenJob.State.WAITING)
        .forEach(job -> jobs.add(waiting(job)));
    unseen(jobs);
    outOfService();
    if (!config.getOrDefault("PreemptType", "preempt/none").equals("preempt/none")) {
      notes.add(
          "jobs of a higher priority may stop others here (PreemptType=%s), which is not simulated"
              .formatted(config.get("PreemptType")));
    }
    return jobs;
  }

  private static boolean isEven(SeenJob job) {
    return job.asked().gpusPerNode() > 0 || job.gpusByServer().size() < 2;
  }

  private Map<String, Integer> places(SeenJob job) {
    Map<String, Integer> places = new LinkedHashMap<>();
    int left = job.gpus();
    for (Map.Entry<String, Integer> each : job.gpusByServer().entrySet()) {
      int share =
          isEven(job)
              ? each.getValue()
              : Math.min(left, Math.max(0, unexplained.getOrDefault(each.getKey(), 0)));
      if (share > 0) {
        places.put(each.getKey(), share);
        left -= share;
      }
    }
    if (!isEven(job) && left > 0) {
      // The two commands told of different moments.
      places.clear();
      places.putAll(job.gpusByServer());
    }
    places.forEach((node, gpus) -> unexplained.merge(node, -gpus, Integer::sum));
    return places;
  }

  private Demand demand(SeenJob job) {
    return new Demand(job.demand().cpus(), countsMemory ? job.demand().memoryBytes() : 0);
  }

  private SeenJob waiting(SeenJob job) {
    AskedPlace asked = job.asked();
    List<SlurmNode> allowed = servers.allowed(asked);
    String held = job.heldBecause();
    if (held.isEmpty() && allowed.isEmpty()) {
      held = "no node that takes jobs is what it asks for" + inPartition(asked);
    }
    int perServer = asked.gpusPerNode();
    boolean isCut = perServer > 0 && job.gpus() % perServer == 0;
    Demand demand = demand(job).on(servers.where(allowed, isCut ? perServer : 0));
    double rank = job.priority() + TIER * servers.tier(asked);
    return job.with(job.gpus(), demand, Map.of(), rank, held);
  }

  private static String inPartition(AskedPlace asked) {
    String names = String.join(",", asked.partitions());
    return names.isEmpty() ? "" : " in partition " + names;
  }

  /** What nobody explains is held by jobs of whom nothing else is known. */
  private void unseen(List<SeenJob> jobs) {
    Map<String, Integer> hidden = new TreeMap<>();
    for (SlurmNode node : servers.all()) {
      int gpus = unexplained.getOrDefault(node.name(), 0);
      if (gpus > 0 && servers.takesJobs(node.name())) {
        hidden.put(node.name(), gpus);
        jobs.add(unseen(node, gpus));
      }
    }
    int gpus = hidden.values().stream().mapToInt(g -> g).sum();
    boolean isPrivate = config.getOrDefault("PrivateData", "").contains("jobs");
    if (gpus > 0 || isPrivate) {
      notes.add(
          "%s%s; of others' waiting jobs nothing is known, and starts may be later than told"
              .formatted(
                  isPrivate ? "this Slurm shows each user their own jobs only (PrivateData)" : "",
                  gpus == 0
                      ? ""
                      : "%s%d GPUs on %d nodes are held by jobs that you may not see"
                          .formatted(isPrivate ? ", and " : "", gpus, hidden.size())));
    }
  }

  private SeenJob unseen(SlurmNode node, int gpus) {
    return new SeenJob(
        "unseen on " + node.name(),
        SeenJob.State.RUNNING,
        nowSeconds,
        nowSeconds,
        Double.NaN,
        0,
        gpus,
        servers.mostSeconds(node),
        0,
        "",
        "",
        "",
        Demand.NONE,
        Map.of(node.name(), gpus));
  }

  private void outOfService() {
    List<SlurmNode> out =
        servers.all().stream().filter(node -> !servers.takesJobs(node.name())).toList();
    if (!out.isEmpty()) {
      int gpus = out.stream().mapToInt(SlurmNode::gpus).sum();
      notes.add(
          "%s with %d GPUs %s no jobs: %s"
              .formatted(
                  out.size() == 1 ? "1 node" : out.size() + " nodes",
                  gpus,
                  out.size() == 1 ? "takes" : "take",
                  whyNot(out)));
    }
  }

  static String whyNot(List<SlurmNode> nodes) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    nodes.forEach(
        node -> byReason.computeIfAbsent(node.whyNot(), _ -> new ArrayList<>()).add(node.name()));
    List<String> told = new ArrayList<>();
    byReason.forEach((why, names) -> {
      int more = names.size() - MOST_NAMED;
      told.add(
          "%s%s (%s)"
              .formatted(
                  String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size()))),
                  more > 0 ? " and %d more".formatted(more) : "",
                  why));
    });
    return String.join("; ", told);
  }
}
