package io.ringmaster.workload.trace;

import io.ringmaster.workload.JobsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A trace written for tests.
 *
 * @param files text by name
 */
record Sample(String format, Map<String, String> files) {
  static final Sample PHILLY =
      of(
          "philly",
          "cluster_job_log",
          """
          [
          {"status": "Pass", "vc": "v1", "jobid": "a_1", "attempts": [
            {"start_time": "2017-10-07 01:00:00", "end_time": "2017-10-07 01:01:40", "detail": [
              {"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu7", "gpu6"]}]},
            {"start_time": "2017-10-07 02:00:00", "end_time": "2017-10-07 02:03:20", "detail": [
              {"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}],
            "submitted_time": "2017-10-07 00:59:30", "user": "u1"},
          {"status": "Failed", "vc": "v2", "jobid": "a_2", "attempts": [
            {"start_time": "2017-10-07 00:59:00", "end_time": "2017-10-07 00:59:10", "detail": [
              {"ip": "m3", "gpus": ["gpu0"]}]}],
            "submitted_time": "2017-10-07 00:59:00", "user": "u2"},
          {"status": "Killed", "vc": "v2", "jobid": "a_3", "attempts": [],
            "submitted_time": "2017-10-07 01:00:00", "user": "u2"},
          {"status": "Pass", "vc": "v2", "jobid": "a_4", "attempts": [
            {"start_time": "2017-10-07 00:59:00", "end_time": "None", "detail": [
              {"ip": "m3", "gpus": ["gpu0"]}]}],
            "submitted_time": "2017-10-07 00:58:00", "user": "u2"},
          {"status": "Pass", "vc": "v2", "jobid": "a_5", "attempts": [
            {"start_time": "2017-10-07 00:59:00", "end_time": "2017-10-07 00:58:00", "detail": []}],
            "submitted_time": "None", "user": "u2"}
          ]
          """,
          "cluster_machine_list",
          """
          machineId,number of GPUs, single GPU mem
          m1,8, 24GB
          m9,2, 12GB
          """);

  static final Sample PHILLY_CSV =
      of(
          "philly-csv",
          "philly.csv",
          """
          timestamp,duration,num_gpus,gpu_time,cluster
          2017-10-09 07:01:55,66.0,1,66.0,c1
          2017-10-09 07:00:00,30.5,8,244.0,c2
          2017-10-09 08:00:00,0.0,8,0,c2
          2017-10-09 08:00:00,x,8,0,c2
          yesterday,10,8,0,c2
          2017-10-09 08:00:00,10,8
          """);

  static final Sample CHRONUS =
      of(
          "chronus",
          "trace_job.csv",
          """
          job_id,user,num_gpu,submit_time,iterations,model_name,duration,interval,best_effort,job_type
          0,vc1,4,10,6910,resnet101,2,8,0,strict
          1,vc2,1,12,8897,mobilenet_v2,0.5,6,0,strict
          2,vc2,0,12,8897,vgg16,3,6,0,strict
          """);

  static final Sample ELASTICFLOW =
      of(
          "elasticflow",
          "philly.csv",
          """
          job_id,submit_time,real_iteration,model_name,ddl,batch_size,num_gpu,real_duration,duration,iteration
          0,100,9,vgg16,7,256,1,976,976,9
          1,160,9,gpt2,7,64,4,179,179,9
          1,190,9,bert,7,64,4,180,180,9
          1,190,9,bert,7,64,4,180,180,9
          """);

  static final Sample HELIOS =
      of(
          "helios",
          "cluster_log.csv",
          """
          job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
          11,u1,vc1,1,6,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:11,2020-06-09 18:42:01,50,10
          12,u2,vc1,16,64,2,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
          13,u2,vc2,0,4,1,COMPLETED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
          14,u2,vc2,8,4,1,CANCELLED,2020-06-09 18:41:27,,2020-06-09 18:45:36,,
          15,u2,vc2,8,4,1,CANCELLED,2020-06-09 18:41:27,2020-06-09 18:45:36,2020-06-09 18:44:36,1,1
          16,u2,vc2,8,4,1,TIMEOUT,2020-06-09 18:41:27,2020-06-09 18:40:36,2020-06-09 18:44:36,1,1
          """);

