package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.collect.Bitmap;
import io.ringmaster.policy.ScratchServers;
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
  private final Course course;
  private final PlacementRule rule;
  private final ScratchServers free;

  /** Jobs that wait, each by the place of the segment that ends its wait. */
  private final Bitmap waiting;

  private final @Nullable Waiter[] watched;
  private final List<Waiter> active = new ArrayList<>();
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

  WaitSweep(Cluster cluster, Jobs jobs, Course course, PlacementRule rule) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.course = course;
    this.rule = rule;
    this.free = new ScratchServers(cluster);
    this.waiting = new Bitmap(Math.max(1, course.size()));
    this.watched = new Waiter[jobs.size()];
  }

  /** What is told to a job. */
  Waiter waiter(int job) {
    return new Waiter(job, need(job), demand(job));
  }

  /** Tells these jobs. */
  void run(List<Waiter> waiters) {
    double earliest = Double.POSITIVE_INFINITY;
    for (Waiter waiter : waiters) {
      watched[waiter.job] = waiter;
      earliest = Math.min(earliest, jobs.submitSeconds(waiter.job));
      for (int s = course.first(waiter.job); s != Course.NONE; s = course.next(s)) {
        left++;
      }
    }
    skipTo(earliest);
    while (left > 0) {
      moment(nextMoment());
    }
  }

  /** To what is so just before a time, without the moments on the way: nobody is told of them. */
  private void skipTo(double time) {
    while (ended < course.size() && course.end(ended) < time) {
      ended++;
    }
    while (begun < course.size() && course.startAt(begun) < time) {
      int segment = course.byStart(begun++);
      if (segment >= ended) {
        free.take(course.placement(segment), demand(course.job(segment)));
      }
    }
    while (submitted < jobs.size() && jobs.submitSeconds(submitted) < time) {
      int next = course.first(submitted++);
      boolean waits = true;
      while (next != Course.NONE && course.start(next) < time) {
        waits = next < ended;
        next = course.next(next);
      }
      if (waits && next != Course.NONE) {
        waiting.add(course.place(next));
      }
    }
  }

  private double nextMoment() {
    double next = course.end(ended);
    if (submitted < jobs.size()) {
      next = Math.min(next, jobs.submitSeconds(submitted));
    }
    return begun < course.size() ? Math.min(next, course.startAt(begun)) : next;
  }

  private void moment(double now) {
    freeChanged = false;
    while (ended < course.size() && course.end(ended) <= now) {
      end(ended++);
    }
    while (submitted < jobs.size() && jobs.submitSeconds(submitted) <= now) {
      int job = submitted++;
      await(job, jobs.submitSeconds(job), course.first(job));
    }
    int first = begun;
    while (begun < course.size() && course.startAt(begun) <= now) {
      begin(course.byStart(begun++), now);
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
    free.release(course.placement(segment), demand(course.job(segment)));
    freeChanged = true;
    await(course.job(segment), course.end(segment), course.next(segment));
  }

  /** A job waits from now on for a segment, if that does not begin at once. */
  private void await(int job, double now, int until) {
    if (until == Course.NONE || course.start(until) <= now) {
      return;
    }
    waiting.add(course.place(until));
    Waiter waiter = watched[job];
    if (waiter != null) {
      active.add(waiter);
    }
  }

  private void begin(int segment, double now) {
    free.take(course.placement(segment), demand(course.job(segment)));
    freeChanged = true;
    waiting.remove(course.place(segment));
    Waiter waiter = watched[course.job(segment)];
    if (waiter != null) {
      left--;
      waiter.stop(now);
      active.remove(waiter);
    }
  }

  /** Of those that began now, who came later than others that still wait? */
  private void countOvertaking(int from) {
    for (int at = from; at < begun; at++) {
      int segment = course.byStart(at);
      int job = course.job(segment);
      for (int i = 0; course.first(job) == segment && i < active.size(); i++) {
        Waiter waiter = active.get(i);
        if (jobs.submitSeconds(job) > jobs.submitSeconds(waiter.job)) {
          waiter.overtake();
        }
      }
    }
  }

  private void tell(Waiter waiter, double now) {
    WaitReason before = waiter.reason();
    WaitReason reason = before == null || freeChanged ? reason(waiter.need, waiter.demand) : before;
    waiter.waitsFor(now, reason, reason == WaitReason.BEHIND ? behind(waiter) : Waiter.NOBODY);
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
    return course.resized() ? jobs.minGpus(job) : course.workers(course.first(job));
  }

  /** Who goes before a job that would fit. */
  private int behind(Waiter waiter) {
    if (!looked) {
      looked = true;
      nextPlace = waiting.next(0);
      nextSeconds = course.startAt(nextPlace);
      blocker = blocker();
    }
    if (blocker != Waiter.NOBODY) {
      return blocker;
    }
    for (int at = nextPlace; at >= 0 && beginsAt(at, nextSeconds); at = waiting.next(at + 1)) {
      if (course.job(course.byStart(at)) == waiter.job) {
        return Waiter.NOBODY;
      }
    }
    return course.job(course.byStart(nextPlace));
  }

  private int blocker() {
    for (int at = nextPlace; at >= 0 && beginsAt(at, nextSeconds); at = waiting.next(at + 1)) {
      int job = course.job(course.byStart(at));
      if (reason(need(job), demand(job)) != WaitReason.BEHIND) {
        return job;
      }
    }
    return Waiter.NOBODY;
  }

  private boolean beginsAt(int at, double seconds) {
    return course.startAt(at) == seconds;
  }
}
