package io.ringmaster.policy.gadget;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;

/**
 * What a schedule is to achieve: utilities of jobs, weighted, less the price of energy.
 *
 * @param byWork whether a job weighs as much as its work in GPU-hours, or as much as any other
 * @param price of a kilowatt-hour, in GPU-hours of work; 0: energy does not count
 */
public record Objective(Utility utility, boolean byWork, double price) {
  public static final Parameter UTILITY =
      Parameter.choice("utility", "progress", "saturating", "loss", "fair", "energy")
          .saying(
              "what progress is worth: progress (all of it the same), saturating (the first steps"
                  + " more), loss (by a loss curve), fair (more to those who have little), energy"
                  + " (progress less the price of energy)");
  public static final Parameter WEIGHT =
      Parameter.choice("weight", "job", "work")
          .saying("job: all jobs weigh the same; work: each weighs its GPU-hours");
  public static final Parameter KAPPA =
      Parameter.number("kappa", 3, 0.001, 100)
          .saying("for saturating: how much faster progress is at first");
  public static final Parameter ALPHA =
      Parameter.number("alpha", 1, 0, 100).saying("for fair: 1 is proportional fairness");
  public static final Parameter CURVE =
      new Parameter(
          "curve",
          "20,1",
          new Parameter.Pattern("two numbers above 0, such as 20,1", Objective::isCurve),
          "for loss: b0,b1 of a fitted curve 1/(b0 x + b1) + b2, x the share of work done");
  public static final Parameter PRICE =
      Parameter.number("price", 1, 0, 1e6)
          .saying("for energy: what a kilowatt-hour costs, in GPU-hours of work");

  private static final double SECONDS_PER_HOUR = 3600;

  static Objective of(Settings settings) {
    String name = settings.text(UTILITY.name());
    Utility utility =
        switch (name) {
          case "progress", "energy" -> new Utility.Progress();
          case "saturating" -> new Utility.Saturating(settings.number(KAPPA.name()));
          case "fair" -> new Utility.Fair(settings.number(ALPHA.name()));
          case "loss" -> loss(settings.text(CURVE.name()));
          default -> throw new IllegalArgumentException("utility " + name);
        };
    return new Objective(
        utility,
        settings.text(WEIGHT.name()).equals("work"),
        name.equals("energy") ? settings.number(PRICE.name()) : 0);
  }

  private static Utility.Loss loss(String curve) {
    double[] numbers = numbers(curve);
    return new Utility.Loss(numbers[0], numbers[1]);
  }

  private static double[] numbers(String curve) {
    String[] parts = curve.split(",", -1);
    if (parts.length != 2) {
      throw new BadInput("'%s' is not two numbers".formatted(curve));
    }
    return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
  }

  private static boolean isCurve(String text) {
    try {
      double[] numbers = numbers(text);
      return numbers[0] > 0 && numbers[1] > 0 && numbers[0] < 1e12 && numbers[1] < 1e12;
    } catch (NumberFormatException | BadInput e) {
      return false;
    }
  }

  /** The guarantee needs an objective that never falls. */
  public boolean isMonotone() {
    return price == 0;
  }

  /** What a job of so much work, in GPU-seconds of one worker, weighs. */
  public double weight(double workGpuSeconds) {
    return byWork ? workGpuSeconds / SECONDS_PER_HOUR : 1;
  }

  /** What a job gains that goes from one share of its work to another. */
  public double gain(double workGpuSeconds, double from, double to) {
    return weight(workGpuSeconds) * (utility.of(to) - utility.of(from));
  }

  /** What running a job for a time at a power costs, in the currency of its own gain. */
  double cost(double workGpuSeconds, double watts, double seconds) {
    double kilowattHours = watts / 1000 * seconds / SECONDS_PER_HOUR;
    double gpuHours = workGpuSeconds / SECONDS_PER_HOUR;
    return price * kilowattHours * weight(workGpuSeconds) / gpuHours;
  }
}
