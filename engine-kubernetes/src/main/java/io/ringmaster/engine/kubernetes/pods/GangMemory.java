package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.job.JobDescription;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.engine.kubernetes.pods.Gangs.Known;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Gangs that were launched once, in files: while their pods were evicted and new ones are not made
 * yet, nothing in Kubernetes says what they were told as.
 */
final class GangMemory {
  private final Path folder;
  private final Set<String> kept = new HashSet<>();

  GangMemory(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder);
  }

  Map<String, Known> load() throws IOException {
    Map<String, Known> known = new HashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Properties fields = new Properties();
        fields.load(new StringReader(Files.readString(file)));
        String key = fields.getProperty("gang", "");
        if (!key.isEmpty()) {
          kept.add(key);
          known.put(
              key,
              new Known(
                  fields.getProperty("id"),
                  fields.getProperty("user"),
                  JobSpecs.of(Json.parse(fields.getProperty("spec"))),
                  owners(fields.getProperty("owner"))));
        }
      }
    }
    return known;
  }

  private static List<String> owners(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  /** A name that no other gang has, whatever letters it has. */
  private Path file(String key) {
    return folder.resolve(UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString());
  }

  void keep(String key, Known gang) throws IOException {
    Properties fields = new Properties();
    fields.setProperty("gang", key);
    fields.setProperty("id", gang.id());
    fields.setProperty("user", gang.user());
    fields.setProperty("spec", Json.text(JobDescription.of(gang.spec())));
    fields.setProperty("owner", String.join(",", gang.ownerUids()));
    StringWriter text = new StringWriter();
    fields.store(text, null);
    DataFolder.write(file(key), text.toString());
    kept.add(key);
  }

  void forget(String key) throws IOException {
    if (kept.remove(key)) {
      Files.deleteIfExists(file(key));
    }
  }
}
