package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How far jobs are, and what is expected of them: what changes too often for the history. */
final class ProgressRoutes {
  private static final int MOST_JOBS = 200;
  private static final int MOST_POINTS = 10_000;
  private static final int USUAL_POINTS = 500;

  private final ApiDependencies dependencies;
  private final FileReads files;

  ProgressRoutes(ApiDependencies dependencies, FileReads files) {
    this.dependencies = dependencies;
    this.files = files;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/progress", USER, List.of("jobs"), this::several),
        Route.read("/api/v1/forecast", USER, List.of(), this::forecast),
        Route.read("/api/v1/jobs/{id}/progress", USER, List.of("points"), this::curve));
  }

  private Response curve(RoutedRequest request) {
    Job job = JobRoutes.visible(dependencies.store(), request);
    int most = (int) request.parameter("points", 2, MOST_POINTS, USUAL_POINTS);
    List<Entry> history = dependencies.store().history(job.id());
    try {
      return Response.json(
          200,
          files.read(
              job.user(),
              "the progress of job " + job.id(),
              () -> Progress.of(job, history, dependencies.logs(), most)));
    } catch (IOException e) {
      throw new Problem(
              503,
              "the progress of job %d cannot be read now: %s".formatted(job.id(), e.getMessage()))
          .with("Retry-After", "5");
    }
  }

  /** One simulation serves all who ask: see {@link io.ringmaster.control.plane.Outlooks}. */
  private Response forecast(RoutedRequest request) {
    return Response.json(
        200,
        dependencies
            .explainer()
            .outlook()
            .map(outlook -> QueueForecast.of(outlook, request.caller()))
            .orElse(QueueForecast.NONE));
  }

  /** Only what moves while nothing happens. Jobs that the caller may not see are left out. */
  private Response several(RoutedRequest request) {
    String[] ids = request.parameter("jobs", "").split(",", -1);
    if (ids.length > MOST_JOBS) {
      throw RoutedRequest.wrong("jobs", ids.length + " ids", "at most %d ids".formatted(MOST_JOBS));
    }
    double now = dependencies.nowSeconds().getAsDouble();
    List<Shapes.JobProgress> jobs = new ArrayList<>();
    for (String text : ids) {
      dependencies
          .store()
          .job(RoutedRequest.whole("jobs", text, 1, Long.MAX_VALUE))
          .filter(job -> request.caller().sees(job.user()))
          .ifPresent(job -> jobs.add(Shapes.JobProgress.of(job, now)));
    }
    return Response.json(200, new Shapes.Progress(jobs));
  }
}
