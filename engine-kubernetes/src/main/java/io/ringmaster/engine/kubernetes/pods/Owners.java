package io.ringmaster.engine.kubernetes.pods;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.ringmaster.engine.kubernetes.client.FirstList;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.engine.kubernetes.client.NamesOnly;
import io.ringmaster.engine.kubernetes.client.ServedKinds;
import io.ringmaster.engine.kubernetes.client.ServedKinds.Served;
import io.ringmaster.engine.kubernetes.pods.Makers.Group;
import io.ringmaster.workload.trace.KubeOwner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What makes the pods of gangs, and says how many there are, as far as this account may see it. */
final class Owners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Owners.class);
  private static final String GROUP = "PodGroup";

  private final KubernetesClient client;
  private final Runnable changed;

  /** Which kind each owner is of, by its uid: the same word may be served by several. */
  private final Map<String, Served> kinds = new ConcurrentHashMap<>();

  private final Map<String, KubeOwner> owners = new ConcurrentHashMap<>();
  private final Map<String, Group> groups = new ConcurrentHashMap<>();
  private final Makers makers = new Makers(owners, groups);

  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  Owners(KubernetesClient client, Runnable changed) {
    this.client = client;
    this.changed = changed;
    try {
      for (Served kind : ServedKinds.ofGangs(client)) {
        if (maySee(kind)) {
          watch(kind);
        } else {
          LOG.info(
              "this account may not see {}: their pods are known by themselves", kind.plural());
        }
      }
    } catch (KubernetesClientException e) {
      close();
      throw e;
    }
  }

  private boolean maySee(Served kind) {
    try {
      client
          .genericKubernetesResources(kind.context())
          .inAnyNamespace()
          .list(new ListOptionsBuilder().withLimit(1L).build());
      return true;
    } catch (KubernetesClientException e) {
      if (Kubernetes.isForbidden(e)) {
        return false;
      }
      throw e;
    }
  }

  private void watch(Served kind) {
    SharedIndexInformer<GenericKubernetesResource> informer =
        client.genericKubernetesResources(kind.context()).inAnyNamespace().runnableInformer(0);
    informers.add(informer);
    informer
        .itemStore(new NamesOnly<>(Owners::empty))
        .addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(GenericKubernetesResource object) {
                take(object, kind);
              }

              @Override
              public void onUpdate(
                  GenericKubernetesResource before, GenericKubernetesResource object) {
                if (!before.getMetadata().getUid().equals(object.getMetadata().getUid())) {
                  forget(before);
                }
                take(object, kind);
              }

              @Override
              public void onDelete(GenericKubernetesResource object, boolean isGuess) {
                forget(object);
                groups.remove(groupKey(object));
                changed.run();
              }
            });
    FirstList.await(informer, kind.plural());
  }

  private static GenericKubernetesResource empty(GenericKubernetesResource object) {
    GenericKubernetesResource small = new GenericKubernetesResource();
    small.setApiVersion(object.getApiVersion());
    small.setKind(object.getKind());
    return small;
  }

  private void take(GenericKubernetesResource object, Served kind) {
    if (kind.kind().equals(GROUP)) {
      Group group = Group.of(object.get("spec"));
      if (group == null) {
        LOG.debug("pod group {} says no size", groupKey(object));
      } else if (group.equals(groups.put(groupKey(object), group))) {
        return;
      }
    } else {
      object.setKind(kind.kind());
      try {
        KubeOwner owner = KubeOwner.of(PlainFields.of(object), Manifests.SCHEDULER);
        kinds.put(owner.uid(), kind);
        if (owner.equals(owners.put(owner.uid(), owner))) {
          return;
        }
      } catch (IllegalArgumentException e) {
        LOG.debug("{} {} cannot be read", kind.plural(), object.getMetadata().getName(), e);
      }
    }
    changed.run();
  }

  private void forget(GenericKubernetesResource object) {
    owners.remove(object.getMetadata().getUid());
    kinds.remove(object.getMetadata().getUid());
  }

  private static String groupKey(GenericKubernetesResource object) {
    return Theirs.groupKey(object.getMetadata().getNamespace(), object.getMetadata().getName());
  }

  boolean isWatching() {
    return informers.stream().allMatch(SharedIndexInformer::isWatching);
  }

  /** As they are now, whenever it is asked. */
  Makers makers() {
    return makers;
  }

  /** Those of these that are there. */
  List<KubeOwner> find(List<String> uids) {
    return uids.stream().map(owners::get).filter(Objects::nonNull).toList();
  }

  /** What an event is about that is about it; empty: it is gone. */
  Map<String, Object> reference(KubeOwner owner) {
    Served kind = kinds.get(owner.uid());
    return kind == null
        ? Map.of()
        : Map.of(
            "apiVersion", kind.group() + "/" + kind.version(),
            "kind", owner.kind(),
            "name", owner.name(),
            "namespace", owner.namespace(),
            "uid", owner.uid());
  }

  /** Ends what makes pods, and with it them. */
  void delete(KubeOwner owner, Api api) throws IOException {
    Served kind = kinds.get(owner.uid());
    if (kind != null) {
      api.delete(
          "/apis/%s/%s/namespaces/%s/%s/%s"
              .formatted(
                  kind.group(), kind.version(), owner.namespace(), kind.plural(), owner.name()),
          owner.uid());
    }
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }
}
