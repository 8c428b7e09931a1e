package io.ringmaster.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobEvent;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.JobQuery;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Write;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A world with a bug in it must be found out, or the checks are worth nothing. */
class ChecksBiteTest {
  private static final int WORLDS = 40;

  /** Plays worlds until one is found out. */
  private static Violation found(Supplier<Stage> broken) {
    for (long seed = 1; seed <= WORLDS; seed++) {
      Optional<Violation> violation = new Rehearsal(seed, broken.get(), 40).play();
      if (violation.isPresent()) {
        return violation.get();
      }
    }
    throw new AssertionError("not found out in %d worlds".formatted(WORLDS));
  }

  @Test
  void aLaunchThatIsNotIdempotent() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              SimulatedEngine engine(Agenda agenda, Machines machines) {
                return new SimulatedEngine(agenda, machines) {
                  private final Set<AttemptId> launched = new HashSet<>();

                  @Override
                  public void launch(long order, Launch launch) throws IOException {
                    super.launch(order, launch);
                    if (!launched.add(launch.attempt())) {
                      machines.start(launch, () -> {}, code -> {});
                    }
                  }
                };
              }
            };
    assertThat(found(stage).invariant())
        .isIn(
            Invariant.ATTEMPT_RAN_TWICE, Invariant.GPU_GIVEN_TWICE, Invariant.TWO_ATTEMPTS_AT_ONCE);
  }

  /** A job that was cancelled here, or has failed, stays there for ever. */
  @Test
  void anEngineThatDoesNotWithdraw() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              SimulatedEngine engine(Agenda agenda, Machines machines) {
                return new SimulatedEngine(agenda, machines) {
                  @Override
                  public void withdraw(String arrival) {}
                };
              }
            };
    assertThat(found(stage).invariant()).isEqualTo(Invariant.LIVENESS);
  }

  /** A plane that hears each time of another job. */
  @Test
  void aPlaneThatTakesUpOneJobTwice() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              private int count;

              @Override
              Report heard(Report report) {
                return report
                        instanceof
                        Report.Observed(
                            long order,
                            long done,
                            Snapshot(var nodes, var all, var given))
                    ? new Report.Observed(
                        order,
                        done,
                        new Snapshot(nodes, all, given.stream().map(this::other).toList()))
                    : report;
              }

              private Arrival other(Arrival arrival) {
                return new Arrival(
                    arrival.id() + (++count % 50 == 0 ? "+" : ""),
                    arrival.user(),
                    arrival.spec(),
                    arrival.state(),
                    arrival.why());
              }
            };
    assertThat(found(stage).invariant())
        .isIn(Invariant.ARRIVAL, Invariant.CANCEL, Invariant.LIVENESS);
  }

  @Test
  void aForgetThatDoesNotHoldUpOlderLaunches() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              SimulatedEngine engine(Agenda agenda, Machines machines) {
                return new SimulatedEngine(agenda, machines) {
                  @Override
                  public void forget(long order, AttemptId attempt) throws IOException {
                    super.forget(Long.MIN_VALUE, attempt);
                  }
                };
              }
            };
    assertThat(found(stage).invariant())
        .isIn(
            Invariant.ATTEMPT_RAN_TWICE,
            Invariant.RAN_AFTER_END,
            Invariant.GPU_GIVEN_TWICE,
            Invariant.TWO_ATTEMPTS_AT_ONCE);
  }

  /** As a plane would do that asks the engine first and stores afterwards. */
  @Test
  void anEffectBeforeItIsStored() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              void killed(Rehearsal rehearsal, PlaneProcess process) {
                Store store = rehearsal.store();
                for (Job job : queued(store)) {
                  rehearsal
                      .network()
                      .send(
                          process,
                          new Command.Start(
                              Long.MAX_VALUE,
                              new Launch(
                                  new AttemptId(job.id(), job.attempt() + 1),
                                  job.user(),
                                  job.spec(),
                                  oneGpu(rehearsal),
                                  1)));
                }
              }
            };
    assertThat(found(stage).invariant()).isEqualTo(Invariant.EFFECT_BEFORE_STORE);
  }

  /** The row got through, its line of history did not. */
  @Test
  void aTornWrite() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              void killed(Rehearsal rehearsal, PlaneProcess process) {
                Store store = rehearsal.store();
                for (Job job : queued(store)) {
                  JobEvent placed = new JobEvent.Assign(oneGpu(rehearsal), 1, "torn");
                  Job torn =
                      new Lifecycle(1).step(job, placed, rehearsal.agenda().nowSeconds()).job();
                  store.write(
                      process.term(), new Write(List.of(torn), List.of(), List.of(), Map.of()));
                }
              }
            };
    assertThat(found(stage).invariant()).isEqualTo(Invariant.HISTORY_AGREES);
  }

  /** A second leader under the first one's term cannot be told from it. */
  @Test
  void aTermThatIsUsedTwice() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              private long first;

              @Override
              OptionalLong lead(Store store) {
                OptionalLong term = first == 0 ? store.tryLead() : OptionalLong.of(first);
                first = term.orElse(first);
                return term;
              }
            };
    assertThat(found(stage).invariant())
        .isIn(
            Invariant.FENCED,
            Invariant.PLANE_FAILED,
            Invariant.GPU_GIVEN_TWICE,
            Invariant.FORGOT_TOO_EARLY);
  }

  private static Allocation oneGpu(Rehearsal rehearsal) {
    String node = rehearsal.world().config().cluster().server(0).name();
    return new Allocation(List.of(new Allocation.Share(node, 1)));
  }

  private static List<Job> queued(Store store) {
    return store.jobs(new JobQuery("", Set.of(JobState.QUEUED), Long.MAX_VALUE, 10));
  }

  /** An engine that calls an attempt ended whose processes live on. */
  @Test
  void anEndThatIsNone() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              SimulatedEngine engine(Agenda agenda, Machines machines) {
                return new SimulatedEngine(agenda, machines) {
                  private Consumer<Status> listener = status -> {};

                  @Override
                  public void listen(Consumer<Status> changes) {
                    super.listen(changes);
                    listener = changes;
                  }

                  @Override
                  public void stop(AttemptId attempt, double graceSeconds) throws IOException {
                    super.stop(attempt, graceSeconds);
                    listener.accept(new Status(attempt, new Status.Gone("surely")));
                  }
                };
              }
            };
    assertThat(found(stage).invariant())
        .isIn(Invariant.RAN_AFTER_END, Invariant.GPU_GIVEN_TWICE, Invariant.TWO_ATTEMPTS_AT_ONCE);
  }

  /** A plane that does not understand that others hold GPUs, or that a node shrank. */
  @Test
  void aPlaneThatDoesNotHearOfOthers() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              Report heard(Report report) {
                return report
                        instanceof
                        Report.Observed(long order, long _, Snapshot(var nodes, var all, var given))
                    ? new Report.Observed(
                        order,
                        new Snapshot(
                            nodes.stream().map(n -> n.heldByOthers(Node.Held.NOTHING)).toList(),
                            all,
                            given))
                    : report;
              }
            };
    assertThat(found(stage).invariant()).isEqualTo(Invariant.ROOM_AS_TOLD);
  }

  /** An engine that starts processes on GPUs that others have taken meanwhile. */
  @Test
  void anEngineThatPushesOthersAside() {
    Supplier<Stage> stage =
        () ->
            new Stage() {
              @Override
              SimulatedEngine engine(Agenda agenda, Machines machines) {
                return new SimulatedEngine(agenda, machines) {
                  @Override
                  boolean hasRoom(Allocation allocation) {
                    return true;
                  }
                };
              }
            };
    assertThat(found(stage).invariant()).isEqualTo(Invariant.GPU_GIVEN_TWICE);
  }
}
