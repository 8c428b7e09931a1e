package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobBuilder;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.job.Lifecycle;
import io.ringmaster.model.BadInput;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What every store must do, whatever is behind it. */
abstract class StoreContract extends PastContract {
  /** A new place, with nothing in it. */
  @Override
  abstract Place newPlace();

  /** What outlives a store. */
  interface Place extends AutoCloseable {
    Store open();

    @Override
    void close();
  }

  /** One line, without a password. */
  static void refused(String url, String message) {
    assertThatThrownBy(() -> Store.open(url).close())
        .isInstanceOf(BadInput.class)
        .hasMessageContaining(message)
        .message()
        .hasLineCount(1)
        .doesNotContain("secret", "wr0ng", "p@ss", "p%40ss");
  }

  /** Whether all that was acknowledged is there, and nothing by half. */
  static void assertWhole(Store store, long acknowledged) {
    Loaded loaded = store.load();
    assertThat(loaded.lastJob()).isGreaterThanOrEqualTo(acknowledged).isPositive();
    assertThat(loaded.open()).hasSize((int) loaded.lastJob());
    assertThat(loaded.lastEntry()).isEqualTo(loaded.lastJob());
    assertThat(store.counts("ann")).isEqualTo(Map.of(JobState.QUEUED, loaded.lastJob()));
  }

  private static Write jobs(Job... jobs) {
    return new Write(List.of(jobs), List.of(), List.of(), Map.of());
  }

  private static long lead(Store store) {
    return store.tryLead().orElseThrow();
  }

  /** A row that somebody else wrote: it must not open the server, nor close it for others. */
  @Test
  void aTokenOfAnUnknownRoleIsRefusedAndOthersAreNot() {
    try (Place place = newPlace();
        Store store = place.open()) {
      store.addToken("eve", Token.Role.UNKNOWN, "h1", 1, Double.NaN);
      assertThat(store.tokenOfHash("h1")).isEmpty();
      assertThat(store.tokens()).extracting(Token::role).containsExactly(Token.Role.UNKNOWN);
      store.addToken("ann", Token.Role.ADMIN, "h2", 1, Double.NaN);
      assertThat(store.tokenOfHash("h2")).map(Token::user).hasValue("ann");
    }
  }

  @Test
  void aStoreIsNewUntilItIsLed() {
    try (Place place = newPlace();
        Store store = place.open()) {
      assertThat(store.isNew()).isTrue();
      lead(store);
      assertThat(store.isNew()).isFalse();
    }
  }

  @Test
  void afterARestorationNothingIsNumberedAsBefore() {
    try (Place place = newPlace();
        Store store = place.open()) {
      long term = lead(store);
      store.write(term, jobs(SampleJobs.queued(999_999, "ann")));
      store.markRestored();
      Loaded loaded = store.load();
      assertThat(loaded.lastJob()).isEqualTo(2_000_000);
      assertThat(Restoration.of(loaded.settings()))
          .isEqualTo(new Restoration(2_000_000, 2_000_000, 10_000, true));
      assertThat(lead(store)).isGreaterThan(term + 9_999);
      assertThat(store.markRestored())
          .isEqualTo(new Restoration(4_000_000, 4_000_000, 20_000, true));
    }
  }

