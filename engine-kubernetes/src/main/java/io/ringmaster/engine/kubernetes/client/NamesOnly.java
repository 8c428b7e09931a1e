package io.ringmaster.engine.kubernetes.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an informer itself has to keep of objects: names and versions. Whoever handles its events
 * keeps what is looked at.
 */
public final class NamesOnly<T extends HasMetadata> implements ItemStore<T> {
  private final Map<String, T> kept = new ConcurrentHashMap<>();
  private final UnaryOperator<T> empty;

  /**
   * Keeps nothing yet.
   *
   * @param empty makes an object of the same kind with nothing in it
   */
  public NamesOnly(UnaryOperator<T> empty) {
    this.empty = empty;
  }

  @Override
  public String getKey(T object) {
    String namespace = object.getMetadata().getNamespace();
    return (namespace == null ? "" : namespace + "/") + object.getMetadata().getName();
  }

  @Override
  public @Nullable T put(String key, T object) {
    T small = empty.apply(object);
    small.setMetadata(
        new ObjectMetaBuilder()
            .withName(object.getMetadata().getName())
            .withNamespace(object.getMetadata().getNamespace())
            .withUid(object.getMetadata().getUid())
            .withResourceVersion(object.getMetadata().getResourceVersion())
            .build());
    return kept.put(key, small);
  }

  @Override
  public @Nullable T remove(String key) {
    return kept.remove(key);
  }

  @Override
  public Stream<String> keySet() {
    return kept.keySet().stream();
  }

  @Override
  public Stream<T> values() {
    return kept.values().stream();
  }

  @Override
  public int size() {
    return kept.size();
  }

  @Override
  public @Nullable T get(String key) {
    return kept.get(key);
  }

  @Override
  public boolean isFullState() {
    return false;
  }
}
