package io.ringmaster.engine.local;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.model.settings.Parameter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
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
 */
public final class LocalEngine implements Engine {
  public static final EngineKind KIND =
      new EngineKind(
          "local",
          "Processes of this machine, which plays one node or those of a cluster file.",
          List.of(
              Parameter.whole(
                  LocalNode.SLOTS,
                  "GPUs of the one node, whether or not there are any; 0: those there are, or one"
                      + " for each processor",
                  0,
                  0,
                  1000)),
          setup -> LocalNode.all(setup).stream().map(LocalNode::node).toList(),
          setup -> new LocalEngine(setup.folder(), LocalNode.all(setup)));

  public static final int FIRST_PORT = 20_000;
  public static final int LAST_PORT = 29_999;

  private static final Logger LOG = LoggerFactory.getLogger(LocalEngine.class);

  /** How often to look again for processes that were just killed, before others get a turn. */
  private static final int LOOKS_MAX = 20;

  private static final int LOOK_MILLIS = 5;

  private static final Pattern NAME = Pattern.compile("[0-9]+\\.[0-9]+");

  private final DataFolder data;
  private final List<Node> nodes;
  private final Slots slots;
  private final Supervisor supervisor;
  private final Leftovers leftovers;
  private final String boot;
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

  public LocalEngine(Path folder, List<LocalNode> nodes) throws IOException {
    this(folder, nodes, FIRST_PORT, LAST_PORT);
  }

