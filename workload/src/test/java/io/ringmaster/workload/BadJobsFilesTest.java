package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake has one line that says where it is and what was expected. */
class BadJobsFilesTest {
  private static final Cluster CLUSTER = Cluster.uniform(4, 8, Network.Contention.USUAL, 10);
  private static final String HEADER = "job_id,submit_s,gpus,duration_s\n";
  private static final String BOTH = "job_id,submit_s,gpus,iterations,duration_s\n";
  private static final String ALL = "job_id,submit_s,gpus,duration_s,model,min_gpus,max_gpus\n";

  @TempDir Path dir;

  record Case(String text, String message) {}

  static List<Case> headers() {
    return List.of(
        new Case(
            "",
            "jobs.csv: the file is empty; expected a header line with job_id, submit_s, gpus,"
                + " duration_s"),
        new Case(
            "\n\n",
            "jobs.csv: the file is empty; expected a header line with job_id, submit_s, gpus,"
                + " duration_s"),
        new Case(HEADER, "jobs.csv: no jobs: there is nothing after the header line"),
        new Case(
            "job_id,submit_time,gpus,duration_s\n",
            "jobs.csv:1: missing column submit_s; the header has job_id, submit_time, gpus,"
                + " duration_s"),
        new Case(
            "id,duration_s\n",
            "jobs.csv:1: missing columns job_id, submit_s, gpus; the header has id, duration_s"),
        new Case(
            "\njob_id,submit_s,gpus\n",
            "jobs.csv:2: missing column iterations or duration_s; the header has job_id, submit_s,"
                + " gpus"),
        new Case(
            "job_id,submit_s,gpus,gpus,duration_s\n", "jobs.csv:1: column gpus is there twice"),
        new Case(HEADER + "a,0,1\n", "jobs.csv:2: the row has 3 fields, the header 4"),
        new Case(HEADER + "a\n", "jobs.csv:2: the row has 1 field, the header 4"),
        new Case(HEADER + "a,0,1,5,6\n", "jobs.csv:2: the row has 5 fields, the header 4"),
        new Case(HEADER + "a,0,x\n", "jobs.csv:2: the row has 3 fields, the header 4"),
        new Case(HEADER + "\"a,0,1,5\n", "jobs.csv:2: a quoted field is never closed"),
        new Case(
            HEADER + "\"a\"b,0,1,5\n",
            "jobs.csv:2: there is text after a closing quote; double the quotes inside a quoted"
                + " field"),
        new Case(
            HEADER + "a,0,1,5\nb\u00ff,0,1,5\n",
            "jobs.csv:3: not UTF-8 text; save the file as UTF-8"),
        new Case("\u00ff\u00fej\u0000", "jobs.csv: the text is UTF-16; save it as UTF-8"));
  }

  private static final String STAGES =
      "job_id,submit_s,gpus,duration_s,model,min_gpus,max_gpus,stages\n";

  static List<Case> stages() {
    return List.of(
        new Case(
            STAGES + "a,0,8,5,,,,4\n",
            "jobs.csv:2: column stages: a job with stages needs a model, which says what is cut"
                + " into them"),
        new Case(
            STAGES + "a,0,8,5,vgg16,4,8,4\n",
            "jobs.csv:2: column stages: a job with stages is not elastic: leave min_gpus and"
                + " max_gpus empty"),
        new Case(
            STAGES + "a,0,8,5,vgg16,,,4y2\n",
            "jobs.csv:2: column stages: '4y2': expected stages x replicas such as 4x2 or 4x2,1x8,"
                + " or a number of stages such as 4"),
        new Case(
            STAGES + "a,0,8,5,vgg16,,,0\n",
            "jobs.csv:2: column stages: '0': expected stages x replicas such as 4x2 or 4x2,1x8, or"
                + " a number of stages such as 4"),
        new Case(
            STAGES + "a,0,8,5,vgg16,,,9\n",
            "jobs.csv:2: column stages: '9': 9 stages need at least 9 GPUs, the job has 8"),
        new Case(
            STAGES + "a,0,8,5,vgg16,,,4x4\n",
            "jobs.csv:2: column stages: '4x4': these are 16 replicas, the job has 8 GPUs"),
        new Case(
            STAGES + "a,0,8,5,vgg16,,,1001x1\n",
            "jobs.csv:2: column stages: '1001x1': more than 1000 stages"),
        new Case(
            STAGES + "a,0,8,5,lstm-ptb,,,8x1\n",
            "jobs.csv:2: column stages: '8x1' are 8 stages, but model 'lstm-ptb' has 4 layers; use"
                + " fewer stages"),
        new Case(
            STAGES + "a,0,8,5,plain,,,2\n",
            "jobs.csv:2: column stages: model 'plain' has no layers to cut; give them in a file"
                + " with --models"));
  }

