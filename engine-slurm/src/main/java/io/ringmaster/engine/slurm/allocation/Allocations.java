package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Node;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The allocations that are to be used, and what Slurm says of them. Slurm is asked seldom: once a
 * minute, and every few seconds while something is not as it should be.
 */
final class Allocations {
  private static final Logger LOG = LoggerFactory.getLogger(Allocations.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
  private static final double USUAL_SECONDS = 60;
  private static final double TROUBLE_SECONDS = 5;

  private final Slurm slurm;
  private final Places places;
  private final AllocationSettings settings;
  private final Map<Long, Known> known = new TreeMap<>();
  private final Set<String> said = new HashSet<>();

  /** What is known of an allocation. Guarded by the lock of all. */
  private static final class Known {
    SlurmAllocation job;

    /** When Slurm was asked for it; 0: never, it is what another server was told. */
    long askedNanos;

    long triedNanos;

    /** When its file was last touched: who does that wants Slurm to be asked again. */
    long touchedMillis;

    /** Whether its file is gone: it is given back. */
    boolean isGivenBack;

    /** Hosts that Slurm does not reach. */
    Set<String> down = Set.of();

    Known(SlurmAllocation job) {
      this.job = job;
    }
  }

  Allocations(Slurm slurm, Places places, AllocationSettings settings) {
    this.slurm = slurm;
    this.places = places;
    this.settings = settings;
  }

  /** The allocation that this program runs in; 0: none. */
  static long own() {
    String id = System.getenv("SLURM_JOB_ID");
    return id != null && id.matches("[1-9][0-9]{0,17}") ? Long.parseLong(id) : 0;
  }

  /** Puts an allocation down as one to be used. */
  void register(long id) throws IOException {
    try {
      Files.createFile(places.registration(id));
    } catch (FileAlreadyExistsException e) {
      // It is already.
    }
  }

  /**
   * What the allocations have, without an engine.
   *
   * @throws BadInput if there are none
   */
  static List<Node> discover(Slurm slurm, Places places, AllocationSettings settings, long own)
      throws IOException {
    Set<Long> ids = new HashSet<>(places.registered());
    if (own != 0) {
      ids.add(own);
    }
    if (ids.isEmpty()) {
      throw new BadInput(
          "engine slurm-allocation: neither SLURM_JOB_ID nor a file in %s names an allocation; start"
                  .formatted(places.registrations())
              + " the server inside one: 'salloc -N2 --gres=gpu:4', or sbatch"
              + " examples/slurm/allocation.sh");
    }
    Allocations allocations = new Allocations(slurm, places, settings);
    IOException trouble = null;
    for (long id : ids) {
      try {
        SlurmAllocation job = SlurmAllocation.ask(slurm, id);
        checkOwner(job);
        allocations.known.put(id, new Known(job));
      } catch (IOException e) {
        trouble = e;
      }
    }
    if (trouble != null && allocations.known.isEmpty()) {
      throw trouble;
    }
    if (trouble == null && allocations.running().isEmpty()) {
      throw new BadInput(
          "engine slurm-allocation: no allocation runs (%s); get one with salloc or sbatch, and put a file with its number into %s"
              .formatted(allocations.states(), places.registrations()));
    }
    Map<String, AgentRecord> agents = new HashMap<>();
    for (String name : places.nodeNames()) {
      AgentRecord agent = AgentRecord.read(places.agent(name));
      if (agent != null) {
        agents.put(name, agent);
      }
    }
    List<Node> nodes = new ArrayList<>();
    for (Place place : allocations.places(agents)) {
      String why = allocations.whyClosed(place);
      nodes.add(why.isEmpty() ? place.node() : place.node().closedBecause(why));
    }
    return nodes;
  }

  private String states() {
    return known.values().stream()
        .map(each -> each.job.id() + " is " + each.job.state())
        .collect(Collectors.joining(", "));
  }

  private static void checkOwner(SlurmAllocation job) {
    long self = ownUid();
    if (job.uid() >= 0 && job.uid() != self) {
      throw new BadInput(
          "engine slurm-allocation: allocation %d belongs to user %d, and this server runs as %d;"
                  .formatted(job.id(), job.uid(), self)
              + " jobs run as the one who has the allocation, so the server must be the same");
    }
  }

  private static long ownUid() {
    try {
      return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
    } catch (IOException | UnsupportedOperationException e) {
      return -1;
    }
  }

  /** A node of an allocation, with the agent that it has. */
  record Place(long job, NodeShare slurm, String name, @Nullable AgentRecord agent, int slots) {
    Node node() {
      return slurm.node(name, slots);
    }
  }

  /** Asks Slurm for those that somebody should know more of now. Takes its time. */
  void refresh(Set<Long> inTrouble) throws IOException {
    Set<Long> registered = new HashSet<>(places.registered());
    Set<Long> ids = new HashSet<>(registered);
    ids.addAll(Places.numbered(places.jobs()));
    for (long id : ids) {
      Known each = known(id);
      boolean isRegistered = registered.contains(id);
      long touched = isRegistered ? touched(places.registration(id)) : each.touchedMillis;
      boolean isDue;
      synchronized (this) {
        each.isGivenBack = !isRegistered;
        long now = System.nanoTime();
        double age = (now - each.triedNanos) / 1e9;
        // Slurm may not have answered when it was new.
        boolean isUrgent = each.askedNanos == 0 || inTrouble.contains(id);
        isDue =
            (each.askedNanos == 0 && each.triedNanos == 0)
                || touched != each.touchedMillis
                || age > (isUrgent ? TROUBLE_SECONDS : USUAL_SECONDS);
        if (isDue) {
          each.triedNanos = now;
          each.touchedMillis = touched;
        }
      }
      if (isDue) {
        ask(id, each, inTrouble.contains(id));
      }
    }
  }

  private Known known(long id) throws IOException {
    synchronized (this) {
      Known each = known.get(id);
      if (each != null) {
        return each;
      }
    }
    SlurmAllocation stored =
        new SlurmAllocation(id, -1, "CONFIGURING", Double.POSITIVE_INFINITY, List.of());
    try {
      stored = SlurmAllocation.parse(Files.readString(places.job(id)));
    } catch (NoSuchFileException e) {
      // It is new.
    }
    synchronized (this) {
      Known each = new Known(stored);
      known.put(id, each);
      return each;
    }
  }

  private static long touched(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }

  private void ask(long id, Known each, boolean inTrouble) {
    try {
      long now = System.nanoTime();
      SlurmAllocation job = SlurmAllocation.ask(slurm, id);
      checkOwner(job);
      Set<String> down = inTrouble ? each.job.down(slurm) : Set.of();
      if (!job.nodes().isEmpty()) {
        DataFolder.write(places.job(id), job.json());
      }
      synchronized (this) {
        if (job.isRunning() && each.askedNanos == 0) {
          LOG.info(
              "allocation {}: {} nodes, ends at {}",
              id,
              job.nodes().size(),
              Double.isInfinite(job.endSeconds()) ? "no set time" : moment(job));
        }
        each.job = job;
        each.askedNanos = now;
        each.down = down;
      }
    } catch (IOException | BadInput e) {
      synchronized (this) {
        if (said.add(id + " " + e.getMessage())) {
          LOG.warn("allocation {}: {}", id, e.getMessage());
        }
      }
    }
  }

  private static String moment(SlurmAllocation job) {
    return TIME.format(Instant.ofEpochSecond((long) job.endSeconds()));
  }

  /** What Slurm said of an allocation after a moment; null: it has not been asked since. */
  synchronized @Nullable SlurmAllocation since(long id, long nanos) {
    Known each = known.get(id);
    return each == null || each.askedNanos == 0 || each.askedNanos < nanos ? null : each.job;
  }

  synchronized boolean isKnown(long id) {
    return known.containsKey(id);
  }

  synchronized boolean isDown(long id, String host) {
    Known each = known.get(id);
    return each != null && each.down.contains(host);
  }

  /** The nodes that there are, each with a name for good. */
  synchronized List<Place> places(Map<String, AgentRecord> agents) {
    Map<String, Place> byName = new TreeMap<>(Comparator.naturalOrder());
    List<Place> all = new ArrayList<>();
    for (Known each : known.values()) {
      if (!each.job.isRunning()) {
        continue;
      }
      for (NodeShare node : each.job.nodes()) {
        Place place = place(each.job.id(), node, agents);
        if (place.slots() > 0 && byName.putIfAbsent(place.name(), place) == null) {
          all.add(place);
        }
      }
    }
    return all;
  }

  private Place place(long job, NodeShare node, Map<String, AgentRecord> agents) {
    for (String name : List.of(node.host(), node.host() + "-" + job)) {
      AgentRecord agent = agents.get(name);
      if (agent != null && agent.job() == job) {
        return new Place(job, node, name, agent, agent.slots().size());
      }
    }
    int slots = settings.slots() > 0 ? settings.slots() : node.gpus().size();
    return new Place(job, node, node.host(), null, slots);
  }

  synchronized List<SlurmAllocation> running() {
    return known.values().stream()
        .filter(each -> each.job.isRunning() && !each.isGivenBack)
        .map(each -> each.job)
        .toList();
  }

  /** How long an allocation still lasts. */
  synchronized double secondsLeft(long id) {
    Known each = known.get(id);
    return each == null ? 0 : each.job.endSeconds() - System.currentTimeMillis() / 1e3;
  }

  synchronized boolean isGivenBack(long id) {
    Known each = known.get(id);
    return each != null && each.isGivenBack;
  }

  /** Why nothing is started on a node, as far as its allocation goes; empty: it can be. */
  synchronized String whyClosed(Place place) {
    Known each = known.get(place.job());
    if (each == null) {
      return "";
    }
    if (each.isGivenBack) {
      return "allocation %d is given back".formatted(place.job());
    }
    return secondsLeft(place.job()) < settings.closingSeconds()
        ? "allocation %d ends at %s, and nothing is started there any more"
            .formatted(place.job(), moment(each.job))
        : "";
  }

  /** Drops what is over and has nothing left. */
  synchronized void drop(long id) throws IOException {
    known.remove(id);
    Files.deleteIfExists(places.registration(id));
    Files.deleteIfExists(places.job(id));
  }

  /** Those that Slurm says are over. */
  synchronized List<Long> over() {
    return known.values().stream()
        .filter(each -> each.askedNanos != 0 && each.job.isOver())
        .map(each -> each.job.id())
        .toList();
  }
}
