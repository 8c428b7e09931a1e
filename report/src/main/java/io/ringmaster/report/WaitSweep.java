package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.Bitmap;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.ScratchServers;
import io.ringmaster.policy.WaitReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a finished schedule from moment to moment, with what is free at each, and tells some
 * jobs what they wait for. At one moment segments end, then jobs are submitted, then segments
 * begin, as in the run itself; what is so after that holds until the next moment.
 */
final class WaitSweep {
  private final Jobs jobs;
  private final Cluster cluster;
  private final OrderedSegments segments;
  private final PlacementRule rule;
  private final ScratchServers free;

  /** Jobs that wait, each by the place of the segment that ends its wait. */
  private Bitmap waiting = new Bitmap(1);

  private final @Nullable JobWait[] watched;
  private final List<JobWait> active = new ArrayList<>();
  private int left;
  private int ended;
  private int submitted;
  private int begun;
  private boolean freeChanged;
  private int askedFor;
  private Demand askedWith = Demand.NONE;
  private WaitReason answer = WaitReason.BEHIND;

  /** Whether the three below are known for this moment. */
  private boolean looked;

  /** The place of the first segment that ends a wait, and when that is. */
  private int nextPlace;

  private double nextSeconds;

  /** The first of those served then for whom there is no room yet. */
  private int blocker;

  WaitSweep(Cluster cluster, Jobs jobs, OrderedSegments segments, PlacementRule rule) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.segments = segments;
    this.rule = rule;
    this.free = new ScratchServers(cluster);
    this.watched = new JobWait[jobs.size()];
  }

  /** What is told to a job. */
  JobWait waiter(int job) {
    return new JobWait(job, need(job), demand(job));
  }

  /** Tells these jobs. */
  void run(List<JobWait> waiters) {
    double earliest = Double.POSITIVE_INFINITY;
    double latest = Double.NEGATIVE_INFINITY;
    for (JobWait waiter : waiters) {
      watched[waiter.job] = waiter;
      earliest = Math.min(earliest, jobs.submitSeconds(waiter.job));
      for (int s = segments.first(waiter.job); s != OrderedSegments.NONE; s = segments.next(s)) {
        left++;
        latest = Math.max(latest, segments.start(s));
      }
    }
    segments.order(earliest, latest);
    waiting = new Bitmap(Math.max(1, segments.ordered()));
    skipTo(earliest);
    while (left > 0) {
      moment(nextMoment());
    }
  }

  /** To what is so just before a time, without the moments on the way: nobody is told of them. */
  private void skipTo(double time) {
    ended = segments.endingFrom(time);
    while (begun < segments.ordered() && segments.startAt(begun) < time) {
      int segment = segments.byStart(begun++);
      free.take(segments.placement(segment), demand(segments.job(segment)));
    }
    while (submitted < jobs.size() && jobs.submitSeconds(submitted) < time) {
      int next = segments.first(submitted++);
      boolean waits = true;
      while (next != OrderedSegments.NONE && segments.start(next) < time) {
        waits = next < ended;
        next = segments.next(next);
      }
      if (waits && next != OrderedSegments.NONE) {
        awaitSegment(next);
      }
    }
  }

  private double nextMoment() {
    double next = segments.end(ended);
    if (submitted < jobs.size()) {
      next = Math.min(next, jobs.submitSeconds(submitted));
    }
    return begun < segments.ordered() ? Math.min(next, segments.startAt(begun)) : next;
  }

  private void moment(double now) {
    freeChanged = false;
    while (ended < segments.size() && segments.end(ended) <= now) {
      end(ended++);
    }
    while (submitted < jobs.size() && jobs.submitSeconds(submitted) <= now) {
      int job = submitted++;
      await(job, jobs.submitSeconds(job), segments.first(job));
    }
    int first = begun;
    while (begun < segments.ordered() && segments.startAt(begun) <= now) {
      begin(segments.byStart(begun++), now);
    }
    if (!active.isEmpty()) {
      askedFor = 0;
      countOvertaking(first);
      looked = false;
      for (int i = 0; i < active.size(); i++) {
        tell(active.get(i), now);
      }
    }
  }

  private void end(int segment) {
    free.release(segments.placement(segment), demand(segments.job(segment)));
    freeChanged = true;
    await(segments.job(segment), segments.end(segment), segments.next(segment));
  }

  /** A job waits from now on for a segment, if that does not begin at once. */
  private void await(int job, double now, int until) {
    if (until == OrderedSegments.NONE || segments.start(until) <= now) {
      return;
    }
    awaitSegment(until);
    JobWait waiter = watched[job];
    if (waiter != null) {
      active.add(waiter);
    }
  }

  /** One that begins after all that are watched is of no matter. */
  private void awaitSegment(int segment) {
    int place = segments.place(segment);
    if (place != OrderedSegments.NONE) {
      waiting.add(place);
    }
  }

  private void begin(int segment, double now) {
    free.take(segments.placement(segment), demand(segments.job(segment)));
    freeChanged = true;
    waiting.remove(segments.place(segment));
    JobWait waiter = watched[segments.job(segment)];
    if (waiter != null) {
      left--;
      waiter.stop(now);
      active.remove(waiter);
    }
  }

  /** Of those that began now, who came later than others that still wait? */
  private void countOvertaking(int from) {
    for (int at = from; at < begun; at++) {
      int segment = segments.byStart(at);
      int job = segments.job(segment);
      for (int i = 0; segments.first(job) == segment && i < active.size(); i++) {
        JobWait waiter = active.get(i);
        if (jobs.submitSeconds(job) > jobs.submitSeconds(waiter.job)) {
          waiter.overtake();
        }
      }
    }
  }

  private void tell(JobWait waiter, double now) {
    WaitReason before = waiter.reason();
    WaitReason reason = before == null || freeChanged ? reason(waiter.need, waiter.demand) : before;
    waiter.waitsFor(now, reason, reason == WaitReason.BEHIND ? behind(waiter) : JobWait.NOBODY);
  }

  /** Remembers the last answer: the worst served are often of one size. */
  private WaitReason reason(int need, Demand demand) {
    if (need != askedFor || !demand.equals(askedWith)) {
      answer = rule.reason(free, demand, need);
      askedFor = need;
      askedWith = demand;
    }
    return answer;
  }

  private Demand demand(int job) {
    return cluster.demand(jobs.demand(job), jobs.profile(job));
  }

  /** The fewest GPUs that the policy would have started a job with, as far as is seen. */
  private int need(int job) {
    return segments.resized() ? jobs.minGpus(job) : segments.workers(segments.first(job));
  }

  /** Who goes before a job that would fit. */
  private int behind(JobWait waiter) {
    if (!looked) {
      looked = true;
      nextPlace = waiting.next(0);
      nextSeconds = segments.startAt(nextPlace);
      blocker = blocker();
    }
    if (blocker != JobWait.NOBODY) {
      return blocker;
    }
    for (int at = nextPlace; at >= 0 && beginsAt(at, nextSeconds); at = waiting.next(at + 1)) {
      if (segments.job(segments.byStart(at)) == waiter.job) {
        return JobWait.NOBODY;
      }
    }
    return segments.job(segments.byStart(nextPlace));
  }

  private int blocker() {
    for (int at = nextPlace; at >= 0 && beginsAt(at, nextSeconds); at = waiting.next(at + 1)) {
      int job = segments.job(segments.byStart(at));
      if (reason(need(job), demand(job)) != WaitReason.BEHIND) {
        return job;
      }
    }
    return JobWait.NOBODY;
  }

  private boolean beginsAt(int at, double seconds) {
    return segments.startAt(at) == seconds;
  }
}
