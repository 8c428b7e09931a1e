package io.ringmaster.report;

/**
 * Something that changes over time, as its mean over equal spans. Adding an interval takes the same
 * time however long it is: only what the means change by from span to span is kept.
 */
final class Bins {
  private static final double NOISE = 1e-6;

  private final double start;
  private final double width;
  private final int count;

  /** By how much the mean of a span is above that of the one before. */
  private final double[] step;

  Bins(double start, double end, int count) {
    this.start = start;
    this.width = end > start ? (end - start) / count : 1;
    this.count = count;
    this.step = new double[count + 2];
  }

  double width() {
    return width;
  }

  /** Adds a value that held from one time to another. */
  void add(double from, double to, double value) {
    addPlaces(place(from), place(to), value);
  }

  /** Where a time is, counted in spans: the same in all bins over the same time. */
  double place(double seconds) {
    return Math.min(count, Math.max(0, (seconds - start) / width));
  }

  /** Adds a value that held from one place to another. */
  void addPlaces(double first, double last, double value) {
    if (last > first) {
      rise(first, value);
      rise(last, -value);
    }
  }

  /** In the span of the change it counts for what is left of that span, then wholly. */
  private void rise(double at, double value) {
    int bin = (int) at;
    double after = bin + 1 - at;
    step[bin] += value * after;
    step[bin + 1] += value * (1 - after);
  }

  double[] means() {
    double[] means = new double[count];
    double held = 0;
    for (int i = 0; i < count; i++) {
      held += step[i];
      // What is left of differences that cancel each other is noise.
      means[i] = held < NOISE ? 0 : held;
    }
    return means;
  }
}
