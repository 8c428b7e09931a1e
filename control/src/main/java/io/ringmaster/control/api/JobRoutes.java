package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.JobState;
import io.ringmaster.control.plane.Explanation;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.store.JobPage;
import io.ringmaster.control.store.JobQuery;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Jobs: submit, list, show, cancel, read logs, explain. */
final class JobRoutes {
  private static final int MOST_LISTED = 1000;
  private static final List<String> LIST_PARAMETERS =
      List.of("user", "state", "name", "ended_from", "ended_to", "limit", "below");
  private static final Pattern KEY = Pattern.compile("[!-~]{1,200}");

  private final ApiDependencies dependencies;
  private final Store store;
  private final Authentication authentication;
  private final FileReads files;

  /** A list may be long: only so many are made at a time. */
  private final Turns lists;

  JobRoutes(ApiDependencies dependencies, Authentication authentication, FileReads files) {
    this.dependencies = dependencies;
    this.store = dependencies.store();
    this.authentication = authentication;
    this.files = files;
    Limits limits = dependencies.limits();
    this.lists = new Turns(limits.whole(Limit.LISTS), limits.whole(Limit.USER_LISTS));
  }

  List<Route> routes() {
    return List.of(
        Route.read("/api/v1/jobs", USER, LIST_PARAMETERS, this::list),
        Route.write("POST", "/api/v1/jobs", USER, this::submit),
        Route.read("/api/v1/jobs/{id}", USER, List.of(), this::show),
        Route.write("POST", "/api/v1/jobs/{id}/cancel", USER, this::cancel),
        Route.write("POST", "/api/v1/jobs/{id}/priority", USER, this::prioritize),
        Route.read(
            "/api/v1/jobs/{id}/logs",
            USER,
            List.of("attempt", "rank", "stream", "from"),
            this::logs),
        Route.read("/api/v1/jobs/{id}/explain", USER, List.of(), this::explain),
        Route.read("/api/v1/events", USER, List.of("after"), this::events));
  }

  private Response list(RoutedRequest request) {
    Set<JobState> states = states(request.parameter("state", ""));
    int limit = (int) request.parameter("limit", 1, MOST_LISTED, 100);
    long below = request.parameter("below", 1, Long.MAX_VALUE, Long.MAX_VALUE);
    String user = request.parameter("user", request.caller().sees());
    boolean visible = user.isEmpty() ? request.caller().isAdmin() : request.caller().sees(user);
    double patience = dependencies.limits().number(Limit.ANSWER_S);
    try {
      if (!lists.begin(request.caller().user(), patience)) {
        throw new Problem(503, "too many ask for lists already; try again later")
            .with("Retry-After", "5");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(503, "the server is going down");
    }
    try {
      JobPage page =
          visible
              ? store.page(
                  new JobQuery(user, states, search(request), below, limit),
                  dependencies.limits().bytes(Limit.LIST_BYTES))
              : new JobPage(List.of(), false);
      double now = dependencies.nowSeconds().getAsDouble();
      return Response.json(
          200,
          new Shapes.Jobs(
              page.jobs().stream().map(job -> Shapes.Job.of(job, now)).toList(),
              page.more() ? page.jobs().getLast().id() : null,
              Shapes.counts(visible ? store.counts(user) : Map.of())));
    } finally {
      lists.end(request.caller().user());
    }
  }

  private static JobQuery.Search search(RoutedRequest request) {
    long from = request.parameter("ended_from", 0, Long.MAX_VALUE, -1);
    long to = request.parameter("ended_to", 0, Long.MAX_VALUE, -1);
    return new JobQuery.Search(
        request.parameter("name", ""),
        from < 0 ? Double.NEGATIVE_INFINITY : from,
        to < 0 ? Double.POSITIVE_INFINITY : to);
  }

  private static Set<JobState> states(String text) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    if (!text.isEmpty()) {
      for (String name : text.split(",", -1)) {
        states.add(
            Arrays.stream(JobState.values())
                .filter(state -> state.text().equals(name))
                .findFirst()
                .orElseThrow(() -> unknownState(name)));
      }
    }
    return states;
  }

