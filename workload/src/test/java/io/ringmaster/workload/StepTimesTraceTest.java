package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.AllReduce;
import io.ringmaster.predictor.speed.HoldOut;
import io.ringmaster.predictor.speed.HoldOut.Method;
import io.ringmaster.predictor.speed.RelativeErrors;
import io.ringmaster.predictor.speed.StepTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Speed in places held out, on the public profiles of petuum/adaptdl (Pollux) and
 * siasosp23/artifacts (Sia), which are no part of this repository: run with {@code
 * RINGMASTER_TRACES} set to the directory that holds {@code profiles/}.
 */
class StepTimesTraceTest {
  private static final List<String> FILES =
      List.of(
          "profiles/pollux_measured_step_times.tar.xz", "profiles/sia_measured_step_times.tar.xz");
  private static final int LEAST_PLACES = 6;
  private static final int SEEDS = Integer.getInteger("ringmaster.seeds", 2);

  @TempDir Path temporary;

  /** Once each: the same file is there under several names. */
  private Map<String, List<StepTime>> profiles() throws IOException {
    Map<String, List<StepTime>> profiles = new TreeMap<>();
    Set<String> seen = new HashSet<>();
    for (String name : FILES) {
      Path folder = temporary.resolve(String.valueOf(Path.of(name).getFileName()));
      TarXz.unpack(name, folder);
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted().toList()) {
          String model = String.valueOf(Objects.requireNonNull(file.getParent()).getFileName());
          String own = String.valueOf(file.getFileName());
          // Those of gpt_pmp follow from a formula, not from measurements.
          if (own.matches("placements[^/]*\\.csv")
              && !model.equals("gpt_pmp")
              && seen.add(Files.readString(file))) {
            String cluster = own.replaceAll("placements-?|\\.csv", "").replaceAll("^$", "aws");
            profiles.put(
                model + " " + cluster, Objects.requireNonNull(StepTimesFile.read(file).get("")));
          }
        }
      }
    }
    return profiles;
  }

  @Test
  void theFitIsNearTimesInPlacesHeldOutAndNearerThanOthers() throws IOException {
    Map<Method, List<RelativeErrors>> all = new TreeMap<>();
    int measured = 0;
    for (var profile : profiles().entrySet()) {
      List<StepTime> times = profile.getValue();
      Map<Method, List<RelativeErrors>> errors = new TreeMap<>();
      for (int seed = 1; seed <= SEEDS; seed++) {
        HoldOut holdOut = HoldOut.of(times, 1 / 3.0, seed, AllReduce.RING);
        if (holdOut.places() < LEAST_PLACES) {
          break;
        }
        holdOut
            .errors()
            .forEach((method, e) -> {
              errors.computeIfAbsent(method, _ -> new ArrayList<>()).add(e);
              all.computeIfAbsent(method, _ -> new ArrayList<>()).add(e);
            });
      }
      measured += errors.isEmpty() ? 0 : 1;
      show(profile.getKey(), errors);
    }
    show("all", all);
    assertThat(measured).isEqualTo(29);
    RelativeErrors placed = together(all, Method.PLACED);
    RelativeErrors pollux = together(all, Method.POLLUX);
    assertThat(placed.median()).isLessThan(0.08).isLessThanOrEqualTo(pollux.median());
    assertThat(placed.mean()).isLessThanOrEqualTo(pollux.mean());
    assertThat(placed.p90()).isLessThanOrEqualTo(pollux.p90());
    assertThat(placed.median()).isLessThan(together(all, Method.PAPER).median());
    assertThat(together(all, Method.EACH_BATCH).median()).isLessThan(placed.median());
  }

  private static RelativeErrors together(Map<Method, List<RelativeErrors>> errors, Method method) {
    return RelativeErrors.together(errors.getOrDefault(method, List.of()));
  }

  private static void show(String name, Map<Method, List<RelativeErrors>> errors) {
    StringBuilder line = new StringBuilder("| " + name + " |");
    for (Method method : errors.keySet()) {
      RelativeErrors e = together(errors, method);
      line.append(
          String.format(
              Locale.ROOT,
              " %.1f / %.1f / %.1f |",
              100 * e.median(),
              100 * e.mean(),
              100 * e.p90()));
    }
    System.out.println(line);
  }
}
