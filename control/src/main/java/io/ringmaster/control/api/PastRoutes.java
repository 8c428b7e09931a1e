package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.USER;

import io.ringmaster.control.store.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the cluster was like over the last hour, day or week. */
final class PastRoutes {
  private final ApiDependencies dependencies;

  /** How far back it is looked, and in steps of what length. */
  private enum Span {
    HOUR(3600, 60),
    DAY(86_400, 600),
    WEEK(7 * 86_400, 3600);

    private final long seconds;
    private final long stepSeconds;

    Span(long seconds, long stepSeconds) {
      this.seconds = seconds;
      this.stepSeconds = stepSeconds;
    }

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  PastRoutes(ApiDependencies dependencies) {
    this.dependencies = dependencies;
  }

  List<Route> routes() {
    return List.of(Route.read("/api/v1/history", USER, List.of("span"), this::history));
  }

  private Response history(RoutedRequest request) {
    String text = request.parameter("span", Span.DAY.text());
    Span span =
        Arrays.stream(Span.values())
            .filter(each -> each.text().equals(text))
            .findFirst()
            .orElseThrow(() -> RoutedRequest.wrong("span", text, known()));
    double now = dependencies.nowSeconds().getAsDouble();
    // Whole steps, the last of which is not over.
    long to = ((long) Math.floor(now) / span.stepSeconds + 1) * span.stepSeconds;
    long from = to - span.seconds;
    List<Sample> samples = dependencies.store().samples(from, span.stepSeconds);
    return Response.json(
        200,
        new Past(from, to, span.stepSeconds, samples.stream().map(Past.PastStep::of).toList()));
  }

  private static String known() {
    return Arrays.stream(Span.values())
        .map(Span::text)
        .collect(Collectors.joining(", ", "one of ", ""));
  }
}