  private static BadInput unknownState(String name) {
    return new BadInput(
        "state: '%s' is not a state; known: %s"
            .formatted(
                JobSpecs.shown(name),
                Arrays.stream(JobState.values())
                    .map(JobState::text)
                    .collect(Collectors.joining(", "))));
  }

  private CompletableFuture<Response> submit(RoutedRequest request) {
    String key = request.raw().headers().getOrDefault("idempotency-key", "");
    if (!key.isEmpty() && !KEY.matcher(key).matches()) {
      throw RoutedRequest.wrong("Idempotency-Key", key, "1 to 200 visible ASCII characters");
    }
    JobSpec spec = JobSpecs.of(request.body());
    CompletableFuture<Job> reply = new CompletableFuture<>();
    dependencies
        .inbox()
        .post(
            new Message.Submit(request.caller().user(), request.caller().role(), key, spec, reply));
    return dependencies.then(
        reply, job -> job(201, job).with("Location", "/api/v1/jobs/" + job.id()));
  }

  private Response job(int status, Job job) {
    return Response.json(status, Shapes.Job.of(job, dependencies.nowSeconds().getAsDouble()));
  }

  private Response show(RoutedRequest request) {
    Job job = visible(store, request);
    return Response.json(
        200,
        new Shapes.JobWithHistory(
            Shapes.Job.of(job, dependencies.nowSeconds().getAsDouble()),
            store.history(job.id()).stream().map(Shapes.Entry::of).toList()));
  }

  /** The job that is asked for. One of somebody else looks like one that does not exist. */
  static Job visible(Store store, RoutedRequest request) {
    long id = request.id();
    return store
        .job(id)
        .filter(job -> request.caller().sees(job.user()))
        .orElseThrow(() -> new Problem(404, "there is no job " + id));
  }

  private CompletableFuture<Response> cancel(RoutedRequest request) {
    Object force = request.fields(List.of("force")).get("force");
    if (force != null && !(force instanceof Boolean)) {
      throw RoutedRequest.wrong("force", force, "true or false");
    }
    Job job = visible(store, request);
    CompletableFuture<Job> reply = new CompletableFuture<>();
    dependencies
        .inbox()
        .post(
            new Message.Cancel(
                job.id(), request.caller().user(), Boolean.TRUE.equals(force), reply));
    return dependencies.then(reply, cancelled -> job(202, cancelled));
  }

  private CompletableFuture<Response> prioritize(RoutedRequest request) {
    Object given = request.fields(List.of("priority")).get("priority");
    if (!(given instanceof Number number)
        || number.doubleValue() != number.intValue()
        || Math.abs(number.intValue()) > JobSpecs.MOST_PRIORITY) {
      throw RoutedRequest.wrong(
          "priority", given, "a whole number from -%1$d to %1$d".formatted(JobSpecs.MOST_PRIORITY));
    }
    int priority = number.intValue();
    Job job = visible(store, request);
    CompletableFuture<Job> reply = new CompletableFuture<>();
    Caller caller = request.caller();
    dependencies
        .inbox()
        .post(new Message.Prioritize(job.id(), priority, caller.user(), caller.role(), reply));
    return dependencies.then(reply, moved -> job(200, moved));
  }

  private Response explain(RoutedRequest request) {
    Job job = visible(store, request);
    Explanation explanation =
        dependencies
            .explainer()
            .explain(job.id())
            .orElseThrow(() -> new Problem(404, "nothing is known of job " + job.id() + " now"));
    return Response.json(200, Shapes.Explanation.of(explanation));
  }

