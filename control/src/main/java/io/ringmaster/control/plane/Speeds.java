package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import io.ringmaster.control.store.Measured;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How fast models and jobs were measured to train. Jobs that say how many iterations they have
 * teach what an iteration of their model takes. Any job teaches, once it has run with several
 * numbers of workers, how its own speeds compare.
 */
final class Speeds {
  /** How many of the last measurements of a model count. */
  private static final int WINDOW = 64;

  /** A model whose iterations change by less is as it was. */
  private static final double LEAST_FACTOR = 1.2;

  /** A new fit waits for so many new measurements, as a part of those that there are. */
  private static final double NEW_PART = 0.25;

  private final SpeedCurve curve;
  private final ModelTable configured;
  private final Map<String, OfModel> ofModels = new HashMap<>();
  private final Map<Long, List<Measured>> ofJobs = new HashMap<>();
  private final Map<Long, Bent> bent = new HashMap<>();
  private ModelTable models;

  private static final class OfModel {
    final List<Measured> last = new ArrayList<>();
    int fresh;
  }

  private record Bent(ModelProfile from, Measured measured, ModelProfile to) {}

  Speeds(Cluster cluster, ModelTable models) {
    this.curve = new SpeedCurve(cluster);
    this.configured = models;
    this.models = models;
  }

  /** An attempt is over that was steady for a while. */
  void add(Measured measured) {
    List<Measured> own = ofJobs.computeIfAbsent(measured.job(), _ -> new ArrayList<>());
    own.add(measured);
    if (own.size() > WINDOW) {
      own.removeFirst();
    }
    if (measured.miniBatches() > 0 && !measured.model().isEmpty() && curve.isOfUse()) {
      OfModel known = ofModels.computeIfAbsent(measured.model(), _ -> new OfModel());
      known.last.add(measured);
      known.fresh++;
      if (known.last.size() > WINDOW) {
        known.last.removeFirst();
      }
      if (known.fresh >= NEW_PART * known.last.size()) {
        known.fresh = 0;
        refit(measured.model(), known.last);
      }
    }
  }

  private void refit(String model, List<Measured> measured) {
    ModelProfile from = configured.profile(configured.indexOf(model));
    ModelProfile known = models.profile(models.indexOf(model));
    if (from == null || known == null) {
      return; // The store remembers a model that the table no longer has.
    }
    ModelProfile news = curve.bent(from, measured, Double.NaN, false);
    if (curve.difference(news, known) > LEAST_FACTOR) {
      models = models.with(List.of(news));
    }
  }

  /** A job is over: what it taught its model stays, and it needs nothing of its own any more. */
  void forget(long job) {
    ofJobs.remove(job);
    bent.remove(job);
  }

  /** Of what was loaded, only jobs that are still there have speeds of their own. */
  void keep(Iterable<Job> open) {
    Set<Long> ids = new HashSet<>();
    open.forEach(job -> ids.add(job.id()));
    ofJobs.keySet().retainAll(ids);
  }

  /** The speed of the last attempt of a job that had one; null: none. */
  @Nullable Measured last(long job) {
    List<Measured> own = ofJobs.get(job);
    return own == null ? null : own.getLast();
  }

  /** The models as measured so far. The same object until that has changed by much. */
  ModelTable models() {
    return models;
  }

  /** What a job trains, as measured with it if it has run with several numbers of workers. */
  @Nullable ModelProfile profile(Job job, ModelTable table) {
    ModelProfile profile = Lengths.profile(job.spec(), table);
    List<Measured> own = ofJobs.get(job.id());
    if (profile == null || own == null || !curve.isOfUse() || workers(own) < 2) {
      return profile;
    }
    Bent known = bent.get(job.id());
    if (known == null || !known.from.equals(profile) || !known.measured.equals(own.getLast())) {
      known = new Bent(profile, own.getLast(), curve.bent(profile, own, 1, true));
      bent.put(job.id(), known);
    }
    return known.to;
  }

  private static long workers(List<Measured> measured) {
    return measured.stream().map(Measured::workers).distinct().count();
  }
}
