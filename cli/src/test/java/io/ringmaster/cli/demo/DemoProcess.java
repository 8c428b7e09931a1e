package io.ringmaster.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The demo in a process of its own, with its files in a folder. */
record DemoProcess(Process process, Path folder) implements AutoCloseable {

  static DemoProcess start(Path folder, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                // A background job of a shell ignores SIGINT, and so would all that it starts.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "io.ringmaster.cli.Main",
                "demo"));
    command.addAll(List.of(options));
    return new DemoProcess(
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start(),
        folder);
  }

  String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  /** Returns when it has printed something; not if it has ended before. */
  void await(String text) throws IOException, InterruptedException {
    while (!out().contains(text)) {
      if (!process.isAlive()) {
        throw new AssertionError(out() + err());
      }
      Thread.sleep(50);
    }
  }

  void interrupt() throws IOException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().onExit().join();
  }

  /** As Ctrl-C does. */
  @Override
  public void close() throws IOException {
    interrupt();
    process.onExit().join();
  }
}
