package io.ringmaster.policy;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.adasrsf.AdaSrsf;
import io.ringmaster.policy.asrpt.Asrpt;
import io.ringmaster.policy.batch.BatchPolicy;
import io.ringmaster.policy.classic.DemandShare;
import io.ringmaster.policy.classic.DemandWalk;
import io.ringmaster.policy.classic.DominantShare;
import io.ringmaster.policy.classic.Easy;
import io.ringmaster.policy.classic.LeastAttained;
import io.ringmaster.policy.classic.QueuePolicy;
import io.ringmaster.policy.classic.ShortestRemaining;
import io.ringmaster.policy.doubling.Doubling;
import io.ringmaster.policy.gadget.Gadget;
import io.ringmaster.policy.gadget.Objective;
import io.ringmaster.policy.maestro.Maestro;
import io.ringmaster.policy.ordered.OrderedPolicy;
import io.ringmaster.policy.ordered.Seating;
import io.ringmaster.policy.ordered.Starter;
import io.ringmaster.policy.placement.Placer;
import io.ringmaster.policy.slots.ElasticOrder;
import io.ringmaster.policy.slots.Optimus;
import io.ringmaster.policy.slots.SlottedPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Every policy by name. A new one is a class and an entry here. */
public final class Policies {
  private static final String BATCH_BASELINE = "baseline of SJF-BCO, Yu et al., MobiHoc 2022";

