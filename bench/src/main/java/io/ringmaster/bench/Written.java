package io.ringmaster.bench;

import io.ringmaster.runs.RunInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a run wrote.
 *
 * @param hashes SHA-256 of each file, by its path in the run's folder
 */
record Written(Map<String, String> hashes) {
  /** Says when and where a run was, and what it took. */
  private static final String OF_THE_RUN = "run.json";

  /**
   * Of a run that has ended.
   *
   * @param printed a file that holds what it printed
   */
  static Written of(Path folder, Path printed) throws IOException {
    Map<String, String> hashes = new TreeMap<>();
    hashes.put("what it printed", RunInputs.sha256(printed));
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String name = folder.relativize(file).toString();
          if (!name.equals(OF_THE_RUN)) {
            hashes.put(name, RunInputs.sha256(file));
          }
        }
      }
    }
    return new Written(hashes);
  }

  /** Files that runs of one commit do not all write alike: nothing follows if another differs. */
  static Set<String> unsteady(List<Written> runs) {
    Set<String> names = names(runs);
    names.removeIf(name -> all(name, runs, runs.getFirst()));
    return names;
  }

  /** Files that one commit always writes alike, and the other otherwise in some run, or not. */
  static Set<String> differing(List<Written> before, List<Written> now) {
    Set<String> names = names(before);
    names.addAll(names(now));
    names.removeAll(unsteady(before));
    names.removeIf(name -> all(name, now, before.getFirst()));
    return names;
  }

  private static Set<String> names(List<Written> runs) {
    Set<String> names = new TreeSet<>();
    runs.forEach(run -> names.addAll(run.hashes.keySet()));
    return names;
  }

  private static boolean all(String name, List<Written> runs, Written as) {
    return runs.stream().allMatch(run -> Objects.equals(run.hashes.get(name), as.hashes.get(name)));
  }
}
