package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.Past;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each format's rows become, worked out by hand. */
class TraceReadersTest {
  @TempDir Path folder;

  private Imported check(
      Sample sample, String jobs, String parts, String drops, String... settings) {
    Imported imported = sample.read(folder, settings);
    assertThat(Sample.jobs(imported, folder)).isEqualTo(jobs);
    assertThat(Sample.counts(imported.parts())).isEqualTo(parts);
    assertThat(Sample.counts(imported.drops())).isEqualTo(drops);
    return imported;
  }

  /**
   * a_1 had 4 GPUs for 100 s, then 2 for 200 s: 800 GPU-seconds, 200 s with 4. It waited 30 s. a_2
   * ran 10 s without a wait.
   */
  @Test
  void philly() {
    Imported imported =
        check(
            Sample.PHILLY,
            """
            job_id,submit_s,gpus,duration_s,user,group,start_s,end_s
            a_2,0,1,10,u2,v2,0,10
            a_1,30,4,200,u1,v1,60,3860
            """,
            "1 a header; 2 a server",
            "1 an attempt ended before it started; 1 never ran, or its times are missing; 1 was"
                + " still running at the end of the trace");
    assertThat(imported.serverGpus().toString()).isEqualTo("{m1=8, m2=8, m3=1, m9=2}");
    Past past = Past.of(imported.jobs()).orElseThrow();
    assertThat(past.jobs()).isEqualTo(2);
    assertThat(past.waitMeanSeconds()).isEqualTo(15);
    assertThat(past.waitP50Seconds()).isEqualTo(30);
    // (30 + 3800 + 0 + 10) / 2: an hour lay between the attempts of a_1.
    assertThat(past.jctMeanSeconds()).isEqualTo(1920);
  }

  @Test
  void phillyCsv() {
    Imported imported =
        check(
            Sample.PHILLY_CSV,
            """
            job_id,submit_s,gpus,duration_s,user,start_s,end_s
            j2,0,8,30.5,c2,,
            j1,115,1,66,c1,,
            """,
            "",
            "1 did not run; 1 duration is no number; 1 has another number of fields; 1 timestamp is"
                + " no time");
    assertThat(Past.of(imported.jobs())).isEmpty();
    assertThat(imported.drops().getFirst().first()).endsWith("philly.csv:4");
  }

  @Test
  void chronus() {
    check(
        Sample.CHRONUS,
        """
        job_id,submit_s,gpus,duration_s,model,user,start_s,end_s
        0,0,4,120,resnet152,vc1,,
        1,120,1,30,inception-v3,vc2,,
        """,
        "",
        "1 asks for no GPU");
    check(
        Sample.CHRONUS,
        """
        job_id,submit_s,gpus,duration_s,model,user,start_s,end_s
        0,0,4,2,resnet152,vc1,,
        1,2,1,0.5,inception-v3,vc2,,
        """,
        "",
        "1 asks for no GPU",
        "unit=seconds");
  }

  /** Of four rows two have an id that was there before, and one of these is there twice. */
  @Test
  void elasticFlow() {
    Imported imported =
        check(
            Sample.ELASTICFLOW,
            """
            job_id,submit_s,gpus,duration_s,model,start_s,end_s
            0,0,1,976,vgg16,,
            1,60,4,179,gpt2-medium,,
            1-2,90,4,180,bert-large,,
            """,
            "",
            "1 is there twice");
    assertThat(imported.renamed()).isEqualTo(1);
  }

  @Test
  void helios() {
    Imported imported =
        check(
            Sample.HELIOS,
            """
            job_id,submit_s,gpus,duration_s,user,group,cpus_per_gpu,memory_gb_per_gpu,start_s,end_s
            11,0,1,50,u1,vc1,6,0,10,60
            12,26,16,249,u2,vc1,4,0,26,275
            """,
            "",
            "1 asks for no GPU; 1 end_time is before start_time; 1 never started; 1 start_time is"
                + " before submit_time");
    assertThat(Past.of(imported.jobs()).orElseThrow().waitMeanSeconds()).isEqualTo(5);
    check(
        Sample.HELIOS,
        """
        job_id,submit_s,gpus,duration_s,user,group,cpus_per_gpu,memory_gb_per_gpu,start_s,end_s
        11,0,1,50,u1,vc1,6,0,10,60
        """,
        "",
        "1 asks for no GPU; 3 did not complete; 1 never started",
        "only=completed");
  }

  /** The length counts from the start, whatever the column says: 8 s, not 18. Zones differ. */
  @Test
  void acme() {
    check(
        Sample.ACME,
        """
        job_id,submit_s,gpus,duration_s,user,group,cpus_per_gpu,memory_gb_per_gpu,start_s,end_s
        dlc2,0,8,120,u1,Evaluation,16,0,0,120
        dlc1,58,64,8,u1,Pretrain,15,125,68,76
        """,
        "",
        "1 asks for no GPU");
  }

