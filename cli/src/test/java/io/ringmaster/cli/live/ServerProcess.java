package io.ringmaster.cli.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, which can be killed and started again. */
final class ServerProcess implements AutoCloseable {
  /** A machine may be busy with other things. */
  private static final double READY_SECONDS = 180;

  private static final int READY_TRY_SECONDS = 10;

  private final List<String> command = new ArrayList<>();
  private final Path log;
  private final int port;
  private Process process;

  /** Starts a server on a free port. */
  ServerProcess(Path folder, String... options) {
    this(folder, List.of(), List.of(), options);
  }

  /**
   * Starts a server on a free port.
   *
   * @param machine options of its Java machine
   */
  ServerProcess(Path folder, List<String> machine, String... options) {
    this(folder, List.of(), machine, options);
  }

  /**
   * The same, somewhere else.
   *
   * @param before words before its command, which end where it begins: they do not outlive it
   */
  ServerProcess(Path folder, List<String> before, List<String> machine, String... options) {
    log = folder.resolve("server.log");
    port = freePort();
    command.addAll(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(machine);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            "io.ringmaster.cli.Main",
            "serve",
            "--listen",
            "127.0.0.1:" + port,
            "--data",
            folder.resolve("data").toString()));
    command.addAll(List.of(options));
    process = begin();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process begin() {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  Client client() {
    return new Client(URI.create(url()), "");
  }

  long pid() {
    return process.pid();
  }

  String log() {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it again after it ended. */
  void start() {
    process = begin();
  }

  /** As a power cut would: no signal that can be heard. */
  void kill() {
    end(process.destroyForcibly());
  }

  /**
   * Asks it to end.
   *
   * @return its exit status
   */
  int stop() {
    process.destroy();
    return end(process);
  }

  /**
   * Waits until it ends by itself.
   *
   * @return its exit status
   */
  int awaitEnd() {
    return end(process);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  private static int end(Process process) {
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server does not end");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits until it leads.
   *
   * @return seconds that it took
   */
  double awaitReady() {
    return await("/readyz");
  }

  /** Whether it leads now. */
  boolean isReady() {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url() + "/readyz"))
              .timeout(Duration.ofSeconds(READY_TRY_SECONDS))
              .build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits until it answers, whether or not it leads. */
  void awaitAnswer() {
    await("/healthz");
  }

  private double await(String path) {
    long began = System.nanoTime();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path)).build();
      while ((System.nanoTime() - began) / 1e9 < READY_SECONDS && process.isAlive()) {
        try {
          if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
            return (System.nanoTime() - began) / 1e9;
          }
        } catch (IOException _) {
          // Not yet.
        }
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException("the server is not ready:\n" + log());
  }

  @Override
  public void close() {
    kill();
  }
}
