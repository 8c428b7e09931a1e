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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs attempts as processes of this machine, which plays one or several nodes. Each attempt has a
 * supervisor, a small shell script in a session of its own, that outlives the server. The truth is
 * on disk, in one {@link AttemptFolder} each; a server that is killed at any moment finds it there.
 *
 * <p>Longer than others, because all that holds the lock on attempts stands together.
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
  private static final Pattern ATTEMPT = Pattern.compile("[0-9]{1,18}\\.[0-9]{1,9}");

  private final DataFolder data;
  private final List<Node> nodes;
  private final LocalSettings settings;
  private final Slots slots;
  private final Supervisor supervisor;
  private final ControlGroups groups;
  private final UserFiles files = new UserFiles();
  private final DiskReserve reserve;
  private final Sweeper sweeper;
  private final Watch watch;

  private final Object lock = new Object();
  private final Map<AttemptId, Attempt> attempts =
      new TreeMap<>(Comparator.comparingLong(AttemptId::job).thenComparingInt(AttemptId::attempt));

  /** Those that have not ended: the others cost nothing. */
  private final Map<AttemptId, Attempt> live = new LinkedHashMap<>();

  private final Queue<Status> news = new ConcurrentLinkedQueue<>();
  private final Object telling = new Object();
  private long forgotten;
  private boolean closed;
  private volatile @Nullable Consumer<Status> listener;

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
    if (settings.asOwner()) {
      Account.checkPossible(Account.self());
    }
    this.settings = settings;
    this.nodes = nodes.stream().map(LocalNode::node).toList();
    slots = new Slots(nodes, firstPort, lastPort);
    data = new DataFolder(folder, settings.asOwner());
    try {
      String boot = ProcessId.presentBoot();
      supervisor = new Supervisor(data, boot);
      groups = settings.groups() ? ControlGroups.find(data.root()) : ControlGroups.none();
      Leftovers leftovers = new Leftovers(data, groups, settings.asOwner());
      reserve = new DiskReserve(data.root(), settings.diskReserveBytes(), leftovers);
      sweeper = new Sweeper(this, files, leftovers, groups, reserve, boot, settings);
      forgotten = data.forgotten();
      for (Path found : DataFolder.list(data.attempts())) {
        String name = String.valueOf(found.getFileName());
        if (ATTEMPT.matcher(name).matches()) {
          load(new AttemptFolder(data, AttemptId.of(name)));
        }
      }
      sweeper.sweep();
      watch = new Watch(data.events(), sweeper::sweep);
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  /** Whatever is there: a server must start with it. */
  private void load(AttemptFolder folder) {
    Plan plan = null;
    String trouble = null;
    boolean buried = false;
    try {
      Status end = folder.end();
      if (end != null) {
        Attempt ended = new Attempt(folder, null, progress(folder), end.phase());
        ended.doneShare = end.doneShare();
        ended.saved = folder.hasCheckpoint();
        attempts.put(folder.attempt(), ended);
        return;
      }
    } catch (IOException e) {
      trouble = e.toString();
    }
    try {
      plan = folder.plan();
    } catch (IOException e) {
      trouble = e.toString();
    }
    Attempt attempt = add(folder, plan);
    try {
      buried = folder.bury();
    } catch (IOException e) {
      trouble = e.toString();
    }
    if (trouble != null) {
      attempt.complain(trouble);
    }
    if (buried) {
      end(attempt, new Status.Gone("it was never started"));
    }
  }

  private ProgressFile progress(AttemptFolder folder) {
    return new ProgressFile(
        data.progress(folder.attempt().job()), data.progressMark(folder.attempt()));
  }

  private Attempt add(AttemptFolder folder, @Nullable Plan plan) {
    AttemptId id = folder.attempt();
    Attempt attempt = new Attempt(folder, plan, progress(folder), new Status.Pending());
    attempts.put(id, attempt);
    live.put(id, attempt);
    if (plan != null) {
      slots.take(plan);
    }
    return attempt;
  }

  /**
   * Writes down how it ended; from then on it is told, and its GPUs are free. If it cannot be
   * written, it is still live, and is tried again for a while.
   */
  private void end(Attempt attempt, Status.Phase end) {
    try {
      attempt.folder.end(new Status(attempt.id(), end, attempt.doneShare));
    } catch (IOException e) {
      attempt.complain("how it ended cannot be written down: " + e);
      if (attempt.mayWriteAgain()) {
        return;
      }
    }
    attempt.phase = end;
    live.remove(attempt.id());
    if (attempt.plan != null) {
      slots.release(attempt.plan);
    }
    groups.remove(attempt.id());
    news.add(attempt.status());
  }

  @Override
  public void listen(Consumer<Status> changes) {
    listener = changes;
    tell();
  }

  /** Tells what is new, in the order in which it happened, and without holding up others. */
  void tell() {
    synchronized (telling) {
      Consumer<Status> to = listener;
      if (to == null) {
        return;
      }
      for (Status status = news.poll(); status != null; status = news.poll()) {
        to.accept(status);
      }
    }
  }

  @Override
  public Snapshot observe() {
    boolean closedNow = reserve.isShort();
    synchronized (lock) {
      return new Snapshot(
          closedNow ? nodes.stream().map(node -> node.up(false)).toList() : nodes,
          attempts.values().stream().map(Attempt::status).toList());
    }
  }

  @Override
  public void launch(long order, Launch launch) throws IOException {
    Account owner = null;
    String refusal = null;
    if (settings.asOwner()) {
      owner = Account.find(launch.user());
      refusal = refusal(launch.user(), owner);
    }
    synchronized (lock) {
      checkOpen();
      if (attempts.containsKey(launch.attempt()) || order < forgotten) {
        return;
      }
      if (reserve.isShort()) {
        throw new IOException(reserve.why());
      }
      Plan plan = slots.choose(launch.allocation());
      AttemptFolder folder = new AttemptFolder(data, launch.attempt());
      folder.create();
      Attempt attempt = add(folder, plan);
      try {
        if (refusal != null) {
          throw new Supervisor.Refused(refusal);
        }
        start(attempt, plan, launch, owner);
        return;
      } catch (Supervisor.Refused e) {
        refuse(attempt, String.valueOf(e.getMessage()));
      } catch (IOException e) {
        if (folder.bury()) {
          end(attempt, new Status.Gone("cannot be started: " + e.getMessage()));
        }
      }
    }
    tell();
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

  private void start(Attempt attempt, Plan plan, Launch launch, @Nullable Account owner)
      throws IOException, Supervisor.Refused {
    AttemptId id = attempt.id();
    attempt.folder.plan(plan);
    supervisor.makeLogs(id, plan.workers(), owner);
    ControlGroups.Limits limits =
        new ControlGroups.Limits(
            launch.spec().cpusPerGpu() * plan.workers(),
            launch.spec().memoryGbPerGpu() * 1e9 * plan.workers(),
            settings.processes());
    supervisor.prepare(attempt.folder, launch, plan, owner, groups.make(id, limits));
    attempt.starter = supervisor.start(attempt.folder);
  }

  /** As a shell has it: the program is there and cannot be run. */
  private void refuse(Attempt attempt, String why) throws IOException {
    DataFolder.makeFolder(data.logs(attempt.id()), null);
    DataFolder.put(data.log(attempt.id(), 0, Stream.STDERR), "ringmaster: " + why + "\n");
    if (attempt.folder.bury()) {
      end(attempt, new Status.Exited(126, false, why));
    }
  }

  @Override
  public void stop(AttemptId id, double graceSeconds) throws IOException {
    Attempt attempt;
    boolean send = false;
    synchronized (lock) {
      checkOpen();
      attempt = attempts.get(id);
      if (attempt == null) {
        AttemptFolder folder = new AttemptFolder(data, id);
        folder.create();
        attempt = add(folder, null);
      }
      if (attempt.phase.isEnd()) {
        return;
      }
      if (attempt.phase instanceof Status.Running || !isBuried(attempt)) {
        send = attempt.stop(graceSeconds);
      } else {
        end(attempt, new Status.Gone("it was stopped before it started"));
      }
    }
    tell();
    if (send) {
      send(attempt, graceSeconds);
    }
  }

  private static boolean isBuried(Attempt attempt) {
    try {
      return attempt.folder.bury();
    } catch (IOException e) {
      attempt.complain(e.toString());
      return false;
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
      synchronized (lock) {
        attempt.complain("its supervisor cannot be asked to stop it: " + e);
      }
    }
  }

  @Override
  public void forget(long order, AttemptId id) throws IOException {
    Path discarded;
    synchronized (lock) {
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
    if (stream != Stream.PROGRESS) {
      return new LogStream(
          files, attempt, data.log(attempt, rank, stream), fromByte, Long.MAX_VALUE);
    }
    DataFolder.Part part =
        files.within(
            new UserFiles.Use(attempt, UserFiles.Purpose.READ), () -> data.progressPart(attempt));
    try {
      long from = part.begin() + Math.clamp(fromByte, 0L, Long.MAX_VALUE - part.begin());
      return new LogStream(files, attempt, data.progress(attempt.job()), from, part.end());
    } catch (NoSuchFileException e) {
      return InputStream.nullInputStream();
    }
  }

  @Override
  public Map<Kept, Long> kept(long job) throws IOException {
    return new KeptFiles(data).bytes(job);
  }

  @Override
  public void discard(long job, Set<Kept> what) throws IOException {
    synchronized (lock) {
      checkOpen();
      if (live.keySet().stream().anyMatch(id -> id.job() == job)) {
        throw new IOException("job %d still has processes".formatted(job));
      }
    }
    new KeptFiles(data).discard(job, what);
  }

  /** Another server may have the folder by now. */
  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException(data.root() + ": the engine was closed");
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    watch.close();
    files.close();
    synchronized (lock) {
      groups.sweepOut(live.keySet());
    }
    try {
      data.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", data.root(), e.toString());
    }
  }

  ControlGroups groups() {
    return groups;
  }

  /** Those that have not ended. */
  List<Attempt> live() {
    synchronized (lock) {
      return List.copyOf(live.values());
    }
  }

  /** What an attempt's workers print into. */
  List<Path> logs(Attempt attempt) {
    List<Path> logs = new ArrayList<>();
    for (int rank = 0; attempt.plan != null && rank < attempt.plan.workers(); rank++) {
      logs.add(data.log(attempt.id(), rank, Stream.STDOUT));
      logs.add(data.log(attempt.id(), rank, Stream.STDERR));
    }
    return logs;
  }

  /**
   * Takes in what was found out about an attempt. Returns how it ended, if it has: then nobody
   * watches its processes any more.
   */
  Status.@Nullable Phase seen(Attempt attempt, Sight sight) {
    synchronized (lock) {
      if (attempt.phase.isEnd()) {
        return null;
      }
      if (sight.trouble() != null) {
        attempt.complain(sight.trouble());
      }
      Status before = attempt.status();
      attempt.take(sight);
      Status.Phase end = endOf(attempt, sight);
      if (end == null && !attempt.status().equals(before)) {
        news.add(attempt.status());
      }
      return end;
    }
  }

  private static Status.@Nullable Phase endOf(Attempt attempt, Sight sight) {
    if (attempt.phase instanceof Status.Pending) {
      switch (sight.claim()) {
        case AttemptFolder.Supervised owner -> {
          attempt.supervisor = owner.supervisor();
          attempt.phase = new Status.Running();
        }
        case AttemptFolder.Tombstone _ -> {
          return new Status.Gone("it was stopped before it started");
        }
        case null -> {
          return attempt.isStillborn() && isBuried(attempt)
              ? new Status.Gone("its supervisor cannot be started")
              : null;
        }
      }
    }
    if (sight.result() != null) {
      return sight.result();
    }
    return sight.alive()
        ? null
        : new Status.Gone("its supervisor was killed, or the machine went down");
  }

  boolean isOverdue(Attempt attempt) {
    synchronized (lock) {
      return attempt.isOverdue();
    }
  }

  /**
   * Nothing of an attempt is left.
   *
   * @param last what was found after that; null: nobody could look
   */
  void over(Attempt attempt, Status.Phase end, @Nullable Sight last) {
    synchronized (lock) {
      // Somebody may have stopped it meanwhile that had not started.
      if (!attempt.phase.isEnd()) {
        if (last != null) {
          attempt.take(last);
        }
        end(attempt, end);
      }
    }
  }

  /** Says what is wrong with an attempt, once. */
  void complain(Attempt attempt, String what) {
    synchronized (lock) {
      attempt.complain(what);
    }
  }
}
