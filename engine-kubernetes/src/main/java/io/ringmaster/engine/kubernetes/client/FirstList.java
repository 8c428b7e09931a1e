package io.ringmaster.engine.kubernetes.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts an informer: returns when it has listed all once. */
public final class FirstList {
  private static final long LIMIT_SECONDS = 60;

  private FirstList() {}

  /**
   * Starts it.
   *
   * @param what it lists, for messages
   * @throws KubernetesClientException if that cannot be listed, or not in time
   */
  public static void await(SharedIndexInformer<?> informer, String what) {
    try {
      informer.start().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("interrupted", e);
    } catch (TimeoutException e) {
      throw new KubernetesClientException(
          "no list of %s within %d s".formatted(what, LIMIT_SECONDS), e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KubernetesClientException said
          ? said
          : new KubernetesClientException(String.valueOf(e.getCause()), e);
    }
  }
}