  @ParameterizedTest
  @MethodSource("stages")
  void stagesThatDoNotFit(Case bad) throws IOException {
    ModelTable models =
        ModelTable.standard().with(List.of(new ModelProfile("plain", 1, 1, 1, 1, "test")));
    Path file = Files.writeString(dir.resolve("jobs.csv"), bad.text);
    assertThat(Same.message(dir, () -> JobsFile.read(file, models, CLUSTER)))
        .isEqualTo(bad.message);
  }

  static List<Case> values() {
    return List.of(
        new Case(
            HEADER + ",0,1,5\n",
            "jobs.csv:2: column job_id: is empty; expected a text of its own for each job"),
        new Case(
            HEADER + "\"  \",0,1,5\n",
            "jobs.csv:2: column job_id: is empty; expected a text of its own for each job"),
        new Case(
            HEADER + "b,0,1,5\na,0,1,5\n\nb,1,1,5\n",
            "jobs.csv:5: column job_id: 'b' is already in line 2; expected a text of its own for"
                + " each job"),
        new Case(
            HEADER + "a,-1,1,5\n",
            "jobs.csv:2: column submit_s: '-1' is not a number of at least 0"),
        new Case(
            HEADER + "a,,1,5\n",
            "jobs.csv:2: column submit_s: is empty; expected a number of at least 0"),
        new Case(
            HEADER + "a,NaN,1,5\n",
            "jobs.csv:2: column submit_s: 'NaN' is not a number of at least 0"),
        new Case(
            HEADER + "a,Infinity,1,5\n",
            "jobs.csv:2: column submit_s: 'Infinity' is not a number of at least 0"),
        new Case(
            HEADER + "a,2017-10-09 07:01:55,1,5\n",
            "jobs.csv:2: column submit_s: '2017-10-09 07:01:55' is not a number of at least 0"),
        new Case(
            HEADER + "a,1.1e12,1,5\n",
            "jobs.csv:2: column submit_s: '1.1e12' is not a number from 0 to 1000000000000"),
        new Case(
            HEADER + "a,1e999,1,5\n",
            "jobs.csv:2: column submit_s: '1e999' is not a number from 0 to 1000000000000"),
        new Case(
            HEADER + "a,0,1,5\nb,\"two\nlines\",1,5\n",
            "jobs.csv:3: column submit_s: 'two?lines' is not a number of at least 0"),
        new Case(
            HEADER + "a," + "x".repeat(100) + ",1,5\n",
            "jobs.csv:2: column submit_s: '"
                + "x".repeat(60)
                + "...' is not a number of at least 0"),
        new Case(
            HEADER + "a,0,-3,5\n",
            "jobs.csv:2: column gpus: '-3' is not a whole number of at least 1"),
        new Case(
            HEADER + "a,0,0,5\n",
            "jobs.csv:2: column gpus: '0' is not a whole number of at least 1"),
        new Case(
            HEADER + "a,0,1.5,5\n",
            "jobs.csv:2: column gpus: '1.5' is not a whole number of at least 1"),
        new Case(
            HEADER + "a,0,,5\n",
            "jobs.csv:2: column gpus: is empty; expected a whole number of at least 1"),
        new Case(
            HEADER + "a,0,many,5\n",
            "jobs.csv:2: column gpus: 'many' is not a whole number of at least 1"),
        new Case(
            HEADER + "a,0,NaN,5\n",
            "jobs.csv:2: column gpus: 'NaN' is not a whole number of at least 1"),
        new Case(
            HEADER + "a,0,100000001,5\n",
            "jobs.csv:2: column gpus: '100000001' is not a whole number from 1 to 100000000"),
        new Case(
            HEADER + "a,0,99999999999999999999,5\n",
            "jobs.csv:2: column gpus: '99999999999999999999' is not a whole number from 1 to"
                + " 100000000"),
        new Case(
            HEADER + "a,0,33,5\n",
            "jobs.csv:2: column gpus: 33 is more than the 32 GPUs of cluster 4x8"),
        new Case(
            HEADER + "a,0,1,0\n", "jobs.csv:2: column duration_s: '0' is not a number above 0"),
        new Case(
            HEADER + "a,0,1,-5\n", "jobs.csv:2: column duration_s: '-5' is not a number above 0"),
        new Case(
            HEADER + "a,0,1,NaN\n", "jobs.csv:2: column duration_s: 'NaN' is not a number above 0"),
        new Case(
            HEADER + "a,0,1,-Infinity\n",
            "jobs.csv:2: column duration_s: '-Infinity' is not a number above 0"),
        new Case(
            HEADER + "a,0,1,1h\n", "jobs.csv:2: column duration_s: '1h' is not a number above 0"),
        new Case(
            HEADER + "a,0,1,1.1e15\n",
            "jobs.csv:2: column duration_s: '1.1e15' is not a number above 0 and up to"
                + " 1000000000000000"),
        new Case(
            HEADER + "a,0,1,\n",
            "jobs.csv:2: column duration_s: is empty; expected a number above 0"),
        new Case(
            "job_id,submit_s,gpus,iterations\na,0,1,\n",
            "jobs.csv:2: column iterations: is empty; expected a number above 0"),
        new Case(
            "job_id,submit_s,gpus,iterations\na,0,1,zero\n",
            "jobs.csv:2: column iterations: 'zero' is not a number above 0"));
  }