  private static final List<PolicySpec> ALL =
      List.of(
          new PolicySpec(
              "fifo",
              "First come, first served.",
              "practice",
              List.of(
                  QueuePolicy.BLOCKING,
                  Placer.PARAMETER,
                  Starter.RESERVE,
                  Starter.THETA,
                  Estimate.PARAMETER),
              reserving(either(QueuePolicy::fifo, DemandWalk::fifo), OrderedPolicy::fifo)),
          new PolicySpec(
              "sjf",
              "Shortest job first, without stopping any.",
              "practice",
              List.of(
                  QueuePolicy.BLOCKING,
                  Placer.PARAMETER,
                  Starter.RESERVE,
                  Starter.THETA,
                  Estimate.PARAMETER),
              reserving(either(QueuePolicy::sjf, DemandWalk::sjf), OrderedPolicy::sjf)),
          new PolicySpec(
                  "easy",
                  "First come, first served; later jobs fill gaps if they do not delay the first.",
                  "Lifka, JSSPP 1995; Mu'alem and Feitelson, TPDS 2001; what Slurm users have",
                  List.of(Placer.PARAMETER, Estimate.PARAMETER),
                  Easy::new)
              .countingGpusOnly(),
          new PolicySpec(
              "srtf",
              "Shortest remaining time first; stops longer jobs.",
              "Schrage, 1968; as in Tiresias, Gu et al., NSDI 2019",
              List.of(ShortestRemaining.SHIELD, Placer.PARAMETER, Estimate.PARAMETER),
              either(ShortestRemaining::time, DemandWalk::shortestTime)),
          new PolicySpec(
              "srsf",
              "Shortest remaining service (time x GPUs) first; stops larger jobs.",
              "Tiresias, Gu et al., NSDI 2019",
              List.of(ShortestRemaining.SHIELD, Placer.PARAMETER, Estimate.PARAMETER),
              either(ShortestRemaining::service, DemandWalk::shortestService)),
          new PolicySpec(
              "las",
              "Least attained service in a few queues; needs no lengths; stops older jobs.",
              "Tiresias, Gu et al., NSDI 2019",
              List.of(LeastAttained.QUEUES, Placer.PARAMETER),
              either(LeastAttained::new, DemandWalk::leastAttained)),
          new PolicySpec(
              "drf",
              "The user with the smallest share goes next; elastic jobs share equally.",
              "Ghodsi et al., NSDI 2011",
              List.of(Placer.PARAMETER),
              either(DominantShare::new, DemandShare::new)),
          new PolicySpec(
              "longest-first",
              "Longest job first, without stopping any; what does not fit is passed over.",
              "Graham, SIAM J. Appl. Math. 17(2), 1969: longest processing time first",
              List.of(
                  QueuePolicy.SKIPPING,
                  Placer.PARAMETER,
                  Starter.RESERVE,
                  Starter.THETA,
                  Estimate.PARAMETER),
              reserving(
                  either(QueuePolicy::longestFirst, DemandWalk::longestFirst),
                  OrderedPolicy::longestFirst)),
          new PolicySpec(
                  "ada-srsf",
                  "Least GPU-time first, on the least loaded servers; holds back rings that would"
                      + " slow others too much.",
                  "Wang, Shi, Wang, Chu, arXiv 2002.10105",
                  List.of(AdaSrsf.KAPPA, AdaSrsf.GATE, Estimate.PARAMETER),
                  AdaSrsf::new)
              .countingGpusOnly(),
          new PolicySpec(
                  "first-fit",
                  "Smallest job first, on the first free GPUs.",
                  BATCH_BASELINE,
                  List.of(
                      BatchPolicy.GPUS,
                      BatchPolicy.HORIZON,
                      BatchPolicy.REPLAN,
                      Estimate.PARAMETER),
                  BatchPolicy::firstFit)
              .countingGpusOnly(),
          new PolicySpec(
                  "list-scheduling",
                  "Smallest job first, on the GPUs that were given the least work.",
                  BATCH_BASELINE,
                  List.of(
                      BatchPolicy.GPUS,
                      BatchPolicy.HORIZON,
                      BatchPolicy.REPLAN,
                      Estimate.PARAMETER),
                  BatchPolicy::listScheduling)
              .countingGpusOnly(),
          new PolicySpec(
                  "random",
                  "Smallest job first, on random free GPUs.",
                  BATCH_BASELINE,
                  List.of(BatchPolicy.GPUS),
                  BatchPolicy::random)
              .countingGpusOnly(),
          new PolicySpec(
                  "sjf-bco",
                  "Smallest job first, packed or spread by a plan that weighs contention.",
                  "SJF-BCO, Yu, Ji, Rajan, Liu, MobiHoc 2022 (arXiv 2207.07817)",
                  List.of(
                      BatchPolicy.KAPPA,
                      BatchPolicy.LAMBDA,
                      BatchPolicy.GPUS,
                      BatchPolicy.HORIZON,
                      BatchPolicy.REPLAN,
                      BatchPolicy.U,
                      BatchPolicy.L,
                      Estimate.PARAMETER),
                  BatchPolicy::sjfBco)
              .countingGpusOnly(),
          new PolicySpec(
              "gadget",
              "In every slot, workers and rings such that the utility of progress grows the most.",
              "GADGET, Yu, Tian, Ji, Wu, Rajan, Liu, INFOCOM 2022 (arXiv 2202.01158)",
              List.of(
                  Objective.UTILITY,
                  Objective.WEIGHT,
                  Objective.KAPPA,
                  Objective.ALPHA,
                  Objective.CURVE,
                  Objective.PRICE,
                  SlottedPolicy.SLOT,
                  Gadget.SOLVER,
                  Gadget.LP_JOBS,
                  Gadget.WEIGH,
                  Estimate.PARAMETER),
              Gadget::new),
          new PolicySpec(
              "fifo-elastic",
              "First come, first served, each job as large as makes it fastest; in slots.",
              "baseline for elastic jobs",
              List.of(SlottedPolicy.SLOT),
              ElasticOrder::fifo),
          new PolicySpec(
              "las-elastic",
              "Least attained service first, each job as large as makes it fastest; in slots.",
              "baseline for elastic jobs; the order of Tiresias, Gu et al., NSDI 2019",
              List.of(SlottedPolicy.SLOT),
              ElasticOrder::leastAttained),
          new PolicySpec(
              "optimus",
              "One more worker to the job that gains the most from it, again and again; in slots.",
              "Optimus, Peng et al., EuroSys 2018",
              List.of(SlottedPolicy.SLOT, Estimate.PARAMETER),
              Optimus::new),
          new PolicySpec(
              "doubling",
              "Workers doubled, again and again, for the job that saves the most time for each"
                  + " added.",
              "Capes, Raheja, Kemertas, Mohomed, MLSys at NeurIPS 2018 (arXiv 1908.08082)",
              List.of(
                  Doubling.MODE,
                  Doubling.EXPLORE,
                  Doubling.EVERY,
                  Doubling.HYSTERESIS,
                  Estimate.PARAMETER),
              Doubling::new),
          new PolicySpec(
              "fixed",
              "First come, first served, with the same number of workers for all.",
              "baseline of Capes et al., MLSys at NeurIPS 2018",
              List.of(QueuePolicy.WORKERS, QueuePolicy.BLOCKING, Placer.PARAMETER),
              either(QueuePolicy::fixed, DemandWalk::fixed)),
          new PolicySpec(
                  "a-srpt",
                  "In the order in which one virtual machine would finish the jobs, shortest"
                      + " remaining first; few servers for jobs that exchange much.",
                  "A-SRPT, Luo, Liu, Lee, Shroff, INFOCOM 2025 (arXiv 2501.05563)",
                  List.of(
                      Asrpt.MODE,
                      Asrpt.THETA,
                      Asrpt.SPEED,
                      Asrpt.EPSILON,
                      Asrpt.TAU,
                      Asrpt.BYPASS,
                      Seating.PLACEMENT,
                      Seating.REFINE,
                      Estimate.PARAMETER),
                  Asrpt::of)
              .countingGpusOnly(),
          new PolicySpec(
              "maestro",
              "Least predicted work first, on few servers; waits, scatters or stops others,"
                  + " whichever costs the least; elastic jobs grow where it helps the most.",
              "this project: what GADGET, SJF-BCO, doubling and A-SRPT do best, joined",
              Maestro.PARAMETERS,
              Maestro::new),
          asrptBaseline(
              "spjf",
              "Shortest predicted job first; the first that does not fit holds up the others.",
              OrderedPolicy::spjf),
          asrptBaseline(
              "spwf",
              "Least predicted GPU-time first; the first that does not fit holds up the others.",
              OrderedPolicy::spwf),
          asrptBaseline(
              "wcs-duration",
              "Work-conserving: everything that fits, shortest predicted job first.",
              OrderedPolicy::wcsDuration),
          asrptBaseline(
              "wcs-workload",
              "Work-conserving: everything that fits, least predicted GPU-time first.",
              OrderedPolicy::wcsWorkload),
          asrptBaseline(
              "wcs-subtime",
              "Work-conserving: everything that fits, first come, first served.",
              OrderedPolicy::wcsSubmission));

