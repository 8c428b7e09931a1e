package io.ringmaster.predictor.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.predictor.forest.Forest;
import io.ringmaster.predictor.forest.ForestSettings;
import io.ringmaster.predictor.forest.Rows;
import io.ringmaster.testing.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SavedForestTest {
  private static Forest forest(int width) {
    SplittableRandom random = new SplittableRandom(1);
    Rows rows = new Rows(random.doubles(100L * width).toArray(), width);
    return Forest.grow(rows, random.doubles(100).toArray(), ForestSettings.of(4, 1));
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    byte[] bytes = SavedForest.write(forest(JobFeatures.names().size()));
    assertThat(SavedForest.write(SavedForest.read(bytes, "x"))).isEqualTo(bytes);
  }

  /** A bit that is not as it was, or an end that is missing, is always seen. */
  @Test
  void damageIsOneLine() {
    byte[] bytes = SavedForest.write(forest(JobFeatures.names().size()));
    Seeds.each(
        200,
        (random, _) -> {
          byte[] damaged = bytes.clone();
          damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
          byte[] read =
              random.nextBoolean() ? damaged : Arrays.copyOf(bytes, random.nextInt(bytes.length));
          assertThatThrownBy(() -> SavedForest.read(read, "f.bin"))
              .isInstanceOf(BadInput.class)
              .hasMessageMatching("f\\.bin: [^\n]+");
        });
  }

  @Test
  void otherFilesAndOtherFeaturesAreNamed() {
    assertThatThrownBy(() -> SavedForest.read(new byte[20], "jobs.csv"))
        .hasMessage("jobs.csv: is no saved forest; expected what predict --save wrote");
    assertThatThrownBy(() -> SavedForest.read(SavedForest.write(forest(3)), "f"))
        .hasMessage("f: the forest asks for other features than ours; grow and save it again");
    byte[] later = SavedForest.write(forest(3));
    later[11] = 2;
    assertThatThrownBy(() -> SavedForest.read(later, "f"))
        .hasMessage("f: is a forest of version 2, expected 1; grow and save it again");
  }
}