  private Response logs(RoutedRequest request) {
    // The state is read before the log: what is called ended here has its last byte in the log.
    Job job = visible(store, request);
    int attempt = (int) request.parameter("attempt", 1, Integer.MAX_VALUE, job.attempt());
    int rank = (int) request.parameter("rank", 0, JobSpecs.MOST_GPUS - 1, 0);
    long from = request.parameter("from", 0, Long.MAX_VALUE, 0);
    String name = request.parameter("stream", "stdout");
    if (!name.equals("stdout") && !name.equals("stderr")) {
      throw RoutedRequest.wrong("stream", name, "stdout or stderr");
    }
    Engine.Stream stream = Engine.Stream.valueOf(name.toUpperCase(Locale.ROOT));
    if (attempt > job.attempt()) {
      throw new Problem(
          404,
          "job %d has no attempt %d; the last is %d".formatted(job.id(), attempt, job.attempt()));
    }
    boolean over = job.state().isEnd() || attempt < job.attempt() || job.held() == null;
    if (attempt > 0) {
      checkRank(job, attempt, rank);
    }
    byte[] bytes = new byte[0];
    if (attempt > 0) {
      bytes = read(job.user(), new AttemptId(job.id(), attempt), rank, stream, from, over);
    }
    boolean ended =
        (attempt == 0 ? job.state().isEnd() : over)
            && bytes.length < dependencies.limits().whole(Limit.LOG_BYTES);
    return Response.bytes(
        "text/plain; charset=utf-8",
        bytes,
        Map.of(
            "Ringmaster-Attempt",
            String.valueOf(attempt),
            "Ringmaster-Next-Byte",
            String.valueOf(from + bytes.length),
            "Ringmaster-Ended",
            String.valueOf(ended)));
  }

  /** A rank that an attempt never had would be waited for in vain. */
  private void checkRank(Job job, int attempt, int rank) {
    int workers =
        rank == 0
            ? 1
            : store.history(job.id()).stream()
                .filter(entry -> entry.attempt() == attempt && !entry.allocation().isEmpty())
                .filter(entry -> entry.to() == JobState.STARTING)
                .mapToInt(entry -> Allocation.of(entry.allocation()).workers())
                .findFirst()
                .orElse(job.spec().maxGpus());
    if (rank >= workers) {
      throw new Problem(
          404,
          "attempt %s has no rank %d; it has %s"
              .formatted(
                  new AttemptId(job.id(), attempt),
                  rank,
                  workers == 1 ? "one worker, rank 0" : "ranks 0 to " + (workers - 1)));
    }
  }

  private byte[] read(
      String owner, AttemptId attempt, int rank, Engine.Stream stream, long from, boolean over) {
    try {
      return files.read(
          owner,
          "the log of " + attempt,
          () -> {
            try (InputStream log = dependencies.logs().log(attempt, rank, stream, from)) {
              return log.readNBytes(dependencies.limits().whole(Limit.LOG_BYTES));
            }
          });
    } catch (NoSuchFileException e) {
      if (over) {
        throw new Problem(
            404,
            "attempt %s has no %s of rank %d"
                .formatted(attempt, stream.name().toLowerCase(Locale.ROOT), rank));
      }
      // It may still be about to begin.
      return new byte[0];
    } catch (IOException e) {
      throw new Problem(
              503, "the log of %s cannot be read now: %s".formatted(attempt, e.getMessage()))
          .with("Retry-After", "5");
    }
  }

  private Response events(RoutedRequest request) {
    // A browser that comes back keeps its first address, and says in the header how far it got.
    String last = request.raw().headers().getOrDefault("last-event-id", "");
    long after =
        last.isEmpty()
            ? request.parameter("after", 0, Long.MAX_VALUE, -1)
            : RoutedRequest.whole("Last-Event-ID", last, 0, Long.MAX_VALUE);
    return Response.feed(
        new Response.Feed(
            after,
            request.caller(),
            () -> authentication.whyOver(request.raw(), request.caller())));
  }
}