  private Policies() {}

  private static PolicySpec asrptBaseline(
      String name, String summary, BiFunction<Settings, Cluster, Policy> factory) {
    return new PolicySpec(
            name,
            summary,
            "baseline of A-SRPT, Luo et al., INFOCOM 2025",
            List.of(
                Seating.PLACEMENT,
                Seating.REFINE,
                Starter.RESERVE,
                Starter.THETA,
                Estimate.PARAMETER),
            factory)
        .countingGpusOnly();
  }

  /** One policy without reservations, and another with them. */
  private static BiFunction<Settings, Cluster, Policy> reserving(
      BiFunction<Settings, Cluster, Policy> plain,
      BiFunction<Settings, Cluster, Policy> reserving) {
    return (settings, cluster) -> {
      boolean reserve = settings.flag(Starter.RESERVE.name());
      if (reserve && cluster.limitsMoreThanGpus()) {
        throw new BadInput(
            "reserve=true counts GPUs alone, but cluster %s also limits %s; leave one of them out"
                .formatted(cluster.name(), limits(cluster)));
      }
      return (reserve ? reserving : plain).apply(settings, cluster);
    };
  }

  /** What is fast because GPUs alone count, or else what looks at all that a cluster limits. */
  private static BiFunction<Settings, Cluster, Policy> either(
      BiFunction<Settings, Cluster, Policy> counting,
      BiFunction<Settings, Cluster, Policy> looking) {
    return (settings, cluster) ->
        (cluster.limitsMoreThanGpus() ? looking : counting).apply(settings, cluster);
  }

  /** What a cluster limits beside GPUs, in words. */
  public static String limits(Cluster cluster) {
    List<String> limited = new ArrayList<>();
    if (cluster.servers().stream().anyMatch(s -> Double.isFinite(s.cpus()))) {
      limited.add("CPUs");
    }
    if (cluster.servers().stream().anyMatch(s -> Double.isFinite(s.memoryBytes()))) {
      limited.add("memory");
    }
    if (cluster.network().reservesFixed()) {
      limited.add("what rings reserve of links");
    }
    return String.join(" and ", limited);
  }

  public static List<PolicySpec> all() {
    return ALL;
  }

  /** The policy of a name. */
  public static PolicySpec named(String name) {
    List<String> names = ALL.stream().map(PolicySpec::name).toList();
    return ALL.stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new BadInput(
                "no policy is called '%s'; %s"
                    .formatted(name, Settings.Nearest.hint(name, names))));
  }

  /** What a policy with such settings knows of lengths. */
  public static Estimate estimate(PolicySpec spec, Settings settings) {
    Parameter parameter = Estimate.PARAMETER;
    return spec.parameters().contains(parameter)
        ? Estimate.parse(settings.text(parameter.name()))
        : new Estimate.Perfect();
  }
}
