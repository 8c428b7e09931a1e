package io.ringmaster.control.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.control.job.JobState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Another process on a store. It tries to lead once, and then writes jobs until it is killed. */
final class StoreProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;

  /** The process itself: says the term or "no", then the id of each job that is stored. */
  public static void main(String[] words) throws InterruptedException {
    Store store = Store.open(words[0]);
    OptionalLong term = store.tryLead();
    if (term.isEmpty()) {
      System.out.println("no");
      Thread.sleep(Long.MAX_VALUE);
    }
    System.out.println(term.getAsLong());
    for (long id = store.load().lastJob() + 1; ; id++) {
      Entry entry = new Entry(id, id, id, "ann", null, JobState.QUEUED, 0, "", "submitted");
      store.write(
          term.getAsLong(),
          new Write(List.of(SampleJobs.queued(id, "ann")), List.of(entry), List.of(), Map.of()));
      System.out.println(id);
    }
  }

  StoreProcess(String url) {
    try {
      process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StoreProcess.class.getName(),
                  url)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    said = process.inputReader(UTF_8);
  }

  boolean leads() {
    return !next().equals("no");
  }

  /** The next id that the process was told is stored. */
  String next() {
    try {
      String line = said.readLine();
      if (line == null) {
        throw new IllegalStateException("the process ended");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it in the middle of its work. The answer is the last id that it said. */
  long kill() {
    // Of the handle: the process's own closes what is still to be read.
    process.toHandle().destroyForcibly();
    return said.lines().mapToLong(Long::parseLong).max().orElse(0);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
