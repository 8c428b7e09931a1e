package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.AttemptFolder;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.local.JobFiles;
import io.ringmaster.engine.local.Part;
import io.ringmaster.engine.slurm.allocation.Allocations.Place;
import io.ringmaster.engine.slurm.allocation.WholeAttempt.PartOfIt;
import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts on the nodes of Slurm allocations that one user has. On each node an {@link Agent}
 * starts, stops and watches processes; an attempt over several nodes is made of parts, one with
 * each agent, and is put together here. The truth about parts is with the agents, and what was
 * promised about attempts is on disk: a server that is killed at any moment finds both again.
 */
public final class AllocationEngine implements Engine {
  public static final EngineKind KIND =
      new EngineKind(
          "slurm-allocation",
          "Nodes of a Slurm allocation that the server runs in, or of several.",
          AllocationSettings.PARAMETERS,
          AllocationEngine::discover,
          AllocationEngine::open);

  private static final Logger LOG = LoggerFactory.getLogger(AllocationEngine.class);
  private static final Duration SLURM_LIMIT = Duration.ofSeconds(20);

  /**
   * What an allocation must last beside the grace and the time to the first checkpoint, for an
   * attempt to be started there.
   */
  private static final double START_SECONDS = 30;

  private final DataFolder data;
  private final JobFiles jobFiles;
  private final AllocationSettings settings;
  private final Allocations allocations;
  private final Attempts attempts;
  private final Nodes nodes;
  private final Keeper keeper;
  private long forgotten;
  private boolean closed;

  private static SlurmCommands slurm() {
    return new SlurmCommands(SLURM_LIMIT);
  }

  private static List<Node> discover(EngineSetup setup) throws IOException {
    return discover(setup, slurm(), Allocations.own());
  }

  static List<Node> discover(EngineSetup setup, SlurmCommands slurm, long own) throws IOException {
    return Allocations.discover(
        new Slurm(slurm),
        new Places(setup.folder().toAbsolutePath()),
        AllocationSettings.of(setup.settings()),
        own);
  }

  private static Engine open(EngineSetup setup) throws IOException {
    return new AllocationEngine(setup, slurm(), Allocations.own());
  }

