package io.ringmaster.policy.asrpt;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.Estimate;
import io.ringmaster.policy.PlacementRule;
import io.ringmaster.policy.Policy;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.ordered.Starter;
import io.ringmaster.policy.placement.Seating;
import java.util.List;

/** A-SRPT: its settings and its two modes. */
public final class Asrpt {
  public static final Parameter MODE =
      Parameter.choice("mode", "reserve", "literal")
          .saying(
              "reserve (scattered jobs reserve servers, nothing waits in vain) or literal (as"
                  + " published, with a guarantee)");

  public static final Parameter THETA =
      new Parameter(
          "theta",
          "auto",
          new Parameter.Pattern("auto|inf|a number of at least 1", Asrpt::isTheta),
          "jobs communicate much whose iterations, scattered, take over this many times as long;"
              + " auto: 1.1, in mode literal 1.5");

  public static final Parameter SPEED =
      Parameter.number("speed", 0.5, 0.01, 100)
          .saying("mode reserve: how fast the virtual machine is, of the cluster");

  public static final Parameter EPSILON =
      Parameter.number("epsilon", 0.1, 0, 1e6)
          .saying(
              "mode literal: a placement is good enough that makes iterations longer by this"
                  + " share");

  public static final Parameter TAU =
      Parameter.number("tau", 0.25, 0, 1e6)
          .saying(
              "mode literal: a job waits for a better placement at most this share of its length");

  public static final Parameter BYPASS =
      Parameter.choice("bypass", "safe", "free")
          .saying(
              "mode literal: who may pass a job that waits for a better placement: safe (who is"
                  + " expected to end before it must start) or free (anybody)");

  public static final PolicySpec SPEC =
      new PolicySpec(
          "a-srpt",
          "In the order in which one virtual machine would finish the jobs, shortest remaining"
              + " first; few servers for jobs that exchange much.",
          "A-SRPT, Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563)",
          List.of(
              MODE,
              THETA,
              SPEED,
              EPSILON,
              TAU,
              BYPASS,
              Seating.PLACEMENT,
              Seating.REFINE,
              Estimate.PARAMETER),
          PlacementRule::ownSearch,
          Asrpt::of);

  private Asrpt() {}

  private static boolean isTheta(String text) {
    try {
      return text.equals("auto") || theta(text, 1) >= 1;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static double theta(String text, double auto) {
    return switch (text) {
      case "auto" -> auto;
      case "inf" -> Double.POSITIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** The policy that settings ask for. */
  private static Policy of(Settings settings, Cluster cluster) {
    Seating seating = Seating.of(settings, cluster);
    String theta = settings.text(THETA.name());
    if (settings.text(MODE.name()).equals("reserve")) {
      return new EagerAsrpt(
          new Starter(cluster, seating, true, theta(theta, 1.1)), settings.number(SPEED.name()));
    }
    return new LiteralAsrpt(
        cluster,
        seating,
        new LiteralAsrpt.Delay(
            theta(theta, 1.5),
            settings.number(EPSILON.name()),
            settings.number(TAU.name()),
            settings.text(BYPASS.name()).equals("safe")));
  }
}
