package io.ringmaster.predictor.speed;

import static io.ringmaster.predictor.speed.SpeedParameter.ACROSS_SHARE;
import static io.ringmaster.predictor.speed.SpeedParameter.ACROSS_STEP;
import static io.ringmaster.predictor.speed.SpeedParameter.COMPUTE;
import static io.ringmaster.predictor.speed.SpeedParameter.INSIDE_SHARE;
import static io.ringmaster.predictor.speed.SpeedParameter.INSIDE_STEP;
import static io.ringmaster.predictor.speed.SpeedParameter.NEIGHBOUR;
import static io.ringmaster.predictor.speed.SpeedParameter.SECONDS_PER_SAMPLE;
import static io.ringmaster.predictor.speed.SpeedParameter.STARTUP;

import io.ringmaster.model.AllReduce;
import io.ringmaster.predictor.regression.LeastSquares;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which parameters some measurements can tell. A term is a parameter, or two that are taken to be
 * the same. Terms of the computation come first.
 */
record Terms(List<Set<SpeedParameter>> terms, AllReduce allReduce, boolean tellsOverlap) {
  private static final int WORKERS_FOR_SHARE = 2;
  private static final int WORKERS_FOR_STEP = 3;
  private static final int WORKERS_FOR_STARTUP = 4;
  private static final int OWN_WORKERS_FOR_STEP = 2;
  private static final int PLACES_FOR_NEIGHBOUR = 3;

  /** With one point to spare the overlap would but make the fit exact. */
  private static final int POINTS_TO_SPARE = 2;

  /**
   * @param points one for each place and batch
   */
  static Terms of(List<StepTime> points, SpeedForm form, AllReduce allReduce) {
    List<Set<SpeedParameter>> kept = new ArrayList<>();
    for (Set<SpeedParameter> term : candidates(points, form)) {
      kept.add(term);
      if (LeastSquares.of(rows(points, kept, allReduce), new double[points.size()]) == null) {
        kept.removeLast();
      }
    }
    kept.sort(Comparator.comparingInt(term -> computes(term) ? 0 : 1));
    boolean exchanges = kept.stream().anyMatch(term -> !computes(term));
    boolean overlap =
        form == SpeedForm.PLACED
            && exchanges
            && points.stream().filter(p -> p.workers() > 1).map(StepTime::batch).distinct().count()
                > 1
            && points.size() >= kept.size() + POINTS_TO_SPARE;
    return new Terms(List.copyOf(kept), allReduce, overlap);
  }

  /** What may be told by the number of workers, in the order in which it is worth being told. */
  private static List<Set<SpeedParameter>> candidates(List<StepTime> points, SpeedForm form) {
    long workers = workers(points);
    List<StepTime> inside =
        points.stream().filter(p -> p.workers() > 1 && !p.crossesServers()).toList();
    List<StepTime> across = points.stream().filter(StepTime::crossesServers).toList();
    boolean apart = form == SpeedForm.PLACED && !inside.isEmpty() && !across.isEmpty();
    boolean batchesVary = points.stream().map(StepTime::batch).distinct().count() > 1;
    List<Set<SpeedParameter>> all = new ArrayList<>();
    all.add(Set.of(batchesVary ? SECONDS_PER_SAMPLE : COMPUTE));
    if (workers >= WORKERS_FOR_SHARE) {
      add(all, INSIDE_SHARE, ACROSS_SHARE, apart);
    }
    if (workers >= WORKERS_FOR_STEP) {
      boolean stepsApart =
          apart
              && workers(inside) >= OWN_WORKERS_FOR_STEP
              && workers(across) >= OWN_WORKERS_FOR_STEP;
      add(all, INSIDE_STEP, ACROSS_STEP, stepsApart);
    }
    if (form == SpeedForm.PLACED) {
      if (workers >= WORKERS_FOR_STARTUP) {
        all.add(Set.of(STARTUP));
      }
      if (across.stream().map(p -> List.of(p.workers(), p.mostOnOne())).distinct().count()
          >= PLACES_FOR_NEIGHBOUR) {
        all.add(Set.of(NEIGHBOUR));
      }
    }
    if (batchesVary) {
      // With samples divided among the workers it is a sum of share and samples.
      all.add(Set.of(COMPUTE));
    }
    return all;
  }

  private static void add(
      List<Set<SpeedParameter>> all, SpeedParameter inside, SpeedParameter across, boolean apart) {
    if (apart) {
      all.add(Set.of(inside));
      all.add(Set.of(across));
    } else {
      all.add(EnumSet.of(inside, across));
    }
  }

  private static long workers(List<StepTime> points) {
    return points.stream().map(StepTime::workers).distinct().count();
  }

  private static double[][] rows(
      List<StepTime> points, List<Set<SpeedParameter>> terms, AllReduce allReduce) {
    return points.stream().map(p -> row(p, terms, allReduce)).toArray(double[][]::new);
  }

  private static double[] row(
      StepTime point, List<Set<SpeedParameter>> terms, AllReduce allReduce) {
    return terms.stream()
        .mapToDouble(term -> term.stream().mapToDouble(p -> p.of(point, allReduce)).sum())
        .toArray();
  }

  double[] row(StepTime point) {
    return row(point, terms, allReduce);
  }

  double[][] rows(List<StepTime> points) {
    return rows(points, terms, allReduce);
  }

  /** How many terms, from the first, are of the computation. */
  int computing() {
    return (int) terms.stream().filter(Terms::computes).count();
  }

  int size() {
    return terms.size();
  }

  private static boolean computes(Collection<SpeedParameter> term) {
    return term.iterator().next().computes();
  }

  /** The term that has a parameter; -1: none, it is 0. */
  int termOf(SpeedParameter parameter) {
    for (int i = 0; i < terms.size(); i++) {
      if (terms.get(i).contains(parameter)) {
        return i;
      }
    }
    return -1;
  }
}
