package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Engine.Kept;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs leave behind, also those that mean harm. */
class KeptFilesTest {
  @TempDir Path folder;

  private Path write(String name, int bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    return Files.write(file, new byte[bytes]);
  }

  @Test
  void onlyWhatIsNamedGoesAndNoLinkIsFollowed() throws IOException {
    Path precious = write("elsewhere/precious", 10);
    Path elsewhere = folder.resolve("elsewhere");
    try (DataFolder data = new DataFolder(folder.resolve("data"), false)) {
      KeptFiles kept = new KeptFiles(data);
      assertThat(kept.bytes(7)).isEmpty();
      write("data/logs/7/1/0.out", 100);
      write("data/progress/7", 5);
      write("data/work/7/deep/er/file", 20);
      Files.createSymbolicLink(folder.resolve("data/work/7/link"), elsewhere);
      Files.createSymbolicLink(folder.resolve("data/work/7/loop"), folder.resolve("data/work/7"));
      Files.setPosixFilePermissions(
          folder.resolve("data/work/7/deep"), PosixFilePermissions.fromString("r-xr-xr-x"));
      // A job can make anything of its folder.
      Files.createSymbolicLink(folder.resolve("data/checkpoints/7"), elsewhere);
      write("data/logs/8/1/0.out", 1);

      Map<Kept, Long> bytes = kept.bytes(7);
      assertThat(bytes).containsOnlyKeys(Kept.values()).containsEntry(Kept.LOGS, 105L);
      assertThat(bytes.get(Kept.WORK)).isGreaterThanOrEqualTo(20);

      kept.discard(7, Set.of(Kept.LOGS));
      assertThat(kept.bytes(7)).containsOnlyKeys(Kept.WORK, Kept.CHECKPOINTS);
      kept.discard(7, EnumSet.allOf(Kept.class));
      assertThat(kept.bytes(7)).isEmpty();
      assertThat(precious).exists();
      assertThat(kept.bytes(8)).containsOnlyKeys(Kept.LOGS);
      assertThat(folder.resolve("data/trash")).isEmptyDirectory();
    }
  }
}
