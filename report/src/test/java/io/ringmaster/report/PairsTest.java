package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelTable;
import io.ringmaster.workload.json.Json;
import java.util.List;
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

  /** The first with the second, the first with the third, the second with the third. */
  @Test
  void pairsComeInTheOrderThatThePageCountsOn() {
    List<Pairs.ShownPair> pairs = Pairs.of(rounds(), 1).list();
    // Differences: +10 and 0; +30 and -10; +20 and -10. Means 5, 10, 5.
    assertThat(pairs).map(Pairs.ShownPair::difference).containsExactly(5.0, 10.0, 5.0);
    assertThat(pairs).map(Pairs.ShownPair::sooner).containsExactly(1, 1, 1);
    assertThat(pairs).map(Pairs.ShownPair::later).containsExactly(0, 1, 1);
  }

  @Test
  void namedJobsAreToldOfOnce() {
    Pairs.NamedJobs named = Pairs.of(rounds(), 1).named();
    assertThat(named.id()).containsExactly("one", "two");
    assertThat(named.seed()).containsExactly(7L, 7L);
  }

  @Test
  void groupsHaveTheMeanOfEachPolicy() {
    Pairs.Groups sizes = Pairs.of(rounds(), 1).groupings().getFirst();
    assertThat(sizes.jobs()).containsExactly(1, 1);
    assertThat(sizes.jctMean().get(0)).containsExactly(10, 20);
    assertThat(sizes.jctMean().get(2)).containsExactly(40, 10);
  }

  @Test
  void theNumberOfThreadsChangesNothing() {
    assertThat(Json.compact(Pairs.of(rounds(), 3))).isEqualTo(Json.compact(Pairs.of(rounds(), 1)));
  }
}
