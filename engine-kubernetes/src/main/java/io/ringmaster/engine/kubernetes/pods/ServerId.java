package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.engine.local.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** What the objects of a data folder are marked with, for as long as there is the folder. */
final class ServerId {
  private static final int LETTERS = 8;

  private ServerId() {}

  static String of(Path file) throws IOException {
    if (!Files.exists(file)) {
      StringBuilder id = new StringBuilder();
      for (int i = 0; i < LETTERS; i++) {
        id.append((char) ('a' + ThreadLocalRandom.current().nextInt('z' - 'a' + 1)));
      }
      DataFolder.write(file, id + "\n");
    }
    return Files.readString(file).strip();
  }
}
