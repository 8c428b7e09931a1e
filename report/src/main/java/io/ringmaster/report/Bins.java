package io.ringmaster.report;

/**
 * Something that changes over time, as its mean over equal spans. Adding an interval takes the same
 * time however long it is.
 */
final class Bins {
  private final double start;
  private final double width;

  /** What intervals add to the bins that they begin and end in. */
  private final double[] part;

  /** Where intervals that cover whole bins begin and end to. */
  private final double[] step;

  Bins(double start, double end, int count) {
    this.start = start;
    this.width = end > start ? (end - start) / count : 1;
    this.part = new double[count];
    this.step = new double[count + 1];
  }

  int count() {
    return part.length;
  }

  double width() {
    return width;
  }

  /** Adds a value that held from one time to another. */
  void add(double from, double to, double value) {
    double first = Math.max(0, (from - start) / width);
    double last = Math.min(part.length, (to - start) / width);
    if (!(last > first)) {
      return;
    }
    int firstBin = (int) first;
    int lastBin = Math.min(part.length - 1, (int) last);
    if (firstBin == lastBin) {
      part[firstBin] += value * (last - first);
      return;
    }
    part[firstBin] += value * (firstBin + 1 - first);
    part[lastBin] += value * (last - lastBin);
    step[firstBin + 1] += value;
    step[lastBin] -= value;
  }

  double[] means() {
    double[] means = new double[part.length];
    double held = 0;
    for (int i = 0; i < means.length; i++) {
      held += step[i];
      // What is left of differences that cancel each other is noise.
      means[i] = Math.max(0, Math.rint((held + part[i]) * 1e6) / 1e6);
    }
    return means;
  }
}
