package io.ringmaster.engine.kubernetes.look;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.ringmaster.engine.kubernetes.client.FirstList;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.engine.kubernetes.client.NamesOnly;
import io.ringmaster.engine.kubernetes.client.ServedKinds;
import io.ringmaster.engine.kubernetes.client.ServedKinds.Served;
import io.ringmaster.model.BadInput;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists all nodes, pods and jobs once, and is told of each change from then on. A watch that breaks
 * or is too old is begun anew by the client, with a list.
 */
public final class KubernetesWatch implements AutoCloseable {
  private final Kubernetes kubernetes;
  private final Clock clock;
  private final Map<Served, SharedIndexInformer<GenericKubernetesResource>> informers =
      new ConcurrentHashMap<>();
  private final List<Map<String, Map<String, Object>>> objects = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final AtomicLong changes = new AtomicLong();

  /**
   * Begins.
   *
   * @throws BadInput if it does not answer, or does not let this account see nodes and pods
   */
  public KubernetesWatch(Kubernetes kubernetes, Clock clock) {
    this.kubernetes = kubernetes;
    this.clock = clock;
    try {
      for (Served kind : ServedKinds.of(kubernetes.client())) {
        if (maySee(kind)) {
          watch(kind);
        } else {
          notes.add(KubernetesLook.notSeen(kind));
        }
      }
    } catch (KubernetesClientException e) {
      close();
      throw KubernetesLook.failed(kubernetes, e);
    }
  }

  /** One object tells whether all may be seen; an informer would try for ever. */
  private boolean maySee(Served kind) {
    try {
      kubernetes
          .client()
          .genericKubernetesResources(kind.context())
          .inAnyNamespace()
          .list(new ListOptionsBuilder().withLimit(1L).build());
      return true;
    } catch (KubernetesClientException e) {
      if (kind.isOptional() && Kubernetes.isForbidden(e)) {
        return false;
      }
      throw e;
    }
  }

  private void watch(Served kind) {
    Map<String, Map<String, Object>> told = new ConcurrentHashMap<>();
    SharedIndexInformer<GenericKubernetesResource> informer =
        kubernetes
            .client()
            .genericKubernetesResources(kind.context())
            .inAnyNamespace()
            .runnableInformer(0);
    // Only what is looked at is kept: the client would keep all.
    informer
        .itemStore(new NamesOnly<>(KubernetesWatch::empty))
        .addEventHandler(new Keeper(kind.kind(), told));
    informers.put(kind, informer);
    objects.add(told);
    FirstList.await(informer, kind.plural());
  }

  /** Each thing that was told counts one up: nothing is new while this stays the same. */
  public long changes() {
    return changes.get();
  }

  /** All that is known now. Nothing is asked. */
  public Look look() {
    List<Map<String, Object>> now = new ArrayList<>();
    objects.forEach(told -> now.addAll(told.values()));
    String cost =
        String.format(
            Locale.ROOT,
            "%d watches that told of %,d changes since they began",
            informers.size(),
            changes.get());
    List<String> all = new ArrayList<>(notes);
    informers.forEach((kind, informer) -> {
      if (!informer.isWatching()) {
        all.add("the watch of %s is broken, and begins anew".formatted(kind.plural()));
      }
    });
    return new Look(now, clock.millis() / 1e3, cost, all);
  }

  @Override
  public void close() {
    informers.values().forEach(SharedIndexInformer::close);
    kubernetes.close();
  }

  private final class Keeper implements ResourceEventHandler<GenericKubernetesResource> {
    private final String kind;
    private final Map<String, Map<String, Object>> told;

    Keeper(String kind, Map<String, Map<String, Object>> told) {
      this.kind = kind;
      this.told = told;
    }

    @Override
    public void onAdd(GenericKubernetesResource object) {
      Map<String, Object> now = Told.of(object, kind);
      // A node that only says that it is alive is no news.
      if (!now.equals(told.put(object.getMetadata().getUid(), now))) {
        changes.incrementAndGet();
      }
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
      // One of the same name may be another one.
      if (!before.getMetadata().getUid().equals(object.getMetadata().getUid())) {
        told.remove(before.getMetadata().getUid());
      }
      onAdd(object);
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean isGuess) {
      told.remove(object.getMetadata().getUid());
      changes.incrementAndGet();
    }
  }

  private static GenericKubernetesResource empty(GenericKubernetesResource object) {
    GenericKubernetesResource small = new GenericKubernetesResource();
    small.setApiVersion(object.getApiVersion());
    small.setKind(object.getKind());
    return small;
  }
}
