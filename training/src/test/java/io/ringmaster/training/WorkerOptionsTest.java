package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerOptionsTest {
  @Test
  void bothFormsAndDefaults() {
    assertThat(
            WorkerOptions.parse(
                "--samples", "100", "--pace=50ms", "--hop=2ms", "--checkpoint-every", "1.5s"))
        .isEqualTo(
            new WorkerOptions(
                100,
                32,
                32,
                0.05,
                Duration.ofMillis(50),
                Duration.ofMillis(2),
                1,
                Duration.ofMillis(1500)));
    assertThat(WorkerOptions.parse("--batch=8", "--hidden=4", "--rate=0.1", "--seed=-3"))
        .isEqualTo(
            new WorkerOptions(
                200_000, 8, 4, 0.1, Duration.ZERO, Duration.ZERO, -3, Duration.ofSeconds(10)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--batch 0|--batch: '0' is not a whole number from 1 to 4096",
        "--samples x|--samples: 'x' is not a whole number from 1 to 281474976710656",
        "--seed 1.5|--seed: '1.5' is not a whole number",
        "--rate 0|--rate: '0' is not a number above 0, up to 100",
        "--rate NaN|--rate: 'NaN' is not a number above 0, up to 100",
        "--pace 5|--pace: '5' is not a time such as 50ms or 2s",
        "--pace -1s|--pace: '-1s' is not a time such as 50ms or 2s",
        "--pace|--pace: expected a value after it",
        "--speed 5|unknown option '--speed'; there are: --samples, --batch, --hidden, --rate,"
            + " --pace, --hop, --seed, --checkpoint-every"
      })
  void mistakesAreNamed(String line, String message) {
    assertThatThrownBy(() -> WorkerOptions.parse(line.split(" ", -1)))
        .isInstanceOf(BadOption.class)
        .hasMessage(message);
  }

  @Test
  void aWorkerWithoutEnvironmentIsAlone() {
    assertThat(Place.of(Map.of()))
        .isEqualTo(new Place(0, 1, "127.0.0.1", 29500, ".", 1, null, null, null));
  }

  @Test
  void theEnvironmentOfAnEngine() {
    Map<String, String> environment =
        Map.of(
            "RANK", "2",
            "WORLD_SIZE", "4",
            "MASTER_ADDR", "n1",
            "MASTER_PORT", "4000",
            "RINGMASTER_JOB", "17",
            "RINGMASTER_ATTEMPT", "3",
            "RINGMASTER_LEARNING_RATE_SCALE", "2.0",
            "RINGMASTER_CHECKPOINT_DIR", "/c",
            "RINGMASTER_PROGRESS", "/p");
    assertThat(Place.of(environment))
        .isEqualTo(new Place(2, 4, "n1", 4000, "17.3", 2, Path.of("/c"), Path.of("/p"), null));
    assertThat(Place.of(Map.of("RANK", "0", "WORLD_SIZE", "4")).rateScale()).isEqualTo(4);
    assertThatThrownBy(() -> Place.of(Map.of("RANK", "4", "WORLD_SIZE", "4")))
        .hasMessage("RANK: '4' is not a whole number from 0 to 3");
    assertThatThrownBy(() -> Place.of(Map.of("RINGMASTER_LEARNING_RATE_SCALE", "0")))
        .hasMessage("RINGMASTER_LEARNING_RATE_SCALE: '0' is not a number above 0");
  }
}
