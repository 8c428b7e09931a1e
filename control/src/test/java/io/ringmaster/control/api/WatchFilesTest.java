package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.BrokenInvariant;
import io.ringmaster.control.plane.PlaneHealth;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.plane.StartOver;
import io.ringmaster.control.store.Measured;
import io.ringmaster.control.store.Store;
import io.ringmaster.workload.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The board for Grafana and the alerts for Prometheus ask for what a server tells. */
class WatchFilesTest {
  private static final Path DEPLOY = Path.of("..", "deploy").toAbsolutePath().normalize();
  private static final Path RULES = DEPLOY.resolve("prometheus/ringmaster.rules.yaml");
  private static final Path BOARD = DEPLOY.resolve("grafana/ringmaster.json");
  private static final Pattern METRIC = Pattern.compile("\\bringmaster_[a-z_]+");
  private static final Pattern PART = Pattern.compile("_(bucket|count|sum)$");

  @TempDir Path folder;

  @Test
  void everyMetricExists() throws Exception {
    Set<String> told = told();
    for (Path file : List.of(RULES, BOARD)) {
      Set<String> asked = new TreeSet<>();
      Matcher each = METRIC.matcher(Files.readString(file));
      while (each.find()) {
        asked.add(told.contains(each.group()) ? each.group() : whole(each.group()));
      }
      assertThat(asked).as(file.toString()).isNotEmpty().isSubsetOf(told);
    }
  }

  @Test
  void theBoardIsJsonWithPanelsThatAsk() throws Exception {
    Map<?, ?> board = (Map<?, ?>) Objects.requireNonNull(Json.parse(Files.readString(BOARD)));
    assertThat((List<?>) board.get("panels"))
        .hasSizeGreaterThan(10)
        .allSatisfy(panel -> assertThat((List<?>) ((Map<?, ?>) panel).get("targets")).isNotEmpty());
  }

  @Test
  void theBoardKnowsAllStatesInWhichAJobHasEnded() throws Exception {
    String ends =
        Arrays.stream(JobState.values())
            .filter(JobState::isEnd)
            .map(JobState::text)
            .collect(Collectors.joining("|"));
    assertThat(Files.readString(BOARD)).contains("state!~\\\"" + ends + "\\\"");
  }

  @Test
  void prometheusTakesTheRulesAndTheyRing() throws Exception {
    Path promtool = promtool();
    run(promtool, "check", "rules", RULES.toString());
    run(promtool, "test", "rules", DEPLOY.resolve("prometheus/ringmaster.tests.yaml").toString());
  }

  /** What a server that has seen everything tells. */
  private Set<String> told() {
    Metrics metrics = new Metrics(folder);
    metrics.decided(0.1, new PlaneListener.Made(1, 1, 1));
    metrics.startedOver(StartOver.TAKEN_UP);
    metrics.broken(BrokenInvariant.Invariant.JOB_IN_ITS_PLACE);
    metrics.answered("/metrics", "GET", 200, 0.1);
    metrics.tellMeasured(
        List.of(
            new Measured(Measured.Kind.RESTART, 1, 0, 1, 1, "", "", 1, 1, 1, 9, 1, Double.NaN)));
    Set<String> told = new TreeSet<>();
    try (Store store = Store.open("sqlite::memory:")) {
      for (String line : metrics.page("", store, PlaneHealth.WELL).body().lines().toList()) {
        if (line.startsWith("# TYPE ")) {
          told.add(line.split(" ", -1)[2]);
        }
        if (line.startsWith("ringmaster_data_")) {
          assertThat(Double.parseDouble(line.split(" ", -1)[1])).as(line).isPositive();
        }
      }
    }
    return told;
  }

  /** The histogram of a part of one. */
  private static String whole(String name) {
    return PART.matcher(name).replaceFirst("");
  }

  private static Path promtool() {
    String home = Objects.requireNonNullElse(System.getenv("HOME"), "/root");
    String cache = Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"), home + "/.cache");
    Path found =
        Stream.of(cache + "/ringmaster/promtool", "/usr/bin/promtool")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(found != null, "promtool is not installed (Debian: apt-get install prometheus)");
    return Objects.requireNonNull(found);
  }

  private static void run(Path program, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
