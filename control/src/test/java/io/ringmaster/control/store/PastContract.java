package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobBuilder;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.store.JobQuery.Search;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store must tell of what was: how full the cluster was, and jobs that ended. */
abstract class PastContract {
  private static final double NOBODY = Double.NaN;

  abstract StoreContract.Place newPlace();

  private static Write sample(Sample sample) {
    return new Write(List.of(), List.of(), List.of(), List.of(), Map.of(), List.of(), sample);
  }

  private static Sample look(long at, double held, double waiting) {
    return new Sample(at, 16, held, waiting, 2 * waiting, 2, 1, 0, 0, 0, 0);
  }

  private static Sample counts(long at, double starts, double waits, double lost) {
    return new Sample(at, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, starts, waits, 1, lost);
  }

  @Test
  void countsOfAStepAddUpAndOfLooksTheLastOneStays() {
    try (StoreContract.Place place = newPlace();
        Store store = place.open()) {
      long term = store.tryLead().orElseThrow();
      store.write(term, sample(counts(600, 1, 30, 8)));
      store.write(term, sample(look(600, 4, 3)));
      store.write(term, sample(counts(600, 2, 12, 0)));
      assertThat(store.samples(0, 60))
          .containsExactly(new Sample(600, 16, 4, 3, 6, 2, 1, 3, 42, 2, 8));
    }
  }

  @Test
  void longerStepsAreMeansAndSums() {
    try (StoreContract.Place place = newPlace();
        Store store = place.open()) {
      long term = store.tryLead().orElseThrow();
      store.write(term, sample(look(540, 2, 9)));
      store.write(term, sample(look(600, 4, 3)));
      store.write(term, sample(counts(660, 1, 30, 8)));
      store.write(term, sample(look(1140, 8, 0)));
      store.write(term, sample(counts(1140, 1, 10, 1)));
      assertThat(store.samples(600, 600))
          .containsExactly(new Sample(600, 16, 6, 1.5, 3, 2, 1, 2, 40, 2, 9));
    }
  }

  @Test
  void whatIsOlderThanAWeekAndADayIsDropped() {
    try (StoreContract.Place place = newPlace();
        Store store = place.open()) {
      long term = store.tryLead().orElseThrow();
      store.write(term, sample(look(0, 1, 0)));
      store.write(term, sample(look(60, 2, 0)));
      store.write(term, sample(look(60 + Sample.KEPT_SECONDS, 3, 0)));
      assertThat(store.samples(0, 60)).extracting(Sample::heldGpus).containsExactly(2.0, 3.0);
    }
  }

  /** A row a minute, for so long, of a busy cluster. */
  static void fill(Store store, int minutes) {
    long term = store.tryLead().orElseThrow();
    for (int minute = 0; minute < minutes; minute++) {
      long at = 1_794_851_760L + 60L * minute;
      store.write(
          term,
          sample(
              new Sample(
                  at,
                  8000,
                  7001 + minute % 999,
                  minute % 97,
                  minute % 389,
                  12,
                  3,
                  2,
                  0.1 * minute,
                  1,
                  0.7 * minute)));
    }
  }

  @Test
  void jobsThatEndedAreFoundByTimeUserStateAndName() {
    try (StoreContract.Place place = newPlace();
        Store store = place.open()) {
      List<Job> jobs = new ArrayList<>();
      jobs.add(ended(1, "ann", "Bert-large", JobState.SUCCEEDED, 100));
      jobs.add(ended(2, "bob", "bert_tiny", JobState.FAILED, 200));
      jobs.add(ended(3, "ann", "resnet", JobState.FAILED, 300));
      jobs.add(ended(4, "ann", "berta", JobState.TIMED_OUT, 400));
      jobs.add(named(5, "ann", "bert-runs"));
      store.write(store.tryLead().orElseThrow(), new Write(jobs, List.of(), List.of(), Map.of()));
      double ever = Double.POSITIVE_INFINITY;
      assertThat(found(store, "", Set.of(), new Search("", 200, 400))).containsExactly(3L, 2L);
      assertThat(found(store, "", Set.of(), new Search("BERT", 0, ever)))
          .containsExactly(4L, 2L, 1L);
      assertThat(found(store, "", Set.of(), new Search("bert", -ever, ever)))
          .containsExactly(5L, 4L, 2L, 1L);
      assertThat(found(store, "ann", Set.of(JobState.FAILED), new Search("", 0, ever)))
          .containsExactly(3L);
      // Neither is a wildcard.
      assertThat(found(store, "", Set.of(), new Search("t%", -ever, ever))).isEmpty();
      assertThat(found(store, "", Set.of(), new Search("t_", -ever, ever))).containsExactly(2L);
    }
  }

  @Test
  void aSearchGoesOnPageByPage() {
    try (StoreContract.Place place = newPlace();
        Store store = place.open()) {
      List<Job> jobs =
          IntStream.rangeClosed(1, 5)
              .mapToObj(id -> ended(id, "ann", "a", JobState.SUCCEEDED, id))
              .toList();
      store.write(store.tryLead().orElseThrow(), new Write(jobs, List.of(), List.of(), Map.of()));
      Search search = new Search("a", 2, 99);
      JobPage first = store.page(new JobQuery("", Set.of(), search, 99, 3), 1_000_000);
      assertThat(first.jobs()).extracting(Job::id).containsExactly(5L, 4L, 3L);
      assertThat(first.more()).isTrue();
      JobPage last = store.page(new JobQuery("", Set.of(), search, 3, 3), 1_000_000);
      assertThat(last.jobs()).extracting(Job::id).containsExactly(2L);
      assertThat(last.more()).isFalse();
    }
  }

  private static List<Long> found(Store store, String user, Set<JobState> states, Search search) {
    return store.jobs(new JobQuery(user, states, search, Long.MAX_VALUE, 10)).stream()
        .map(Job::id)
        .toList();
  }

  private static Job named(long id, String user, String name) {
    return SampleJobs.queued(
        id, user, JobSpecs.of(Map.of("name", name, "command", List.of("true"), "gpus", 1)));
  }

  private static Job ended(long id, String user, String name, JobState state, double seconds) {
    return JobBuilder.like(named(id, user, name)).state(state).endedSeconds(seconds).build();
  }
}
