package io.ringmaster.policy.gadget;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Demand;
import io.ringmaster.model.IterationTime;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.Placement;
import io.ringmaster.model.ReservedBandwidth;
import io.ringmaster.model.RingContention;
import io.ringmaster.model.Server;
import io.ringmaster.policy.View;
import io.ringmaster.policy.slots.Speeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How fast jobs go: where they are, and at most with so many workers anywhere.
 *
 * <p>Where rings share links, a plan counts on the part that a ring would have if links were
 * reserved by GPUs; what it may reach at most is the speed of a ring alone.
 */
final class GreatestSpeeds {
  private final Cluster cluster;
  private final IterationTime actual;
  private final IterationTime planned;
  private final Speeds ideal;
  private final boolean acrossByNumber;

  /** Whether stages count; in other networks a job with some is a ring like any other. */
  private final boolean staged;

  private final double leastWatts;

  /** The first server of each kind: names do not matter. */
  private final int[] kinds;

  private final Map<Key, Table> tables = new HashMap<>();
  private @Nullable Table[] ofJob = new Table[0];

  private record Key(@Nullable ModelProfile profile, Demand demand) {}

  GreatestSpeeds(Cluster cluster) {
    this.cluster = cluster;
    this.actual = IterationTime.of(cluster);
    this.planned = actual instanceof RingContention ? new ReservedBandwidth(cluster) : actual;
    this.ideal = new Speeds(cluster);
    this.acrossByNumber = cluster.network().reservesFixed();
    this.staged = actual.knowsStages();
    this.leastWatts = cluster.servers().stream().mapToDouble(Server::gpuWatts).min().orElseThrow();
    Map<Server, Integer> first = new LinkedHashMap<>();
    for (int s = 0; s < cluster.size(); s++) {
      first.putIfAbsent(cluster.server(s).named(""), s);
    }
    this.kinds = first.values().stream().mapToInt(Integer::intValue).toArray();
  }

  /** What the thriftiest GPU of the cluster draws. */
  double leastWatts() {
    return leastWatts;
  }

  /** What the GPUs of a placement draw. */
  double watts(Placement placement) {
    double sum = 0;
    for (int i = 0; i < placement.size(); i++) {
      sum += placement.gpus(i) * cluster.server(placement.server(i)).gpuWatts();
    }
    return sum;
  }

  /** Iterations a second, times workers, of a job where it is put. */
  double planned(@Nullable ModelProfile profile, Placement placement) {
    return placement.workers() / planned.seconds(profile, placement, 1);
  }

  /** A job's whole work: the time that one worker would take, whatever the job asks for. */
  double workGpuSeconds(View view, int job) {
    Table table = table(view, job);
    return view.estimateSeconds(job) * table.ideal(view.gpus(job)) / table.ideal(1);
  }

  Table table(View view, int job) {
    if (job >= ofJob.length) {
      ofJob = Arrays.copyOf(ofJob, Math.max(job + 1, 2 * ofJob.length));
    }
    Table known = ofJob[job];
    if (known != null) {
      return known;
    }
    ModelProfile profile = view.profile(job);
    if (profile != null && profile.pipeline() != null && staged) {
      throw new BadInput(
          ("policy gadget: it shares out any number of workers, but a job that trains %s has the"
                  + " stages %s; leave its stages empty or use another policy")
              .formatted(profile.id(), profile.pipeline().replicas()));
    }
    Key key = new Key(profile, view.demand(job));
    Table table = tables.computeIfAbsent(key, Table::new);
    table.extend(view.maxGpus(job));
    ofJob[job] = table;
    return table;
  }

  /** The greatest speeds of a job by its number of workers. 0: so many do not fit. */
  final class Table {
    private final Key key;
    private final Speeds.Curve alone;
    private double[] onOne = new double[1];
    private double[] across = new double[1];

    private Table(Key key) {
      this.key = key;
      this.alone = ideal.of(key.profile(), key.demand());
    }

    int mostWorkers() {
      return alone.mostWorkers();
    }

    /** Of so many workers where a job's length is counted. */
    double ideal(int workers) {
      return alone.at(workers);
    }

    double onOneServer(int workers) {
      return onOne[workers];
    }

    double acrossServers(int workers) {
      return across[workers];
    }

    private void extend(int workers) {
      int to = Math.min(workers, mostWorkers());
      int from = onOne.length;
      if (to < from) {
        return;
      }
      onOne = Arrays.copyOf(onOne, to + 1);
      across = Arrays.copyOf(across, to + 1);
      for (int w = from; w <= to; w++) {
        onOne[w] = fastestOnOne(w);
        across[w] = w == 1 || cluster.size() == 1 ? 0 : fastestAcross(w);
      }
    }

    private double fastestOnOne(int workers) {
      double fastest = 0;
      for (int server : kinds) {
        if (cluster.server(server).workers(key.demand()) >= workers) {
          fastest = Math.max(fastest, planned(key.profile(), Placement.on(server, workers)));
        }
      }
      return fastest;
    }

    private double fastestAcross(int workers) {
      if (!acrossByNumber) {
        return workers / actual.fastestSeconds(key.profile(), workers);
      }
      Placement ideal = cluster.idealPlacement(workers, key.demand());
      Placement two = Placement.of(new int[] {0, 1}, new int[] {workers - 1, 1});
      return planned(key.profile(), ideal.crossesServers() ? ideal : two);
    }
  }
}
