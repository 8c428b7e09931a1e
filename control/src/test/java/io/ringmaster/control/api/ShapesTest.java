package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.JobDescription;
import io.ringmaster.testing.Shape;
import io.ringmaster.testing.TypeScript;
import io.ringmaster.workload.json.RecordFields;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The records of the API, openapi.yaml and the dashboard's types have the same fields. */
class ShapesTest {
  private static final Path TYPES = Path.of("../web/src/dashboard/api.ts");

  /** What is called otherwise in openapi.yaml, or is a part of another schema there. */
  private static final Map<String, String> IN_OPENAPI =
      Map.ofEntries(
          Map.entry("Failure", "Error"),
          Map.entry("Self", "Caller"),
          Map.entry("JobDescription", "JobSpec"));

  private static final List<String> PARTS =
      List.of(
          "Attempt",
          "Point",
          "JobProgress",
          "KnownPolicy",
          "KnownSetting",
          "CostFigures",
          "Health",
          "Speed",
          "WatchedStart");

  /** What the dashboard reads, and what it calls it. */
  private static final Map<String, String> IN_TYPESCRIPT =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("Job", "Job"),
              Map.entry("Jobs", "Jobs"),
              Map.entry("JobWithHistory", "JobWithHistory"),
              Map.entry("Entry", "Entry"),
              Map.entry("Event", "JobEvent"),
              Map.entry("Node", "Node"),
              Map.entry("HeldByOthers", "HeldByOthers"),
              Map.entry("Policy", "Policy"),
              Map.entry("KnownPolicy", "PolicySpec"),
              Map.entry("Self", "Caller"),
              Map.entry("Curve", "Curve"),
              Map.entry("Preview", "Preview"),
              Map.entry("QueueForecast", "QueueForecast"),
              Map.entry("Past", "Past"),
              Map.entry("User", "User"),
              Map.entry("WatchedQueue", "WatchedQueue"),
              Map.entry("Explanation", "Explanation")));

  private static Map<String, AnnotatedType> fields(Class<?> data) {
    Map<String, AnnotatedType> fields = new LinkedHashMap<>();
    RecordFields.of(data).forEach(field -> fields.put(field.name(), field.type()));
    return fields;
  }

  private static Map<String, Shape> written() {
    Map<String, Shape> shapes = new TreeMap<>();
    List<Class<?>> records = new ArrayList<>(Arrays.asList(Shapes.class.getDeclaredClasses()));
    records.add(Past.class);
    records.add(Past.PastStep.class);
    records.add(JobDescription.class);
    records.add(QueueForecast.class);
    records.add(QueueForecast.JobForecast.class);
    records.add(WatchedQueue.class);
    records.addAll(Arrays.asList(WatchedQueue.class.getDeclaredClasses()));
    for (Class<?> data : records) {
      shapes.put(data.getSimpleName(), Shape.of(data, ShapesTest::fields));
    }
    return shapes;
  }

  @Test
  void openapiDescribesWhatIsWritten() throws IOException {
    String text =
        new String(
            Objects.requireNonNull(Shapes.class.getResourceAsStream("/openapi.yaml"))
                .readAllBytes(),
            StandardCharsets.UTF_8);
    OpenApiFile file = new OpenApiFile(text);
    List<String> differences = new ArrayList<>();
    written()
        .forEach((name, shape) -> {
          if (!PARTS.contains(name)) {
            Shape described = file.shape(IN_OPENAPI.getOrDefault(name, name));
            differences.addAll(Shape.differences(name, shape, described));
          }
        });
    assertThat(differences).as("openapi.yaml").isEmpty();
  }

  @Test
  void theDashboardKnowsWhatIsWritten() throws IOException {
    TypeScript types = new TypeScript(Files.readString(TYPES));
    Map<String, Shape> written = written();
    List<String> differences = new ArrayList<>();
    IN_TYPESCRIPT.forEach((name, type) ->
        differences.addAll(
            Shape.differences(
                name, Objects.requireNonNull(written.get(name), name), types.shape(type))));
    assertThat(differences).as("api.ts").isEmpty();
  }

  @Test
  void aDifferenceIsNamed() {
    TypeScript types =
        new TypeScript(
            """
            export type Half = { serial: number; at_s: string; from: string; to?: string };
            export interface Entry extends Nothing
            """);
    Shape entry = Objects.requireNonNull(written().get("Entry"));
    assertThat(Shape.differences("Entry", entry, types.shape("Half")))
        .containsExactly(
            "Entry.allocation is written, and not described",
            "Entry.at_s is Plain[name=number], and described as Plain[name=string]",
            "Entry.attempt is written, and not described",
            "Entry.from is OrNull[shape=Plain[name=string]], and described as Plain[name=string]",
            "Entry.reason is written, and not described");
  }
}
