package io.ringmaster.cli.live;

import io.ringmaster.engine.local.LocalGpus;
import io.ringmaster.model.BadInput;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Looks at this machine, and changes nothing. */
final class DoctorChecks {
  private static final double SCARCE_BYTES = 1e9;
  private static final int PATIENCE_SECONDS = 10;
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  private final ServeConfig config;

  DoctorChecks(ServeConfig config) {
    this.config = config;
  }

  /** How it stands with something. */
  enum State {
    OK,
    /** Only what needs it does not work. */
    MISSING,
    /** No server works. */
    BROKEN;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One row.
   *
   * @param advice what to do; empty if there is nothing to do
   */
  record Finding(String what, State state, String found, String advice) {}

  List<Finding> all() {
    return List.of(
        runtime(), gpus(), cgroups(), slurm(), kubernetes(), store(), folder(), disk(), port());
  }

  private static Finding runtime() {
    Runtime runtime = Runtime.getRuntime();
    return ok(
        "Java",
        "%s, %d processors, up to %.1f GB of memory"
            .formatted(
                Runtime.version(), runtime.availableProcessors(), runtime.maxMemory() / 1e9));
  }

  private static Finding gpus() {
    try {
      int count = LocalGpus.found(LocalGpus.NVIDIA_SMI).size();
      return count > 0
          ? ok("GPUs", count + " by nvidia-smi")
          : missing("GPUs", "no nvidia-smi", "serve takes processors for GPUs, or --slots N");
    } catch (BadInput e) {
      return new Finding(
          "GPUs", State.BROKEN, String.valueOf(e.getMessage()), "or serve with --slots N");
    }
  }

  private static Finding cgroups() {
    String what = "control groups";
    if (Files.exists(CGROUPS.resolve("cgroup.controllers"))) {
      return ok(what, "version 2");
    }
    return Files.isDirectory(CGROUPS.resolve("memory"))
        ? ok(what, "version 1")
        : missing(what, "none", "memory of jobs is not limited");
  }

  private static Finding slurm() {
    String said = said("sinfo", "--version");
    return said.isEmpty()
        ? missing("Slurm", "sinfo does not answer", "--engine slurm needs it and a slurm.conf")
        : ok("Slurm", said);
  }

  private static Finding kubernetes() {
    String named = System.getenv("KUBECONFIG");
    String home = System.getProperty("user.home", "");
    Path file = Path.of(home, ".kube", "config");
    if (named != null && !named.isEmpty()) {
      List<String> gone =
          List.of(named.split(File.pathSeparator, -1)).stream()
              .filter(each -> !Files.isReadable(Path.of(each)))
              .toList();
      return gone.isEmpty()
          ? ok("Kubernetes", "KUBECONFIG=" + named)
          : missing("Kubernetes", "cannot read " + gone.getFirst(), "see KUBECONFIG");
    }
    if (Files.isReadable(file)) {
      return ok("Kubernetes", file.toString());
    }
    return System.getenv("KUBERNETES_SERVICE_HOST") == null
        ? missing("Kubernetes", "no " + file, "write one for --engine kubernetes")
        : ok("Kubernetes", "the one that this pod is in");
  }

  private Finding store() {
    return ok("store", config.shownStore());
  }

  private Finding folder() {
    String what = "data folder";
    Path data = config.data().toAbsolutePath();
    Path there = existing(data);
    if (!Files.isDirectory(there) || !Files.isWritable(there)) {
      return new Finding(
          what, State.BROKEN, "cannot write to " + there, "name another with --data");
    }
    return ok(what, Files.exists(data) ? data.toString() : data + ", made by the first serve");
  }

  private Finding disk() {
    try {
      FileStore disk = Files.getFileStore(existing(config.data().toAbsolutePath()));
      double free = disk.getUsableSpace();
      String found = "%.1f of %.1f GB are free".formatted(free / 1e9, disk.getTotalSpace() / 1e9);
      return free < SCARCE_BYTES
          ? new Finding("disk", State.BROKEN, found, "logs and checkpoints need more")
          : ok("disk", found);
    } catch (IOException e) {
      return new Finding("disk", State.BROKEN, String.valueOf(e.getMessage()), "");
    }
  }

  private Finding port() {
    String address = "%s:%d".formatted(config.host(), config.port());
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(config.host()), config.port()));
      return ok("port", address + " is free");
    } catch (IOException e) {
      return answers(address)
          ? ok("port", "a server answers at " + address)
          : new Finding(
              "port", State.BROKEN, address + ": " + e.getMessage(), "choose another: --listen");
    }
  }

  private static boolean answers(String address) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + address + "/healthz"))
              .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body().contains("status");
    } catch (IOException | IllegalArgumentException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The folder, or the nearest above it that is there. */
  private static Path existing(Path folder) {
    Path there = folder;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return there;
  }

  /** The first line that a program prints; empty if it is not there or fails. */
  private static String said(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .start();
      process
          .onExit()
          .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .exceptionally(late -> process.destroyForcibly());
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? text.lines().findFirst().orElse("") : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static Finding ok(String what, String found) {
    return new Finding(what, State.OK, found, "");
  }

  private static Finding missing(String what, String found, String advice) {
    return new Finding(what, State.MISSING, found, advice);
  }
}
