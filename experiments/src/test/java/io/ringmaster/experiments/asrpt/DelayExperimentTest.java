package io.ringmaster.experiments.asrpt;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.experiments.Experiment;
import io.ringmaster.experiments.Plot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayExperimentTest {
  private static final DelayExperiment EXPERIMENT =
      new DelayExperiment(StandIns.SMALL, StandIns::of);

  @Test
  void everyFigureIsThereOnce() {
    List<String> expected = new ArrayList<>();
    for (String policy : List.of("a-srpt", "a-srpt-literal")) {
      for (String varied :
          List.of("theta 1.1 1.5 2.0 inf", "tau 0.0 0.1 0.25 0.5 1.0", "speed 0.5 0.7 0.85 1.0")) {
        String[] words = varied.split(" ", -1);
        for (int bandwidth : new int[] {10, 100}) {
          for (int i = 1; i < words.length; i++) {
            expected.add(
                "{load=0.9, bandwidth=%d, %s=%s} %s"
                    .formatted(bandwidth, words[0], words[i], policy));
          }
        }
      }
    }
    Experiment.Results results = EXPERIMENT.run(1, 2, _ -> {});
    assertThat(results.rows())
        .extracting(row -> row.setting() + " " + row.policy())
        .containsExactlyElementsOf(expected);
    assertThat(results.rows()).allMatch(row -> row.metric().equals("jct_s") && row.paper() == null);
    assertThat(EXPERIMENT.steps(3)).isEqualTo(3L * expected.size());
    assertThat(EXPERIMENT.run(1, 1, _ -> {})).isEqualTo(results);
    assertThat(results.plots())
        .extracting(Plot::name)
        .containsExactly("jct-by-theta", "jct-by-tau", "jct-by-speed");
    for (Plot plot : results.plots()) {
      assertThat(plot.series())
          .extracting(Plot.Series::name)
          .containsExactly(
              "a-srpt, 10 Gbit/s",
              "a-srpt, 100 Gbit/s",
              "a-srpt-literal, 10 Gbit/s",
              "a-srpt-literal, 100 Gbit/s");
    }
  }
}
