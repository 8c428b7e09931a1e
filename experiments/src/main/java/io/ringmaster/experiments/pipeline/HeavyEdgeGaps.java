package io.ringmaster.experiments.pipeline;

import io.ringmaster.bounds.BestMapping;
import io.ringmaster.experiments.Grid;
import io.ringmaster.experiments.GridExperiment;
import io.ringmaster.experiments.Outcomes;
import io.ringmaster.experiments.Plot;
import io.ringmaster.experiments.Row;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.EvenShares;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Pipelining;
import io.ringmaster.model.Placement;
import io.ringmaster.model.Server;
import io.ringmaster.model.pipeline.Replicas;
import io.ringmaster.model.pipeline.WholeStages;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.simulator.Statistics;
import io.ringmaster.workload.Draws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How far rules that put replicas of a pipeline on servers are from the best: on random jobs, the
 * time of an iteration with each rule over the least that is possible ({@link BestMapping}).
 *
 * <p>A job trains one of the standard models with 4 to 12 replicas in two to six stages, in half of
 * the draws equal ones. Its GPUs are on two to four servers of eight, any number on each. Links
 * have 10, 25 or 100 Gbit/s for eight GPUs; GPUs of a server exchange 300 GB/s in half of the
 * draws, 12 GB/s in the others. The same jobs and places are drawn for all links and ways to follow
 * each other.
 */
