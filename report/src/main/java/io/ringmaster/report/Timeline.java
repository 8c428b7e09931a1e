package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Stretches;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many GPUs were in use and how many jobs waited, as means over equal spans of time. */
final class Timeline {
  private Timeline() {}

  static Map<String, Object> of(
      Jobs jobs, RunResult result, Stretches stretches, double start, double end, int count) {
    Bins busy = new Bins(start, end, count);
    Bins running = new Bins(start, end, count);
    Bins waiting = new Bins(start, end, count);
    Bins wanted = new Bins(start, end, count);
    for (int job = 0; job < jobs.size(); job++) {
      waiting.add(jobs.submitSeconds(job), result.finishSeconds(job), 1);
      wanted.add(jobs.submitSeconds(job), result.finishSeconds(job), jobs.gpus(job));
    }
    for (int i = 0; i < stretches.size(); i++) {
      double from = stretches.start(i);
      double to = stretches.end(i);
      busy.add(from, to, stretches.gpus(i));
      if (i == 0 || !stretches.sameStretch(i, i - 1)) {
        running.add(from, to, 1);
        waiting.add(from, to, -1);
        wanted.add(from, to, -jobs.gpus(stretches.job(i)));
      }
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("start", start);
    out.put("binSeconds", busy.width());
    out.put("busyGpus", busy.means());
    out.put("runningJobs", running.means());
    out.put("waitingJobs", waiting.means());
    out.put("waitingGpus", wanted.means());
    out.put("contendedGpus", Contention.over(jobs, stretches, new Bins(start, end, count)).means());
    return out;
  }
}
