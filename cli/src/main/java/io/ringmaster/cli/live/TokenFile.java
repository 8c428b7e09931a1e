package io.ringmaster.cli.live;

import io.ringmaster.control.store.PrivateFiles;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that hold a secret. */
final class TokenFile {
  private TokenFile() {}

  /** Where commands look for a token. */
  static Path usual() {
    return Path.of(System.getProperty("user.home", "."), ".config", "ringmaster", "token");
  }

  /** Refuses a place where a token is already: it may be the only one of its kind. */
  static void checkFree(Path file) {
    if (Files.exists(file)) {
      throw new BadInput(
          "--save: %s is there already; name another file, or remove it first".formatted(file));
    }
  }

  /** Writes a token such that nobody else can read it, at no moment. */
  static void write(Path file, String token) {
    Path full = file.toAbsolutePath();
    Path aside = full.resolveSibling(full.getFileName() + ".new");
    try {
      Path folder = full.getParent();
      if (folder != null && !Files.exists(folder)) {
        PrivateFiles.makeFolder(folder, false);
      }
      Files.deleteIfExists(aside);
      try (FileChannel out = PrivateFiles.open(aside)) {
        ByteBuffer bytes = ByteBuffer.wrap((token + "\n").getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(aside, full, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new BadInput("--save: %s cannot be written: %s".formatted(file, e.getMessage()));
    }
  }

  /** Tells on standard error if others can read a file that holds a secret. */
  static void warnIfReadable(Path file, String what) {
    if (PrivateFiles.isReadableByOthers(file)) {
      System.err.printf(
          "ringmaster: warning: others can read %s, which holds %s; type: chmod 600 %s%n",
          file, what, file);
    }
  }
}