public final class HeavyEdgeGaps
    extends GridExperiment<HeavyEdgeGaps.Setup, Map<HeavyEdgeGaps.Rule, Double>> {
  private static final int[] GIGABITS = {10, 25, 100};
  private static final int SERVER_GPUS = 8;
  private static final int MOST_SERVERS = 4;
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;
  private static final String MEAN = "time_over_exact";
  private static final String WORST = "worst_over_exact";
  private static final String BEST = "best_share";

  /** So much faster are mappings found than a run is made. */
  private static final int JOBS_A_DRAW = 20;

  /** How stages follow each other. */
  private static final Map<String, Pipelining> MODES = new LinkedHashMap<>();

  static {
    MODES.put("steady", Pipelining.STEADY);
    MODES.put("steady-overlap", new Pipelining(true, 0));
    MODES.put("micro-batches-8", new Pipelining(false, 8));
  }

  public HeavyEdgeGaps() {
    super(
        "heavy-edge",
        "Replicas of pipelines on servers by Heavy-Edge, improved, in order and by chance: the"
            + " time of an iteration over the least possible.",
        "the mapping of Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563), on jobs drawn"
            + " here; 20 jobs a draw");
  }

  /** Jobs count from 0. */
  @Override
  protected Grid<Setup, Map<Rule, Double>> grid() {
    return new Grid<>(Setup.all(), (setup, draw) -> setup.ratios(draw - 1));
  }

  @Override
  protected int drawsOfGrid(int draws) {
    return JOBS_A_DRAW * draws;
  }

  @Override
  protected Results results(Outcomes<Setup, Map<Rule, Double>> outcomes, int draws) {
    List<Row> rows = rows(outcomes);
    List<Plot> plots = new ArrayList<>();
    for (Shown shown : SHOWN) {
      MODES.keySet().forEach(mode -> plots.add(plot(rows, shown, mode)));
    }
    return new Results(rows, plots);
  }

  private record Shown(String metric, String file, String title, String vertical) {}

  private static final List<Shown> SHOWN =
      List.of(
          new Shown(
              MEAN,
              "over-exact-",
              "Time of an iteration over the least possible, ",
              "time over the best"),
          new Shown(
              WORST,
              "worst-over-exact-",
              "The worst time of an iteration over the least possible, ",
              "time over the best, at worst"),
          new Shown(
              BEST, "best-share-", "How often a rule finds the best mapping, ", "share of jobs"));

  private static Plot plot(List<Row> rows, Shown shown, String mode) {
    List<Row> chosen =
        rows.stream()
            .filter(row -> row.metric().equals(shown.metric))
            .filter(row -> row.text("pipelining").equals(mode))
            .toList();
    List<Plot.Series> series = Plot.lines(chosen, Row::policy, row -> row.number("nic_gbps"));
    return new Plot(
        shown.file + mode, shown.title + mode, "link of a server, Gbit/s", shown.vertical, series);
  }

  /** A way to put replicas on the GPUs of a placement. */
  enum Rule {
    HEAVY_EDGE,
    HEAVY_EDGE_SWAPPED,
    WHOLE_STAGES,
    /** The better of both, each improved by swaps. */
    REFINED,
    IN_ORDER,
    RANDOM;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Placement map(EvenShares time, Drawn job) {
      return switch (this) {
        case HEAVY_EDGE -> EvenShares.placed(job.profile, job.placement);
        case HEAVY_EDGE_SWAPPED ->
            time.swapped(job.profile, EvenShares.placed(job.profile, job.placement));
        case WHOLE_STAGES ->
            job.placement.mapped(
                WholeStages.map(
                    EvenShares.pipeline(job.profile, job.placement.workers()),
                    job.placement.gpuCounts()));
        case REFINED -> time.refined(job.profile, job.placement);
        case IN_ORDER -> filled(job.placement, job.stagesInOrder());
        case RANDOM -> filled(job.placement, job.shuffled);
      };
    }

    /** Server after server takes the next replicas; each is known by its stage. */
    private static Placement filled(Placement placement, List<Integer> stageOf) {
      int stages = Collections.max(stageOf) + 1;
      int[] mapping = new int[placement.size() * stages];
      int next = 0;
      for (int i = 0; i < placement.size(); i++) {
        for (int g = 0; g < placement.gpus(i); g++) {
          mapping[i * stages + stageOf.get(next)]++;
          next++;
        }
      }
      return placement.mapped(mapping);
    }
  }

  /**
   * A job and its place.
   *
   * @param shuffled the stages of its replicas by chance
   */
  record Drawn(
      ModelProfile profile, Placement placement, boolean fastInside, List<Integer> shuffled) {

    static Drawn of(Draws draws) {
      List<ModelProfile> models = ModelTable.standard().profiles();
      ModelProfile model = models.get(draws.below(models.size()));
      int gpus = 4 + draws.below(9);
      int stages = 2 + draws.below(Math.min(5, Math.min(gpus, model.layers().size()) - 1));
      Replicas replicas =
          draws.uniform() < 0.5
              ? Replicas.parse(String.valueOf(stages), gpus)
              : new Replicas(Arrays.stream(parts(draws, gpus, stages, gpus)).boxed().toList());
      int fewest = Math.max(2, Math.ceilDiv(gpus, SERVER_GPUS));
      int servers = fewest + draws.below(Math.min(MOST_SERVERS, gpus) - fewest + 1);
      int[] counts = parts(draws, gpus, servers, SERVER_GPUS);
      int[] places = new int[servers];
      Arrays.setAll(places, i -> i);
      boolean fast = draws.uniform() < 0.5;
      List<Integer> order = inOrder(replicas);
      for (int i = order.size() - 1; i > 0; i--) {
        Collections.swap(order, i, draws.below(i + 1));
      }
      return new Drawn(model.cut(replicas), Placement.of(places, counts), fast, order);
    }

    /** A sum in so many parts of at least one, and at most so much. */
    private static int[] parts(Draws draws, int sum, int count, int most) {
      int[] parts = new int[count];
      Arrays.fill(parts, 1);
      for (int left = sum - count; left > 0; ) {
        int i = draws.below(count);
        if (parts[i] < most) {
          parts[i]++;
          left--;
        }
      }
      return parts;
    }

    private static List<Integer> inOrder(Replicas replicas) {
      List<Integer> all = new ArrayList<>();
      for (int s = 0; s < replicas.stages(); s++) {
        for (int q = 0; q < replicas.ofStage().get(s); q++) {
          all.add(s);
        }
      }
      return all;
    }

    List<Integer> stagesInOrder() {
      return inOrder(Objects.requireNonNull(profile.pipeline()).replicas());
    }

    Cluster cluster(int gigabits, Pipelining pipelining) {
      List<Server> servers = new ArrayList<>();
      for (int i = 0; i < MOST_SERVERS; i++) {
        servers.add(
            new Server(
                Cluster.serverName(i),
                SERVER_GPUS,
                "v100",
                "r1",
                gigabits * BYTES_PER_GIGABIT,
                fastInside ? 300e9 : 12e9));
      }
      return new Cluster("drawn", servers, Network.Contention.USUAL.sharing(pipelining), 0);
    }
  }

  /** How fast links are, and how stages follow each other. */
  record Setup(int gigabits, String mode, Pipelining pipelining) {
    static List<Setup> all() {
      List<Setup> all = new ArrayList<>();
      for (int gigabits : GIGABITS) {
        MODES.forEach((mode, pipelining) -> all.add(new Setup(gigabits, mode, pipelining)));
      }
      return all;
    }

    Map<String, Object> setting() {
      Map<String, Object> setting = new LinkedHashMap<>();
      setting.put("nic_gbps", gigabits);
      setting.put("pipelining", mode);
      return setting;
    }

    /** The time of an iteration over the least possible, rule by rule. */
    Map<Rule, Double> ratios(int job) {
      Drawn drawn = Drawn.of(new Draws(job, 0));
      Cluster cluster = drawn.cluster(gigabits, pipelining);
      EvenShares time = new EvenShares(cluster);
      Placement best = BestMapping.of(cluster, drawn.profile, drawn.placement);
      double least = time.seconds(drawn.profile, best, 1);
      Map<Rule, Double> ratios = new EnumMap<>(Rule.class);
      for (Rule rule : Rule.values()) {
        ratios.put(rule, time.seconds(drawn.profile, rule.map(time, drawn), 1) / least);
      }
      return ratios;
    }
  }

  /**
   * For each link and each way to follow, and for each rule: the mean over the jobs of its time
   * over the least possible, {@code time_over_exact}, the worst of all, {@code worst_over_exact},
   * and the share of jobs where it is the best, {@code best_share}.
   */
  private static List<Row> rows(Outcomes<Setup, Map<Rule, Double>> outcomes) {
    List<Row> rows = new ArrayList<>();
    for (Setup setup : Setup.all()) {
      for (Rule rule : Rule.values()) {
        double[] own = outcomes.values(setup, ratios -> Objects.requireNonNull(ratios.get(rule)));
        add(rows, setup.setting(), rule, own);
      }
    }
    return rows;
  }

  private static void add(List<Row> rows, Map<String, Object> setting, Rule rule, double[] own) {
    double worst = Arrays.stream(own).max().orElseThrow();
    double best = (double) Arrays.stream(own).filter(r -> r <= 1 + 1e-9).count() / own.length;
    rows.add(new Row(setting, rule.text(), KnownLengths.NONE, MEAN, Statistics.of(own)));
    rows.add(new Row(setting, rule.text(), KnownLengths.NONE, WORST, new Statistics(worst, 0)));
    rows.add(new Row(setting, rule.text(), KnownLengths.NONE, BEST, new Statistics(best, 0)));
  }
}
