package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many GPUs were in use and how many jobs waited, as means over equal spans of time. */
final class Timeline {
  private Timeline() {}

  static Map<String, Object> of(
      Jobs jobs, RunResult result, Segments segments, double start, double end, int count) {
    Bins busy = new Bins(start, end, count);
    Bins running = new Bins(start, end, count);
    Bins waiting = new Bins(start, end, count);
    Bins wanted = new Bins(start, end, count);
    for (int job = 0; job < jobs.size(); job++) {
      waiting.add(jobs.submitSeconds(job), result.finishSeconds(job), 1);
      wanted.add(jobs.submitSeconds(job), result.finishSeconds(job), jobs.gpus(job));
    }
    for (int i = 0; i < segments.size(); i++) {
      double from = segments.start(i);
      double to = segments.end(i);
      busy.add(from, to, segments.gpus(i));
      if (i == 0 || !segments.sameSegment(i, i - 1)) {
        running.add(from, to, 1);
        waiting.add(from, to, -1);
        wanted.add(from, to, -jobs.gpus(segments.job(i)));
      }
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("start", start);
    out.put("binSeconds", busy.width());
    out.put("busyGpus", busy.means());
    out.put("runningJobs", running.means());
    out.put("waitingJobs", waiting.means());
    out.put("waitingGpus", wanted.means());
    out.put("contendedGpus", Contention.over(jobs, segments, new Bins(start, end, count)).means());
    return out;
  }
}
