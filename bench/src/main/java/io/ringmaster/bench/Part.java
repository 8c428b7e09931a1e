package io.ringmaster.bench;

import java.util.List;

/** A part of a run, known by the code that is in it. */
@SuppressWarnings("ImmutableEnumChecker") // The lists are.
enum Part {
  /** What is not sampled: loading the JVM and its classes, compiling, the launcher's shell. */
  JVM("JVM and launcher", List.of()),
  COLLECTING("garbage", List.of()),
  START("start", List.of("io.ringmaster.cli.", "picocli.")),
  READING(
      "reading",
      List.of(
          "io.ringmaster.runs.RunInputs.",
          "io.ringmaster.simulator.Lengths.",
          "io.ringmaster.workload.JobRows.",
          "io.ringmaster.workload.JobsFile.read")),
  LOOP("event loop", List.of("io.ringmaster.simulator.", "io.ringmaster.policy.execution.")),
  POLICY("policy", List.of("io.ringmaster.policy.", "io.ringmaster.predictor.")),
  FILES(
      "figures and files",
      List.of(
          "io.ringmaster.runs.RunFiles.",
          "io.ringmaster.runs.Machine.",
          "io.ringmaster.simulator.LowerBounds.",
          "io.ringmaster.simulator.Summary.",
          "io.ringmaster.runs.CompletedRun.")),
  PAGE("page", List.of("io.ringmaster.report.", "io.ringmaster.cli.simulate.RunPage."));

  private final String title;

  /** How the names of its methods begin. */
  private final List<String> methods;

  Part(String title, List<String> methods) {
    this.title = title;
    this.methods = methods;
  }

  String title() {
    return title;
  }

  /** How much of a method's name this part is known by; 0 if it is not in it. */
  private int known(String method) {
    return methods.stream().filter(method::startsWith).mapToInt(String::length).max().orElse(0);
  }

  /** The part that a method is in for certain; START if none knows it. */
  static Part of(List<String> innermostFirst) {
    for (String method : innermostFirst) {
      Part best = START;
      int length = 0;
      for (Part part : values()) {
        if (part.known(method) > length) {
          best = part;
          length = part.known(method);
        }
      }
      if (length > 0) {
        return best;
      }
    }
    return START;
  }
}
