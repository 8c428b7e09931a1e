package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Seeds;
import io.ringmaster.workload.Inputs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SacctPropertiesTest {
  private static final Path EXAMPLE = Path.of("../docs/examples/sacct.txt.gz");
  private static final long TEN_DAYS_SECONDS = 864_000;

  @TempDir Path dir;

  @Test
  void whatIsWrittenIsReadBack() {
    Seeds.each(
        40,
        (random, _) -> {
          SacctSite site = new SacctSite(random, 1 + random.nextInt(200), 40_000);
          List<String> columns = new ArrayList<>(SacctSite.COLUMNS);
          columns.addAll(List.of("JobIDRaw", "ReqTRES", "Account", "ExitCode"));
          Collections.shuffle(columns, Random.from(random));
          List<TraceJob> expected =
              site.jobs.stream().filter(SacctSite.Job::kept).map(SacctSite.Job::expected).toList();
          if (expected.isEmpty()) {
            return;
          }
          RecordedTrace trace =
              RecordedTrace.of(Sacct.FORMAT, Map.of("servers", "seen"), dir, site.text(columns));
          assertThat(trace.jobs).isEqualTo(expected);
          // No more GPUs than there are, and enough for every job.
          trace.servers.forEach(
              (name, gpus) -> assertThat(gpus).isBetween(1, name.startsWith("gpu") ? 8 : 4));
          int total = trace.servers.values().stream().mapToInt(Integer::intValue).sum();
          assertThat(trace.jobs).allMatch(job -> job.gpus() <= total);
        });
  }

  /** Characters are lost, doubled or swapped: rows are dropped, and nothing breaks. */
  @Test
  void damagedFilesAreReadOrRefused() {
    String bits = "|,=[]-+_.:0123456789abc \n\r{}\"\u00fc";
    Seeds.each(
        300,
        (random, _) -> {
          SacctSite site = new SacctSite(random, 20, 4000);
          StringBuilder text = new StringBuilder(site.text(SacctSite.COLUMNS));
          int changes = 1 + random.nextInt(30);
          int from = random.nextInt(4) == 0 ? 0 : text.indexOf("\n");
          for (int i = 0; i < changes; i++) {
            damage(text, from, bits, random);
          }
          try {
            RecordedTrace.of(Sacct.FORMAT, Map.of(), dir, text.toString());
          } catch (BadInput e) {
            assertThat(e).message().doesNotContain("\n");
          }
        });
  }

  private static void damage(StringBuilder text, int from, String bits, RandomGenerator random) {
    int at = from + random.nextInt(text.length() - from);
    char bit = bits.charAt(random.nextInt(bits.length()));
    switch (random.nextInt(4)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, bit);
      case 2 -> text.setCharAt(at, bit);
      default -> text.delete(at, Math.min(text.length(), at + random.nextInt(40)));
    }
    if (text.length() <= from + 1) {
      text.append("\n1|");
    }
  }

  /** The example of docs/my-cluster.md is what this site makes of seed 1. */
  @Test
  void theExampleIsMadeHere() throws IOException {
    String text =
        new SacctSite(new SplittableRandom(1), 2000, TEN_DAYS_SECONDS).text(SacctSite.COLUMNS);
    if (Boolean.getBoolean("golden.update")) {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(EXAMPLE))) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
    }
    try (InputStream in = Inputs.open(EXAMPLE, (_, _) -> {})) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
    }
  }
}
