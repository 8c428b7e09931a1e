package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Node;
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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agents that can be reached, and what they tell. */
final class Nodes implements AgentLink.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

  /** Why nothing is started on a node whose agent is not there, or not yet. */
  static final String NO_ANSWER = "its agent does not answer";

  private final Places places;
  private final Allocations allocations;
  private final byte[] key;
  private final Attempts attempts;
  private final LongSupplier forgotten;
  private final Map<String, AgentLink> links = new TreeMap<>();

  /** Why an agent lets nothing be started, by its node. */
  private final Map<String, String> closed = new ConcurrentHashMap<>();

  private volatile Runnable news = () -> {};

  Nodes(
      Places places,
      Allocations allocations,
      byte[] key,
      Attempts attempts,
      LongSupplier forgotten) {
    this.places = places;
    this.allocations = allocations;
    this.key = key.clone();
    this.attempts = attempts;
    this.forgotten = forgotten;
  }

  /** Whom to call when an agent told something. */
  void onNews(Runnable wake) {
    news = wake;
  }

  /** Connects to agents that were not there before. */
  void find() throws IOException {
    for (String name : places.nodeNames()) {
      synchronized (links) {
        if (!links.containsKey(name)) {
          links.put(name, new AgentLink(name, places, key, this, allocations::isKnown));
        }
      }
    }
  }

  List<AgentLink> links() {
    synchronized (links) {
      return List.copyOf(links.values());
    }
  }

  @Nullable AgentLink link(String name) {
    synchronized (links) {
      return links.get(name);
    }
  }

  /** The agents that were last heard of, by their node. */
  Map<String, AgentRecord> agents() {
    Map<String, AgentRecord> agents = new HashMap<>();
    for (AgentLink link : links()) {
      AgentRecord agent = link.agent();
      if (agent != null) {
        agents.put(link.name(), agent);
      }
    }
    return agents;
  }

  List<Node> told() {
    List<Node> told = new ArrayList<>();
    for (Place place : allocations.places(agents())) {
      String why = whyClosed(place);
      told.add(why.isEmpty() ? place.node() : place.node().closedBecause(why));
    }
    return told;
  }

  private String whyClosed(Place place) {
    String why = allocations.whyClosed(place);
    if (!why.isEmpty()) {
      return why;
    }
    AgentLink link = link(place.name());
    return link == null || !link.isReady() || place.agent() == null
        ? NO_ANSWER
        : closed.getOrDefault(place.name(), "");
  }

  /** The nodes that there are, by name. */
  Map<String, Place> byName() {
    Map<String, Place> byName = new HashMap<>();
    allocations.places(agents()).forEach(place -> byName.put(place.name(), place));
    return byName;
  }

  /** The link to an agent that can be asked. */
  AgentLink ready(String name) throws IOException {
    AgentLink link = link(name);
    if (link == null || !link.isReady()) {
      throw new IOException("the agent of node %s does not answer".formatted(name));
    }
    return link;
  }

  /** Asks for parts to be stopped. Fails if somebody was not reached, after all were asked. */
  void stop(AttemptId id, List<PartOfIt> parts, double graceSeconds) throws IOException {
    Map<AgentLink, CompletableFuture<Message>> answers = new HashMap<>();
    IOException trouble = null;
    for (PartOfIt part : parts) {
      try {
        AgentLink link = ready(part.node);
        answers.put(link, link.ask(stopping(id, graceSeconds)));
      } catch (IOException e) {
        trouble = e;
      }
    }
    for (Map.Entry<AgentLink, CompletableFuture<Message>> answer : answers.entrySet()) {
      try {
        answer.getKey().await(answer.getValue());
      } catch (IOException e) {
        trouble = e;
      }
    }
    if (trouble != null) {
      throw new IOException(
          "attempt %s cannot be stopped everywhere: %s".formatted(id, trouble.getMessage()),
          trouble);
    }
  }

  private static Message stopping(AttemptId id, double graceSeconds) {
    return Message.of("do", "stop", "attempt", id.text(), "grace", graceSeconds);
  }

  /** The same without waiting, for those who ask again later. */
  void tryStop(AttemptId id, String node, double graceSeconds) {
    AgentLink link = link(node);
    if (link != null) {
      var _ = link.ask(stopping(id, graceSeconds));
    }
  }

  /** An agent that is not reached is told when it is there again. */
  void forget(long order, WholeAttempt attempt) {
    for (PartOfIt part : attempt.parts) {
      AgentLink link = link(part.node);
      if (link != null) {
        var _ = link.ask(forgetting(order, attempt.id()));
      }
    }
  }

  private static Message forgetting(long order, AttemptId id) {
    return Message.of("do", "forget", "attempt", id.text(), "order", order);
  }

  @Override
  public void observed(AgentLink link, Message told, long askedNanos) {
    try {
      Set<AttemptId> seen = new HashSet<>();
      for (Message each : told.parts("attempts")) {
        Status status = each.status();
        seen.add(status.attempt());
        take(link, status);
      }
      missing(link.name(), seen, askedNanos);
      closed.put(link.name(), told.text("closed"));
    } catch (IOException e) {
      LOG.warn("agent of {}: {}", link.name(), e.getMessage());
    }
    news.run();
  }

  @Override
  public void told(AgentLink link, Status status) {
    take(link, status);
    news.run();
  }

  /** What is not known here any more must not run, and need not be told. */
  private void take(AgentLink link, Status status) {
    if (!attempts.told(link.name(), status)) {
      var _ =
          link.ask(
              status.phase().isEnd()
                  ? forgetting(forgotten.getAsLong(), status.attempt())
                  : stopping(status.attempt(), 0));
    }
  }

  /** An agent that said that it has a part, and does not know it any more, has lost its folder. */
  private void missing(String node, Set<AttemptId> seen, long askedNanos) {
    synchronized (attempts) {
      for (WholeAttempt attempt : attempts.live()) {
        PartOfIt part = attempt.part(node);
        if (part != null
            && !part.isOver()
            && attempt.doom == null
            && part.launchedNanos != Long.MAX_VALUE
            && part.launchedNanos - askedNanos < 0
            && !seen.contains(attempt.id())) {
          boolean _ =
              attempts.told(
                  node,
                  new Status(attempt.id(), new Status.Gone("its agent does not know it any more")));
        }
      }
    }
  }

  @Override
  public void lost(AgentLink link) {
    LOG.warn("the agent of {} does not answer; it is tried again", link.name());
    news.run();
  }

  @Override
  public void close() {
    links().forEach(AgentLink::close);
  }
}