  /**
   * j1: 3 instances of half a GPU make 1.5, so 2; (6 + 3 * 4) CPUs and (10 + 3 * 20) GB over 2; it
   * starts with its instance at 1020. j2: 2 GPUs, 8 CPUs.
   */
  @Test
  void pai() {
    Imported imported =
        check(
            Sample.PAI,
            """
            job_id,submit_s,gpus,duration_s,model,user,group,cpus_per_gpu,memory_gb_per_gpu,start_s,end_s
            j1,0,2,480,bert-large,u1,g1,9,35,20,500
            j2,100,2,60,,u2,g2,4,0,100,160
            """,
            "2 a server; 6 a task of a job; 2 an instance of a task; 2 the tags of a job",
            "1 asks for no GPU; 1 has no end_time; 1 has no task; 1 never started");
    assertThat(imported.serverGpus().toString()).isEqualTo("{m1=8}");
    assertThat(Past.of(imported.jobs()).orElseThrow().waitMeanSeconds()).isEqualTo(10);
  }

  @Test
  void gpu2023() {
    Imported imported =
        check(
            Sample.GPU_2023,
            """
            job_id,submit_s,gpus,duration_s,cpus_per_gpu,memory_gb_per_gpu,start_s,end_s
            p0,0,1,180,12,17.179869184,20,200
            p1,50,1,100,6,1.073741824,50,150
            """,
            "2 a server",
            "1 asks for no GPU; 1 was never scheduled");
    assertThat(imported.cluster("openb").orElseThrow().totalGpus()).isEqualTo(8);
  }

  @Test
  void gpu2025() {
    check(
        Sample.GPU_2025,
        """
        job_id,submit_s,gpus,duration_s,group,cpus_per_gpu,memory_gb_per_gpu,start_s,end_s
        i0,0,1,40,app_0,12,128.84901888,10,50
        """,
        "",
        "1 asks for no GPU; 1 was still running at the end of the trace; 1 was there before the"
            + " trace began");
  }

  @Test
  void genai2026() {
    check(
        Sample.GENAI,
        """
        job_id,submit_s,gpus,duration_s,group,start_s,end_s
        r2,0,1,43,G2,,
        r1,10,1,32,G1,,
        """,
        "",
        "1 was still running at the end of the trace");
  }

  /** Job 2 says how many processors it asked for, not how many it got, nor how long it waited. */
  @Test
  void swf() {
    Imported imported =
        check(
            Sample.SWF,
            """
            job_id,submit_s,gpus,duration_s,user,group,start_s,end_s
            1,0,4,60,u7,g2,5,65
            2,10,8,30,u8,x3,,
            """,
            "1 a stretch of a job that was stopped and resumed",
            "1 asks for no GPU; 1 did not run; 1 has another number of fields");
    assertThat(Past.of(imported.jobs()).orElseThrow().jobs()).isEqualTo(1);
  }

  @Test
  void gavelInIterations() {
    Imported imported =
        check(
            Sample.GAVEL,
            """
            job_id,submit_s,gpus,iterations,model,group,start_s,end_s
            j4,0,1,3000,lstm-ptb,LM (batch size 5),,
            j1,4.5,2,2000,resnet50,ResNet-50 (batch size 64),,
            j2,24.5,4,600,,Transformer (batch size 16),,
            j3,24.5,1,100,,A3C,,
            """,
            "",
            "1 has no steps to do");
    assertThat(imported.notes()).hasSize(1);
  }

  /** 2000 steps at 8 a second; 600 at 10 with 2 GPUs, so 20 with 4; 3000 at 100. */
  @Test
  void gavelInSeconds() {
    Imported imported =
        check(
            Sample.GAVEL.with("throughputs.json", Sample.THROUGHPUTS),
            """
            job_id,submit_s,gpus,duration_s,model,group,start_s,end_s
            j4,0,1,30,lstm-ptb,LM (batch size 5),,
            j1,4.5,2,250,resnet50,ResNet-50 (batch size 64),,
            j2,24.5,4,30,,Transformer (batch size 16),,
            """,
            "",
            "1 has no steps to do; 1 its throughput is not in the table");
    assertThat(imported.notes()).isEmpty();
  }

  /** Half as fast on a p100, and not measured on a k80. */
  @Test
  void gavelOnAllTypesOfGpu() {
    String throughputs =
        """
        {"v100": {"('LM (batch size 5)', 1)": {"null": 100.0}},
         "p100": {"('LM (batch size 5)', 1)": {"null": 50.0}},
         "k80": {"('LM (batch size 5)', 1)": {"null": 0.0}}}
        """;
    check(
        Sample.GAVEL.with("throughputs.json", throughputs),
        """
        job_id,submit_s,gpus,duration_s,model,group,start_s,end_s,gpu_kinds,gpu_speeds
        j4,0,1,30,lstm-ptb,LM (batch size 5),,,p100|v100,p100:0.5|v100:1
        """,
        "",
        "1 has no steps to do; 3 its throughput is not in the table",
        "gpu=all");
  }

  /**
   * One GPU-hour for CIFAR-10 with one GPU. BERT: 3.8 * 16^0.15 = 5.760 GPU-hours, over 16 GPUs
   * 1296 s. NCF: 0.4 * 128^-0.78 = 0.00908 GPU-hours, 33 s.
   */
  @Test
  void pollux() {
    Imported imported =
        check(
            Sample.POLLUX,
            """
            job_id,submit_s,gpus,duration_s,model,group,start_s,end_s
            cifar10-0,0,1,3600,resnet50,cifar10,,
            bert-1,10.5,16,1296,bert-large,bert,,
            ncf-2,28,1,33,,ncf,,
            """,
            "",
            "1 is of an application whose length is not known");
    assertThat(imported.notes()).hasSize(1);
  }
}
