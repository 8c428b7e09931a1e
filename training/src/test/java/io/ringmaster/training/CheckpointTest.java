package io.ringmaster.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  private static final WorkerOptions OPTIONS = WorkerOptions.parse("--hidden", "3", "--seed", "5");

  @TempDir Path folder;

  @Test
  void whatWasSavedIsThereAgain() throws IOException {
    Checkpoint checkpoint = new Checkpoint(folder);
    assertThat(checkpoint.load(OPTIONS).samples).isZero();
    Progress progress = Trainer.fresh(OPTIONS);
    progress.count(64, 0.75);
    progress.rate = 0.2;
    progress.parameters[3] = -1.5f;
    checkpoint.save(OPTIONS, progress);
    Progress loaded = checkpoint.load(OPTIONS);
    assertThat(loaded.samples).isEqualTo(64);
    assertThat(loaded.iteration).isEqualTo(1);
    assertThat(loaded.loss).isEqualTo(0.75);
    assertThat(loaded.rate).isEqualTo(0.2);
    assertThat(loaded.parameters).isEqualTo(progress.parameters);
    assertThat(folder).isDirectoryContaining(file -> file.endsWith("worker.checkpoint"));
  }

  @Test
  void thatOfAnotherModelIsRefused() throws IOException {
    Checkpoint checkpoint = new Checkpoint(folder);
    checkpoint.save(OPTIONS, Trainer.fresh(OPTIONS));
    WorkerOptions other = WorkerOptions.parse("--hidden", "4", "--seed", "5");
    assertThatThrownBy(() -> checkpoint.load(other))
        .isInstanceOf(BadOption.class)
        .hasMessage(
            folder.resolve("worker.checkpoint")
                + ": is of another model (--hidden 3 --seed 5, not --hidden 4 --seed 5);"
                + " give the same options, or remove it to start from the beginning");
  }

  @Test
  void aDamagedOneIsRefused() throws IOException {
    Checkpoint checkpoint = new Checkpoint(folder);
    checkpoint.save(OPTIONS, Trainer.fresh(OPTIONS));
    Path file = folder.resolve("worker.checkpoint");
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 7, 40, whole.length - 1}) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> checkpoint.load(OPTIONS))
          .isInstanceOf(BadOption.class)
          .hasMessageEndingWith(": not a whole checkpoint; remove it to start from the beginning");
    }
    whole[60] ^= 1;
    Files.write(file, whole);
    assertThatThrownBy(() -> checkpoint.load(OPTIONS)).isInstanceOf(BadOption.class);
  }
}
