package io.ringmaster.report;

import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Segments;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;

/** How many GPUs were in use and how many jobs waited, as means over equal spans of time. */
@NamedAsDeclared
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Timeline(
    double start,
    double binSeconds,
    double[] busyGpus,
    double[] runningJobs,
    double[] waitingJobs,
    double[] waitingGpus,
    double[] contendedGpus) {

  static Timeline of(
      Jobs jobs, RunResult result, Segments segments, double start, double end, int count) {
    Bins busy = new Bins(start, end, count);
    Bins running = new Bins(start, end, count);
    Bins waiting = new Bins(start, end, count);
    Bins wanted = new Bins(start, end, count);
    for (int job = 0; job < jobs.size(); job++) {
      double from = busy.place(jobs.submitSeconds(job));
      double to = busy.place(result.finishSeconds(job));
      waiting.addPlaces(from, to, 1);
      wanted.addPlaces(from, to, jobs.gpus(job));
    }
    for (int i = 0; i < segments.size(); i++) {
      double from = busy.place(segments.start(i));
      double to = busy.place(segments.end(i));
      busy.addPlaces(from, to, segments.gpus(i));
      if (i == 0 || !segments.sameSegment(i, i - 1)) {
        running.addPlaces(from, to, 1);
        waiting.addPlaces(from, to, -1);
        wanted.addPlaces(from, to, -jobs.gpus(segments.job(i)));
      }
    }
    return new Timeline(
        start,
        busy.width(),
        busy.means(),
        running.means(),
        waiting.means(),
        wanted.means(),
        Contention.over(jobs, segments, new Bins(start, end, count)).means());
  }
}