  static final Sample ACME =
      of(
          "acme",
          "trace_kalos.csv",
          """
          job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time
          dlc1,u1,8,64,960,1000,100.0,Pretrain,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,1152.0
          dlc2,u1,1,8,128,,,Evaluation,COMPLETED,2023-05-17 19:00:00+08:00,2023-05-17 19:00:00+08:00,2023-05-17 19:02:00+08:00,,,120,0,960.0
          dlc3,u1,1,0,128,,,Other,COMPLETED,2023-05-17 19:00:00+08:00,2023-05-17 19:00:00+08:00,2023-05-17 19:02:00+08:00,,,120,0,0
          """);

  /** Two jobs of tasks that take parts of GPUs, one without, and a job whose task is not there. */
  static final Sample PAI =
      of(
          "pai-2020",
          "pai_job_table.csv",
          """
          j1,i1,u1,Terminated,1000.0,1500.0
          j2,i2,u2,Failed,1100.0,1160.0
          j3,i3,u2,Terminated,1100.0,1160.0
          j4,i4,u2,Terminated,1100.0,1160.0
          j5,i5,u2,Running,1100.0,
          j6,i6,u2,Terminated,0,1160.0
          """,
          "pai_task_table.csv",
          """
          j1,ps,1.0,Terminated,1005.0,1500.0,600.0,10.0,,
          j1,worker,3.0,Terminated,1010.0,1500.0,400.0,20.0,50.0,MISC
          j2,worker,2.0,Failed,1100.0,1160.0,400.0,,100.0,V100
          j3,worker,2.0,Terminated,1100.0,1160.0,400.0,,,
          j5,worker,2.0,Running,1100.0,,400.0,,100,T4
          j6,worker,2.0,Terminated,,1160.0,400.0,,100,T4
          """,
          "pai_group_tag_table.csv",
          """
          i1,u1,,g1,bert
          i2,u2,T4,g2,
          """,
          "pai_instance_table.csv",
          """
          j1,worker,n1,w1,i1,Terminated,1020.0,1500.0,m1
          j1,worker,n2,w2,i1,Terminated,0,0,m1
          """,
          "pai_machine_spec.csv",
          """
          m1,V100,96,512,8
          m2,CPU,96,512,0
          """);

  static final Sample GPU_2023 =
      of(
          "gpu-2023",
          "openb_pod_list.csv",
          """
          name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
          p0,12000,16384,1,1000,,LS,Running,100,300,120
          p1,6000,1024,1,460,,LS,Succeeded,150,250,150
          p2,6000,1024,0,0,,LS,Succeeded,150,250,150
          p3,64000,1024,8,1000,V100M16|V100M32,BE,Pending,150,250,
          """,
          "openb_node_list.csv",
          """
          sn,cpu_milli,memory_mib,gpu,model
          n0,32000,262144,0,
          n1,96000,786432,8,V100M32
          """);

  static final Sample GPU_2025 =
      of(
          "gpu-2025",
          "dlrm.csv",
          """
          instance_sn,role,app_name,cpu_request,cpu_limit,gpu_request,gpu_limit,rdma_request,rdma_limit,memory_request,memory_limit,disk_request,disk_limit,max_instance_per_node,creation_time,scheduled_time,deletion_time
          i0,HN,app_0,12,12,1,1,25,25,120.0,120.0,640.0,800.0,8,50.0,60.0,100.0
          i1,HN,app_1,12,12,1,1,25,25,120.0,120.0,640.0,800.0,8,,,100.0
          i2,HN,app_1,12,12,1,1,25,25,120.0,120.0,640.0,800.0,8,50.0,50.0,
          i3,CN,app_1,64,64,0,0,1,1,320.0,320.0,255.0,300.0,-1,50.0,50.0,70.0
          """);

  static final Sample GENAI =
      of(
          "genai-2026",
          "lora_request_trace.csv",
          """
          gmt_create,predict_type,predict_status,exec_time_seconds,groupId,prompt_length,negative_prompt_length,num_images_per_prompt,num_inference_steps,checkpoint_model_version_id,num_lora
          2024-11-15 16:57:50,TXT_2_IMG,SUCCEED,32.0,G1,63.0,26.0,1.0,30.0,M0,0
          2024-11-15 16:57:40,TXT_2_IMG,FAILED,43.0,G2,93.0,,1.0,40.0,M1,0
          2024-11-15 16:58:00,TXT_2_IMG,PENDING,0.0,G2,93.0,,1.0,40.0,M1,0
          """);

