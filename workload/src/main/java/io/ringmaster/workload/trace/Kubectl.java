package io.ringmaster.workload.trace;

import io.ringmaster.model.Demand;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods and jobs of a Kubernetes cluster, as {@code kubectl get pods,jobs --all-namespaces --output
 * json} prints them. Kubernetes forgets what has ended: a history is many such files, taken before
 * pods are cleared away. Of an object that is in several the one that tells of its end counts.
 *
 * <ul>
 *   <li>The pods of one job are one gang. It has the most GPUs that they held at once: a pod that
 *       took the place of one that failed does not count beside it.
 *   <li>A gang is submitted when its job was, or its first pod; it runs from the start of its first
 *       pod to the end of its last.
 *   <li>A job whose pods are gone counts as what it asked for, from its own times.
 *   <li>The user is the namespace, the group the job's name without digits at its end.
 * </ul>
 */
final class Kubectl {
  static final String NAMESPACE = "namespace";

  private static final Set<String> WANTED = Set.of("kind", "metadata", "spec", "status");

  static final TraceFormat FORMAT =
      new TraceFormat(
          "kubectl",
          "Pods and jobs of Kubernetes, as kubectl get pods,jobs -A -o json prints them.",
          "Kubernetes, https://kubernetes.io/docs/reference/kubectl/",
          List.of(
              new Parameter(
                  NAMESPACE,
                  "",
                  new Parameter.Pattern("names between commas", v -> !v.replace(",", "").isBlank()),
                  "keep the jobs of these namespaces only; empty: of all"),
              Sacct.SERVERS_ALIKE),
          Kubectl::read);

  private Kubectl() {}

  private static void read(List<Path> files, Settings settings, TraceSink out) {
    Collected collected = new Collected(settings, out);
    for (Path file : files) {
      JsonItems.open(
          file,
          out::progress,
          text -> {
            JsonItems.each(
                file, text, "items", WANTED, (item, line) -> collected.take(item, file, line));
            return file;
          });
    }
    collected.finish();
  }

  /** Holds what a job needs of each pod: all may be in a later file. */
  static final class Collected {
    private final Settings settings;
    private final TraceSink out;
    private final Set<String> namespaces;
    private final Map<String, KubeItem> byUid = new LinkedHashMap<>();
    private final ServersSeen servers = new ServersSeen();

    Collected(Settings settings, TraceSink out) {
      this.settings = settings;
      this.out = out;
      String only = settings.text(NAMESPACE);
      namespaces = only.isEmpty() ? Set.of() : new HashSet<>(List.of(only.split(",")));
    }

    void take(JsonItems read, Path file, long line) {
      try {
        take(KubeItem.of(read, file, line));
      } catch (Unusable e) {
        out.row(file, line);
        out.drop(e.reason());
      }
    }

    private void take(KubeItem item) {
      if (!namespaces.isEmpty() && !namespaces.contains(item.namespace())) {
        throw new Unusable("is in another namespace");
      }
      KubeItem before = byUid.get(item.uid());
      if (before == null) {
        byUid.put(item.uid(), item);
        return;
      }
      boolean newer = item.ended() || !before.ended();
      part(newer ? before : item, "seen again");
      if (newer) {
        byUid.put(item.uid(), item);
      }
    }

    private void part(KubeItem item, String what) {
      out.row(item.file(), item.line());
      out.part(what);
    }

    void finish() {
      Map<String, List<KubeItem>> gangs = new LinkedHashMap<>();
      Map<String, KubeItem> jobs = new HashMap<>();
      for (KubeItem item : byUid.values()) {
        if (item.pod()) {
          gangs.computeIfAbsent(item.gang(), _ -> new ArrayList<>(1)).add(item);
        }
      }
      for (KubeItem item : byUid.values()) {
        if (!item.pod()) {
          String key = gangs.containsKey(item.uid()) ? item.uid() : item.gang();
          if (!gangs.containsKey(key)) {
            job(List.of(item), item);
          } else {
            part(item, "a job that its pods tell of");
            jobs.putIfAbsent(key, item);
          }
        }
      }
      gangs.forEach((key, pods) -> {
        pods.stream().skip(1).forEach(pod -> part(pod, "a pod of a job"));
        job(pods, jobs.get(key));
      });
      servers.report(settings.text(Sacct.SERVERS).equals("alike"), "kubectl describe nodes", out);
    }

    private void job(List<KubeItem> items, @Nullable KubeItem owner) {
      out.row(items.getFirst().file(), items.getFirst().line());
      try {
        out.keep(made(items, owner));
      } catch (Unusable e) {
        out.drop(e.reason());
      }
    }

