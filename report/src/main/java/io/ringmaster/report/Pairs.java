package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All pairs of the policies that are compared: the fields of type {@code Pairs} of the page. */
final class Pairs {
  private final List<SeededJobs> rounds;
  private final int policies;
  private final List<Grouping> groupings;

  /** Jobs that some pair names, each once. */
  private final Map<Long, Integer> named = new LinkedHashMap<>();

  private Pairs(List<SeededJobs> rounds) {
    this.rounds = rounds;
    this.policies = rounds.getFirst().jctSeconds().length;
    this.groupings = Grouping.all(rounds);
  }

  /**
   * The page's data.
   *
   * @param threads how many pairs are worked out at the same time; does not show in the result
   */
  static Map<String, Object> of(List<SeededJobs> rounds, int threads) {
    return new Pairs(rounds).document(threads);
  }

  private record Policies(int first, int second) {}

  private Map<String, Object> document(int threads) {
    List<Policies> all = new ArrayList<>();
    for (int first = 0; first < policies; first++) {
      for (int second = first + 1; second < policies; second++) {
        all.add(new Policies(first, second));
      }
    }
    List<Pair> pairs =
        Parallel.map(
            all.size(),
            threads,
            _ -> {},
            i -> Pair.of(rounds, groupings, all.get(i).first(), all.get(i).second()));
    List<Map<String, Object>> list = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      list.add(pairDocument(all.get(i), pairs.get(i)));
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("jobs", rounds.stream().mapToInt(r -> r.jobs().size()).sum());
    out.put("sameSeconds", Pair.SAME_SECONDS);
    out.put("sameShare", Pair.SAME_SHARE);
    out.put("groupings", groupings.stream().map(this::groupingDocument).toList());
    out.put("share", boxed(Pair.SHARES));
    out.put("named", namedDocument());
    out.put("list", list);
    return out;
  }

  /** Shares are finer than the thousandths to which columns are written. */
  private static List<Double> boxed(double[] values) {
    List<Double> list = new ArrayList<>();
    for (double value : values) {
      list.add(value);
    }
    return list;
  }

  private Map<String, Object> groupingDocument(Grouping grouping) {
    int[] jobs = new int[grouping.size()];
    double[][] sums = new double[policies][grouping.size()];
    for (int r = 0; r < rounds.size(); r++) {
      int[] groupOf = grouping.groupOf()[r];
      for (int job = 0; job < groupOf.length; job++) {
        jobs[groupOf[job]]++;
        for (int policy = 0; policy < policies; policy++) {
          sums[policy][groupOf[job]] += rounds.get(r).jctSeconds()[policy][job];
        }
      }
    }
    List<double[]> means = new ArrayList<>();
    for (double[] sum : sums) {
      for (int group = 0; group < sum.length; group++) {
        sum[group] /= jobs[group];
      }
      means.add(sum);
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("title", grouping.title());
    out.put("labels", grouping.labels());
    out.put("jobs", jobs);
    out.put("jctMean", means);
    return out;
  }

  private Map<String, Object> pairDocument(Policies policies, Pair pair) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("difference", pair.jctDifference().mean());
    out.put("ci95", pair.jctDifference().ci95());
    out.put("sooner", pair.sooner());
    out.put("later", pair.later());
    out.put("soonerByGroup", List.of(pair.soonerByGroup()));
    out.put("laterByGroup", List.of(pair.laterByGroup()));
    out.put("quantiles", pair.quantiles());
    out.put("gains", membersDocument(policies, pair.gains()));
    out.put("losses", membersDocument(policies, pair.losses()));
    return out;
  }

  private Map<String, Object> membersDocument(Policies policies, List<Pair.Member> members) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put(
        "job",
        members.stream()
            .mapToInt(
                m -> named.computeIfAbsent((long) m.round() << 32 | m.job(), _ -> named.size()))
            .toArray());
    out.put("first", jct(policies.first(), members));
    out.put("second", jct(policies.second(), members));
    return out;
  }

  private double[] jct(int policy, List<Pair.Member> members) {
    return members.stream()
        .mapToDouble(m -> rounds.get(m.round()).jctSeconds()[policy][m.job()])
        .toArray();
  }

  private Map<String, Object> namedDocument() {
    List<String> ids = new ArrayList<>();
    List<String> users = new ArrayList<>();
    List<Long> seeds = new ArrayList<>();
    int[] gpus = new int[named.size()];
    double[] submit = new double[named.size()];
    double[] ideal = new double[named.size()];
    int at = 0;
    for (long key : named.keySet()) {
      SeededJobs round = rounds.get((int) (key >>> 32));
      Jobs jobs = round.jobs();
      int job = (int) key;
      ids.add(jobs.id(job));
      users.add(Grouping.name(jobs, job));
      seeds.add(round.seed());
      gpus[at] = jobs.gpus(job);
      submit[at] = jobs.submitSeconds(job);
      ideal[at] = round.idealSeconds()[job];
      at++;
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", ids);
    out.put("user", users);
    out.put("seed", seeds);
    out.put("gpus", gpus);
    out.put("submit", submit);
    out.put("ideal", ideal);
    return out;
  }
}
