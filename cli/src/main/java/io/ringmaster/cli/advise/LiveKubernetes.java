package io.ringmaster.cli.advise;

import io.ringmaster.advise.Site;
import io.ringmaster.control.api.WatchedQueue.WatchedNode;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.engine.kubernetes.look.KubernetesLook;
import io.ringmaster.engine.kubernetes.look.Look;
import io.ringmaster.workload.trace.KubernetesSite;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The Kubernetes that kubectl would speak to here, as it is now. */
public record LiveKubernetes(Look look, KubernetesSite kubernetes, Site site) implements LiveQueue {
  public static final String NAME = "kubernetes";

  /** A setting that {@code import} has no use for. */
  private static final String CONTEXT = "context";

  /** Asks once, with rights to read. */
  public static LiveKubernetes read(Map<String, String> settings) {
    Map<String, String> ofFormat = new HashMap<>(settings);
    String context = ofFormat.remove(CONTEXT);
    try (Kubernetes kubernetes = Kubernetes.connect(context == null ? "" : context)) {
      return of(KubernetesLook.read(kubernetes, Clock.systemUTC()), ofFormat);
    }
  }

  /** Of what was told, by whatever way. */
  public static LiveKubernetes of(Look look, Map<String, String> settings) {
    KubernetesSite found = KubernetesSite.of(look.objects(), look.atSeconds(), settings);
    List<String> notes =
        Stream.concat(look.notes().stream(), found.notes().stream()).distinct().toList();
    return new LiveKubernetes(look, found, new Site(found.jobs(), found.cluster(), notes));
  }

  @Override
  public String scheduler() {
    return NAME;
  }

  @Override
  public double atSeconds() {
    return look.atSeconds();
  }

  @Override
  public String cost() {
    return "What the API server had to do: %s.".formatted(look.cost());
  }

  @Override
  public String costLine() {
    return "This look cost the API server %s.".formatted(look.cost());
  }

  @Override
  public List<WatchedNode> nodes() {
    return kubernetes.nodes().stream()
        .map(node ->
            new WatchedNode(
                node.name(),
                node.gpus(),
                Math.max(0, node.gpus() - node.usedGpus()),
                node.isUp(),
                node.takesJobs(),
                node.whyNot()))
        .toList();
  }
}
