package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.AllReduce;
import io.ringmaster.predictor.speed.HoldOut;
import io.ringmaster.predictor.speed.HoldOut.Method;
import io.ringmaster.predictor.speed.RelativeErrors;
import io.ringmaster.predictor.speed.StepTime;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.XZInputStream;

/**
 * Speed in places held out, on the public profiles of petuum/adaptdl (Pollux) and
 * siasosp23/artifacts (Sia), which are no part of this repository: run with {@code
 * RINGMASTER_TRACES} set to the directory that holds {@code profiles/}.
 */
class StepTimesTraceTest {
  private static final List<String> FILES =
      List.of(
          "profiles/pollux_measured_step_times.tar.xz", "profiles/sia_measured_step_times.tar.xz");
  private static final int TAR_BLOCK = 512;
  private static final int LEAST_PLACES = 6;
  private static final int SEEDS = Integer.getInteger("ringmaster.seeds", 2);

  @TempDir Path temporary;

  private Map<String, List<StepTime>> profiles() throws IOException {
    String directory = System.getenv("RINGMASTER_TRACES");
    Assumptions.assumeTrue(directory != null, "RINGMASTER_TRACES is not set: skipped " + FILES);
    Map<String, List<StepTime>> profiles = new TreeMap<>();
    Set<String> seen = new HashSet<>();
    for (String name : FILES) {
      Path file = Path.of(String.valueOf(directory)).resolve(name);
      Assumptions.assumeTrue(Files.exists(file), "no such file: skipped " + file);
      unpack(file, profiles, seen);
    }
    return profiles;
  }

  /** Once each: the same file is there under several names. */
  private void unpack(Path tar, Map<String, List<StepTime>> profiles, Set<String> seen)
      throws IOException {
    try (InputStream in = new XZInputStream(new BufferedInputStream(Files.newInputStream(tar)))) {
      for (byte[] header = in.readNBytes(TAR_BLOCK);
          header.length == TAR_BLOCK && header[0] != 0;
          header = in.readNBytes(TAR_BLOCK)) {
        String name = new String(header, 0, 100, StandardCharsets.US_ASCII).trim();
        String octal = new String(header, 124, 11, StandardCharsets.US_ASCII).trim();
        int size = Integer.parseInt(octal, 8);
        byte[] content = in.readNBytes(size);
        in.skipNBytes((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
        // Those of gpt_pmp follow from a formula, not from measurements.
        if (name.matches(".*/placements[^/]*\\.csv")
            && !name.contains("gpt_pmp")
            && seen.add(new String(content, StandardCharsets.UTF_8))) {
          Path csv = Files.write(temporary.resolve("placements.csv"), content);
          String[] parts = name.split("/", -1);
          String cluster =
              parts[parts.length - 1].replaceAll("placements-?|\\.csv", "").replaceAll("^$", "aws");
          profiles.put(
              parts[parts.length - 2] + " " + cluster,
              Objects.requireNonNull(StepTimesFile.read(csv).get("")));
        }
      }
    }
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
