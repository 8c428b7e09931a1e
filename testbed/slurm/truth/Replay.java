package io.ringmaster.testbed;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.policy.execution.IdealRuns;
import io.ringmaster.policy.execution.Progress;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.ModelsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How much the simulator says that jobs do where they really were, beside the neighbours that they
 * really had. No policy is asked, so this is the error of the model alone.
 *
 * <p>{@code Replay CLUSTER MODELS STAYS}: of each stay of a job in a place a line {@code MODEL
 * FROM_S TO_S NODE:WORKERS,...}. Prints the mini-batches of each, in the same order.
 */
final class Replay {
  private record Stay(ModelProfile profile, double from, double to, Placement placement) {}

  private record Event(double seconds, boolean isStart, int stay) {}

  public static void main(String[] args) throws IOException {
    Cluster cluster = ClusterFile.read(Path.of(args[0]));
    Map<String, ModelProfile> models =
        ModelsFile.read(Path.of(args[1])).stream()
            .collect(Collectors.toMap(ModelProfile::id, Function.identity()));
    List<Stay> stays = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(args[2]))) {
      String[] words = line.split(" ");
      stays.add(
          new Stay(
              models.get(words[0]),
              Double.parseDouble(words[1]),
              Double.parseDouble(words[2]),
              placement(cluster, words[3])));
    }
    for (double batches : batches(cluster, stays)) {
      System.out.println(batches);
    }
  }

  private static Placement placement(Cluster cluster, String text) {
    List<String> names = cluster.servers().stream().map(server -> server.name()).toList();
    String[] shares = text.split(",");
    return Placement.of(
        Arrays.stream(shares).mapToInt(s -> names.indexOf(s.split(":")[0])).toArray(),
        Arrays.stream(shares).mapToInt(s -> Integer.parseInt(s.split(":")[1])).toArray());
  }

  private static double[] batches(Cluster cluster, List<Stay> stays) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < stays.size(); i++) {
      events.add(new Event(stays.get(i).from, true, i));
      events.add(new Event(stays.get(i).to, false, i));
    }
    // Who leaves at a moment does so before others come.
    events.sort(Comparator.comparingDouble(Event::seconds).thenComparing(Event::isStart));
    Progress progress = new Progress(new Batches(stays), cluster, stays.size());
    for (Event event : events) {
      Stay stay = stays.get(event.stay);
      progress.goTo(event.seconds);
      if (event.isStart) {
        progress.start(event.stay, stay.placement, stay.from);
      } else {
        progress.stop(event.stay);
      }
      progress.rerate();
    }
    return IntStream.range(0, stays.size()).mapToDouble(progress::done).toArray();
  }

  /** With an ideal of one worker and a second, what is done is mini-batches. */
  private record Batches(List<Stay> stays) implements IdealRuns {
    @Override
    public int gpus(int job) {
      return 1;
    }

    @Override
    public ModelProfile profile(int job) {
      return stays.get(job).profile;
    }

    @Override
    public double iterationSeconds(int job) {
      return 1;
    }
  }
}
