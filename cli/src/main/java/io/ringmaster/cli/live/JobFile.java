package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.YamlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A description of a job to be sent. What it says is judged by the server alone.
 *
 * @param source where it comes from, for messages
 */
record JobFile(String source, Map<String, @Nullable Object> job) {
  private static final String EXPECTED = "a job with at least 'command' and 'gpus'";

  /** The jobs of a file: one for each YAML document. */
  static List<JobFile> read(Path file) {
    List<@Nullable Object> documents = YamlFile.documents(file, EXPECTED);
    List<JobFile> jobs = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      String source =
          documents.size() == 1 ? file.toString() : "%s, document %d".formatted(file, i + 1);
      if (!(documents.get(i) instanceof Map<?, ?> map)) {
        throw new BadInput("%s: expected %s".formatted(source, EXPECTED));
      }
      Map<String, @Nullable Object> job = new LinkedHashMap<>();
      map.forEach((key, value) -> job.put(String.valueOf(key), value));
      fromTheFile(file, job);
      jobs.add(new JobFile(source, job));
    }
    return jobs;
  }

  /** The server does not know where the file is: a relative folder is made absolute here. */
  private static void fromTheFile(Path file, Map<String, @Nullable Object> job) {
    if (job.get("directory") instanceof String directory
        && !directory.isEmpty()
        && !directory.startsWith("/")) {
      Path folder = file.toAbsolutePath().resolveSibling(directory).normalize();
      job.put("directory", folder.toString());
    }
  }

  /** A program to be run in the present folder. */
  static JobFile ofCommand(
      int gpus, @Nullable String name, Map<String, String> settings, List<String> command) {
    Map<String, @Nullable Object> job = new LinkedHashMap<>();
    job.put("name", name == null ? plainName(command.getFirst()) : name);
    job.put("gpus", gpus);
    job.put("directory", Path.of("").toAbsolutePath().toString());
    settings.forEach((key, value) -> job.put(key, YamlFile.value(value)));
    job.put("command", command);
    return new JobFile("submit", job);
  }

  /** The program's name, as far as a job may be called that. */
  private static String plainName(String program) {
    String name = program.substring(program.lastIndexOf('/') + 1);
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[^A-Za-z0-9]+", "");
    return plain.isEmpty() ? "job" : JobText.shortened(plain, 60).replaceAll("\\.+$", "");
  }
}
