package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.slurm.allocation.Allocations.Place;
import io.ringmaster.engine.slurm.allocation.WholeAttempt.PartOfIt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that agents are there, that parts of an attempt end together, that what is lost is
 * told as gone, and that allocations are left in time. Two threads: one never waits for Slurm.
 */
final class Keeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
  private static final long OPENING_NANOS = 15_000_000_000L;
  private static final long LOOK_MILLIS = 200;
  private static final long OBSERVE_NANOS = 2_000_000_000L;
  private static final long SLURM_MILLIS = 1000;
  private static final long AGAIN_NANOS = 2_000_000_000L;

  /** In a third of its lease, 10 s unless somebody set it, an agent that dies is back by itself. */
  private static final double RESTART_SHARE = 1.0 / 3;

  private static final long START_NANOS = 30_000_000_000L;

  /** Clocks go at different rates, and messages take time. */
  private static final double LEASE_SLACK = 1.5;

  /** What must be left when all have ended, before Slurm ends them. */
  private static final double LEAVE_SECONDS = 15;

  private final Attempts attempts;
  private final Nodes nodes;
  private final Allocations allocations;
  private final AgentStarter starter;
  private final AllocationSettings settings;
  private final Semaphore wakes = new Semaphore(0);
  private final Map<String, Long> startedNanos = new HashMap<>();
  private final Map<String, Long> lostNanos = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;
  private long observedNanos = System.nanoTime();

  Keeper(
      Attempts attempts,
      Nodes nodes,
      Allocations allocations,
      AgentStarter starter,
      AllocationSettings settings) {
    this.attempts = attempts;
    this.nodes = nodes;
    this.allocations = allocations;
    this.starter = starter;
    this.settings = settings;
  }

  /** Returns when all agents are there, or for too long were not. */
  void open() throws IOException {
    nodes.onNews(this::wake);
    long end = System.nanoTime() + OPENING_NANOS;
    lookAtSlurm();
    while (!nodes.told().stream().allMatch(node -> !isWaitedFor(node.whyClosed()))
        && System.nanoTime() < end) {
      nodes.find();
      pause(20);
    }
    step();
    start("allocation-engine", this::watch);
    start("allocation-slurm", this::watchSlurm);
  }

  private static boolean isWaitedFor(String whyClosed) {
    return whyClosed.equals(Nodes.NO_ANSWER);
  }

  private void start(String name, Runnable work) {
    Thread thread = Thread.ofPlatform().name(name).daemon().unstarted(work);
    threads.add(thread);
    thread.start();
  }

  void wake() {
    wakes.release();
  }

  private void watch() {
    while (!closed) {
      try {
        if (wakes.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          wakes.drainPermits();
        }
        if (!closed) {
          step();
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("cannot look at attempts, trying again", e);
        pause(LOOK_MILLIS);
      }
    }
  }

  private void watchSlurm() {
    while (!closed) {
      try {
        lookAtSlurm();
      } catch (IOException | RuntimeException e) {
        LOG.warn("cannot look at allocations, trying again", e);
      }
      if (!pause(SLURM_MILLIS)) {
        return;
      }
    }
  }

  private void step() {
    long now = System.nanoTime();
    if (now - observedNanos > OBSERVE_NANOS) {
      observedNanos = now;
      nodes.links().stream().filter(AgentLink::isReady).forEach(AgentLink::observe);
    }
    for (Stop stop : stops(now)) {
      nodes.tryStop(stop.attempt, stop.node, stop.graceSeconds);
    }
    attempts.settle();
    attempts.tell();
  }

  private record Stop(AttemptId attempt, String node, double graceSeconds) {}

  /** Parts that must not outlive the others, or their allocation. */
  private List<Stop> stops(long now) {
    List<Stop> stops = new ArrayList<>();
    Map<String, Place> places = nodes.byName();
    synchronized (attempts) {
      for (WholeAttempt attempt : attempts.live()) {
        if (attempt.launching) {
          continue;
        }
        withdraw(attempt, places);
        boolean mustEnd = attempt.mustEnd();
        if (mustEnd || attempt.withdrawn != null) {
          for (PartOfIt part : attempt.parts) {
            if (!part.isOver() && now - part.askedNanos > AGAIN_NANOS) {
              part.askedNanos = now;
              stops.add(
                  new Stop(
                      attempt.id(),
                      part.node,
                      mustEnd ? attempt.lastGraceSeconds() : attempt.graceSeconds));
            }
          }
        }
      }
    }
    return stops;
  }

  /** Whether an attempt must leave now, to be over when its allocation ends. */
  private void withdraw(WholeAttempt attempt, Map<String, Place> places) {
    if (attempt.withdrawn != null) {
      return;
    }
    for (PartOfIt part : attempt.parts) {
      Place place = places.get(part.node);
      if (place == null) {
        continue;
      }
      if (allocations.isGivenBack(place.job())) {
        attempt.withdrawn = "allocation %d is given back".formatted(place.job());
      } else if (allocations.secondsLeft(place.job()) < attempt.graceSeconds + LEAVE_SECONDS) {
        attempt.withdrawn = "allocation %d ends".formatted(place.job());
      }
    }
  }

  private void lookAtSlurm() throws IOException {
    nodes.find();
    Set<Long> inTrouble = new HashSet<>();
    for (AgentLink link : nodes.links()) {
      AgentRecord agent = link.agent();
      if (!link.isReady() && agent != null) {
        lostNanos.putIfAbsent(link.name(), System.nanoTime());
        inTrouble.add(agent.job());
      } else {
        lostNanos.remove(link.name());
      }
    }
    allocations.refresh(inTrouble);
    startAgents();
    bury();
    dropOver();
  }

  private void startAgents() throws IOException {
    Map<String, AgentRecord> agents = nodes.agents();
    long now = System.nanoTime();
    for (SlurmAllocation job : allocations.running()) {
      List<NodeShare> lacking = new ArrayList<>();
      for (Place place : allocations.places(agents)) {
        AgentLink link = nodes.link(place.name());
        String key = job.id() + " " + place.slurm().host();
        Long last = startedNanos.get(key);
        boolean isReady = place.agent() != null && link != null && link.isReady();
        if (isReady && place.job() == job.id()) {
          // It was started well: if it is lost, the next one need not wait.
          startedNanos.remove(key);
        }
        boolean isThere =
            isReady
                || (place.agent() != null
                    && link != null
                    && link.silentSeconds() < RESTART_SHARE * settings.leaseSeconds());
        if (place.job() == job.id()
            && !isThere
            && (last == null || now - last > START_NANOS)
            && !allocations.isDown(job.id(), place.slurm().host())) {
          startedNanos.put(key, now);
          lacking.add(place.slurm());
        }
      }
      if (!lacking.isEmpty()) {
        starter.start(job, lacking);
      }
    }
  }

  /**
   * Tells parts as gone that cannot run any more, of agents that cannot be reached: Slurm has ended
   * their allocation, or has lost their node and the lease is over.
   */
  private void bury() {
    for (AgentLink link : nodes.links()) {
      AgentRecord agent = link.agent();
      Long lost = lostNanos.get(link.name());
      if (agent == null || lost == null || link.isReady()) {
        continue;
      }
      SlurmAllocation job = allocations.since(agent.job(), lost);
      if (job == null) {
        continue;
      }
      boolean isDown = allocations.isDown(agent.job(), agent.host());
      boolean isLeaseOver = link.silentSeconds() > LEASE_SLACK * settings.leaseSeconds();
      boolean hasNode = job.isRunning() && job.node(agent.host()) != null;
      if (job.isOver() && !isDown && !job.state().equals("NODE_FAIL") && !isUnknown(job)) {
        gone(link, "allocation %d is over (%s)".formatted(job.id(), job.state()));
      } else if (isLeaseOver && (isDown || job.isOver() || !hasNode)) {
        gone(
            link,
            isDown
                ? "node %s is down".formatted(agent.host())
                : "allocation %d has lost node %s".formatted(job.id(), agent.host()));
      }
    }
  }

  private static boolean isUnknown(SlurmAllocation job) {
    return job.state().equals(SlurmAllocation.UNKNOWN);
  }

  private void gone(AgentLink link, String why) {
    synchronized (attempts) {
      for (WholeAttempt attempt : attempts.live()) {
        PartOfIt part = attempt.part(link.name());
        if (part != null && !part.isOver() && !link.isReady()) {
          boolean _ = attempts.told(link.name(), new Status(attempt.id(), new Status.Gone(why)));
        }
      }
    }
    wake();
  }

  /** Allocations that are over and have nothing left. */
  private void dropOver() throws IOException {
    Map<String, AgentRecord> agents = nodes.agents();
    for (long id : allocations.over()) {
      boolean isUsed;
      synchronized (attempts) {
        isUsed =
            attempts.live().stream()
                .flatMap(attempt -> attempt.parts.stream())
                .anyMatch(part -> {
                  AgentRecord agent = agents.get(part.node);
                  return agent != null && agent.job() == id;
                });
      }
      if (!isUsed) {
        allocations.drop(id);
      }
    }
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        if (!thread.equals(Thread.currentThread())) {
          thread.join();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
