package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.pipeline.Replicas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class JobsFileTest {
  private static final Cluster CLUSTER = Cluster.uniform(4, 8, Network.Contention.USUAL, 10);

  @TempDir Path dir;

  private Jobs read(Path file) {
    return JobsFile.read(file, ModelTable.standard(), CLUSTER);
  }

  private List<String> read(String text) throws IOException {
    Jobs jobs = read(Files.writeString(dir.resolve("jobs.csv"), text));
    List<String> lines = new ArrayList<>();
    for (int job = 0; job < jobs.size(); job++) {
      lines.add(Same.job(jobs, job));
    }
    return lines;
  }

  @Test
  void durations() throws IOException {
    assertThat(read("job_id,submit_s,gpus,duration_s\na,0,1,60\nb,0.5,8,1.25\n"))
        .containsExactly(
            "id=a submit=0.0 gpus=1 1..1 duration=60.0 model= user= group=",
            "id=b submit=0.5 gpus=8 8..8 duration=1.25 model= user= group=");
  }

  @Test
  void everyColumnInAnyOrder() throws IOException {
    String text =
        """
        group,user,max_gpus,min_gpus,model,duration_s,iterations,gpus,submit_s,job_id,stages,note
        g1,ann,64,2,vgg16,,1000,4,10,a,,x
        ,,,,,30,,1,5,b,,
        ,,,,vgg16,30,,8,6,c,"1x4,2x2",
        """;
    assertThat(read(text))
        .containsExactly(
            "id=b submit=5.0 gpus=1 1..1 duration=30.0 model= user= group=",
            "id=c submit=6.0 gpus=8 8..8 duration=30.0 model=vgg16 user= group= stages=1x4,2x2",
            "id=a submit=10.0 gpus=4 2..64 iterations=1000.0 model=vgg16 user=ann group=g1");
  }

  @Test
  void blanksQuotesAndLineEnds() throws IOException {
    String header = "\uFEFF\"job_id\", submit_s,gpus,duration_s,user";
    String plain = "  a b ,\t1 , 2.0 , 1e2 , ann";
    String quoted = "\" q,\"\"\n\",2,\" 1 \",3,\" u \"";
    String text = String.join("\r\n", header, "", plain, quoted);
    assertThat(read(text))
        .containsExactly(
            "id=a b submit=1.0 gpus=2 2..2 duration=100.0 model= user=ann group=",
            "id= q,\"\n submit=2.0 gpus=1 1..1 duration=3.0 model= user= u  group=");
  }

  @Test
  void rowsOfTheSameTimeKeepTheirOrder() throws IOException {
    assertThat(read("job_id,submit_s,gpus,duration_s\nb,1,1,1\na,1,1,1\nc,0,1,1\n"))
        .map(l -> l.substring(3, 4))
        .containsExactly("c", "b", "a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs.csv.gz", "jobs.csv.xz", "jobs.csv.zst", "jobs.csv"})
  void compressedFiles(String name) throws IOException {
    StringBuilder text = new StringBuilder("job_id,submit_s,gpus,duration_s\n");
    for (int i = 0; i < 20_000; i++) {
      text.append("j").append(i).append(',').append(i).append(",1,5\n");
    }
    byte[] plain = text.toString().getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(dir.resolve(name), compressed(name, plain));
    Jobs jobs = read(file);
    assertThat(jobs.size()).isEqualTo(20_000);
    assertThat(jobs.id(19_999)).isEqualTo("j19999");
  }

  @Test
  void compressionIsKnownByTheBytesToo() throws IOException {
    byte[] plain = "job_id,submit_s,gpus,duration_s\na,0,1,1\n".getBytes(StandardCharsets.UTF_8);
    assertThat(read(Files.write(dir.resolve("jobs.csv"), compressed(".gz", plain))).size())
        .isEqualTo(1);
  }

  @Test
  void partsOfAGzipFileThatWerePutTogether() throws IOException {
    byte[] first =
        compressed(".gz", "job_id,submit_s,gpus,duration_s\n".getBytes(StandardCharsets.UTF_8));
    byte[] second = compressed(".gz", "a,0,1,1\n".getBytes(StandardCharsets.UTF_8));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(read(Files.write(dir.resolve("jobs.csv.gz"), both)).size()).isEqualTo(1);
  }

  private static byte[] compressed(String name, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        name.endsWith(".gz")
            ? new GZIPOutputStream(bytes)
            : name.endsWith(".xz")
                ? new XZOutputStream(bytes, new LZMA2Options(0))
                : name.endsWith(".zst") ? new ZstdOutputStream(bytes) : bytes) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  @Test
  void progressEndsWithTheWholeFile() throws IOException {
    StringBuilder text = new StringBuilder("job_id,submit_s,gpus,duration_s\n");
    for (int i = 0; i < 50_000; i++) {
      text.append("j").append(i).append(",0,1,5\n");
    }
    Path file = Files.writeString(dir.resolve("jobs.csv"), text);
    List<Long> seen = new ArrayList<>();
    JobsFile.read(
        file,
        ModelTable.standard(),
        CLUSTER,
        (bytes, ofBytes) -> {
          assertThat(ofBytes).isEqualTo(text.length());
          seen.add(bytes);
        });
    assertThat(seen).isSorted().last().isEqualTo((long) text.length());
    assertThat(seen).hasSizeGreaterThan(3);
  }

  @Test
  void onlyColumnsInUseAreWritten() throws IOException {
    Path file = dir.resolve("jobs.csv");
    JobsFile.write(
        file,
        Jobs.builder(ModelTable.standard())
            .addDuration("a", 0.25, 2, 60, "")
            .addDuration("b,c", 1, 1, 0.1, "vgg16")
            .build());
    assertThat(file)
        .hasContent("job_id,submit_s,gpus,duration_s,model\na,0.25,2,60,\n\"b,c\",1,1,0.1,vgg16\n");
    JobsFile.write(
        file,
        Jobs.builder(ModelTable.standard())
            .addIterations("a", 0, 2, 60, "")
            .add("b", 1, 4, 2, 64, 7, true, "", "ann", "")
            .build());
    assertThat(file)
        .hasContent(
            """
            job_id,submit_s,gpus,iterations,duration_s,min_gpus,max_gpus,user
            a,0,2,60,,2,2,
            b,1,4,,7,2,64,ann
            """);
  }

  @Test
  void whatHappenedReadsBackTheSame() throws IOException {
    Path file = dir.resolve("jobs.csv");
    String text =
        """
        job_id,submit_s,gpus,duration_s,start_s,end_s
        a,0,8,60,0,60
        b,10,8,60,60.5,
        c,20,8,60,,
        """;
    Jobs jobs = read(Files.writeString(file, text));
    assertThat(jobs.isHistory()).isTrue();
    assertThat(jobs.startedSeconds(1)).isEqualTo(60.5);
    assertThat(jobs.endedSeconds(1)).isNaN();
    assertThat(jobs.startedSeconds(2)).isNaN();
    JobsFile.write(file, jobs);
    assertThat(file).hasContent(text);
    assertThat(JobsFile.isOne(file)).isTrue();
  }

  /** Rows stand in another order than they are submitted in. */
  @Test
  void whetherAJobResumesReadsBackTheSame() throws IOException {
    Path file = dir.resolve("jobs.csv");
    String header = "job_id,submit_s,gpus,duration_s,resumable\n";
    Jobs jobs =
        read(Files.writeString(file, header + "b,10,8,60,\nc,20,8,60,true\na,0,8,60,false\n"));
    assertThat(jobs.allResumable()).isFalse();
    assertThat(jobs.resumable(0)).isFalse();
    assertThat(jobs.resumable(1)).isTrue();
    assertThat(jobs.resumable(2)).isTrue();
    JobsFile.write(file, jobs);
    assertThat(file).hasContent(header + "a,0,8,60,false\nb,10,8,60,true\nc,20,8,60,true\n");
    assertThatThrownBy(() -> read(Files.writeString(file, header + "a,0,8,60,no\n")))
        .hasMessageContaining("column resumable: 'no' is not true or false");
  }

  @Test
  void howOftenAJobSavesReadsBackTheSame() throws IOException {
    Path file = dir.resolve("jobs.csv");
    String both = "job_id,submit_s,gpus,duration_s,checkpoint_s,save_s\n";
    Jobs slow = read(Files.writeString(file, both + "a,0,8,60,12,3\nb,0,8,60,6,\nc,0,8,60,,\n"));
    assertThat(slow.savingShare(0)).isEqualTo(0.2);
    assertThat(slow.saveSeconds(1)).isZero();
    JobsFile.write(file, slow);
    assertThat(file).hasContent(both + "a,0,8,60,12,3\nb,0,8,60,6,0\nc,0,8,60,,0\n");
    assertThatThrownBy(() -> read(Files.writeString(file, both + "a,0,8,60,,3\n")))
        .hasMessageEndingWith(
            "column save_s: a job that says how long it saves says how often too: fill"
                + " checkpoint_s");
    String header = "job_id,submit_s,gpus,duration_s,checkpoint_s\n";
    Jobs jobs = read(Files.writeString(file, header + "b,10,8,60,\na,0,8,60,12.5\n"));
    assertThat(jobs.checkpointSeconds(0)).isEqualTo(12.5);
    assertThat(jobs.checkpointSeconds(1)).isZero();
    JobsFile.write(file, jobs);
    assertThat(file).hasContent(header + "a,0,8,60,12.5\nb,10,8,60,\n");
    assertThat(read(Files.writeString(file, header + "a,0,8,60,\n")).anyCheckpoints()).isFalse();
    assertThatThrownBy(() -> read(Files.writeString(file, header + "a,0,8,60,0\n")))
        .hasMessageContaining("column checkpoint_s: '0' is not a number above 0");
  }

  /** One stage is none: every worker has the whole model. */
  @Test
  void stagesReadBackTheSame() throws IOException {
    Path file = dir.resolve("jobs.csv");
    String header = "job_id,submit_s,gpus,duration_s,model,stages\n";
    Files.writeString(
        file,
        header
            + "a,0,8,60,vgg16,4\nb,0,8,60,vgg16,4x2\nc,0,10,60,bert-large,\"2x1,2x4\"\n"
            + "d,0,8,60,vgg16,1\ne,0,8,60,vgg16,1x8\nf,0,8,60,,\n");
    Jobs jobs = read(file);
    assertThat(jobs.anyStaged()).isTrue();
    // Two jobs that cut a model alike share a profile.
    assertThat(jobs.profiles()).hasSize(ModelTable.standard().profiles().size() + 2);
    assertThat(jobs.model(0)).isEqualTo(jobs.model(1));
    assertThat(jobs.profile(3)).isEqualTo(ModelTable.standard().profile(0));
    JobsFile.write(file, jobs);
    assertThat(file)
        .hasContent(
            header
                + "a,0,8,60,vgg16,4x2\nb,0,8,60,vgg16,4x2\nc,0,10,60,bert-large,\"2x1,2x4\"\n"
                + "d,0,8,60,vgg16,\ne,0,8,60,vgg16,\nf,0,8,60,,\n");
    Same.jobs(read(file), jobs);
    Files.writeString(file, header + "a,0,8,60,vgg16,1x8\n");
    assertThat(read(file).anyStaged()).isFalse();
  }

  @Test
  void randomJobsReadBackTheSame() throws IOException {
    for (long seed = 0; seed < 200; seed++) {
      Jobs jobs = random(new Random(seed));
      Path file = dir.resolve("random.csv");
      JobsFile.write(file, jobs);
      byte[] first = Files.readAllBytes(file);
      Jobs again = read(file);
      JobsFile.write(file, again);
      try {
        Same.jobs(again, jobs);
        assertThat(Files.readAllBytes(file)).isEqualTo(first);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static Jobs random(Random random) {
    List<String> texts = List.of("", "u1", "a b", "x,y", "\"q\"", "ü", " lead", "two\nlines", "😀");
    List<String> models = List.of("", "vgg16", "gpt2-xl");
    boolean elastic = random.nextBoolean();
    int mixed = random.nextInt(3);
    boolean demanding = random.nextBoolean();
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    int count = 1 + random.nextInt(50);
    for (int i = 0; i < count; i++) {
      int gpus = 1 + random.nextInt(32);
      int least = elastic ? 1 + random.nextInt(gpus) : gpus;
      int most = elastic ? gpus + random.nextInt(100) : gpus;
      double submit =
          random.nextBoolean()
              ? random.nextInt(1000)
              : random.nextDouble() * random.nextInt(1, 9999);
      double work =
          random.nextBoolean() ? 1 + random.nextInt(1000) : 1e9 * (1 - random.nextDouble());
      boolean duration = mixed == 0 || (mixed == 1 && random.nextBoolean());
      String model = models.get(random.nextInt(models.size()));
      jobs.add(
          texts.get(random.nextInt(texts.size())) + i,
          submit,
          gpus,
          least,
          most,
          work,
          duration,
          model,
          texts.get(random.nextInt(texts.size())),
          texts.get(random.nextInt(texts.size())));
      if (!elastic && gpus > 1 && !model.isEmpty() && random.nextInt(3) == 0) {
        int stages = random.nextInt(2, Math.min(gpus, 16) + 1);
        jobs.staged(Replicas.parse(String.valueOf(stages), gpus));
      }
      if (demanding && random.nextInt(3) > 0) {
        double cpus = random.nextBoolean() ? random.nextInt(8) : random.nextDouble(100);
        double gigabytes = random.nextBoolean() ? random.nextInt(64) : random.nextDouble(100);
        jobs.asking(new Demand(cpus, 1e9 * gigabytes));
      }
    }
    return jobs.build();
  }
}
