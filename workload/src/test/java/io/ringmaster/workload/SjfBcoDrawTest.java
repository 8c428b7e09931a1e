package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SjfBcoDrawTest {
  @Test
  void thePapersBatch() {
    Set<Integer> serverSizes = new HashSet<>();
    Set<String> models = new HashSet<>();
    double iterations = 0;
    for (long seed = 0; seed < 50; seed++) {
      Generated generated = Generators.generate("sjf-bco", Map.of(), seed);
      Jobs jobs = generated.jobs();
      Map<Integer, Integer> sizes = new TreeMap<>();
      for (int job = 0; job < jobs.size(); job++) {
        sizes.merge(jobs.gpus(job), 1, Integer::sum);
        assertThat(jobs.submitSeconds(job)).isZero();
        assertThat(jobs.workIsDuration(job)).isFalse();
        assertThat(jobs.work(job)).isBetween(1000.0, 6000.0).isEqualTo(Math.rint(jobs.work(job)));
        iterations += jobs.work(job);
        ModelProfile profile = Objects.requireNonNull(jobs.profile(job));
        models.add(profile.id());
      }
      assertThat(sizes).isEqualTo(Map.of(1, 80, 2, 14, 4, 26, 8, 30, 16, 8, 32, 2));
      assertThat(generated.cluster().size()).isEqualTo(20);
      generated.cluster().servers().forEach(s -> serverSizes.add(s.gpus()));
    }
    assertThat(serverSizes).containsExactlyInAnyOrder(4, 8, 16, 32);
    assertThat(models).containsExactlyInAnyOrder("vgg16", "resnet50", "inception-v3", "lstm-ptb");
    assertThat(iterations / 8000).isCloseTo(3500, within(100.0));
  }

  @Test
  void theLargestJobAlwaysFits() {
    for (long seed = 0; seed < 50; seed++) {
      Generated generated = Generators.generate("sjf-bco", Map.of("servers", "1"), seed);
      assertThat(generated.cluster().totalGpus()).as("seed " + seed).isEqualTo(32);
    }
  }

  @Test
  void rowsAreShuffled() {
    Jobs jobs = Generators.generate("sjf-bco", Map.of(), 1).jobs();
    int ofFirstHalf = 0;
    for (int job = 0; job < 80; job++) {
      ofFirstHalf += jobs.gpus(job) == 1 ? 1 : 0;
    }
    assertThat(ofFirstHalf).isBetween(25, 55);
  }
}
