package io.ringmaster.policy.classic;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who fits beside whom, within one walk over jobs in order. Where GPUs alone count, any will do,
 * and their number decides. Where jobs take more, they are put on the servers for a try.
 */
final class Fitting implements AutoCloseable {
  private final Placer placer;
  private final View view;

  /** GPUs that nobody was given, where their number decides. */
  private int count;

  private final FreeServers.@Nullable Supposition supposed;
  private final IntList picked = new IntList();
  private List<Placement> places = new ArrayList<>();

  Fitting(View view, Placer placer, boolean countsGpusAlone) {
    this.view = view;
    this.placer = placer;
    this.count = view.free().total();
    this.supposed = countsGpusAlone ? null : view.free().suppose();
  }

  /** GPUs that nobody was given. */
  int freeGpus() {
    return supposed == null ? count : view.free().total();
  }

  /** Whether to ask costs next to nothing. */
  boolean isCheap() {
    return supposed == null;
  }

  /** Gives a waiting job GPUs, if it fits. */
  boolean pick(int job) {
    if (supposed == null) {
      return keep(job);
    }
    Placement place = placer.place(view.free(), view.demand(job), view.gpus(job));
    if (place == null) {
      return false;
    }
    supposed.take(place, view.demand(job));
    picked.add(job);
    places.add(place);
    return true;
  }

  /** A running job's GPUs may be given to others. */
  void takeBack(int job) {
    count += view.gpus(job);
    if (supposed != null) {
      supposed.release(view.placement(job), view.demand(job));
    }
  }

  /** The job that was taken back last has its GPUs again. */
  void giveBack(int job) {
    count -= view.gpus(job);
    if (supposed != null) {
      supposed.undoTo(supposed.size() - 1);
    }
  }

  /** Lets a job that was taken back stay where it is, if those that were picked still fit. */
  boolean keep(int job) {
    if (supposed != null) {
      return replace(supposed, job);
    }
    boolean fits = view.gpus(job) <= count;
    count -= fits ? view.gpus(job) : 0;
    return fits;
  }

  /** All are chosen. */
  void settle() {
    if (supposed != null) {
      replace(supposed, -1);
    }
  }

  /** Finds new places for all that were picked, with a job where it was; if all have one. */
  private boolean replace(FreeServers.Supposition all, int stays) {
    int before = all.size();
    for (int i = 0; i < places.size(); i++) {
      all.release(places.get(i), view.demand(picked.get(i)));
    }
    boolean fits = stays < 0 || view.free().holds(view.placement(stays), view.demand(stays));
    if (fits && stays >= 0) {
      all.take(view.placement(stays), view.demand(stays));
    }
    List<Placement> next = new ArrayList<>();
    for (int i = 0; fits && i < picked.size(); i++) {
      int job = picked.get(i);
      Placement place = placer.place(view.free(), view.demand(job), view.gpus(job));
      fits = place != null;
      if (place != null) {
        all.take(place, view.demand(job));
        next.add(place);
      }
    }
    if (fits) {
      places = next;
    } else {
      all.undoTo(before);
    }
    return fits;
  }

  /** Where a job goes that was picked; null if any place will do. */
  @Nullable Placement place(int pick) {
    return supposed == null ? null : places.get(pick);
  }

  @Override
  public void close() {
    if (supposed != null) {
      supposed.close();
    }
  }
}
