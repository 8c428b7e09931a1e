package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecListener;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the API server about the objects of attempts. Each call has a time limit; one
 * that failed may have been heard all the same, and can be repeated.
 */
final class Api {
  /**
   * Where nobody listens the client logs as an error that a server closed the connection after the
   * command had ended. What matters comes with the exit code.
   */
  private static final ExecListener HEARD = (code, reason) -> {};

  private static final long EXEC_SECONDS = 15;
  private static final long LOG_SECONDS = 60;
  private static final int UNPROCESSABLE = 422;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final long PING_NANOS = 1_000_000_000;

  /** The client would watch a pod until it is ready: we have. */
  private static final int NO_WAIT = 0;

  private final Kubernetes kubernetes;
  private final KubernetesClient client;
  private final String namespace;
  private final String gpuResource;
  private volatile String evictionVersion = "";
  private volatile long pingedNanos = System.nanoTime() - PING_NANOS;

  Api(Kubernetes kubernetes, String namespace, String gpuResource) {
    this.kubernetes = kubernetes;
    this.client = kubernetes.client();
    this.namespace = namespace;
    this.gpuResource = gpuResource;
  }

  /** The server heard it and says no: asking again is of no use. */
  static final class Denied extends Exception {
    private static final long serialVersionUID = 1;

    Denied(String why) {
      super(why);
    }
  }

  String namespace() {
    return namespace;
  }

  KubernetesClient client() {
    return client;
  }

  /** Fails if the server does not answer, and has not a moment ago. */
  void ping() throws IOException {
    if (System.nanoTime() - pingedNanos < PING_NANOS) {
      return;
    }
    try {
      client.getKubernetesVersion();
      pingedNanos = System.nanoTime();
    } catch (KubernetesClientException e) {
      throw failed(e);
    }
  }

  Secret create(Secret secret) throws IOException, Denied {
    return create(client.secrets().inNamespace(namespace).resource(secret));
  }

  Pod create(Pod pod) throws IOException, Denied {
    return create(client.pods().inNamespace(namespace).resource(pod));
  }