  @Test
  void endedJobsAreForgottenButNeverWhatIsStillNeeded() {
    try (Place place = newPlace();
        Store store = place.open()) {
      List<Job> all = new ArrayList<>();
      List<Entry> entries = new ArrayList<>();
      for (long id = 1; id <= 6; id++) {
        all.add(
            JobBuilder.like(SampleJobs.queued(id, id == 2 ? "bob" : "ann"))
                .state(JobState.SUCCEEDED)
                .endedSeconds(10.0 * id)
                .build());
        entries.add(new Entry(id, id, id, "ann", null, JobState.SUCCEEDED, 1, "", ""));
      }
      all.set(2, SampleJobs.queued(3, "ann"));
      JobSpec waits = JobSpecs.of(Map.of("command", List.of("x"), "gpus", 1, "after", List.of(4L)));
      all.add(Lifecycle.submitted(7, "ann", "", waits, 1));
      entries.add(new Entry(7, 7, 7, "ann", null, JobState.SUBMITTED, 0, "", ""));
      all.add(
          JobBuilder.like(SampleJobs.queued(8, "ann"))
              .state(JobState.FAILED)
              .endedSeconds(80)
              .build());
      store.write(lead(store), new Write(all, entries, List.of(), Map.of()));

      assertThat(store.endedBefore(55, 1, 2))
          .containsExactly(new EndedJob(2, 20), new EndedJob(4, 40));
      // 3 is open, 7 waits, 4 is what 7 waits for, 8 is the newest.
      assertThat(store.forget(List.of(1L, 2L, 3L, 4L, 7L, 8L, 99L))).isEqualTo(2);
      assertThat(store.states(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L)))
          .containsOnlyKeys(3L, 4L, 5L, 6L, 7L, 8L);
      assertThat(store.history(1)).isEmpty();
      assertThat(store.history(5)).hasSize(1);
      assertThat(store.counts(""))
          .isEqualTo(
              Map.of(
                  JobState.SUCCEEDED, 3L,
                  JobState.QUEUED, 1L,
                  JobState.SUBMITTED, 1L,
                  JobState.FAILED, 1L));
      assertThat(store.counts("bob")).isEmpty();
      assertThat(store.load().lastJob()).isEqualTo(8);
      assertThat(store.load().lastEntry()).isEqualTo(7);
    }
  }

  @Test
  void aNewStoreIsEmpty() {
    try (Place place = newPlace();
        Store store = place.open()) {
      assertThat(store.load())
          .isEqualTo(new Loaded(List.of(), 0, 0, List.of(), Map.of(), List.of(), List.of()));
      assertThat(store.job(1)).isEmpty();
      assertThat(store.jobOfKey("ann", "k")).isEmpty();
      assertThat(store.jobs(new JobQuery("", Set.of(), Long.MAX_VALUE, 10))).isEmpty();
      assertThat(store.counts("")).isEmpty();
      assertThat(store.entriesAfter(0, 10)).isEmpty();
      assertThat(store.states(List.of(1L))).isEmpty();
      assertThat(store.tokens()).isEmpty();
    }
  }

  /** Random writes, compared with maps that are told the same. */
  @Test
  void whatIsWrittenIsRead() {
    try (Place place = newPlace()) {
      Seeds.each(
          1,
          (random, seed) -> {
            Map<Long, Job> jobs = new TreeMap<>();
            List<Entry> entries = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
              try (Store store = place.open()) {
                long term = lead(store);
                for (int i = 0; i < 5; i++) {
                  store.write(term, randomWrite(random, jobs, entries));
                }
                compare(store, jobs, entries);
              }
            }
          });
    }
  }

  private static Write randomWrite(
      RandomGenerator random, Map<Long, Job> jobs, List<Entry> entries) {
    List<Job> changed = new ArrayList<>();
    List<Entry> told = new ArrayList<>();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      boolean isNew = jobs.isEmpty() || random.nextInt(3) > 0;
      long id = isNew ? jobs.size() + 1 : 1 + random.nextLong(jobs.size());
      Job before = jobs.get(id);
      Job job =
          before == null ? SampleJobs.random(random, id) : SampleJobs.randomLater(random, before);
      jobs.put(id, job);
      changed.add(job);
      told.add(SampleJobs.entry(random, entries.size() + 1, job));
      entries.add(told.getLast());
    }
    return new Write(changed, told, List.of(), Map.of());
  }

  private static void compare(Store store, Map<Long, Job> jobs, List<Entry> entries) {
    Loaded loaded = store.load();
    assertThat(loaded.open())
        .isEqualTo(jobs.values().stream().filter(job -> !job.state().isEnd()).toList());
    assertThat(loaded.lastJob()).isEqualTo(jobs.size());
    assertThat(loaded.lastEntry()).isEqualTo(entries.size());
    assertThat(store.entriesAfter(0, 1_000_000)).isEqualTo(entries);
    assertThat(store.entriesAfter(3, 2)).isEqualTo(entries.subList(3, 5));
    Map<Long, JobState> states = new TreeMap<>();
    for (Job job : jobs.values()) {
      assertThat(store.job(job.id())).contains(job);
      assertThat(store.history(job.id()))
          .isEqualTo(entries.stream().filter(entry -> entry.job() == job.id()).toList());
      if (!job.key().isEmpty()) {
        assertThat(store.jobOfKey(job.user(), job.key())).contains(job);
      }
      states.put(job.id(), job.state());
    }
    Set<Long> asked = new HashSet<>(states.keySet());
    asked.add(999_999L);
    assertThat(store.states(asked)).isEqualTo(states);
    for (String user : List.of("", "user0", "user1", "nobody")) {
      compareLists(store, jobs, user);
    }
  }

  private static void compareLists(Store store, Map<Long, Job> jobs, String user) {
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    jobs.values().stream()
        .filter(job -> user.isEmpty() || job.user().equals(user))
        .forEach(job -> counts.merge(job.state(), 1L, Long::sum));
    assertThat(store.counts(user)).isEqualTo(counts);
    for (Set<JobState> states :
        List.of(
            Set.<JobState>of(),
            Set.of(JobState.QUEUED),
            Set.of(JobState.RUNNING, JobState.FAILED, JobState.TIMED_OUT))) {
      for (long below : new long[] {Long.MAX_VALUE, 20}) {
        assertThat(store.jobs(new JobQuery(user, states, below, 7)))
            .isEqualTo(
                jobs.values().stream()
                    .filter(job -> user.isEmpty() || job.user().equals(user))
                    .filter(job -> states.isEmpty() || states.contains(job.state()))
                    .filter(job -> job.id() < below)
                    .sorted(Comparator.comparingLong(Job::id).reversed())
                    .limit(7)
                    .toList());
      }
    }
  }

  private static final Node DETAILED =
      new Node(
          "s1",
          8,
          "h100",
          96,
          2e12,
          50e9,
          List.of("r7", "pod 'b'"),
          Map.of("zone", "a,b", "emp\"ty", ""),
          new Node.Held(3, 12.5, 4e11),
          false);

  @Test
  void nodesAndSettingsAreRemembered() {
    try (Place place = newPlace()) {
      try (Store store = place.open()) {
        long term = lead(store);
        NodeRow first = new NodeRow(new Node("s1", 8, true));
        NodeRow second = new NodeRow(new Node("S2", 4, false), true, "fan\0\ud800");
        store.write(
            term,
            new Write(List.of(), List.of(), List.of(first, second), Map.of("policy", "fifo")));
        NodeRow changed = new NodeRow(DETAILED, true, "disk");
        store.write(
            term, new Write(List.of(), List.of(), List.of(changed), Map.of("policy", "srtf")));
        store.write(term, new Write(List.of(), List.of(), List.of(), Map.of("x", "")));
      }
      try (Store store = place.open()) {
        // By name as Java orders it, on every database. What is no text for one of them is "?".
        assertThat(store.nodes())
            .containsExactly(
                new NodeRow(new Node("S2", 4, false), true, "fan??"),
                new NodeRow(DETAILED, true, "disk"));
        assertThat(store.settings()).isEqualTo(Map.of("policy", "srtf", "x", ""));
        assertThat(store.load().nodes()).isEqualTo(store.nodes());
        assertThat(store.load().settings()).isEqualTo(store.settings());
        store.write(
            lead(store),
            new Write(List.of(), List.of(), List.of(), List.of("S2"), Map.of(), List.of(), null));
        assertThat(store.nodes()).containsExactly(new NodeRow(DETAILED, true, "disk"));
      }
    }
  }

  @Test
  void measurementsAreKeptToABoundOfEachKind() {
    try (Place place = newPlace();
        Store store = place.open()) {
      long term = lead(store);
      Measured start = measured(Measured.Kind.START, 1);
      store.write(term, measured(List.of(start)));
      List<Measured> speeds = new ArrayList<>();
      for (int i = 1; i <= Measured.KEPT + 3; i++) {
        speeds.add(measured(Measured.Kind.SPEED, i));
      }
      store.write(term, measured(speeds));
      List<Measured> kept = new ArrayList<>(speeds.subList(3, speeds.size()));
      kept.add(start);
      assertThat(store.measured()).isEqualTo(kept);
      assertThat(store.load().measured()).isEqualTo(kept);
    }
  }

  private static Write measured(List<Measured> measured) {
    return new Write(List.of(), List.of(), List.of(), List.of(), Map.of(), measured, null);
  }

  private static Measured measured(Measured.Kind kind, long serial) {
    return new Measured(kind, serial, 1.7e9, 7, 2, "bert", "it's", 4, 2, 3, 12.5, 0.25, Double.NaN);
  }

  @Test
  void jobsThatSucceededAreLoadedToLearnFrom() {
    try (Place place = newPlace();
        Store store = place.open()) {
      long term = lead(store);
      Job one = SampleJobs.queued(1, "ann");
      Job two = SampleJobs.queued(2, "ann");
      Job three = SampleJobs.queued(3, "bob");
      store.write(term, jobs(one, two, three));
      store.write(term, jobs(SampleJobs.in(one, JobState.SUCCEEDED, 100)));
      store.write(
          term,
          jobs(
              SampleJobs.in(one, JobState.SUCCEEDED, 100),
              SampleJobs.in(two, JobState.RUNNING, 10),
              SampleJobs.in(two, JobState.SUCCEEDED, 60),
              SampleJobs.in(three, JobState.FAILED, 20)));
      assertThat(store.load().finished()).extracting(Job::id).containsExactly(1L, 2L);
    }
  }

  @Test
  void aKeyIsOfOneUser() {
    try (Place place = newPlace();
        Store store = place.open()) {
      long term = lead(store);
      Job ann = SampleJobs.queued(1, "ann", "k");
      Job bob = SampleJobs.queued(2, "bob", "k");
      store.write(term, jobs(ann, bob, SampleJobs.queued(3, "ann"), SampleJobs.queued(4, "ann")));
      assertThat(store.jobOfKey("ann", "k")).contains(ann);
      assertThat(store.jobOfKey("bob", "k")).contains(bob);
      assertThat(store.jobOfKey("ann", "")).isEmpty();
      Job again = SampleJobs.queued(5, "ann", "k");
      assertThatThrownBy(() -> store.write(term, jobs(again)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(store.job(5)).isEmpty();
    }
  }

  @Test
  void tokensAreKeptByHash() {
    try (Place place = newPlace();
        Store store = place.open()) {
      Token ann = store.addToken("ann", Token.Role.ADMIN, "h1", 5, Double.NaN);
      Token bob = store.addToken("bob", Token.Role.USER, "h2", 6, 7.5);
      assertThat(ann).isEqualTo(new Token(ann.id(), "ann", Token.Role.ADMIN, "h1", 5, Double.NaN));
      assertThat(store.tokens()).containsExactly(ann, bob);
      assertThat(store.tokenOfHash("h2")).contains(bob);
      assertThat(store.tokenOfHash("h3")).isEmpty();
      assertThat(store.removeToken(bob.id())).isTrue();
      assertThat(store.removeToken(bob.id())).isFalse();
      assertThat(store.tokens()).containsExactly(ann);
      // The handle of a removed token is not given again: it may stand in somebody's notes.
      assertThat(store.addToken("eve", Token.Role.USER, "h3", 8, 9).id()).isGreaterThan(bob.id());
    }
  }

  /** A crash before any statement, or before the commit, leaves nothing of a write. */
  @Test
  void aCrashLeavesAllOrNothing() {
    try (Place place = newPlace()) {
      Job before = SampleJobs.queued(1, "ann");
      Write write =
          new Write(
              List.of(SampleJobs.in(before, JobState.SUCCEEDED, 4), SampleJobs.queued(2, "bob")),
              List.of(new Entry(1, 2, 1, "ann", JobState.QUEUED, JobState.SUCCEEDED, 1, "", "")),
              List.of(new NodeRow(new Node("s1", 8, true))),
              List.of("s2"),
              Map.of("policy", "fifo"),
              List.of(measured(Measured.Kind.START, 1)),
              null);
      try (Store watch = place.open()) {
        watch.write(lead(watch), jobs(before));
        watch.releaseLead();
        Loaded was = watch.load();
        int statements = 0;
        while (crashes(place, write, statements)) {
          statements++;
          assertThat(watch.load()).isEqualTo(was);
          assertThat(watch.counts("")).isEqualTo(Map.of(JobState.QUEUED, 1L));
        }
        assertThat(watch.load().lastJob()).isEqualTo(2);
        assertThat(watch.load().lastEntry()).isEqualTo(1);
        assertThat(watch.counts("")).isEqualTo(Map.of(JobState.QUEUED, 1L, JobState.SUCCEEDED, 1L));
        // Term, states before, jobs, counts, entries, nodes, those gone, measured, those too many,
        // settings, commit.
        assertThat(statements).isEqualTo(11);
      }
    }
  }

  /** Writes as a new process would that dies before a statement of that number, if there is one. */
  private static boolean crashes(Place place, Write write, int statement) {
    try (Store store = place.open()) {
      long term = lead(store);
      AtomicInteger count = new AtomicInteger();
      store.onWrite(() -> {
        if (count.getAndIncrement() == statement) {
          throw new Crash();
        }
      });
      store.write(term, write);
      return false;
    } catch (Crash e) {
      return true;
    }
  }

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void oneLeadsAtATime() {
    try (Place place = newPlace();
        Store second = place.open()) {
      long term;
      try (Store first = place.open()) {
        term = lead(first);
        assertThat(first.stillLeads()).isTrue();
        assertThat(second.tryLead()).isEmpty();
        assertThat(second.stillLeads()).isFalse();
        first.write(term, jobs(SampleJobs.queued(1, "ann")));
      }
      assertThat(lead(second)).isGreaterThan(term);
      assertThat(second.stillLeads()).isTrue();
    }
  }

  @Test
  void onlyTheNewestTermWrites() {
    try (Place place = newPlace();
        Store paused = place.open();
        Store next = place.open()) {
      long old = lead(paused);
      paused.write(old, jobs(SampleJobs.queued(1, "ann")));
      paused.releaseLead();
      long term = lead(next);
      next.write(term, jobs(SampleJobs.queued(2, "ann")));
      assertThatThrownBy(() -> paused.write(old, jobs(SampleJobs.queued(3, "ann"))))
          .isInstanceOf(NotLeading.class);
      assertThat(paused.stillLeads()).isFalse();
      assertThatThrownBy(() -> next.write(term + 1, jobs(SampleJobs.queued(3, "ann"))))
          .isInstanceOf(NotLeading.class);
      assertThat(next.load().lastJob()).isEqualTo(2);
    }
  }

  /** A write that is under way when another begins to lead is seen by that one, or refused. */
  @Test
  void noWriteComesAfterTheNextTermBegan() {
    try (Place place = newPlace();
        Store paused = place.open();
        Store next = place.open()) {
      long old = lead(paused);
      List<CompletableFuture<Loaded>> seen = new ArrayList<>();
      AtomicInteger count = new AtomicInteger();
      paused.onWrite(() -> {
        // Once it has been found to lead.
        if (count.incrementAndGet() == 2) {
          paused.releaseLead();
          seen.add(
              CompletableFuture.supplyAsync(() -> {
                lead(next);
                return next.load();
              }));
        }
      });
      paused.write(old, jobs(SampleJobs.queued(1, "ann")));
      assertThat(seen.getFirst().join().open()).containsExactly(SampleJobs.queued(1, "ann"));
      assertThatThrownBy(() -> paused.write(old, jobs(SampleJobs.queued(2, "ann"))))
          .isInstanceOf(NotLeading.class);
    }
  }

  @Test
  void whoLeadsMayBeginAnotherTerm() {
    try (Place place = newPlace();
        Store store = place.open()) {
      long old = lead(store);
      assertThat(lead(store)).isGreaterThan(old);
      assertThatThrownBy(() -> store.write(old, jobs(SampleJobs.queued(1, "ann"))))
          .isInstanceOf(NotLeading.class);
    }
  }
}
