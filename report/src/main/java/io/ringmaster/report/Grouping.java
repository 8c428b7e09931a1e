package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs of all rounds by one of their properties. Every job is in one group.
 *
 * @param groupOf by round, then by job: an index of the labels
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Grouping(String title, List<String> labels, int[][] groupOf) {
  private static final int USERS = 10;
  private static final String OTHERS = "others";

  private static final double[] LENGTHS_SECONDS = {600, 3600, 8 * 3600};
  private static final List<String> LENGTHS =
      List.of("under 10 min", "10 min to 1 h", "1 h to 8 h", "over 8 h");

  static List<Grouping> all(List<SeededJobs> rounds) {
    return List.of(bySize(rounds), byLength(rounds), byUser(rounds));
  }

  private static Grouping bySize(List<SeededJobs> rounds) {
    List<String> labels = List.of();
    int[][] groups = new int[rounds.size()][];
    for (int r = 0; r < groups.length; r++) {
      SizeClasses sizes = new SizeClasses(rounds.get(r).jobs());
      groups[r] = new int[rounds.get(r).jobs().size()];
      for (int job = 0; job < groups[r].length; job++) {
        groups[r][job] = sizes.of(job);
      }
      // A class has the same label in all rounds; some have more classes than others.
      labels = sizes.labels().size() > labels.size() ? sizes.labels() : labels;
    }
    return new Grouping("GPUs asked", labels, groups);
  }

  private static Grouping byLength(List<SeededJobs> rounds) {
    int[][] groups = new int[rounds.size()][];
    for (int r = 0; r < groups.length; r++) {
      double[] ideal = rounds.get(r).idealSeconds();
      groups[r] = new int[ideal.length];
      for (int job = 0; job < ideal.length; job++) {
        int group = 0;
        while (group < LENGTHS_SECONDS.length && ideal[job] >= LENGTHS_SECONDS[group]) {
          group++;
        }
        groups[r][job] = group;
      }
    }
    return new Grouping("time alone", LENGTHS, groups);
  }

  /** The users with the most work in the first round are told of by name. */
  private static Grouping byUser(List<SeededJobs> rounds) {
    SeededJobs first = rounds.getFirst();
    Users users =
        new Users(first.jobs(), USERS, job -> first.jobs().gpus(job) * first.idealSeconds()[job]);
    List<String> labels = new ArrayList<>(users.labels().stream().limit(USERS).toList());
    Map<String, Integer> known = new HashMap<>();
    for (int job = 0; job < first.jobs().size(); job++) {
      if (users.of(job) < labels.size()) {
        known.put(name(first.jobs(), job), users.of(job));
      }
    }
    int others = labels.size();
    boolean anyOther = false;
    int[][] groups = new int[rounds.size()][];
    for (int r = 0; r < groups.length; r++) {
      Jobs jobs = rounds.get(r).jobs();
      groups[r] = new int[jobs.size()];
      for (int job = 0; job < groups[r].length; job++) {
        groups[r][job] = known.getOrDefault(name(jobs, job), others);
        anyOther |= groups[r][job] == others;
      }
    }
    if (anyOther) {
      labels.add(OTHERS);
    }
    return new Grouping("user", List.copyOf(labels), groups);
  }

  /** A user's name; empty for none. */
  static String name(Jobs jobs, int job) {
    return jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job));
  }

  int size() {
    return labels.size();
  }
}
