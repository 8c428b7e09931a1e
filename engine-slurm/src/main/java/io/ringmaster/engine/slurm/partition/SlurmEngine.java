package io.ringmaster.engine.slurm.partition;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Node.Held;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmJob;
import io.ringmaster.engine.slurm.client.SlurmNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Slurm partition whose jobs Ringmaster decides about. People's own jobs wait there held; one
 * that is launched is given its nodes and released, and stays Slurm's in all else. Jobs that were
 * submitted to the plane become batch jobs when they are launched.
 *
 * <p>Slurm is the truth of what runs, our folder of what was asked. A slurmctld that was killed may
 * have forgotten the last second: {@link Runs} brings the two together at each look.
 */
public final class SlurmEngine implements Engine {
  public static final EngineKind KIND =
      new EngineKind(
          "slurm",
          "A partition of a Slurm cluster: people go on with sbatch.",
          PartitionSettings.PARAMETERS,
          SlurmEngine::discover,
          SlurmEngine::open);

  private static final Logger LOG = LoggerFactory.getLogger(SlurmEngine.class);
  private static final int SCRIPTS_AT_ONCE = 50;

  private final PartitionSettings settings;
  private final Slurm slurm;
  private final PartitionFolder folder;
  private final PeoplesJobs people;
  private final Runs runs;
  private final ScheduledExecutorService poller =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("slurm-poll").daemon().factory());
  private long forgotten;
  private boolean closed;

  private static List<Node> discover(EngineSetup setup) throws IOException {
    PartitionSettings settings = PartitionSettings.of(setup.settings());
    Slurm slurm = settings.slurm();
    // Whatever runs in the partition is taken for ours; who leads knows better.
    Map<String, Held> ours = new HashMap<>();
    for (SlurmJob job : slurm.jobs(settings.partition())) {
      if (job.hasProcesses()) {
        int nodes = Math.max(1, job.nodeList().size());
        Held each =
            new Held(
                Request.of(job, "").gpus() / nodes,
                job.needs().cpus() / nodes,
                job.needs().memoryBytes() / nodes);
        job.nodeList().forEach(node -> ours.merge(node, each, Held::plus));
      }
    }
    return nodes(slurm.nodes(), settings.partition(), ours);
  }

  private static Engine open(EngineSetup setup) throws IOException {
    return new SlurmEngine(setup);
  }

  private SlurmEngine(EngineSetup setup) throws IOException {
    settings = PartitionSettings.of(setup.settings());
    slurm = settings.slurm();
    String cluster = slurm.clusterName();
    folder = PartitionFolder.open(setup.folder().resolve("slurm"));
    people = new PeoplesJobs(cluster, folder.arrivals());
    runs = new Runs(settings, slurm, folder, people);
    forgotten = folder.forgotten();
    long millis = Math.round(1000 * settings.pollSeconds());
    var _ = poller.scheduleWithFixedDelay(this::poll, millis, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void listen(Consumer<Status> changes) {
    runs.listen(changes);
  }

  /** Looks at attempts that have not ended, by one call, so that their ends are told at once. */
  private void poll() {
    try {
      runs.poll();
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot look at running jobs", e);
    }
  }

  @Override
  public Snapshot observe() throws IOException {
    synchronized (runs) {
      // Jobs first: what starts between the two is then taken for others', and not for nobody's.
      Queue queue = new Queue(slurm.jobs(settings.partition()), people);
      List<SlurmNode> nodes = slurm.nodes();
      runs.follow(queue, nodes);
      Map<String, AttemptRecord> arrived = runs.arrived();
      Predicate<SlurmJob> isOurs = job -> isOurs(job, arrived);
      List<SlurmJob> theirs = queue.jobs().stream().filter(job -> !runs.isTagged(job)).toList();
      sweep(theirs, isOurs);
      readScripts(theirs);
      List<Arrival> arrivals =
          people.told(theirs.stream().filter(this::isKnown).toList(), isOurs, states(queue.jobs()));
      forgetArrivals(theirs);
      List<Node> ofPartition = nodes(nodes, settings.partition(), runs.held(queue));
      return new Snapshot(people.marked(ofPartition, nodes), runs.statuses(), arrivals);
    }
  }

  /** Whether what a row tells of is an attempt that has not ended. */
  private boolean isOurs(SlurmJob job, Map<String, AttemptRecord> arrived) {
    AttemptRecord record = arrived.get(job.address());
    return record != null
        && job.restarts() <= record.restarts
        && people.id(job).equals(record.arrival);
  }

  private boolean isKnown(SlurmJob job) {
    return !settings.readsScripts() || !people.isUnread(job);
  }

  /** Holds what slipped in, or came back by itself, before Slurm starts it anywhere. */
  private void sweep(List<SlurmJob> theirs, Predicate<SlurmJob> isOurs) {
    List<String> loose =
        theirs.stream()
            .filter(job -> job.state().equals("PD") && !job.isHeld() && !isOurs.test(job))
            .map(SlurmJob::address)
            .toList();
    if (!loose.isEmpty()) {
      try {
        slurm.hold(loose);
      } catch (IOException e) {
        LOG.warn("cannot hold {} jobs of partition {}", loose.size(), settings.partition(), e);
      }
    }
  }

  private void readScripts(List<SlurmJob> theirs) {
    if (!settings.readsScripts()) {
      return;
    }
    theirs.stream()
        .filter(job -> job.isWaiting() && people.isUnread(job))
        .limit(SCRIPTS_AT_ONCE)
        .forEach(job -> {
          try {
            if (people.isUnread(job)) {
              people.says(job, slurm.script(job.address().replaceFirst("_.*", "")));
            }
          } catch (IOException e) {
            LOG.warn("cannot read the script of job {}: {}", job.address(), e.getMessage());
            people.says(job, "");
          }
        });
  }

  /** States of jobs of this partition, and of others that they depend on. */
  private Function<String, String> states(List<SlurmJob> jobs) throws IOException {
    Map<String, String> states = new HashMap<>();
    Set<String> unknown = new HashSet<>();
    for (SlurmJob job : jobs) {
      states.put(job.address(), job.state());
      // Of an array, one that is not over stands for all.
      int task = job.address().indexOf('_');
      if (task > 0) {
        states.merge(
            job.address().substring(0, task),
            job.state(),
            (one, other) -> job.isOver() ? one : other);
      }
    }
    for (SlurmJob job : jobs) {
      if (job.isWaiting()) {
        unknown.addAll(PeoplesJobs.dependsOn(job));
      }
    }
    unknown.removeAll(states.keySet());
    if (!unknown.isEmpty()) {
      slurm.jobs(unknown).forEach(job -> states.put(job.address(), job.state()));
    }
    return id -> states.getOrDefault(id, "");
  }

  private void forgetArrivals(List<SlurmJob> theirs) throws IOException {
    Set<String> there = new HashSet<>(runs.addresses());
    theirs.stream().filter(job -> !job.isOver()).forEach(job -> there.add(job.address()));
    for (String address : people.forgetAllBut(there)) {
      folder.removeArrival(address);
    }
  }

  /** Nodes of the partition; what is held there and is not ours is others'. */
  private static List<Node> nodes(
      Collection<SlurmNode> all, String partition, Map<String, Held> ours) {
    Map<String, Node> nodes = new TreeMap<>();
    for (SlurmNode node : all) {
      if (node.partitions().contains(partition)) {
        Held our = ours.getOrDefault(node.name(), Held.NOTHING);
        Map<String, String> labels = new HashMap<>();
        node.features().forEach(feature -> labels.put(feature, ""));
        Node found =
            new Node(
                node.name(),
                node.gpus(),
                node.gpu(),
                node.cpus() > 0 ? node.cpus() : Double.POSITIVE_INFINITY,
                node.memoryBytes() > 0 ? node.memoryBytes() : Double.POSITIVE_INFINITY,
                Double.NaN,
                List.of(),
                labels,
                new Held(
                    Math.clamp(node.usedGpus() - our.gpus(), 0, node.gpus()),
                    Math.clamp(node.usedCpus() - our.cpus(), 0, node.cpus()),
                    Math.clamp(node.usedMemoryBytes() - our.memoryBytes(), 0, node.memoryBytes())),
                node.isUp());
        String why = node.state() + (node.reason().isEmpty() ? "" : ": " + node.reason());
        nodes.put(node.name(), node.isUp() ? found : found.closedBecause("Slurm says " + why));
      }
    }
    return new ArrayList<>(nodes.values());
  }

  @Override
  public void launch(long order, Launch launch) throws IOException {
    synchronized (runs) {
      if (order >= forgotten && runs.find(launch.attempt()) == null) {
        runs.launch(launch);
      }
    }
  }

  @Override
  public void stop(AttemptId attempt, double graceSeconds) throws IOException {
    synchronized (runs) {
      runs.stop(attempt, graceSeconds);
    }
  }

  @Override
  public void withdraw(String arrival) throws IOException {
    synchronized (runs) {
      if (runs.endsForGood(arrival)) {
        return;
      }
      for (SlurmJob job : slurm.jobs(Set.of(PeoplesJobs.address(arrival)))) {
        // Another job may have this number by now.
        if (!job.isOver() && people.id(job).equals(arrival)) {
          slurm.cancel(List.of(job.address()));
        }
      }
    }
  }

  @Override
  public void forget(long order, AttemptId attempt) throws IOException {
    synchronized (runs) {
      @Nullable AttemptRecord record = runs.find(attempt);
      if (record != null && record.isLive()) {
        throw new IOException("attempt %s has not ended".formatted(attempt));
      }
      if (order > forgotten) {
        folder.forgotten(order);
        forgotten = order;
      }
      runs.forget(attempt);
    }
  }

  @Override
  public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws IOException {
    return folder.log(attempt, rank, stream, fromByte);
  }

  @Override
  public void close() {
    poller.shutdownNow();
    synchronized (runs) {
      if (!closed) {
        closed = true;
        folder.close();
      }
    }
  }
}
