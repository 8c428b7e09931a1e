package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Runs a command line inside the test and keeps what it prints. */
public final class Cli {
  /** The workload that the golden schedules are of. */
  public static final Path GOLDEN = Path.of("src/test/resources/golden");

  public static final String JOBS = GOLDEN.resolve("jobs.csv").toString();
  public static final String CLUSTER = GOLDEN.resolve("cluster.yaml").toString();

  private Cli() {}

  public record Ran(int status, String out, String err) {}

  public static Ran run(String... args) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    try (PrintStream newOut = new PrintStream(outBytes, true, StandardCharsets.UTF_8);
        PrintStream newErr = new PrintStream(errBytes, true, StandardCharsets.UTF_8)) {
      System.setOut(newOut);
      System.setErr(newErr);
      int status = Main.run(args);
      return new Ran(
          status,
          outBytes.toString(StandardCharsets.UTF_8),
          errBytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Runs what must succeed. */
  public static Ran good(String... args) {
    Ran ran = run(args);
    if (ran.status() != 0) {
      throw new AssertionError(
          "status %d of %s: %s%s".formatted(ran.status(), List.of(args), ran.err(), ran.out()));
    }
    return ran;
  }

  /**
   * Runs what must be refused in one line, and must not touch a folder.
   *
   * @param line the arguments; DIR stands for the folder
   * @param says what the line has in it; DIR likewise
   */
  public static void mistakeIsOneLine(Path folder, String line, String says) {
    Map<String, String> before = files(folder);
    Ran ran = run(line.strip().replace("DIR", folder.toString()).split(" +", -1));
    assertThat(ran.err()).matches("[^\n]+\n").contains(says.replace("DIR", folder.toString()));
    assertThat(ran.status()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(files(folder)).isEqualTo(before);
  }

  /** Simulates the golden workload into a folder. */
  public static Ran simulate(String policy, Path out, String... more) {
    return good(
        Stream.concat(
                Stream.of(
                    "simulate",
                    JOBS,
                    "--cluster",
                    CLUSTER,
                    "--policy",
                    policy,
                    "--out",
                    out.toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  /** All files of a folder by their path in it, hidden ones too. */
  public static Map<String, String> files(Path folder) {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path path : walk.toList()) {
        String name = folder.relativize(path).toString();
        files.put(name, Files.isDirectory(path) ? "folder" : read(path));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
