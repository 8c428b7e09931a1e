package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Phase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine on virtual time. It keeps the promise of {@link Engine}, and no more: it may be cut off
 * from nodes, fail to answer, lose attempts that run (their processes die) or not list them for a
 * while (they live on). As a cluster manager would, it lets an attempt wait whose GPUs others have
 * taken since it was sent.
 *
 * <p>What it never loses: ended attempts and tombstones, for they were told as ended; and the order
 * of the last forget. An engine that did could start again what it had told as ended.
 */
class SimulatedEngine implements Engine {
  /** Between a cancel of a job there and its end. */
  private static final double CANCEL_SECONDS = 30;

  private static final String NOT_THERE = "its GPUs are not there";

  /** What is known of an attempt. */
  private static final class Known {
    private final AttemptId attempt;
    private final @Nullable Launch launch;
    private Machines.@Nullable Gang gang;
    private Phase phase;
    private @Nullable Phase unnoticed;
    private boolean asked;
    private double graceSeconds;
    private double killSeconds = Double.POSITIVE_INFINITY;
    private double lastShare = Double.NaN;
    private boolean hidden;

    private Known(AttemptId attempt, @Nullable Launch launch, Phase phase) {
      this.attempt = attempt;
      this.launch = launch;
      this.phase = phase;
    }
  }

  private final Agenda agenda;
  private final Machines machines;
  private final Set<String> cutOff = new HashSet<>();
  private final Map<AttemptId, Known> attempts = new LinkedHashMap<>();
  private final GivenJobs given = new GivenJobs();
  private Consumer<Status> changes = status -> {};
  private long forgetOrder = Long.MIN_VALUE;
  private boolean silent;

  SimulatedEngine(Agenda agenda, Machines machines) {
    this.agenda = agenda;
    this.machines = machines;
  }

  @Override
  public void listen(Consumer<Status> listener) {
    changes = listener;
  }

  @Override
  public Snapshot observe() throws IOException {
    answer();
    List<Status> statuses = new ArrayList<>();
    for (Known known : attempts.values()) {
      if (!known.hidden) {
        statuses.add(status(known));
      }
    }
    return new Snapshot(nodes(), statuses, given.told());
  }