    private TraceJob made(List<KubeItem> items, @Nullable KubeItem owner) {
      List<KubeItem> pods = items.stream().filter(i -> i.resources().gpus() > 0).toList();
      if (pods.isEmpty()) {
        throw new Unusable(TraceJobs.NO_GPU);
      }
      pods.forEach(pod -> held(pod, end(pod, owner)));
      List<KubeItem> ran =
          pods.stream().filter(p -> p.startSeconds() != SlurmTime.UNKNOWN).toList();
      boolean ended = (owner != null && owner.ended()) || pods.stream().allMatch(KubeItem::ended);
      if (!ended) {
        out.open(open(pods, ran, owner));
      }
      if (ran.isEmpty()) {
        throw new Unusable(ended ? "never started" : "is still waiting");
      }
      if (!ended) {
        throw new Unusable("is still running");
      }
      long start = ran.stream().mapToLong(KubeItem::startSeconds).min().orElseThrow();
      KubeItem last = Collections.max(ran, Comparator.comparingLong(pod -> end(pod, owner)));
      long seconds = end(last, owner) - start;
      long submit = Math.min(start, submit(pods, owner));
      if (end(last, owner) <= start) {
        throw new Unusable("did not run");
      }
      if (submit == SlurmTime.UNKNOWN) {
        throw new Unusable("has no time of submission");
      }
      TraceJobs.requireEnd(settings, owner == null ? last.succeeded() : owner.succeeded());
      KubeResources each =
          pods.stream().map(KubeItem::resources).reduce(KubeResources.NOTHING, KubeResources::plus);
      String id = KubeItem.byName(last.namespace(), last.gangName());
      return TraceJob.of(id, (double) submit, mostAtOnce(ran, owner), (double) seconds)
          .waited((double) (start - submit))
          .by(last.namespace(), SlurmJobs.group(last.stem()))
          .taking(each.cpus() / each.gpus(), each.memoryBytes() / each.gpus());
    }

    /** A gang that has not ended: it runs where any of its pods does. */
    private static SeenJob open(List<KubeItem> pods, List<KubeItem> ran, @Nullable KubeItem owner) {
      List<KubeItem> run = ran.stream().filter(p -> !p.ended() && !p.node().isEmpty()).toList();
      List<KubeItem> of = run.isEmpty() ? pods : run;
      KubeItem last = pods.getLast();
      KubeResources all =
          of.stream().map(KubeItem::resources).reduce(KubeResources.NOTHING, KubeResources::plus);
      Map<String, Integer> places = new LinkedHashMap<>();
      run.forEach(p -> places.merge(p.node(), (int) p.resources().gpus(), Integer::sum));
      double start =
          run.stream().mapToDouble(pod -> (double) pod.startSeconds()).min().orElse(Double.NaN);
      return new SeenJob(
          KubeItem.byName(last.namespace(), last.gangName()),
          run.isEmpty() ? SeenJob.State.WAITING : SeenJob.State.RUNNING,
          (double) submit(pods, owner),
          start,
          Double.NaN,
          0,
          (int) all.gpus(),
          Double.POSITIVE_INFINITY,
          0,
          "",
          last.namespace(),
          SlurmJobs.group(last.stem()),
          new Demand(all.cpus() / all.gpus(), all.memoryBytes() / all.gpus()),
          places);
    }

    private void held(KubeItem pod, long end) {
      if (pod.startSeconds() != SlurmTime.UNKNOWN && !pod.node().isEmpty()) {
        boolean still = !pod.ended() && end == SlurmTime.UNKNOWN;
        servers.held(
            List.of(pod.node()),
            pod.resources().gpus(),
            pod.startSeconds(),
            still ? ServersSeen.STILL : end);
      }
    }

    /** A pod that ran when it was last seen is cleared away with its job. */
    private static long end(KubeItem pod, @Nullable KubeItem owner) {
      return pod.endSeconds() == SlurmTime.UNKNOWN && owner != null
          ? owner.endSeconds()
          : pod.endSeconds();
    }

    private static long submit(List<KubeItem> pods, @Nullable KubeItem owner) {
      long first = pods.stream().mapToLong(KubeItem::createdSeconds).min().orElseThrow();
      return owner == null ? first : Math.min(first, owner.createdSeconds());
    }

    private static int mostAtOnce(List<KubeItem> pods, @Nullable KubeItem owner) {
      ServersSeen together = new ServersSeen();
      List<String> one = List.of("");
      for (KubeItem pod : pods) {
        together.held(one, pod.resources().gpus(), pod.startSeconds(), end(pod, owner));
      }
      return together.gpusByServer(false).getOrDefault("", 0);
    }
  }
}
