package io.ringmaster.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs what people run most, on a small workload, in one JVM: the launcher's start-up cache holds
 * the classes that this loads. Nobody else calls it.
 */
public final class StartUpTraining {
  private static final String JOBS = "400";

  private StartUpTraining() {}

  /**
   * Trains.
   *
   * @param args a folder that may be written to
   */
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    String jobs = folder.resolve("jobs.csv").toString();
    String cluster = folder.resolve("cluster.yaml").toString();
    String out = folder.resolve("run").toString();
    List<List<String>> runs =
        List.of(
            List.of("--version"),
            List.of("policies"),
            List.of("generate", "philly", "--set", "jobs=" + JOBS, "--force", "--out", args[0]),
            simulate(jobs, cluster, "easy", "--force", "--out", out),
            simulate(jobs, cluster, "las", "--json"),
            simulate(jobs, cluster, "maestro", "--json"),
            List.of("compare", jobs, "--cluster", cluster, "--force", "--out", out),
            List.of("whatif", jobs, "--cluster", cluster, "--policy", "srtf"));
    for (List<String> run : runs) {
      int status = Main.run(run.toArray(String[]::new));
      if (status != 0) {
        System.exit(status);
      }
    }
    System.exit(0);
  }

  private static List<String> simulate(String jobs, String cluster, String policy, String... more) {
    List<String> words =
        new ArrayList<>(List.of("simulate", jobs, "--cluster", cluster, "--policy", policy));
    words.addAll(List.of(more));
    return words;
  }
}