  /**
   * Opens a folder, finds the agents and what runs there, and starts agents where there are none.
   *
   * @param own the allocation that the server runs in; 0: none
   */
  AllocationEngine(EngineSetup setup, SlurmCommands slurm, long own) throws IOException {
    settings = AllocationSettings.of(setup.settings());
    Path folder = setup.folder().toAbsolutePath();
    Places places = new Places(folder);
    data = new DataFolder(places.own(), folder, false);
    jobFiles = new JobFiles(data);
    try {
      places.make();
      allocations = new Allocations(new Slurm(slurm), places, settings);
      if (own != 0) {
        allocations.register(own);
      }
      attempts = new Attempts(places);
      forgotten = data.forgotten();
      for (AttemptFolder found : data.found()) {
        attempts.add(WholeAttempt.load(found));
      }
      nodes = new Nodes(places, allocations, places.key(), attempts, this::forgottenOrder);
      keeper =
          new Keeper(
              attempts, nodes, allocations, new AgentStarter(slurm, places, settings), settings);
      keeper.open();
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  private long forgottenOrder() {
    synchronized (attempts) {
      return forgotten;
    }
  }

  @Override
  public void listen(Consumer<Status> changes) {
    attempts.listen(changes);
  }

  @Override
  public Snapshot observe() {
    List<Node> told = nodes.told();
    return new Snapshot(told, attempts.statuses());
  }

  @Override
  public void launch(long order, Launch launch) throws IOException {
    WholeAttempt attempt;
    List<AgentLink> links = new ArrayList<>();
    synchronized (attempts) {
      checkOpen();
      if (attempts.get(launch.attempt()) != null || order < forgotten) {
        return;
      }
      Status.Phase refusal = refusal(launch);
      AttemptFolder folder = new AttemptFolder(data, launch.attempt());
      if (refusal == null) {
        for (Allocation.Share share : launch.allocation().shares()) {
          links.add(nodes.ready(share.node()));
        }
        attempt = WholeAttempt.create(folder, launch);
        attempt.launching = true;
        attempts.add(attempt);
      } else {
        folder.create();
        attempt = new WholeAttempt(folder, List.of(), 0);
        attempts.add(attempt);
        if (refusal instanceof Status.Exited exited) {
          jobFiles.refused(launch.attempt(), exited.why());
        }
        attempts.end(attempt, refusal);
      }
    }
    if (!links.isEmpty()) {
      launchParts(order, launch, attempt, links);
    }
    attempts.tell();
  }

  /** Why an attempt is over before it began; null: it is not. */
  private Status.@Nullable Phase refusal(Launch launch) {
    String owner = System.getProperty("user.name", "");
    if (settings.ownersOnly() && !launch.user().equals(owner)) {
      return new Status.Exited(
          126,
          false,
          "jobs run as '%s', who has the allocation, so those of '%s' are refused; 'jobs-of: everybody' of the engine would run them"
              .formatted(owner, launch.user()));
    }
    Map<String, Place> places = nodes.byName();
    for (Allocation.Share share : launch.allocation().shares()) {
      Place place = places.get(share.node());
      if (place == null) {
        return new Status.Gone("node %s is not there any more".formatted(share.node()));
      }
      if (allocations.isGivenBack(place.job())) {
        return new Status.Exited(143, true, "allocation %d is given back".formatted(place.job()));
      }
      double checkpoint = launch.spec().checkpointSeconds();
      double needed = START_SECONDS + checkpoint + launch.spec().graceSeconds();
      if (allocations.secondsLeft(place.job()) < needed) {
        return new Status.Exited(
            143,
            true,
            "allocation %d ends within the %.0f s that it would need to start%s and stop"
                .formatted(place.job(), needed, checkpoint > 0 ? ", reach its checkpoint" : ""));
      }
    }
    return null;
  }

  /** The first part finds the port that all meet at; then come the others, all at once. */
  private void launchParts(long order, Launch launch, WholeAttempt attempt, List<AgentLink> links)
      throws IOException {
    String doom = null;
    try {
      int workers = launch.allocation().workers();
      String address = Objects.requireNonNull(links.getFirst().agent()).address();
      List<CompletableFuture<Message>> answers = new ArrayList<>();
      int port = 0;
      for (int i = 0; i < links.size(); i++) {
        PartOfIt part = attempt.parts.get(i);
        Launch here =
            new Launch(
                launch.attempt(),
                launch.user(),
                launch.spec(),
                new Allocation(List.of(launch.allocation().shares().get(i))),
                launch.learningRateScale());
        answers.add(
            links
                .get(i)
                .ask(Message.of(order, here, new Part(part.firstRank, workers, address, port))));
        if (i == 0) {
          port = firstPort(attempt, links.getFirst(), answers.getFirst());
        }
      }
      for (int i = 0; i < links.size(); i++) {
        links.get(i).await(answers.get(i));
      }
      attempt.launched();
    } catch (NothingHappened e) {
      throw new IOException(e.getMessage(), e);
    } catch (IOException e) {
      doom = "cannot be started: " + e.getMessage();
    } finally {
      synchronized (attempts) {
        attempt.launching = false;
        attempt.doom = doom;
        long now = System.nanoTime();
        attempt.parts.forEach(part -> part.launchedNanos = now);
      }
      keeper.wake();
    }
  }

  /** It was refused by the first node: the plane may ask again, as if it never had. */
  private static final class NothingHappened extends IOException {
    private static final long serialVersionUID = 1;

    NothingHappened(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private int firstPort(WholeAttempt attempt, AgentLink link, CompletableFuture<Message> answer)
      throws IOException {
    try {
      return (int) link.await(answer).whole("port");
    } catch (AgentLink.Refused e) {
      synchronized (attempts) {
        attempts.remove(attempt.id());
        Path discarded = data.discard(attempt.folder.path());
        if (discarded != null) {
          DataFolder.tryDelete(discarded);
        }
      }
      throw new NothingHappened(e);
    }
  }

  @Override
  public void stop(AttemptId id, double graceSeconds) throws IOException {
    WholeAttempt attempt;
    List<PartOfIt> left;
    synchronized (attempts) {
      checkOpen();
      attempt = attempts.get(id);
      if (attempt == null) {
        AttemptFolder folder = new AttemptFolder(data, id);
        folder.create();
        attempt = new WholeAttempt(folder, List.of(), 0);
        attempts.add(attempt);
        attempts.end(attempt, new Status.Gone("it was stopped before it started"));
      }
      left =
          attempt.phase.isEnd()
              ? List.of()
              : attempt.parts.stream().filter(part -> !part.isOver()).toList();
      if (!left.isEmpty()) {
        attempt.stopAsked(graceSeconds);
      }
    }
    attempts.tell();
    nodes.stop(id, left, graceSeconds);
  }

  @Override
  public void forget(long order, AttemptId id) throws IOException {
    WholeAttempt attempt;
    Path discarded;
    synchronized (attempts) {
      checkOpen();
      attempt = attempts.get(id);
      if (attempt == null || !attempt.phase.isEnd()) {
        return;
      }
      if (order > forgotten) {
        data.forgotten(order);
        forgotten = order;
      }
      discarded = data.discard(attempt.folder.path());
      attempts.remove(id);
    }
    nodes.forget(order, attempt);
    if (discarded != null) {
      DataFolder.tryDelete(discarded);
    }
  }

  @Override
  public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws IOException {
    return jobFiles.log(attempt, rank, stream, fromByte);
  }

  @Override
  public Map<Kept, Long> kept(long job) throws IOException {
    return jobFiles.kept(job);
  }

  @Override
  public void discard(long job, Set<Kept> what) throws IOException {
    synchronized (attempts) {
      checkOpen();
      if (attempts.live().stream().anyMatch(attempt -> attempt.id().job() == job)) {
        throw new IOException("job %d still has processes".formatted(job));
      }
    }
    jobFiles.discard(job, what);
  }

  /** Another server may have the folder by now. */
  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException(data.root() + ": the engine was closed");
    }
  }

  /** Agents and what they run go on. */
  @Override
  public void close() {
    synchronized (attempts) {
      closed = true;
    }
    keeper.close();
    nodes.close();
    jobFiles.close();
    try {
      data.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", data.root(), e.toString());
    }
  }
}
