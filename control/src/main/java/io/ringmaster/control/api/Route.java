package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be request.
 *
 * @param path template: {@code {name}} stands for one segment
 * @param access who may
 * @param effect whether it changes anything, and what its body holds
 * @param parameters of the query
 */
record Route(
    String method,
    String path,
    Access access,
    Effect effect,
    List<String> parameters,
    Handler handler) {

  enum Access {
    ANYBODY,
    USER,
    ADMIN
  }

  /** What a request may do. Only a leader carries out what writes. */
  enum Effect {
    READS,
    WRITES
  }

  @FunctionalInterface
  interface Handler {
    CompletableFuture<Response> answer(RoutedRequest request);
  }

  /** Answers at once. */
  @FunctionalInterface
  interface Reader {
    Response answer(RoutedRequest request);
  }

  static Route read(String path, Access access, List<String> parameters, Reader reader) {
    return new Route(
        "GET",
        path,
        access,
        Effect.READS,
        parameters,
        request -> CompletableFuture.completedFuture(reader.answer(request)));
  }

  static Route write(String method, String path, Access access, Handler handler) {
    return new Route(method, path, access, Effect.WRITES, List.of(), handler);
  }

  /** The segments that the template leaves open; null if the path is another. */
  @Nullable Map<String, String> match(String given) {
    String[] wanted = path.split("/", -1);
    String[] found = given.split("/", -1);
    if (wanted.length != found.length) {
      return null;
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{") && !found[i].isEmpty()) {
        variables.put(wanted[i].substring(1, wanted[i].length() - 1), found[i]);
      } else if (!wanted[i].equals(found[i])) {
        return null;
      }
    }
    return variables;
  }

  /** Refuses parameters that it does not know: a misspelt one must not be ignored. */
  void checkParameters(Map<String, String> query) {
    for (String name : query.keySet()) {
      if (!parameters.contains(name)) {
        throw new Problem(
            400,
            "unknown parameter '%s' of %s %s; %s"
                .formatted(
                    JobSpecs.shown(name),
                    method,
                    path,
                    parameters.isEmpty()
                        ? "it takes none"
                        : "it takes " + String.join(", ", parameters)));
      }
    }
  }
}
