package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.runs.Parallel;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All pairs of the policies that are compared: the fields of type {@code Pairs} of the page. */
@NamedAsDeclared
final class Pairs {
  record Document(
      int jobs,
      double sameSeconds,
      double sameShare,
      List<Groups> groupings,
      List<Double> share,
      NamedJobs named,
      List<ShownPair> list) {}

  /** Jobs by one of their properties, with the mean of each group by policy. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Groups(String title, List<String> labels, int[] jobs, List<double[]> jctMean) {}

  /** Jobs that pairs name, in columns. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record NamedJobs(
      List<String> id,
      List<String> user,
      List<Long> seed,
      int[] gpus,
      double[] submit,
      double[] ideal) {}

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record ShownPair(
      double difference,
      double ci95,
      int sooner,
      int later,
      List<int[]> soonerByGroup,
      List<int[]> laterByGroup,
      double[] quantiles,
      Members gains,
      Members losses) {}

  /** Jobs of a pair, as indexes of the named ones. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Members(int[] job, double[] first, double[] second) {}

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
   * @param threads how many pairs are worked out at the same time; does not show in the result
   */
  static Document of(List<SeededJobs> rounds, int threads) {
    return new Pairs(rounds).document(threads);
  }

  private record Policies(int first, int second) {}

  private Document document(int threads) {
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
    List<ShownPair> list = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      list.add(shown(all.get(i), pairs.get(i)));
    }
    return new Document(
        rounds.stream().mapToInt(r -> r.jobs().size()).sum(),
        Pair.SAME_SECONDS,
        Pair.SAME_SHARE,
        groupings.stream().map(this::groups).toList(),
        // A list: finer than the thousandths to which columns are written.
        Arrays.stream(Pair.SHARES).boxed().toList(),
        namedJobs(),
        list);
  }

  private Groups groups(Grouping grouping) {
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
    return new Groups(grouping.title(), grouping.labels(), jobs, means);
  }

  private ShownPair shown(Policies policies, Pair pair) {
    return new ShownPair(
        pair.jctDifference().mean(),
        pair.jctDifference().ci95(),
        pair.sooner(),
        pair.later(),
        List.of(pair.soonerByGroup()),
        List.of(pair.laterByGroup()),
        pair.quantiles(),
        members(policies, pair.gains()),
        members(policies, pair.losses()));
  }

  private Members members(Policies policies, List<Pair.Member> members) {
    int[] job =
        members.stream()
            .mapToInt(
                m -> named.computeIfAbsent((long) m.round() << 32 | m.job(), _ -> named.size()))
            .toArray();
    return new Members(job, jct(policies.first(), members), jct(policies.second(), members));
  }

  private double[] jct(int policy, List<Pair.Member> members) {
    return members.stream()
        .mapToDouble(m -> rounds.get(m.round()).jctSeconds()[policy][m.job()])
        .toArray();
  }

  private NamedJobs namedJobs() {
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
    return new NamedJobs(ids, users, seeds, gpus, submit, ideal);
  }
}
