package io.ringmaster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The one place where decisions are checked. */
class LedgerTest {
  /** Jobs 0 to 3 want four workers; from 4 on, two to five. */
  private static final class Sizes implements Ledger.Gangs {
    @Override
    public int minGpus(int job) {
      return job < 4 ? 4 : 2;
    }

    @Override
    public int maxGpus(int job) {
      return job < 4 ? 4 : 5;
    }

    @Override
    public Demand demand(int job) {
      return Demand.NONE;
    }

    @Override
    public String id(int job) {
      return "j" + job;
    }
  }

  private final Ledger ledger = new Ledger("tested", Rooms.cluster(4, 4), new Sizes(), 2);

  @BeforeEach
  void jobsArrive() {
    for (int job = 0; job < 8; job++) {
      ledger.submit(job);
    }
    ledger.open(5);
  }

  private static Placement split(int... serverAndGpus) {
    int[] servers = new int[serverAndGpus.length / 2];
    int[] gpus = new int[servers.length];
    for (int i = 0; i < servers.length; i++) {
      servers[i] = serverAndGpus[2 * i];
      gpus[i] = serverAndGpus[2 * i + 1];
    }
    return Placement.of(servers, gpus);
  }

  private static void refused(ThrowingCallable decision, String message) {
    assertThatThrownBy(decision).isInstanceOf(BrokenDecision.class).hasMessage(message);
  }

  @Test
  void moreGpusThanAreFree() {
    ledger.start(4, Placement.on(0, 2));
    refused(
        () -> ledger.start(0, Placement.on(0, 4)),
        "policy tested at 5.0 s: job j0 wants 4 GPUs of s0001, where 2 are free");
  }

  @Test
  void moreGpusThanTheServerHas() {
    refused(
        () -> ledger.start(4, Placement.on(1, 5)),
        "policy tested at 5.0 s: job j4 wants 5 GPUs of s0002, where 4 are free");
  }

  @Test
  void halfAGang() {
    refused(
        () -> ledger.start(0, Placement.on(0, 2)),
        "policy tested at 5.0 s: job j0 takes 4 to 4 workers, not 2");
  }

  @Test
  void moreOrFewerWorkersThanTheRange() {
    refused(
        () -> ledger.start(4, split(0, 3, 1, 3)),
        "policy tested at 5.0 s: job j4 takes 2 to 5 workers, not 6");
    ledger.start(4, Placement.on(0, 2));
    refused(
        () -> ledger.resize(4, Placement.on(0, 1)),
        "policy tested at 5.0 s: job j4 takes 2 to 5 workers, not 1");
  }

  @Test
  void serversThatAreNotThere() {
    refused(
        () -> ledger.start(0, Placement.on(2, 4)),
        "policy tested at 5.0 s: job j0 has a placement that cannot be: 2:4");
    refused(
        () -> ledger.start(0, Placement.on(-1, 4)),
        "policy tested at 5.0 s: job j0 has a placement that cannot be: -1:4");
    refused(
        () -> ledger.start(0, split(0, 4, 1, 0)),
        "policy tested at 5.0 s: job j0 has a placement that cannot be: 0:4 1:0");
  }

  @Test
  void theSameServerTwice() {
    refused(
        () -> ledger.start(0, split(0, 2, 0, 2)),
        "policy tested at 5.0 s: job j0 names s0001 twice");
  }

  @Test
  void whatAJobsStateForbids() {
    ledger.start(0, Placement.on(0, 4));
    refused(
        () -> ledger.start(0, Placement.on(1, 4)),
        "policy tested at 5.0 s: job j0 cannot start: it is not waiting");
    refused(
        () -> ledger.start(99, Placement.on(1, 4)),
        "policy tested at 5.0 s: job j99 cannot start: it is not waiting");
    refused(
        () -> ledger.resize(1, Placement.on(1, 4)),
        "policy tested at 5.0 s: job j1 cannot be resized: it is not running");
    refused(
        () -> ledger.suspend(1),
        "policy tested at 5.0 s: job j1 cannot be suspended: it is not running");
    ledger.end(0);
    refused(
        () -> ledger.start(0, Placement.on(0, 4)),
        "policy tested at 5.0 s: job j0 cannot start: it is not waiting");
  }

  @Test
  void aWakeUpThatIsNotInTheFuture() {
    refused(
        () -> ledger.wakeAt(5), "policy tested: asked to be woken at 5.0, which is not after 5.0");
    refused(
        () -> ledger.wakeAt(4), "policy tested: asked to be woken at 4.0, which is not after 5.0");
    refused(
        () -> ledger.wakeAt(Double.NaN),
        "policy tested: asked to be woken at NaN, which is not after 5.0");
  }

