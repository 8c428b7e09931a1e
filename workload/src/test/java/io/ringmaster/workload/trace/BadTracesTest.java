package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Files that are not what they should be. */
class BadTracesTest {
  static final List<Sample> ALL = Sample.ALL;

  @TempDir Path folder;

  private String message(Sample sample) {
    try {
      sample.read(folder);
    } catch (BadInput e) {
      return String.valueOf(e.getMessage()).replace(folder + "/", "");
    }
    return "";
  }

  /** Junk anywhere in a file costs rows, or is one line that says what is wrong. */
  @ParameterizedTest
  @FieldSource("ALL")
  void junkIsDroppedOrAnError(Sample sample) {
    Seeds.each(
        30,
        (random, _) -> {
          Map.Entry<String, String> file =
              List.copyOf(sample.files().entrySet()).get(random.nextInt(sample.files().size()));
          Sample spoilt = sample.with(file.getKey(), spoilt(random, file.getValue()));
          try {
            Imported imported = spoilt.read(folder);
            long counted =
                imported.parts().stream().mapToLong(Imported.Count::rows).sum()
                    + imported.drops().stream().mapToLong(Imported.Count::rows).sum()
                    + imported.jobs().size();
            assertThat(counted).isEqualTo(imported.rows());
          } catch (BadInput e) {
            assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
          }
        });
  }

  private static String spoilt(RandomGenerator random, String text) {
    String[] junk = {
      "",
      "\"",
      ",",
      "\n",
      "-1",
      "nan",
      "1e400",
      "9".repeat(30),
      "\t",
      "{",
      "]",
      "\0",
      "\u00e9",
      "x",
      "2020-02-30 00:00:00",
      ";"
    };
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i <= random.nextInt(4); i++) {
      int from = random.nextInt(out.length());
      int to = Math.min(out.length(), from + random.nextInt(8));
      out.replace(from, to, junk[random.nextInt(junk.length)]);
      if (random.nextInt(20) == 0) {
        out.setLength(from + 1);
      }
    }
    return out.toString();
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void theSameFilesGiveTheSameJobs(Sample sample) {
    String first = Sample.jobs(sample.read(folder, "models=mix"), folder);
    assertThat(Sample.jobs(sample.read(folder, "models=mix"), folder)).isEqualTo(first);
  }

  /** A format that is given the files of another one says so, and never throws anything else. */
  @ParameterizedTest
  @FieldSource("ALL")
  void filesOfAnotherFormat(Sample sample) {
    for (Sample other : ALL) {
      if (!other.format().equals(sample.format())) {
        String message = message(new Sample(sample.format(), other.files()));
        assertThat(message).as("%s as %s", other, sample).isNotBlank().hasLineCount(1);
      }
    }
  }

  @Test
  void messages() {
    Sample helios = Sample.HELIOS;
    assertThat(message(helios.with("cluster_log.csv", "")))
        .isEqualTo(
            "cluster_log.csv: the file is empty; expected a header line with job_id, user, vc,"
                + " gpu_num, state, submit_time, start_time, end_time");
    assertThat(message(helios.with("cluster_log.csv", "job_id,user,vc\n1,2,3\n")))
        .isEqualTo(
            "cluster_log.csv:1: missing columns gpu_num, state, submit_time, start_time, end_time;"
                + " the header has job_id, user, vc; is it of another format? See 'ringmaster"
                + " import --list'");
    assertThat(message(helios.with("cluster_log.csv", "time,total_job_num,running_job_num\n")))
        .isEqualTo(
            "cluster_log.csv: it counts the jobs of each minute and tells of none; import reads"
                + " cluster_log.csv");
    assertThat(message(Sample.SWF.with("site.swf", "; Version: 2.2\n1 2 3\n")))
        .isEqualTo(
            "site.swf:2: the line has 3 fields; expected the 18 of the Standard Workload Format");
    assertThat(message(Sample.GAVEL.with("a.trace", "ResNet-50 (batch size 64) 1 2\n")))
        .isEqualTo("a.trace:1: the line has 1 fields; expected 7 or 10, parted by tabs");
    assertThat(message(Sample.PHILLY.with("cluster_job_log", "{}")))
        .isEqualTo("cluster_job_log:1: expected a JSON array of jobs, '[' at its beginning");
    assertThat(message(Sample.PHILLY.with("cluster_job_log", "[\n{\"status\": }]")))
        .startsWith("cluster_job_log:2: not JSON: ");
    assertThat(message(Sample.PHILLY.with("cluster_job_log", "[\n7]")))
        .endsWith("it never ran, or its times are missing, as in cluster_job_log:2");
    assertThat(message(new Sample("pai-2020", Map.of("pai_job_table.csv", "j,i,u,s,1,2\n"))))
        .isEqualTo(
            "format pai-2020: no pai_task_table; jobs are in pai_job_table, their GPUs in"
                + " pai_task_table");
    assertThat(message(new Sample("pai-2020", Map.of("pai_sensor_table.csv", "j,i,u,s,1,2\n"))))
        .isEqualTo(
            "pai_sensor_table.csv: not a table that import reads, with 6 columns; expected"
                + " pai_job_table, pai_task_table, and if you like pai_group_tag_table,"
                + " pai_instance_table and pai_machine_spec");
  }

  @Test
  void anUnknownFormatOrSettingNamesTheNearest() {
    assertThatThrownBy(() -> TraceFormats.named("helois"))
        .isInstanceOf(BadInput.class)
        .hasMessage("there is no format 'helois'; did you mean 'helios'?");
    assertThatThrownBy(() -> Sample.CHRONUS.read(folder, "units=hours"))
        .isInstanceOf(BadInput.class)
        .hasMessage("format chronus has no setting 'units'; did you mean 'unit'?");
  }

  @Test
  void bytesThatAreNoTextAndArchives() throws IOException {
    Path file = folder.resolve("log.csv");
    byte[] text =
        Sample.HELIOS.files().getOrDefault("cluster_log.csv", "").getBytes(StandardCharsets.UTF_8);
    text[text.length - 10] = (byte) 0xff;
    Files.write(file, text);
    assertThatThrownBy(() -> TraceFormats.read("helios", List.of(file), Map.of(), 1, (_, _) -> {}))
        .isInstanceOf(BadInput.class)
        .hasMessage(file + ":7: not UTF-8 text; save the file as UTF-8");
    byte[] tar = new byte[1024];
    System.arraycopy("job.csv".getBytes(StandardCharsets.US_ASCII), 0, tar, 0, 7);
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);
    Files.write(file, tar);
    assertThatThrownBy(() -> TraceFormats.read("helios", List.of(file), Map.of(), 1, (_, _) -> {}))
        .isInstanceOf(BadInput.class)
        .hasMessage(file + ": it is a tar archive; unpack it and give the files in it");
  }
}
