package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts as processes of this machine, which plays one or several nodes. Each attempt has a
 * supervisor, a small shell script in a session of its own, that outlives the server. The truth is
 * on disk, in one {@link AttemptFolder} each; a server that is killed at any moment finds it there.
 */
public final class LocalEngine implements Engine {
  static final String NAME = "local";

  public static final EngineKind KIND =
      new EngineKind(
          NAME,
          "Processes of this machine, which plays one node or those of a cluster file.",
          LocalSettings.PARAMETERS,
          LocalEngine::discover,
          LocalEngine::open);

  public static final int FIRST_PORT = 20_000;
  public static final int LAST_PORT = 29_999;

  private static final Logger LOG = LoggerFactory.getLogger(LocalEngine.class);

  private final DataFolder data;
  private final List<Node> nodes;
  private final LocalSettings settings;
  private final Slots slots;
  private final Supervisor supervisor;
  private final ControlGroups groups;
  private final UserFiles files = new UserFiles();
  private final JobFiles jobFiles;
  private final DiskReserve reserve;
  private final Sweeper sweeper;
  private final Watch watch;

  /** Also the lock on all that is guarded here. */
  private final Attempts attempts;

  private long forgotten;
  private boolean closed;

  private static List<Node> discover(EngineSetup setup) {
    if (LocalSettings.of(setup.settings()).asOwner()) {
      Account.checkPossible(Account.self());
    }
    return LocalNode.all(setup).stream().map(LocalNode::node).toList();
  }

  private static Engine open(EngineSetup setup) throws IOException {
    return new LocalEngine(
        setup.folder(),
        LocalNode.all(setup),
        LocalSettings.of(setup.settings()),
        FIRST_PORT,
        LAST_PORT);
  }

  public LocalEngine(Path folder, List<LocalNode> nodes) throws IOException {
    this(folder, nodes, LocalSettings.USUAL, FIRST_PORT, LAST_PORT);
  }

  /**
   * Opens a folder and finds what runs there.
   *
   * @param firstPort workers meet at ports from this one on
   * @param lastPort up to this one
   */
  LocalEngine(
      Path folder, List<LocalNode> nodes, LocalSettings settings, int firstPort, int lastPort)
      throws IOException {
    this(folder, folder, nodes, settings, null, firstPort, lastPort);
  }

  /** One of several engines that have the same jobs, each with its part of them. */
  public LocalEngine(Path own, Path jobs, LocalNode node, LocalSettings settings, Nursery nursery)
      throws IOException {
    this(own, jobs, List.of(node), settings, nursery, FIRST_PORT, LAST_PORT);
  }