  static List<Case> combinations() {
    return List.of(
        new Case(
            BOTH + "a,0,1,5,5\n",
            "jobs.csv:2: columns iterations and duration_s: both are filled; fill exactly one"),
        new Case(
            BOTH + "a,0,1,,\n",
            "jobs.csv:2: columns iterations and duration_s: both are empty; fill exactly one"),
        new Case(
            ALL + "a,0,1,5,vgg17,,\n",
            "jobs.csv:2: column model: unknown model 'vgg17'; did you mean 'vgg16'?"),
        new Case(
            ALL + "a,0,1,5,llama,,\n",
            "jobs.csv:2: column model: unknown model 'llama'; expected one of vgg16, vgg19,"
                + " resnet50, resnet152, inception-v3, lstm-ptb, bert-large, xlnet-large,"
                + " gpt2-medium, gpt2-xl"),
        new Case(
            ALL + "a,0,4,5,,0,8\n",
            "jobs.csv:2: column min_gpus: '0' is not a whole number of at least 1"),
        new Case(
            ALL + "a,0,4,5,,2,x\n",
            "jobs.csv:2: column max_gpus: 'x' is not a whole number of at least 1"),
        new Case(
            ALL + "a,0,4,5,,8,2\n",
            "jobs.csv:2: column min_gpus: 8 is above the job's max_gpus, 2"),
        new Case(
            ALL + "a,0,4,5,,5,8\n",
            "jobs.csv:2: column gpus: 4 is outside the job's own range, min_gpus 5 to max_gpus 8"),
        new Case(
            ALL + "a,0,4,5,,1,2\n",
            "jobs.csv:2: column gpus: 4 is outside the job's own range, min_gpus 1 to max_gpus 2"),
        new Case(
            ALL + "a,0,4,5,,33,64\n",
            "jobs.csv:2: column min_gpus: 33 is more than the 32 GPUs of cluster 4x8"));
  }