  @Test
  void theEarliestWakeUpCountsUntilTheNextPass() {
    ledger.wakeAt(9);
    ledger.wakeAt(7);
    ledger.wakeAt(8);
    assertThat(ledger.wakeSeconds()).isEqualTo(7);
    ledger.open(6);
    assertThat(ledger.wakeSeconds()).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void suspendedAndStartedInTheSamePlaceIsNoChange() {
    ledger.start(0, split(0, 2, 1, 2));
    ledger.open(6);
    ledger.suspend(0);
    assertThat(ledger.free().total()).isEqualTo(8);
    ledger.start(0, split(0, 2, 1, 2));
    assertThat(ledger.touched().toArray()).containsExactly(0);
    assertThat(ledger.before(0)).isEqualTo(ledger.after(0));
    assertThat(ledger.free().total()).isEqualTo(4);
  }

  @Test
  void aRefusedDecisionChangesNothing() {
    ledger.start(4, Placement.on(0, 2));
    ledger.start(0, Placement.on(1, 4));
    assertThatThrownBy(() -> ledger.resize(4, split(0, 2, 1, 1)))
        .isInstanceOf(BrokenDecision.class);
    assertThat(ledger.free().total()).isEqualTo(2);
    assertThat(ledger.placement(4)).isEqualTo(Placement.on(0, 2));
    assertThatThrownBy(() -> ledger.start(1, Placement.on(1, 4)))
        .isInstanceOf(BrokenDecision.class);
    assertThat(ledger.waiting(1)).isTrue();
    assertThat(ledger.free().total()).isEqualTo(2);
    ledger.end(4);
    ledger.end(0);
    assertThat(ledger.free().total()).isEqualTo(8);
  }

  @Test
  void onlyRunningJobsHaveAPlace() {
    assertThatThrownBy(() -> ledger.placement(0)).hasMessage("job j0 is not running");
    assertThatThrownBy(() -> ledger.placement(1000)).hasMessage("job j1000 is not running");
    assertThat(ledger.running(1000)).isFalse();
    assertThat(ledger.waiting(1000)).isFalse();
  }

  /** Passes of random decisions against a plain list of who is where. */
  @Test
  void keepsTheBooksOverManyPasses() {
    Seeds.each(
        100,
        (random, _) -> {
          Cluster cluster = Rooms.random(random);
          Ledger books = new Ledger("tested", cluster, anySize(cluster), 0);
          Placer placer =
              Placer.of(Policies.named("fifo").settings(Map.of("placement", "any")), cluster);
          Map<Integer, @Nullable Placement> jobs = new HashMap<>();
          int next = 0;
          for (int pass = 1; pass < 40; pass++) {
            for (int job : List.copyOf(jobs.keySet())) {
              Placement was = jobs.get(job);
              if (was != null && random.nextInt(6) == 0) {
                assertThat(books.end(job)).isEqualTo(was);
                jobs.remove(job);
              }
            }
            if (random.nextBoolean()) {
              books.submit(next);
              jobs.put(next++, null);
            }
            books.open(pass);
            Map<Integer, @Nullable Placement> before = new HashMap<>(jobs);
            List<Integer> touched = new ArrayList<>();
            for (int i = 0; i < 6 && !jobs.isEmpty(); i++) {
              int job = List.copyOf(jobs.keySet()).get(random.nextInt(jobs.size()));
              if (decide(random, books, placer, jobs, job) && !touched.contains(job)) {
                touched.add(job);
              }
            }
            assertThat(Arrays.stream(books.touched().toArray()).boxed().toList())
                .isEqualTo(touched);
            for (int job : touched) {
              assertThat(books.before(job)).isEqualTo(before.get(job));
              assertThat(books.after(job)).isEqualTo(jobs.get(job));
            }
            same(books, cluster, jobs, next);
          }
        });
  }

  private static Ledger.Gangs anySize(Cluster cluster) {
    return new Ledger.Gangs() {
      @Override
      public int minGpus(int job) {
        return 1;
      }

      @Override
      public int maxGpus(int job) {
        return cluster.totalGpus();
      }

      @Override
      public Demand demand(int job) {
        return Demand.NONE;
      }

      @Override
      public String id(int job) {
        return "j" + job;
      }
    };
  }

  /** Something that may be done with a job; false if nothing was. */
  private static boolean decide(
      RandomGenerator random,
      Ledger books,
      Placer placer,
      Map<Integer, @Nullable Placement> jobs,
      int job) {
    boolean running = jobs.get(job) != null;
    if (running && random.nextBoolean()) {
      books.suspend(job);
      jobs.put(job, null);
      return true;
    }
    if (books.free().total() == 0) {
      return false;
    }
    Placement placement =
        Objects.requireNonNull(
            placer.place(books.free(), Demand.NONE, random.nextInt(1, books.free().total() + 1)));
    if (running) {
      books.resize(job, placement);
    } else {
      books.start(job, placement);
    }
    jobs.put(job, placement);
    return true;
  }

  private static void same(
      Ledger books, Cluster cluster, Map<Integer, @Nullable Placement> jobs, int next) {
    int[] free = new int[cluster.size()];
    Arrays.setAll(free, cluster::gpus);
    for (int job = 0; job < next; job++) {
      Placement placement = jobs.get(job);
      assertThat(books.running(job)).isEqualTo(placement != null);
      assertThat(books.waiting(job)).isEqualTo(jobs.containsKey(job) && placement == null);
      for (int i = 0; placement != null && i < placement.size(); i++) {
        free[placement.server(i)] -= placement.gpus(i);
      }
    }
    for (int s = 0; s < free.length; s++) {
      assertThat(books.free().gpus(s)).isEqualTo(free[s]);
    }
  }
}
