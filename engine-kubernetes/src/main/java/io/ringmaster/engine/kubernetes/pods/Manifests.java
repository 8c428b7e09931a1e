package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.engine.local.WorkerProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The objects of an attempt: a secret with its program, and one pod for each node, which belong to
 * the secret. With it goes all.
 */
final class Manifests {
  /** Which Ringmaster made an object. */
  static final String SERVER = "ringmaster.io/server";

  static final String CONTAINER = "workers";

  /** Pods that name it are bound by nobody else. */
  static final String SCHEDULER = "ringmaster";

  /** A variable of a job that names the image that it runs in. */
  private static final String IMAGE = "RINGMASTER_IMAGE";

  /** The code of what cannot be run, as a shell has it. */
  static final int CANNOT_BE_RUN = 126;

  private static final String SCRIPT = "supervise.sh";
  private static final String ORDERS = "/ringmaster/orders";
  private static final String JOB = "/ringmaster/job";
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 10_000;

  /** What the API takes in a secret is 1 MiB. */
  private static final int MOST_BYTES = 1_000_000;

  /** So long after its workers were to be killed a node may kill their supervisor. */
  private static final long SPARE_SECONDS = 5;

  private static final double BYTES_PER_GB = 1e9;
  private static final String OURS = "RINGMASTER_";
  private static final List<String> PER_WORKER =
      List.of("RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "CUDA_VISIBLE_DEVICES");

  private final PodSettings settings;
  private final String server;
  private final Pod template;

  Manifests(PodSettings settings, String server, Pod template) {
    this.settings = settings;
    this.server = server;
    this.template = template;
  }

  /** It can be told before anything is made that this cannot be run; the message says why. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  String secretName(AttemptId attempt) {
    return "rm-%s-%d-%d".formatted(server, attempt.job(), attempt.attempt());
  }

  String podName(AttemptId attempt, int index) {
    return secretName(attempt) + "-" + index;
  }

  Secret secret(Launch launch) throws Refused {
    String program;
    try {
      program = WorkerProgram.text(launch.spec().command(), directory(launch), variables(launch));
    } catch (WorkerProgram.TooLong e) {
      throw new Refused(String.valueOf(e.getMessage()));
    }
    String script = script();
    if (program.getBytes(StandardCharsets.UTF_8).length + script.length() > MOST_BYTES) {
      throw new Refused(
          "command and environment are longer than the %d bytes that Kubernetes takes"
              .formatted(MOST_BYTES));
    }
    return new SecretBuilder()
        .withMetadata(metadata(launch, secretName(launch.attempt())))
        .withImmutable(true)
        .withStringData(Map.of("program", program, SCRIPT, script))
        .build();
  }

  private static String script() {
    try (InputStream in = Objects.requireNonNull(Manifests.class.getResourceAsStream(SCRIPT))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String directory(Launch launch) {
    String given = launch.spec().directory();
    return given.isEmpty() ? JOB + "/work" : given;
  }

  private static Map<String, String> variables(Launch launch) {
    AttemptId attempt = launch.attempt();
    Map<String, String> variables = new LinkedHashMap<>(launch.spec().environment());
    variables.keySet().removeIf(name -> name.startsWith(OURS) || PER_WORKER.contains(name));
    variables.put("WORLD_SIZE", Integer.toString(launch.allocation().workers()));
    // Pods may have the network of their node.
    variables.put(
        "MASTER_PORT",
        Long.toString(FIRST_PORT + (31 * attempt.job() + attempt.attempt()) % PORTS));
    variables.put("RINGMASTER_JOB", Long.toString(attempt.job()));
    variables.put("RINGMASTER_ATTEMPT", Integer.toString(attempt.attempt()));
    variables.put(
        "RINGMASTER_LEARNING_RATE_SCALE",
        BigDecimal.valueOf(launch.learningRateScale()).stripTrailingZeros().toPlainString());
    return variables;
  }

  private ObjectMeta metadata(Launch launch, String name) {
    ObjectMeta from = template.getMetadata();
    ObjectMeta metadata = new ObjectMeta();
    Map<String, String> labels = new HashMap<>();
    Map<String, String> annotations = new HashMap<>();
    if (from != null && from.getLabels() != null) {
      labels.putAll(from.getLabels());
    }
    if (from != null && from.getAnnotations() != null) {
      annotations.putAll(from.getAnnotations());
    }
    labels.put("app.kubernetes.io/managed-by", "ringmaster");
    labels.put(SERVER, server);
    labels.put("ringmaster.io/job", Long.toString(launch.attempt().job()));
    labels.put("ringmaster.io/attempt", Integer.toString(launch.attempt().attempt()));
    annotations.put("ringmaster.io/user", launch.user());
    annotations.put("ringmaster.io/name", launch.spec().name());
    metadata.setName(name);
    metadata.setLabels(labels);
    metadata.setAnnotations(annotations);
    return metadata;
  }

  /**
   * A pod for each node, ranks in their order.
   *
   * @param slots for each node, which of its GPUs are the attempt's, where nobody else says so
   */
  List<Pod> pods(Launch launch, List<List<Integer>> slots) throws Refused {
    List<Pod> pods = new ArrayList<>();
    int first = 0;
    for (int index = 0; index < slots.size(); index++) {
      Allocation.Share share = launch.allocation().shares().get(index);
      pods.add(pod(launch, index, share, first, slots.get(index)));
      first += share.gpus();
    }
    return pods;
  }

  private Pod pod(Launch launch, int index, Allocation.Share share, int first, List<Integer> slots)
      throws Refused {
    PodSpec spec = new PodBuilder(template).build().getSpec();
    spec.setSchedulerName(SCHEDULER);
    spec.setRestartPolicy("Never");
    spec.setTerminationGracePeriodSeconds(
        (long) Math.ceil(launch.spec().graceSeconds()) + SPARE_SECONDS);
    spec.setEnableServiceLinks(false);
    if (spec.getAutomountServiceAccountToken() == null) {
      spec.setAutomountServiceAccountToken(false);
    }
    List<Toleration> tolerations = new ArrayList<>(spec.getTolerations());
    tolerations.add(new Toleration(null, settings.gpuResource(), "Exists", null, null));
    spec.setTolerations(tolerations);
    List<Volume> volumes = new ArrayList<>(spec.getVolumes());
    volumes.addAll(volumes(launch.attempt()));
    spec.setVolumes(volumes);
    Container container = spec.getContainers().getFirst();
    container.setName(CONTAINER);
    String image = launch.spec().environment().getOrDefault(IMAGE, settings.image());
    if (!image.isEmpty()) {
      container.setImage(image);
    }
    if (container.getImage() == null) {
      throw new Refused("it names no image; give it one, as in --env %s=NAME".formatted(IMAGE));
    }
    container.setCommand(List.of("sh", ORDERS + "/" + SCRIPT));
    container.setArgs(List.of());
    container.setEnv(variables(container.getEnv(), launch, share, first, slots));
    container.setResources(resources(container.getResources(), launch.spec(), share.gpus()));
    List<VolumeMount> mounts = new ArrayList<>(container.getVolumeMounts());
    mounts.add(mount("ringmaster-orders", ORDERS, ""));
    mounts.add(mount("ringmaster-state", "/ringmaster/state", ""));
    mounts.add(
        mount(
            "ringmaster-job", JOB, settings.keeps() ? server + "/" + launch.attempt().job() : ""));
    container.setVolumeMounts(mounts);
    return new PodBuilder()
        .withMetadata(metadata(launch, podName(launch.attempt(), index)))
        .withSpec(spec)
        .build();
  }

  private static VolumeMount mount(String volume, String at, String part) {
    VolumeMountBuilder mount = new VolumeMountBuilder().withName(volume).withMountPath(at);
    return part.isEmpty() ? mount.build() : mount.withSubPath(part).build();
  }

  private List<Volume> volumes(AttemptId attempt) {
    VolumeBuilder job = new VolumeBuilder().withName("ringmaster-job");
    String place = settings.volume();
    if (place.startsWith(PodSettings.CLAIM)) {
      job.withNewPersistentVolumeClaim()
          .withClaimName(place.substring(PodSettings.CLAIM.length()))
          .endPersistentVolumeClaim();
    } else if (place.startsWith(PodSettings.HOST)) {
      job.withNewHostPath()
          .withPath(place.substring(PodSettings.HOST.length()))
          .withType("DirectoryOrCreate")
          .endHostPath();
    } else {
      job.withNewEmptyDir().endEmptyDir();
    }
    return List.of(
        new VolumeBuilder()
            .withName("ringmaster-orders")
            .withNewSecret()
            .withSecretName(secretName(attempt))
            .endSecret()
            .build(),
        new VolumeBuilder().withName("ringmaster-state").withNewEmptyDir().endEmptyDir().build(),
        job.build());
  }

  private List<EnvVar> variables(
      List<EnvVar> given, Launch launch, Allocation.Share share, int first, List<Integer> slots) {
    List<EnvVar> variables = new ArrayList<>(given);
    variables.removeIf(each -> each.getName().startsWith(OURS));
    variables.add(
        new EnvVarBuilder()
            .withName("RINGMASTER_POD_ADDRESS")
            .withNewValueFrom()
            .withNewFieldRef()
            .withFieldPath("status.podIP")
            .endFieldRef()
            .endValueFrom()
            .build());
    Map<String, String> plain = new LinkedHashMap<>();
    plain.put("RINGMASTER_NODE", share.node());
    plain.put("RINGMASTER_PODS", Integer.toString(launch.allocation().shares().size()));
    plain.put("RINGMASTER_FIRST", Integer.toString(first));
    plain.put("RINGMASTER_COUNT", Integer.toString(share.gpus()));
    plain.put("RINGMASTER_SLOTS", String.join(",", slots.stream().map(String::valueOf).toList()));
    plain.put("RINGMASTER_KEEPS", settings.keeps() ? "yes" : "no");
    plain.put("RINGMASTER_GRACE", hundredths(launch.spec().graceSeconds()));
    plain.forEach((name, value) -> variables.add(new EnvVar(name, value, null)));
    return variables;
  }

  /** As the supervisor counts time. */
  static String hundredths(double seconds) {
    return Long.toString(Math.round(100 * Math.max(0, seconds)));
  }

  private ResourceRequirements resources(ResourceRequirements given, JobSpec spec, int workers) {
    ResourceRequirements resources = given == null ? new ResourceRequirements() : given;
    Map<String, Quantity> requests = copy(resources.getRequests());
    Map<String, Quantity> limits = copy(resources.getLimits());
    Quantity gpus = new Quantity(Integer.toString(workers));
    requests.put(settings.gpuResource(), gpus);
    limits.put(settings.gpuResource(), gpus);
    if (spec.cpusPerGpu() > 0) {
      // A request alone: what a node has left over may be used.
      requests.put(
          "cpu", new Quantity(Math.round(Math.ceil(1000 * spec.cpusPerGpu() * workers)) + "m"));
    }
    if (spec.memoryGbPerGpu() > 0) {
      Quantity bytes =
          new Quantity(
              Long.toString((long) Math.ceil(BYTES_PER_GB * spec.memoryGbPerGpu() * workers)));
      requests.put("memory", bytes);
      limits.put("memory", bytes);
    }
    resources.setRequests(requests);
    resources.setLimits(limits);
    return resources;
  }

  private static Map<String, Quantity> copy(Map<String, Quantity> given) {
    return given == null ? new HashMap<>() : new HashMap<>(given);
  }

  /** Has a pod go when its secret does. */
  static Pod owned(Pod pod, Secret owner) {
    pod.getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion("v1")
                    .withKind("Secret")
                    .withName(owner.getMetadata().getName())
                    .withUid(owner.getMetadata().getUid())
                    .withController(true)
                    .build()));
    return pod;
  }
}