  /** What is there, and what others hold of it. */
  List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    machines
        .gpus()
        .forEach((name, count) ->
            nodes.add(
                new Node(name, count, !cutOff.contains(name))
                    .heldByOthers(new Node.Held(machines.others(name), 0, 0))));
    return nodes;
  }

  private Status status(Known known) {
    if (known.gang != null && known.gang.isAlive() && isReachable(known)) {
      known.lastShare = machines.toldShare(known.gang);
    }
    return new Status(
        known.attempt, known.phase, known.lastShare, machines.hasSaved(known.attempt.job()));
  }

  @Override
  public void launch(long order, Launch launch) throws IOException {
    answer();
    if (order < forgetOrder) {
      return;
    }
    @Nullable Known old = attempts.get(launch.attempt());
    if (old != null) {
      old.hidden = false;
      return;
    }
    Known known = new Known(launch.attempt(), launch, new Status.Pending());
    attempts.put(known.attempt, known);
    if (!launch.arrival().isEmpty() && !given.begin(launch.arrival(), launch.attempt())) {
      known.phase = new Status.Gone("it may not start any more where it was given");
    } else if (!areThere(launch.allocation())) {
      known.phase = new Status.Gone(NOT_THERE);
    } else if (isReachable(known) && hasRoom(launch.allocation())) {
      begin(known, launch);
    }
    tell(known);
  }

  private void begin(Known known, Launch launch) {
    known.gang = machines.start(launch, () -> running(known), code -> exited(known, code));
  }

  private boolean areThere(Allocation allocation) {
    return allocation.shares().stream()
        .allMatch(s -> s.gpus() <= machines.gpus().getOrDefault(s.node(), 0));
  }

  /** Whether nobody holds the GPUs of an allocation. */
  boolean hasRoom(Allocation allocation) {
    return allocation.shares().stream().allMatch(s -> s.gpus() <= machines.free(s.node()));
  }

  /** GPUs came, went or became free: who waits for them begins, or need not wait any longer. */
  void roomChanged() {
    for (Known known : List.copyOf(attempts.values())) {
      if (known.launch == null || known.gang != null || known.phase.isEnd()) {
        continue;
      }
      if (!areThere(known.launch.allocation())) {
        known.phase = new Status.Gone(NOT_THERE);
        tell(known);
      } else if (isReachable(known) && hasRoom(known.launch.allocation())) {
        begin(known, known.launch);
      }
    }
  }

  private void running(Known known) {
    if (known.phase instanceof Status.Pending) {
      known.phase = new Status.Running();
      tell(known);
    }
  }

  private void exited(Known known, int code) {
    known.lastShare = machines.toldShare(known.gang);
    boolean wasAsked = known.gang != null && known.gang.wasAsked();
    if (known.launch != null && !wasAsked && code != Machines.KILLED) {
      given.end(known.launch.arrival(), code == 0);
    }
    known.unnoticed = new Status.Exited(code, wasAsked);
    notice(known);
    roomChanged();
  }

  /** An end on a node that cannot be reached is noticed later. */
  private void notice(Known known) {
    if (known.unnoticed != null && isReachable(known) && !known.phase.isEnd()) {
      known.phase = known.unnoticed;
      known.hidden = false;
      tell(known);
    }
  }

  @Override
  public void stop(AttemptId attempt, double graceSeconds) throws IOException {
    answer();
    @Nullable Known known = attempts.get(attempt);
    if (known == null) {
      known = new Known(attempt, null, new Status.Gone("was never started"));
      attempts.put(attempt, known);
      tell(known);
      return;
    }
    known.hidden = false;
    boolean isSooner = agenda.nowSeconds() + graceSeconds < known.killSeconds;
    if (known.phase.isEnd() || (known.asked && !isSooner)) {
      return;
    }
    known.asked = true;
    known.graceSeconds = graceSeconds;
    known.killSeconds = agenda.nowSeconds() + graceSeconds;
    if (known.gang == null) {
      known.phase = new Status.Gone("was stopped before it started");
      tell(known);
    } else if (isReachable(known)) {
      ask(known, known.gang);
    }
  }

  private void ask(Known known, Machines.Gang gang) {
    machines.ask(gang);
    agenda.in(
        known.graceSeconds,
        () -> {
          if (isReachable(known)) {
            machines.kill(gang);
          }
        });
  }

  @Override
  public void forget(long order, AttemptId attempt) throws IOException {
    answer();
    @Nullable Known known = attempts.get(attempt);
    if (known == null || known.phase.isEnd()) {
      attempts.remove(attempt);
      forgetOrder = Math.max(forgetOrder, order);
    }
  }

  @Override
  public void withdraw(String arrival) throws IOException {
    answer();
    given.end(arrival, false);
  }

  GivenJobs given() {
    return given;
  }

  /** Its owner cancels a job there: an attempt of it is asked to stop, and killed. */
  void cancelThere(String arrival) {
    GivenJobs.@Nullable Given job = given.find(arrival);
    given.end(arrival, false);
    @Nullable Known known =
        job == null || job.attempt() == null ? null : attempts.get(job.attempt());
    if (known != null && known.gang != null && known.gang.isAlive()) {
      known.graceSeconds = CANCEL_SECONDS;
      ask(known, known.gang);
    } else if (known != null && known.gang == null && !known.phase.isEnd()) {
      known.phase = new Status.Gone("was cancelled where it was given");
      tell(known);
    }
  }

  @Override
  public InputStream log(AttemptId attempt, int rank, Stream stream, long fromByte)
      throws IOException {
    answer();
    @Nullable String text = machines.log(attempt, rank, stream);
    if (text == null) {
      throw new NoSuchFileException(attempt.text());
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int from = Math.clamp(fromByte, 0, bytes.length);
    return new ByteArrayInputStream(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  @Override
  public void close() {
    changes = status -> {};
  }

  private void answer() throws IOException {
    if (silent) {
      throw new IOException("the engine does not answer");
    }
  }

  private void tell(Known known) {
    changes.accept(status(known));
  }

  private boolean isReachable(Known known) {
    if (known.launch == null || cutOff.isEmpty()) {
      return true;
    }
    for (Allocation.Share share : known.launch.allocation().shares()) {
      if (cutOff.contains(share.node())) {
        return false;
      }
    }
    return true;
  }

  /** Whether every call fails. */
  void silent(boolean fails) {
    silent = fails;
  }

  /**
   * Cuts a node off.
   *
   * @param dies whether its processes die; else they live on, unseen
   */
  void nodeDown(String node, boolean dies) {
    if (cutOff.add(node) && dies) {
      kill(node);
    }
  }

  private void kill(String node) {
    for (Known known : List.copyOf(attempts.values())) {
      if (known.gang != null && known.gang.isAlive() && uses(known, node)) {
        machines.kill(known.gang);
        known.unnoticed = new Status.Gone("node " + node + " went down");
      }
    }
  }

  void nodeUp(String node) {
    cutOff.remove(node);
    for (Known known : List.copyOf(attempts.values())) {
      if (known.launch == null || !isReachable(known) || known.phase.isEnd()) {
        continue;
      }
      notice(known);
      if (known.gang != null && known.asked && known.gang.isAlive()) {
        ask(known, known.gang);
      }
    }
    roomChanged();
  }

  /** A node is taken out of the cluster, and its processes with it: they are told as gone. */
  void nodeLeaves(String node) {
    cutOff.add(node);
    kill(node);
    machines.remove(node);
    nodeUp(node);
  }

  private static boolean uses(Known known, String node) {
    return known.launch != null
        && known.launch.allocation().shares().stream().anyMatch(s -> s.node().equals(node));
  }

  /** Attempts that have not ended, as far as is known. */
  List<AttemptId> unended() {
    return attempts.values().stream()
        .filter(known -> !known.phase.isEnd() && known.unnoticed == null)
        .map(known -> known.attempt)
        .toList();
  }

  /** Loses all memory of an attempt that has not ended; its processes die with it. */
  void lose(AttemptId attempt) {
    @Nullable Known known = attempts.remove(attempt);
    if (known != null && known.gang != null) {
      Machines.Gang gang = known.gang;
      // Nobody is left to notice.
      known.phase = new Status.Gone("lost");
      machines.kill(gang);
    }
  }

  /** Does not list an attempt for a while; a stop or a launch finds it. */
  void hide(AttemptId attempt, double seconds) {
    @Nullable Known known = attempts.get(attempt);
    if (known != null && !known.phase.isEnd()) {
      known.hidden = true;
      agenda.in(seconds, () -> known.hidden = false);
    }
  }
}
