package io.ringmaster.simulator;

import io.ringmaster.model.Placement;
import java.util.ArrayList;
import java.util.List;

/** When each job held GPUs, in one text a job: spans that touch are one. */
final class Spans implements RunObserver {
  private final List<List<double[]>> byJob = new ArrayList<>();

  Spans(int jobs) {
    for (int job = 0; job < jobs; job++) {
      byJob.add(new ArrayList<>());
    }
  }

  @Override
  public void segment(int job, double start, double end, double warmup, Placement placement) {
    add(job, start, end);
  }

  void add(int job, double start, double end) {
    List<double[]> spans = byJob.get(job);
    if (!spans.isEmpty() && spans.getLast()[1] == start) {
      spans.getLast()[1] = end;
    } else {
      spans.add(new double[] {start, end});
    }
  }

  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int job = 0; job < byJob.size(); job++) {
      StringBuilder text = new StringBuilder("job " + job + ":");
      byJob.get(job).forEach(s -> text.append(" %s-%s".formatted(s[0], s[1])));
      texts.add(text.toString());
    }
    return texts;
  }
}
