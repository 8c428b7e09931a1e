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
import io.ringmaster.workload.trace.KubeOwner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What makes the pods of gangs, and says how many there are, as far as this account may see it. */
final class Owners implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Owners.class);
  private static final String GROUP = "PodGroup";

  private final KubernetesClient client;
  private final Runnable changed;
  private final Map<String, Seen> byUid = new ConcurrentHashMap<>();

  /** By namespace and name, as pods name them. */
  private final Map<String, Group> groups = new ConcurrentHashMap<>();

  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();

  private record Seen(KubeOwner owner, Served kind) {}

  /** So many pods are to start together. */
  record Group(String uid, int size) {}

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
                  byUid.remove(before.getMetadata().getUid());
                }
                take(object, kind);
              }

              @Override
              public void onDelete(GenericKubernetesResource object, boolean isGuess) {
                byUid.remove(object.getMetadata().getUid());
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
      Object size = object.get("spec", "minMember");
      if (size instanceof Number number) {
        groups.put(groupKey(object), new Group(object.getMetadata().getUid(), number.intValue()));
      }
    } else {
      object.setKind(kind.kind());
      try {
        KubeOwner owner = KubeOwner.of(PlainFields.of(object));
        Seen before = byUid.put(owner.uid(), new Seen(owner, kind));
        if (before != null && before.owner.equals(owner)) {
          return;
        }
      } catch (IllegalArgumentException e) {
        LOG.debug("{} {} cannot be read", kind.plural(), object.getMetadata().getName(), e);
      }
    }
    changed.run();
  }

  private static String groupKey(GenericKubernetesResource object) {
    return object.getMetadata().getNamespace() + "/group/" + object.getMetadata().getName();
  }

  boolean isWatching() {
    return informers.stream().allMatch(SharedIndexInformer::isWatching);
  }

  /** By what its pods have in common, the outermost: a set of jobs, and not its jobs. */
  Map<String, KubeOwner> byGang() {
    Map<String, KubeOwner> owners = new HashMap<>();
    for (Seen seen : byUid.values()) {
      owners.put(seen.owner.uid(), seen.owner);
      owners.merge(
          seen.owner.gang(), seen.owner, (one, other) -> one.kind().equals("Job") ? other : one);
    }
    return owners;
  }

  @Nullable KubeOwner find(String uid) {
    Seen seen = byUid.get(uid);
    return seen == null ? null : seen.owner;
  }

  @Nullable Group group(String gang) {
    return groups.get(gang);
  }

  /** Ends what makes pods, and with it them. */
  void delete(KubeOwner owner, Api api) throws IOException {
    Seen seen = byUid.get(owner.uid());
    if (seen != null) {
      api.delete(
          "/apis/%s/%s/namespaces/%s/%s/%s"
              .formatted(
                  seen.kind.group(),
                  seen.kind.version(),
                  owner.namespace(),
                  seen.kind.plural(),
                  owner.name()),
          owner.uid());
    }
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }
}
