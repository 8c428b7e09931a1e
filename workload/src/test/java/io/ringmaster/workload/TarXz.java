package io.ringmaster.workload;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.tukaani.xz.XZInputStream;

/** Unpacks public measurements, if they are there. */
public final class TarXz {
  private static final int BLOCK = 512;

  private TarXz() {}

  /** Unpacks an archive below {@code RINGMASTER_TRACES}; without it the test is skipped. */
  public static void unpack(String name, Path to) throws IOException {
    String directory = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(directory != null, "RINGMASTER_TRACES is not set: skipped " + name);
    Path file = Path.of(String.valueOf(directory)).resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "no such file: skipped " + file);
    try (InputStream in = new XZInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      for (byte[] header = in.readNBytes(BLOCK);
          header.length == BLOCK && header[0] != 0;
          header = in.readNBytes(BLOCK)) {
        String entry = new String(header, 0, 100, StandardCharsets.US_ASCII).trim();
        String octal = new String(header, 124, 11, StandardCharsets.US_ASCII).trim();
        int size = Integer.parseInt(octal, 8);
        if (header[156] == '0' || header[156] == 0) {
          Path path = to.resolve(entry);
          Files.createDirectories(Objects.requireNonNull(path.getParent()));
          Files.write(path, in.readNBytes(size));
        } else {
          in.skipNBytes(size);
        }
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
      }
    }
  }
}