  /** Makes it, or takes what is there of this name: names are of one attempt only. */
  private <T extends HasMetadata> T create(Resource<T> resource) throws IOException, Denied {
    try {
      return resource.create();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        T there = got(resource);
        if (there != null) {
          return there;
        }
      }
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
          || e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
          || e.getCode() == UNPROCESSABLE) {
        throw new Denied(Kubernetes.reason(e));
      }
      throw failed(e);
    }
  }

  private <T> @Nullable T got(Resource<T> resource) throws IOException {
    try {
      return resource.get();
    } catch (KubernetesClientException e) {
      throw failed(e);
    }
  }

  /** Asks the server itself, and not what was told; null: there is none. */
  @Nullable PodSight pod(String name) throws IOException {
    Pod pod = got(pods(name));
    return pod == null ? null : PodSight.of(pod, gpuResource);
  }

  private PodResource pods(String name) {
    return client.pods().inNamespace(namespace).withName(name);
  }

  /** Has a pod be on a node. No effect if it is bound already, or gone. */
  void bind(String pod, String node) throws IOException {
    Binding binding =
        new BindingBuilder()
            .withNewMetadata()
            .withName(pod)
            .withNamespace(namespace)
            .endMetadata()
            .withNewTarget()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(node)
            .endTarget()
            .build();
    String path = "/api/v1/namespaces/%s/pods/%s/binding".formatted(namespace, pod);
    try {
      client.raw(path, "POST", binding);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failed(e);
      }
    }
  }

  /** How a pod that somebody else made took it that it was to be bound, or to end. */
  enum Answer {
    DONE,
    /** Somebody bound it elsewhere, it is leaving, or it is another one. */
    CONFLICT,
    GONE,
    /** A disruption budget does not allow it now. */
    TOO_MANY
  }

  /** Has somebody's own pod be on a node. */
  Answer bind(Target target) throws IOException {
    Map<String, Object> binding =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Binding",
            "metadata",
            Map.of("name", target.name(), "namespace", target.namespace(), "uid", target.uid()),
            "target",
            Map.of("apiVersion", "v1", "kind", "Node", "name", target.node()));
    return answered("POST", target.path() + "/binding", binding);
  }

  /** Asks somebody's own pod to leave, as far as disruption budgets allow. */
  Answer evict(Target target, long graceSeconds) throws IOException {
    Map<String, Object> eviction =
        Map.of(
            "apiVersion", evictionVersion(),
            "kind", "Eviction",
            "metadata", Map.of("name", target.name(), "namespace", target.namespace()),
            "deleteOptions", deletion(target.uid(), graceSeconds));
    return answered("POST", target.path() + "/eviction", eviction);
  }

  /** Ends a pod that somebody else made, whatever the budgets. */
  Answer delete(Target target, long graceSeconds) throws IOException {
    return answered("DELETE", target.path(), deletion(target.uid(), graceSeconds));
  }

  /** Ends any object, and what belongs to it after it. */
  void delete(String path, String uid) throws IOException {
    answered(
        "DELETE",
        path,
        Map.of("propagationPolicy", "Background", "preconditions", Map.of("uid", uid)));
  }

  private static Map<String, Object> deletion(String uid, long graceSeconds) {
    return Map.of("gracePeriodSeconds", graceSeconds, "preconditions", Map.of("uid", uid));
  }

  private String evictionVersion() {
    String known = evictionVersion;
    if (known.isEmpty()) {
      APIGroup group = client.getApiGroup("policy");
      boolean isNew =
          group != null
              && group.getVersions().stream().anyMatch(each -> each.getVersion().equals("v1"));
      known = isNew ? "policy/v1" : "policy/v1beta1";
      evictionVersion = known;
    }
    return known;
  }

  private Answer answered(String verb, String path, Object body) throws IOException {
    try {
      // Nothing is said of what is not there, but for a delete that is what was wanted.
      client.raw(path, verb, body);
      return Answer.DONE;
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_CONFLICT -> Answer.CONFLICT;
        case HttpURLConnection.HTTP_NOT_FOUND -> Answer.GONE;
        case TOO_MANY_REQUESTS -> Answer.TOO_MANY;
        default -> throw failed(e);
      };
    }
  }

  /** Makes or changes an event, so that it is told once however often it is said. */
  void tell(String inNamespace, String name, Map<String, Object> event) throws IOException {
    String path = "/api/v1/namespaces/%s/events".formatted(inNamespace);
    if (answered("POST", path, event) == Answer.CONFLICT) {
      answered("PUT", path + "/" + name, event);
    }
  }

  /** Why a volume ties a pod to some nodes, or may; empty: it does not. */
  String whyTied(String inNamespace, String claim) throws IOException {
    try {
      PersistentVolumeClaim found =
          client.persistentVolumeClaims().inNamespace(inNamespace).withName(claim).get();
      String volume = found == null ? null : found.getSpec().getVolumeName();
      if (volume == null || volume.isEmpty()) {
        return "its volume claim %s is not bound".formatted(claim);
      }
      PersistentVolume bound = client.persistentVolumes().withName(volume).get();
      return bound == null || bound.getSpec().getNodeAffinity() != null || isOfAZone(bound)
          ? "its volume claim %s is bound to some nodes only".formatted(claim)
          : "";
    } catch (KubernetesClientException e) {
      if (Kubernetes.isForbidden(e)) {
        return "this account may not look where its volume claim %s is".formatted(claim);
      }
      throw failed(e);
    }
  }

  /** As old drivers say it. */
  private static boolean isOfAZone(PersistentVolume volume) {
    Map<String, String> labels = volume.getMetadata().getLabels();
    return labels != null && labels.keySet().stream().anyMatch(name -> name.endsWith("/zone"));
  }

  /**
   * Has a pod end. It stays there until its node has confirmed that nothing of it runs, unless it
   * was never bound, or the grace is 0: then it is gone at once, whatever runs.
   */
  void deletePod(String name, long graceSeconds) throws IOException {
    try {
      pods(name).withGracePeriod(graceSeconds).delete();
    } catch (KubernetesClientException e) {
      throw failed(e);
    }
  }

  void deleteSecret(String name) throws IOException {
    try {
      client.secrets().inNamespace(namespace).withName(name).delete();
    } catch (KubernetesClientException e) {
      throw failed(e);
    }
  }

  /** Runs a command in a pod's container. */
  void exec(String pod, String... words) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Integer code =
        limited(
            EXEC_SECONDS,
            () -> {
              try (ExecWatch watch =
                  pods(pod)
                      .inContainer(Manifests.CONTAINER)
                      .withReadyWaitTimeout(NO_WAIT)
                      .writingOutput(said)
                      .writingError(said)
                      .usingListener(HEARD)
                      .exec(words)) {
                return watch.exitCode().get(EXEC_SECONDS, TimeUnit.SECONDS);
              }
            });
    if (code == null || code != 0) {
      throw new IOException(
          "in pod %s: code %s: %s"
              .formatted(pod, code, said.toString(StandardCharsets.UTF_8).strip()));
    }
  }

  /** The last line of a pod's log; empty: there is none. */
  String lastLine(String pod) throws IOException {
    String path =
        "/api/v1/namespaces/%s/pods/%s/log?container=%s&tailLines=1&limitBytes=200"
            .formatted(namespace, pod, Manifests.CONTAINER);
    try {
      String line = client.raw(path);
      return line == null ? "" : line;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST) {
        return "";
      }
      throw failed(e);
    }
  }

  /** What is to be done with a log as it comes. */
  @FunctionalInterface
  interface Reading<T> {
    T read(InputStream log) throws IOException;
  }

  /** Reads all that there is of a pod's log; a pod that is not there has an empty one. */
  <T> T log(String pod, Reading<T> reading) throws IOException {
    return limited(
        LOG_SECONDS,
        () -> {
          try (InputStream log =
              pods(pod)
                  .inContainer(Manifests.CONTAINER)
                  .withReadyWaitTimeout(NO_WAIT)
                  .getLogInputStream()) {
            return reading.read(log == null ? InputStream.nullInputStream() : log);
          } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
              return reading.read(InputStream.nullInputStream());
            }
            throw e;
          }
        });
  }

  /** Gives up after so long, whatever the client does. */
  private <T> T limited(long seconds, Callable<T> call) throws IOException {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = Thread.ofVirtual().name("kubernetes-call").start(task);
    try {
      return task.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new IOException("no answer of Kubernetes within %d s".formatted(seconds), e);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case KubernetesClientException said -> failed(said);
        case IOException said -> said;
        case null, default -> new IOException(String.valueOf(e.getCause()), e);
      };
    }
  }

  private IOException failed(KubernetesClientException e) {
    return new IOException(
        "Kubernetes at %s: %s".formatted(kubernetes.address(), Kubernetes.reason(e)), e);
  }
}
