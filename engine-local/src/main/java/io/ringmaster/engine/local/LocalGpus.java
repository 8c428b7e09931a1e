package io.ringmaster.engine.local;

import io.ringmaster.model.BadInput;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The GPUs of this machine, as the driver's own program counts them. */
public final class LocalGpus {
  public static final String NVIDIA_SMI = "nvidia-smi";
  private static final int PATIENCE_SECONDS = 60;

  private LocalGpus() {}

  /**
   * Indexes of this machine's GPUs; none if there is no such program.
   *
   * @param program name or path of nvidia-smi
   * @throws BadInput if the program is there and does not answer: to take a broken driver for a
   *     machine without GPUs would hide it
   */
  public static List<Integer> found(String program) {
    Process process;
    try {
      process =
          new ProcessBuilder(program, "--query-gpu=index", "--format=csv,noheader")
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return List.of();
    }
    try {
      // A driver that hangs must not hang the server.
      process
          .onExit()
          .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .exceptionally(late -> process.destroyForcibly());
      String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw refused(program, answer);
      }
      List<Integer> indexes = new ArrayList<>();
      for (String line : answer.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
        try {
          indexes.add(Integer.parseInt(line));
        } catch (NumberFormatException e) {
          throw refused(program, answer);
        }
      }
      return List.copyOf(indexes);
    } catch (IOException e) {
      throw refused(program, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(program, "interrupted");
    }
  }

  private static BadInput refused(String program, String answer) {
    return new BadInput(
        "%s: cannot count GPUs: '%s'; repair the driver or declare the slots of each node"
            .formatted(program, answer.lines().findFirst().orElse("no answer").strip()));
  }
}
