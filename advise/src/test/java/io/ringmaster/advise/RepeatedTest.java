package io.ringmaster.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Demand;
import io.ringmaster.runs.Run;
import io.ringmaster.runs.RunFiles;
import io.ringmaster.runs.RunInputs;
import io.ringmaster.simulator.RunObserver;
import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import io.ringmaster.workload.trace.SeenJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who knows how long jobs take and who comes repeats a run to the second from any moment of it:
 * what is taken over of a queue is all that its policy goes by, also of jobs that were stopped.
 */
class RepeatedTest {
  private static final double DAY_SECONDS = 86_400;

  @TempDir Path folder = Path.of("");

  private final Map<String, SeenJob> jobs = new HashMap<>();

  @ParameterizedTest
  @ValueSource(strings = {"easy", "srsf"})
  void fromAnyMoment(String policy) {
    Map<String, String> settings =
        Map.of("servers", "8", "load", "1.1", "days", "5", "network", "none");
    Generated generated = Generators.generate("philly", settings, 3);
    RunFiles.write(
        folder,
        Run.of(policy, Map.of(), 1),
        new RunInputs(generated.cluster(), generated.jobs()),
        false,
        RunObserver.NONE);
    Site site = Site.read(List.of(folder), List.of(), null, Map.of(), null, (_, _) -> {});
    site.jobs().forEach(job -> jobs.put(job.id(), job));
    int compared = 0;
    for (double at = DAY_SECONDS; at < 4.5 * DAY_SECONDS; at += DAY_SECONDS / 4) {
      compared += compare(site, at, policy);
    }
    assertThat(compared).isPositive();
  }

  private int compare(Site site, double at, String policy) {
    Queue queue = site.at(at);
    double[] left =
        queue.running().stream().mapToDouble(r -> left(r.job(), r.elapsedSeconds())).toArray();
    double[] ofStopped =
        queue.stopped().stream().mapToDouble(s -> left(s.job(), s.elapsedSeconds())).toArray();
    double[] lengths = queue.waiting().stream().mapToDouble(job -> left(job, 0)).toArray();
    List<Newcomers.Arrival> coming = new ArrayList<>();
    for (SeenJob job : site.jobs()) {
      if (job.submitSeconds() > at) {
        Queue.Kind kind = new Queue.Kind(job.user(), job.group(), job.gpus());
        Queue.Job like =
            new Queue.Job(job.id(), kind, job.submitSeconds(), 1e9, Double.NaN, 0, Demand.NONE);
        coming.add(
            new Newcomers.Arrival(
                job.submitSeconds() - at, new Newcomers.Past(like, job.lengthSeconds())));
      }
    }
    Future future =
        new Future(queue, left, ofStopped, lengths, coming, Double.POSITIVE_INFINITY, 1);
    double[] starts = future.starts(new Outlook(queue, 1, 1, 1).under(policy));
    for (int i = 0; i < starts.length; i++) {
      SeenJob truth = seen(queue.waiting().get(i));
      assertThat(at + starts[i]).as(truth.id()).isCloseTo(truth.startSeconds(), within(1.0));
    }
    return starts.length;
  }

  private SeenJob seen(Queue.Job job) {
    return Objects.requireNonNull(jobs.get(job.id()));
  }

  private double left(Queue.Job job, double elapsed) {
    return Math.max(1e-3, seen(job).lengthSeconds() - elapsed);
  }
}