  private LocalEngine(
      Path own,
      Path jobs,
      List<LocalNode> nodes,
      LocalSettings settings,
      @Nullable Nursery nursery,
      int firstPort,
      int lastPort)
      throws IOException {
    if (settings.asOwner()) {
      Account.checkPossible(Account.self());
    }
    this.settings = settings;
    this.nodes = nodes.stream().map(LocalNode::node).toList();
    slots = new Slots(nodes, firstPort, lastPort);
    data = new DataFolder(own, jobs, settings.asOwner());
    jobFiles = new JobFiles(data, files);
    try {
      String boot = ProcessId.presentBoot();
      supervisor = new Supervisor(data, boot, nursery);
      groups = settings.groups() ? ControlGroups.find(data.root()) : ControlGroups.none();
      attempts = new Attempts(data, slots, groups);
      Leftovers leftovers = new Leftovers(data, groups, settings.asOwner());
      reserve = new DiskReserve(data.root(), settings.diskReserveBytes(), leftovers);
      sweeper = new Sweeper(attempts, files, leftovers, groups, reserve, boot, settings);
      forgotten = data.forgotten();
      for (AttemptFolder found : data.found()) {
        attempts.load(found);
      }
      sweeper.sweep();
      watch = new Watch(data.events(), sweeper::sweep);
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  @Override
  public void listen(Consumer<Status> changes) {
    attempts.listen(changes);
  }

  @Override
  public Snapshot observe() {
    boolean isShort = reserve.isShort();
    synchronized (attempts) {
      return new Snapshot(
          isShort
              ? nodes.stream().map(node -> node.closedBecause(reserve.whyClosed())).toList()
              : nodes,
          attempts.statuses());
    }
  }

  @Override
  public void launch(long order, Launch launch) throws IOException {
    launch(order, launch, Part.whole(launch.allocation().workers()));
  }

  /** The same for a part of an attempt: what is to be started here is in the allocation. */
  public void launch(long order, Launch launch, Part part) throws IOException {
    Account owner = null;
    String refusal = null;
    if (settings.asOwner()) {
      owner = Account.find(launch.user());
      refusal = refusal(launch.user(), owner);
    }
    synchronized (attempts) {
      checkOpen();
      if (attempts.get(launch.attempt()) != null || order < forgotten) {
        return;
      }
      if (reserve.isShort()) {
        throw new IOException(reserve.why());
      }
      Plan plan = slots.choose(launch.allocation(), part);
      AttemptFolder folder = new AttemptFolder(data, launch.attempt());
      folder.create();
      Attempt attempt = attempts.add(folder, plan);
      try {
        if (refusal != null) {
          throw new Supervisor.Refused(refusal);
        }
        start(attempt, part, plan, launch, owner);
        return;
      } catch (Supervisor.Refused e) {
        refuse(attempt, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        if (folder.bury()) {
          attempts.end(attempt, new Status.Gone("cannot be started: " + e.getMessage()));
        }
      }
    }
    attempts.tell();
  }

  private @Nullable String refusal(String user, @Nullable Account owner) {
    if (owner == null) {
      return "user '%s' has no account on this machine, and jobs run as their owners"
          .formatted(user);
    }
    return owner.uid() == 0 && !settings.allowRoot()
        ? "jobs do not run as root; 'allow-root: true' of the engine would let those of root"
        : null;
  }

  private void start(Attempt attempt, Part part, Plan plan, Launch launch, @Nullable Account owner)
      throws IOException, Supervisor.Refused {
    AttemptId id = attempt.id();
    attempt.folder.plan(plan);
    supervisor.makeLogs(id, plan, owner);
    ControlGroups.Limits limits =
        new ControlGroups.Limits(
            launch.spec().cpusPerGpu() * plan.workers(),
            launch.spec().memoryGbPerGpu() * 1e9 * plan.workers(),
            settings.processes());
    supervisor.prepare(attempt.folder, launch, part, plan, owner, groups.make(id, limits));
    attempt.starter = supervisor.start(attempt.folder);
  }

  /** As a shell has it: the program is there and cannot be run. */
  private void refuse(Attempt attempt, String why) throws IOException {
    jobFiles.refused(attempt.id(), why);
    if (attempt.folder.bury()) {
      attempts.end(attempt, new Status.Exited(126, false, why));
    }
  }

  @Override
  public void stop(AttemptId id, double graceSeconds) throws IOException {
    Attempt attempt;
    boolean send = false;
    synchronized (attempts) {
      checkOpen();
      attempt = attempts.get(id);
      if (attempt == null) {
        AttemptFolder folder = new AttemptFolder(data, id);
        folder.create();
        attempt = attempts.add(folder, null);
      }
      if (attempt.phase.isEnd()) {
        return;
      }
      if (attempt.phase instanceof Status.Running || !Attempts.isBuried(attempt)) {
        send = attempt.stop(graceSeconds);
      } else {
        attempts.end(attempt, new Status.Gone("it was stopped before it started"));
      }
    }
    attempts.tell();
    if (send) {
      send(attempt, graceSeconds);
    }
  }

  /** If it does not arrive, the attempt is killed when its grace is over. */
  private void send(Attempt attempt, double graceSeconds) {
    try {
      files.<@Nullable Void>within(
          new UserFiles.Use(attempt.id(), UserFiles.Purpose.SEND),
          () -> {
            attempt.folder.sendStop(Supervisor.seconds(graceSeconds));
            return null;
          });
    } catch (IOException e) {
      synchronized (attempts) {
        attempt.complain("its supervisor cannot be asked to stop it: " + e);
      }
    }
  }

  @Override
  public void forget(long order, AttemptId id) throws IOException {
    Path discarded;
    synchronized (attempts) {
      checkOpen();
      Attempt attempt = attempts.get(id);
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
    if (discarded != null) {
      var _ =
          files.<@Nullable Void>start(
              new UserFiles.Use(id, UserFiles.Purpose.DELETE),
              () -> {
                DataFolder.tryDelete(discarded);
                return null;
              });
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
      if (attempts.liveIds().stream().anyMatch(id -> id.job() == job)) {
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

  @Override
  public void close() {
    synchronized (attempts) {
      closed = true;
    }
    watch.close();
    files.close();
    synchronized (attempts) {
      groups.sweepOut(attempts.liveIds());
    }
    try {
      data.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", data.root(), e.toString());
    }
  }

  /** Where the workers of a known attempt meet; 0: it has none here. */
  public int port(AttemptId id) {
    synchronized (attempts) {
      Attempt attempt = attempts.get(id);
      return attempt == null || attempt.plan == null ? 0 : attempt.plan.port();
    }
  }

  ControlGroups groups() {
    return groups;
  }
}
