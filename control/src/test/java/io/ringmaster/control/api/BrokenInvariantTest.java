package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.BrokenInvariant;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.plane.PlaneThread;
import io.ringmaster.control.plane.Refused;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.control.store.MemoryDatabase;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.Decisions;
import io.ringmaster.policy.Ledger;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.View;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A plane that finds a mistake in itself takes up again from the store. */
class BrokenInvariantTest {
  /** Starts what asks for one GPU; how it fares with wider jobs is up to the test. */
  private final class Forgetful implements Policy {
    @Override
    public void decide(View view, Decisions decisions) {
      for (int i = 0; i < view.arrived().size(); i++) {
        int job = view.arrived().get(i);
        if (!view.waiting(job)) {
          continue;
        }
        if (view.gpus(job) == 1 || mistakes.get() < 0) {
          decisions.start(job, Placement.on(0, view.gpus(job)));
        } else if (mistakes.get() > 0) {
          decisions.start(job, Placement.on(0, view.gpus(job)));
          // As if a new decision began: what was decided so far is never told.
          ((Ledger) decisions).open(view.nowSeconds());
          mistakes.decrementAndGet();
        }
      }
    }
  }

  /** So many to come; 0: wider jobs are left waiting; below 0: they are started. */
  private final AtomicInteger mistakes = new AtomicInteger();

  private final List<Double> brokenSeconds = new CopyOnWriteArrayList<>();
  private final Store store = new MemoryDatabase().open();
  private final PuppetEngine engine;
  private final PlaneThread plane;

  BrokenInvariantTest() {
    Cluster cluster = Cluster.uniform(1, 4, Network.None.USUAL, 0);
    PolicySpec policy =
        new PolicySpec(
            "forgetful",
            "Forgets.",
            "a test",
            List.of(),
            PlacementRule::ownSearch,
            (_, _) -> new Forgetful());
    engine = new PuppetEngine(List.of(new Node("s0001", 4, true)));
    plane =
        new PlaneThread(
            new PlaneConfig(
                cluster,
                true,
                ModelTable.standard(),
                "forgetful",
                Map.of(),
                Map.of(),
                0.05,
                5,
                3,
                UserLimits.usual(),
                _ -> policy),
            store,
            () -> engine,
            new PlaneListener() {
              @Override
              public void broken(BrokenInvariant.Invariant invariant) {
                assertThat(invariant).isEqualTo(BrokenInvariant.Invariant.POLICY_AGREES);
                brokenSeconds.add(nowSeconds());
              }
            },
            BrokenInvariantTest::nowSeconds);
    Stage.await(plane::leads);
    Stage.await(() -> store.nodes().stream().anyMatch(node -> node.up()));
  }

  private static double nowSeconds() {
    return System.nanoTime() * 1e-9;
  }

  @AfterEach
  void close() {
    plane.close();
    store.close();
  }

  private Job submit(int gpus) {
    CompletableFuture<Job> reply = new CompletableFuture<>();
    plane.post(
        new Message.Submit(
            "ada",
            Role.USER,
            "",
            JobSpecs.of(Map.of("command", List.of("train"), "gpus", gpus)),
            reply));
    return reply.join();
  }

  private JobState state(long job) {
    return store.job(job).orElseThrow().state();
  }

  @Test
  void nothingOfTheStepIsStoredAndTheNextPlaneGoesOn() {
    mistakes.set(1);
    assertThatThrownBy(() -> submit(2))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(Refused.class);
    assertThat(plane.health().trouble()).startsWith("policy_agrees: job 1 is to have null");
    assertThat(store.load().open()).isEmpty();

    mistakes.set(-1);
    Stage.await(plane::leads);
    Job job = submit(2);
    Stage.await(() -> state(job.id()) == JobState.RUNNING);
    assertThat(brokenSeconds).hasSize(1);
    // For a while it is told, though all is well again.
    assertThat(plane.health().trouble()).isNotEmpty();
  }

  @Test
  void whatIsBrokenAgainAndAgainIsTriedLessAndLessOftenAndJobsGoOn() {
    long runs = submit(1).id();
    Stage.await(() -> state(runs) == JobState.RUNNING);
    long waits = submit(2).id();
    mistakes.set(Integer.MAX_VALUE);
    // A policy is asked when something comes, and then each time that the store is taken up.
    assertThatThrownBy(() -> submit(2)).hasCauseInstanceOf(Refused.class);
    Stage.await(() -> brokenSeconds.size() == 3);
    assertThat(brokenSeconds.get(1) - brokenSeconds.get(0)).isGreaterThanOrEqualTo(1);
    assertThat(brokenSeconds.get(2) - brokenSeconds.get(1)).isGreaterThanOrEqualTo(2);
    assertThat(plane.health().trouble()).startsWith("policy_agrees: ");
    assertThat(state(runs)).isEqualTo(JobState.RUNNING);
    assertThat(state(waits)).isEqualTo(JobState.QUEUED);
    assertThat(store.job(runs).orElseThrow().attempt()).isEqualTo(1);
    assertThat(engine.observe().attempts()).hasSize(1);
  }
}