  static final Sample SWF =
      of(
          "swf",
          "site.swf",
          """
          ; Version: 2.2
          ; MaxProcs: 64
          1 100 5 60 4 -1 -1 4 -1 -1 1 7 2 -1 -1 -1 -1 -1
          2 110 -1 30 -1 -1 -1 8 -1 -1 0 8 2 3 -1 -1 -1 -1 {1,2} q 1:ppn=8
          3 120 0 -1 4 -1 -1 4 -1 -1 5 8 2 -1 -1 -1 -1 -1
          4 130 0 50 4 -1 -1 4 -1 -1 3 8 2 -1 -1 -1 -1 -1
          5 130 0 50 0 -1 -1 -1 -1 -1 1 8 2 -1 -1 -1 -1 -1
          6 130 0 50
          """);

  static final Sample GAVEL =
      of(
          "gavel",
          "a.trace",
          """
          ResNet-50 (batch size 64)\tpython3 main.py -b 64\timage/imagenet\t--num_minibatches\t1\t2000\t2\t1\t-1.000000\t10
          Transformer (batch size 16)\tpython3 train.py\ttranslation\t-step\t1\t600\t4\t1\t-1.000000\t30
          A3C\tpython3 main.py\trl\t--max-steps\t0\t100\t1\t1\t-1.000000\t30
          """,
          "b.trace",
          """
          LM (batch size 5)\tcd %s && python main.py\t--steps\t1\t3000\t5.500000\t1
          LM (batch size 5)\tcd %s && python main.py\t--steps\t1\t0\t6.000000\t1
          """);

  /** Speeds for the jobs of {@link #GAVEL}, but for one. */
  static final String THROUGHPUTS =
      """
      {"k80": {"('LM (batch size 5)', 1)": {"null": 1.0}},
       "v100": {
         "('ResNet-50 (batch size 64)', 2)": {"null": 8.0, "('A3C', 1)": [1.0, 2.0]},
         "('Transformer (batch size 16)', 2)": {"null": 10.0},
         "('LM (batch size 5)', 1)": {"null": 100.0}}}
      """;

  static final Sample POLLUX =
      of(
          "pollux",
          "workload-1.csv",
          """
          name,time,application,num_replicas,batch_size
          cifar10-0,32,cifar10,1,128
          bert-1,42.5,bert,16,384
          ncf-2,60,ncf,1,32768
          gpt-3,60,gpt,1,32768
          """);

  static final List<Sample> ALL =
      List.of(
          PHILLY,
          PHILLY_CSV,
          CHRONUS,
          ELASTICFLOW,
          HELIOS,
          ACME,
          PAI,
          GPU_2023,
          GPU_2025,
          GENAI,
          SWF,
          GAVEL,
          POLLUX);

  private static Sample of(String format, String... namesAndTexts) {
    Map<String, String> files = new LinkedHashMap<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      files.put(namesAndTexts[i], namesAndTexts[i + 1]);
    }
    return new Sample(format, files);
  }

  /** The same trace with another file, or another text of one. */
  Sample with(String name, String text) {
    Map<String, String> more = new LinkedHashMap<>(files);
    more.put(name, text);
    return new Sample(format, more);
  }

  /** Imports it. */
  Imported read(Path folder, String... settings) {
    Map<String, String> given = new LinkedHashMap<>();
    Stream.of(settings).map(s -> s.split("=", 2)).forEach(pair -> given.put(pair[0], pair[1]));
    List<Path> written = new ArrayList<>();
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        written.add(Files.writeString(folder.resolve(file.getKey()), file.getValue()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return TraceFormats.read(format, written, given, 1, (_, _) -> {});
  }

  /** The jobs file that is made of it. */
  static String jobs(Imported imported, Path folder) {
    Path file = folder.resolve("jobs-out.csv");
    JobsFile.write(file, imported.jobs());
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code 2 did not run; 1 ...}, the first places left out. */
  static String counts(List<Imported.Count> counts) {
    return counts.stream()
        .sorted((a, b) -> a.what().compareTo(b.what()))
        .map(count -> count.rows() + " " + count.what())
        .collect(Collectors.joining("; "));
  }

  @Override
  public String toString() {
    return format;
  }
}