  @ParameterizedTest
  @MethodSource({"headers", "values", "combinations"})
  void oneLineThatSaysWhatIsWrong(Case bad) throws IOException {
    Path file = dir.resolve("jobs.csv");
    Files.write(file, bad.text.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(message(file)).isEqualTo(bad.message);
  }

  private String message(Path file) {
    return Same.message(dir, () -> JobsFile.read(file, ModelTable.standard(), CLUSTER));
  }

  @Test
  void maxGpusMayBeMoreThanThereAre() throws IOException {
    Path file = Files.writeString(dir.resolve("jobs.csv"), ALL + "a,0,4,5,,1,1000\n");
    assertThat(JobsFile.read(file, ModelTable.standard(), CLUSTER).maxGpus(0)).isEqualTo(1000);
  }

  @Test
  void linesAreThoseOfTheFile() throws IOException {
    String text = "\r\n" + HEADER.replace("\n", "\r\n") + "\"a\r\nb\",0,1,5\r\n\r\nc,0,0,5\r\n";
    assertThat(message(Files.writeString(dir.resolve("jobs.csv"), text)))
        .isEqualTo("jobs.csv:6: column gpus: '0' is not a whole number of at least 1");
  }

  @Test
  void missingFileAndDirectory() {
    assertThat(message(dir.resolve("none.csv"))).isEqualTo("none.csv: no such file");
    assertThat(message(dir)).isEqualTo(dir + ": it is a directory; expected a file");
  }

  @Test
  void damagedGzip() throws IOException {
    Random random = new Random(5);
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < 10_000; i++) {
      text.append(i).append(',').append(random.nextInt(100_000)).append(",1,5\n");
    }
    byte[] bytes = gzip(text.toString());
    Path file = dir.resolve("jobs.csv.gz");
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    assertThat(message(file))
        .matches(
            "jobs.csv.gz: cannot read after line \\d+: Unexpected end of ZLIB input stream;"
                + " is the file damaged\\?");
    byte[] flipped = bytes.clone();
    for (int i = bytes.length / 2; i < bytes.length / 2 + 50; i++) {
      flipped[i] ^= 0x55;
    }
    Files.write(file, flipped);
    assertThat(message(file)).startsWith("jobs.csv.gz").doesNotContain("\n");
    Files.writeString(file, HEADER + "a,0,1,5\n");
    assertThat(message(file))
        .isEqualTo(
            "jobs.csv.gz: the name ends in .gz but the file is not compressed that way; rename it");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** Whatever the file holds, the answer is jobs or one line. */
  @Test
  void randomDamageIsRefusedInOneLine() throws IOException {
    byte[] good = (ALL + "a,0,4,5,vgg16,2,8\nb,1.5,1,3,,,\n").getBytes(StandardCharsets.UTF_8);
    byte[] odd = ",\"\n\r -.eNx\u00009\u007f".getBytes(StandardCharsets.UTF_8);
    Path file = dir.resolve("jobs.csv");
    for (long seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = good.clone();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        bytes[random.nextInt(bytes.length)] = odd[random.nextInt(odd.length)];
      }
      Files.write(file, bytes);
      try {
        JobsFile.read(file, ModelTable.standard(), CLUSTER);
      } catch (BadInput e) {
        assertThat(e.getMessage()).as("seed " + seed).startsWith(file + ":").doesNotContain("\n");
      }
    }
  }
}
