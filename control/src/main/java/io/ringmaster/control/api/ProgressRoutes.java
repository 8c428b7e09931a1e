package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.job.Job;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How far jobs are: what changes too often for the history. */
final class ProgressRoutes {
  private static final int MOST_JOBS = 200;
  private static final int MOST_POINTS = 10_000;
  private static final int USUAL_POINTS = 500;

  private final Wiring wiring;

  ProgressRoutes(Wiring wiring) {
    this.wiring = wiring;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/progress", USER, List.of("jobs"), this::several),
        Route.read("/api/v1/jobs/{id}/progress", USER, List.of("points"), this::curve));
  }

  private Reply curve(Asked asked) {
    Job job = JobRoutes.visible(wiring.store(), asked);
    int most = (int) asked.parameter("points", 2, MOST_POINTS, USUAL_POINTS);
    return Reply.json(
        200, Progress.of(job, wiring.store().history(job.id()), wiring.logs(), most));
  }

  /** Only what moves while nothing happens. Jobs that the caller may not see are left out. */
  private Reply several(Asked asked) {
    String[] ids = asked.parameter("jobs", "").split(",", -1);
    if (ids.length > MOST_JOBS) {
      throw Asked.wrong("jobs", ids.length + " ids", "at most %d ids".formatted(MOST_JOBS));
    }
    double now = wiring.nowSeconds().getAsDouble();
    List<Map<String, Object>> jobs = new ArrayList<>();
    for (String text : ids) {
      wiring
          .store()
          .job(Asked.whole("jobs", text, 1, Long.MAX_VALUE))
          .filter(job -> asked.caller().sees(job.user()))
          .ifPresent(job -> jobs.add(brief(job, now)));
    }
    return Reply.json(200, Map.of("jobs", jobs));
  }

  private static Map<String, Object> brief(Job job, double nowSeconds) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", job.id());
    map.put("state", job.state().text());
    map.put("done", job.doneShare());
    map.put("ran_s", Shapes.ranSeconds(job, nowSeconds));
    return map;
  }
}
