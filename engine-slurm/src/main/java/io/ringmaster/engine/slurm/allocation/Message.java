package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Launch;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.JobDescription;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.Part;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What servers and agents say to each other, and keep in files: named values, as JSON. */
record Message(Map<String, @Nullable Object> fields) {

  static Message of(Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return new Message(fields);
  }

  static Message parse(String text) throws IOException {
    try {
      if (Json.parse(text) instanceof Map<?, ?> map) {
        return of(map);
      }
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
    throw new IOException("expected named values, found '%s'".formatted(JobSpecs.shown(text)));
  }

  private static Message of(Map<?, ?> map) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    map.forEach((name, value) -> fields.put(String.valueOf(name), value));
    return new Message(fields);
  }

  String json() {
    return Json.text(fields);
  }

  /** The same with one more value. */
  Message with(String name, Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(fields);
    more.put(name, value);
    return new Message(more);
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  String text(String name) throws IOException {
    if (fields.get(name) instanceof String text) {
      return text;
    }
    throw missing(name, "a text");
  }

  double number(String name) throws IOException {
    if (fields.get(name) instanceof Number number) {
      return number.doubleValue();
    }
    throw missing(name, "a number");
  }

  long whole(String name) throws IOException {
    if (fields.get(name) instanceof Number number) {
      return number.longValue();
    }
    throw missing(name, "a number");
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }

  Message part(String name) throws IOException {
    if (fields.get(name) instanceof Map<?, ?> map) {
      return of(map);
    }
    throw missing(name, "named values");
  }

  List<Message> parts(String name) throws IOException {
    if (!(fields.get(name) instanceof List<?> list)) {
      throw missing(name, "a list");
    }
    List<Message> parts = new ArrayList<>();
    for (Object each : list) {
      if (!(each instanceof Map<?, ?> map)) {
        throw missing(name, "a list of named values");
      }
      parts.add(of(map));
    }
    return parts;
  }

  List<Integer> numbers(String name) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    if (fields.get(name) instanceof List<?> list) {
      for (Object each : list) {
        if (!(each instanceof Number number)) {
          throw missing(name, "a list of numbers");
        }
        numbers.add(number.intValue());
      }
    }
    return numbers;
  }

  private IOException missing(String name, String expected) {
    return new IOException(
        "%s: expected %s, found '%s'"
            .formatted(name, expected, JobSpecs.shown(String.valueOf(fields.get(name)))));
  }

  static AttemptId attempt(String text) throws IOException {
    try {
      return AttemptId.of(text);
    } catch (RuntimeException e) {
      throw new IOException("'%s' is no attempt".formatted(JobSpecs.shown(text)), e);
    }
  }

  static Map<String, @Nullable Object> of(Status status) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("attempt", status.attempt().text());
    switch (status.phase()) {
      case Status.Pending _ -> fields.put("phase", "pending");
      case Status.Running _ -> fields.put("phase", "running");
      case Status.Exited exited -> {
        fields.put("phase", "exited");
        fields.put("code", exited.code());
        fields.put("stopped", exited.stopped());
        fields.put("why", exited.why());
      }
      case Status.Gone gone -> {
        fields.put("phase", "gone");
        fields.put("why", gone.why());
      }
    }
    if (!Double.isNaN(status.doneShare())) {
      fields.put("done", status.doneShare());
    }
    fields.put("saved", status.saved());
    return fields;
  }

  Status status() throws IOException {
    Status.Phase phase =
        switch (text("phase")) {
          case "pending" -> new Status.Pending();
          case "running" -> new Status.Running();
          case "exited" -> new Status.Exited((int) whole("code"), flag("stopped"), text("why"));
          case "gone" -> new Status.Gone(text("why"));
          default -> throw missing("phase", "how far it is");
        };
    return new Status(
        attempt(text("attempt")), phase, has("done") ? number("done") : Double.NaN, flag("saved"));
  }

  static Message of(long order, Launch launch, Part part) {
    return of(
        "do",
        "launch",
        "order",
        order,
        "attempt",
        launch.attempt().text(),
        "user",
        launch.user(),
        "spec",
        JobDescription.of(launch.spec()),
        "on",
        launch.allocation().text(),
        "scale",
        launch.learningRateScale(),
        "first",
        part.firstRank(),
        "workers",
        part.workers(),
        "address",
        part.address(),
        "port",
        part.port());
  }

  Launch launch() throws IOException {
    try {
      return new Launch(
          attempt(text("attempt")),
          text("user"),
          JobSpecs.of(fields.get("spec")),
          Allocation.of(text("on")),
          number("scale"));
    } catch (RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  Part launchedPart() throws IOException {
    return new Part(
        (int) whole("first"), (int) whole("workers"), text("address"), (int) whole("port"));
  }
}