  /**
   * Opens a folder and finds what runs there.
   *
   * @param firstPort workers meet at ports from this one on
   * @param lastPort up to this one
   */
  public LocalEngine(Path folder, List<LocalNode> nodes, int firstPort, int lastPort)
      throws IOException {
    this.nodes = nodes.stream().map(LocalNode::node).toList();
    slots = new Slots(nodes, firstPort, lastPort);
    data = new DataFolder(folder);
    try {
      boot = ProcessId.presentBoot();
      supervisor = new Supervisor(data, boot);
      leftovers = new Leftovers(data);
      forgotten = data.forgotten();
      for (Path found : DataFolder.list(data.attempts())) {
        String name = String.valueOf(found.getFileName());
        if (NAME.matcher(name).matches()) {
          load(AttemptId.of(name));
        }
      }
      sweep();
      watch = new Watch(data.events(), this::sweep);
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  private void load(AttemptId id) throws IOException {
    AttemptFolder folder = new AttemptFolder(data, id);
    Status.Phase end = folder.end();
    if (end != null) {
      Attempt ended = new Attempt(folder, null, progress(folder), end);
      ended.doneShare = ended.progress.done();
      attempts.put(id, ended);
      return;
    }
    Attempt attempt = add(folder, folder.plan());
    if (folder.bury()) {
      end(attempt, new Status.Gone("it was never started"));
    }
  }

  private ProgressFile progress(AttemptFolder folder) {
    return new ProgressFile(data.progress(folder.attempt().job()), folder.planFile());
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

  /** Writes down how it ended; from then on it is told, and its GPUs are free. */
  private void end(Attempt attempt, Status.Phase end) throws IOException {
    attempt.folder.end(end);
    attempt.phase = end;
    live.remove(attempt.id());
    if (attempt.plan != null) {
      slots.release(attempt.plan);
    }
    news.add(attempt.status());
  }

  @Override
  public void listen(Consumer<Status> changes) {
    listener = changes;
    tell();
  }

  /** Tells what is new, in the order in which it happened, and without holding up others. */
  private void tell() {
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
    synchronized (lock) {
      return new Snapshot(nodes, attempts.values().stream().map(Attempt::status).toList());
    }
  }

  @Override
  public void launch(long order, Launch launch) throws IOException {
    Attempt attempt;
    synchronized (lock) {
      checkOpen();
      if (attempts.containsKey(launch.attempt()) || order < forgotten) {
        return;
      }
      Plan plan = slots.choose(launch.allocation());
      AttemptFolder folder = new AttemptFolder(data, launch.attempt());
      folder.create();
      attempt = add(folder, plan);
      try {
        folder.plan(plan);
        supervisor.makeLogs(launch.attempt(), plan.workers());
        attempt.starter = supervisor.start(folder, supervisor.prepare(folder, launch, plan));
        return;
      } catch (Supervisor.TooLong e) {
        // As a shell has it: the program is there and cannot be run.
        Files.writeString(
            data.log(launch.attempt(), 0, Stream.STDERR), "ringmaster: " + e.getMessage() + "\n");
        if (folder.bury()) {
          end(attempt, new Status.Exited(126, false));
        }
      } catch (IOException e) {
        if (folder.bury()) {
          end(attempt, new Status.Gone("cannot be started: " + e.getMessage()));
        }
      }
    }
    tell();
  }

  @Override
  public void stop(AttemptId id, double graceSeconds) throws IOException {
    synchronized (lock) {
      checkOpen();
      Attempt attempt = attempts.get(id);
      if (attempt == null) {
        AttemptFolder folder = new AttemptFolder(data, id);
        folder.create();
        attempt = add(folder, null);
      }
      if (attempt.phase.isEnd()) {
        return;
      }
      if (attempt.phase instanceof Status.Running || !attempt.folder.bury()) {
        attempt.folder.sendStop(Supervisor.seconds(graceSeconds));
        return;
      }
      end(attempt, new Status.Gone("it was stopped before it started"));
    }
    tell();
  }

  @Override
  public void forget(long order, AttemptId id) throws IOException {
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
      data.discard(attempt.folder.path());
      attempts.remove(id);
    }
  }

  @Override
  public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws IOException {
    return stream == Stream.PROGRESS
        ? data.openProgress(attempt, fromByte)
        : LogStream.open(data.log(attempt, rank, stream), fromByte);
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
    try {
      data.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", data.root(), e.toString());
    }
  }

  /** Compares what is known of live attempts with what is true, and tells the difference. */
  private void sweep() throws IOException {
    Map<Attempt, Status.Phase> over = new LinkedHashMap<>();
    synchronized (lock) {
      for (Attempt attempt : List.copyOf(live.values())) {
        Status before = attempt.status();
        Status.Phase end = look(attempt);
        if (end != null) {
          over.put(attempt, end);
        } else if (!attempt.status().equals(before)) {
          news.add(attempt.status());
        }
      }
    }
    tell();
    finish(over);
  }

  /** Brings one up to date. Returns how it ended, if it has: then nobody watches its processes. */
  private Status.@Nullable Phase look(Attempt attempt) throws IOException {
    attempt.doneShare = attempt.progress.done();
    if (attempt.phase instanceof Status.Pending) {
      switch (attempt.folder.claim()) {
        case AttemptFolder.Supervised owner -> {
          attempt.supervisor = owner.supervisor();
          attempt.phase = new Status.Running();
        }
        case AttemptFolder.Tombstone _ -> {
          return new Status.Gone("it was stopped before it started");
        }
        case null -> {
          return attempt.isStillborn() && attempt.folder.bury()
              ? new Status.Gone("its supervisor cannot be started")
              : null;
        }
      }
    }
    ProcessId owner = attempt.supervisor;
    boolean alive = owner != null && owner.isAlive(boot);
    // In this order: a supervisor that is gone has written its result before, or never will.
    Status.Exited result = attempt.folder.result();
    if (result != null) {
      return result;
    }
    return alive ? null : new Status.Gone("its supervisor was killed, or the machine went down");
  }

  /** Tells ends, once nothing of those attempts is left. */
  private void finish(Map<Attempt, Status.Phase> over) throws IOException {
    Map<Attempt, Status.Phase> left = new LinkedHashMap<>(over);
    for (int looks = 0; looks < LOOKS_MAX && !left.isEmpty(); looks++) {
      Set<AttemptId> ids = new HashSet<>();
      left.keySet().forEach(attempt -> ids.add(attempt.id()));
      Set<AttemptId> busy = leftovers.kill(ids);
      synchronized (lock) {
        for (Map.Entry<Attempt, Status.Phase> entry : List.copyOf(left.entrySet())) {
          Attempt attempt = entry.getKey();
          if (busy.contains(attempt.id())) {
            continue;
          }
          left.remove(attempt);
          // Somebody may have stopped it meanwhile that had not started.
          if (!attempt.phase.isEnd()) {
            attempt.doneShare = attempt.progress.done();
            end(attempt, entry.getValue());
          }
        }
      }
      tell();
      if (!left.isEmpty() && !Watch.pause(LOOK_MILLIS)) {
        return;
      }
    }
  }
}
