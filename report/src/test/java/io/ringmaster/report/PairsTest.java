package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PairsTest {
  /** Two jobs under three policies: 10 and 20, 20 and 20, 40 and 10 s. */
  private static List<SeededJobs> rounds() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("one", 0, 1, 10, "")
            .addDuration("two", 0, 2, 10, "")
            .build();
    double[][] jct = {{10, 20}, {20, 20}, {40, 10}};
    return List.of(new SeededJobs(7, jobs, new double[] {10, 10}, jct));
  }

  private static List<?> list(Map<?, ?> from, String key) {
    return (List<?>) Objects.requireNonNull(from.get(key));
  }

  private static Map<?, ?> map(Object from) {
    return (Map<?, ?>) from;
  }

  /** The first with the second, the first with the third, the second with the third. */
  @Test
  void pairsComeInTheOrderThatThePageCountsOn() {
    List<?> pairs = list(Pairs.of(rounds(), 1), "list");
    // Differences: +10 and 0; +30 and -10; +20 and -10. Means 5, 10, 5.
    assertThat(pairs)
        .map(p -> String.valueOf(map(p).get("difference")))
        .containsExactly("5.0", "10.0", "5.0");
    assertThat(pairs).map(p -> String.valueOf(map(p).get("sooner"))).containsExactly("1", "1", "1");
    assertThat(pairs).map(p -> String.valueOf(map(p).get("later"))).containsExactly("0", "1", "1");
  }

  @Test
  void namedJobsAreToldOfOnce() {
    Map<String, Object> document = Pairs.of(rounds(), 1);
    Map<?, ?> named = map(Objects.requireNonNull(document.get("named")));
    assertThat(list(named, "id")).map(String::valueOf).containsExactly("one", "two");
    assertThat(list(named, "seed")).map(String::valueOf).containsExactly("7", "7");
  }

  @Test
  void groupsHaveTheMeanOfEachPolicy() {
    Map<?, ?> sizes =
        map(Objects.requireNonNull(list(Pairs.of(rounds(), 1), "groupings").getFirst()));
    assertThat(sizes.get("jobs")).isEqualTo(new int[] {1, 1});
    List<?> means = list(sizes, "jctMean");
    assertThat(means.get(0)).isEqualTo(new double[] {10, 20});
    assertThat(means.get(2)).isEqualTo(new double[] {40, 10});
  }

  @Test
  void theNumberOfThreadsChangesNothing() {
    assertThat(Json.compact(Pairs.of(rounds(), 3))).isEqualTo(Json.compact(Pairs.of(rounds(), 1)));
  }
}
