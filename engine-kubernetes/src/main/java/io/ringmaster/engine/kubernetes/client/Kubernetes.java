package io.ringmaster.engine.kubernetes.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.BadInput;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;

/** A connection to the API server that kubectl would speak to here. */
public final class Kubernetes implements AutoCloseable {
  /** A call that takes longer is given up. */
  private static final int LIMIT_MILLIS = 20_000;

  private static final int CONNECT_MILLIS = 5_000;
  private static final int RETRIES = 2;

  private final KubernetesClient client;
  private final String address;

  private Kubernetes(Config config) {
    config.setRequestTimeout(LIMIT_MILLIS);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setRequestRetryBackoffLimit(RETRIES);
    this.client = new KubernetesClientBuilder().withConfig(config).build();
    this.address = config.getMasterUrl();
  }

  /**
   * By {@code KUBECONFIG}, {@code ~/.kube/config} or, inside a cluster, the pod's own account.
   *
   * @param context of the file; empty: its current one
   * @throws BadInput if the file has no such context
   */
  public static Kubernetes connect(String context) {
    Config config = config(context);
    String found = config.getCurrentContext() == null ? "" : config.getCurrentContext().getName();
    if (!context.isEmpty() && !context.equals(found)) {
      throw new BadInput(
          "no context '%s' in the kubeconfig; 'kubectl config get-contexts' lists them"
              .formatted(context));
    }
    if (found.isEmpty() && !isPod()) {
      throw new BadInput(
          "no kubeconfig: KUBECONFIG names none, there is no ~/.kube/config, and this is no pod;"
              + " 'kubectl config view' shows what kubectl would take");
    }
    return new Kubernetes(config);
  }

  /** Whether {@link #connect} would know whom to ask. */
  public static boolean isKnown() {
    return isPod() || config("").getCurrentContext() != null;
  }

  private static boolean isPod() {
    return System.getenv("KUBERNETES_SERVICE_HOST") != null;
  }

  /** Whatever the client throws at a file that it cannot read, it is the file that is wrong. */
  private static Config config(String context) {
    try {
      return Config.autoConfigure(context.isEmpty() ? null : context);
    } catch (RuntimeException e) {
      throw new BadInput(
          "the kubeconfig cannot be read: %s; try 'kubectl config view'".formatted(oneLine(e)));
    }
  }

  public KubernetesClient client() {
    return client;
  }

  /** The namespace that kubectl would take here. */
  public String namespace() {
    String namespace = client.getNamespace();
    return namespace == null ? "default" : namespace;
  }

  /** As in {@code https://10.0.0.1:6443/}. */
  public String address() {
    return address;
  }

  /** Whether the server answered that this account has no right to something. */
  public static boolean isForbidden(KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
  }

  /** What went wrong, in one line. */
  public static String reason(KubernetesClientException e) {
    String said = e.getStatus() != null ? e.getStatus().getMessage() : null;
    return said != null ? said.replaceAll("\\s+", " ").strip() : oneLine(e);
  }

  /** The innermost words; where there are none, what kind of failure it was. */
  private static String oneLine(Throwable e) {
    String text = "";
    for (Throwable at = e; at != null; at = at.getCause()) {
      text =
          switch (at) {
            case UnresolvedAddressException _ -> "its name is not known";
            case ConnectException refused when refused.getMessage() == null ->
                "nobody answers there";
            case HttpTimeoutException _ -> "it does not answer in time";
            default -> at.getMessage() == null ? text : at.getMessage();
          };
    }
    return text.isEmpty() ? e.getClass().getSimpleName() : text.replaceAll("\\s+", " ").strip();
  }

  @Override
  public void close() {
    client.close();
  }
}
