package io.ringmaster.policy.classic;

import io.ringmaster.model.Placement;
import io.ringmaster.model.collect.IntList;
import io.ringmaster.policy.FreeServers;
import io.ringmaster.policy.View;
import io.ringmaster.policy.placement.Placer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who fits beside whom, within one walk over jobs in order. */
sealed interface Fitting extends AutoCloseable {
  void open(View view);

  /** GPUs that nobody was given. */
  int freeGpus(View view);

  /** Whether to ask costs next to nothing. */
  boolean isCheap();

  /** Gives a waiting job GPUs, if it fits. */
  boolean pick(View view, int job);

  /** A running job's GPUs may be given to others. */
  void takeBack(View view, int job);

  /** The job that was taken back last has its GPUs again. */
  void giveBack(View view, int job);

  /** Lets a job that was taken back stay where it is, if those that were picked still fit. */
  boolean keep(View view, int job);

  /** All are chosen. */
  void settle(View view);

  /** Where a job goes that was picked; null if any place will do. */
  @Nullable Placement place(int pick);

  @Override
  void close();

  /** GPUs alone count, and any will do: their number decides. */
  final class Counting implements Fitting {
    private int free;

    @Override
    public void open(View view) {
      free = view.free().total();
    }

    @Override
    public int freeGpus(View view) {
      return free;
    }

    @Override
    public boolean isCheap() {
      return true;
    }

    @Override
    public boolean pick(View view, int job) {
      return keep(view, job);
    }

    @Override
    public void takeBack(View view, int job) {
      free += view.gpus(job);
    }

    @Override
    public void giveBack(View view, int job) {
      free -= view.gpus(job);
    }

    @Override
    public boolean keep(View view, int job) {
      if (view.gpus(job) > free) {
        return false;
      }
      free -= view.gpus(job);
      return true;
    }

    @Override
    public void settle(View view) {}

    @Override
    public @Nullable Placement place(int pick) {
      return null;
    }

    @Override
    public void close() {}
  }

  /** Jobs take more than GPUs: they are put on the servers for a try. */
  final class Trying implements Fitting {
    private final Placer placer;
    private final IntList picked = new IntList();
    private List<Placement> places = new ArrayList<>();
    private FreeServers.@Nullable Supposition supposed;

    Trying(Placer placer) {
      this.placer = placer;
    }

    private FreeServers.Supposition supposed(View view) {
      FreeServers.Supposition now = supposed;
      if (now == null) {
        now = view.free().suppose();
        supposed = now;
      }
      return now;
    }

    @Override
    public void open(View view) {
      picked.clear();
      places.clear();
    }

    @Override
    public int freeGpus(View view) {
      return view.free().total();
    }

    @Override
    public boolean isCheap() {
      return false;
    }

    @Override
    public boolean pick(View view, int job) {
      Placement place = placer.place(view.free(), view.demand(job), view.gpus(job));
      if (place == null) {
        return false;
      }
      supposed(view).take(place, view.demand(job));
      picked.add(job);
      places.add(place);
      return true;
    }

    @Override
    public void takeBack(View view, int job) {
      supposed(view).release(view.placement(job), view.demand(job));
    }

    @Override
    public void giveBack(View view, int job) {
      supposed(view).undoTo(supposed(view).size() - 1);
    }

    @Override
    public boolean keep(View view, int job) {
      return replace(view, job);
    }

    @Override
    public void settle(View view) {
      replace(view, -1);
    }

    /** Finds new places for all that were picked, with a job where it was; if all have one. */
    private boolean replace(View view, int stays) {
      FreeServers.Supposition all = supposed(view);
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

    @Override
    public Placement place(int pick) {
      return places.get(pick);
    }

    @Override
    public void close() {
      if (supposed != null) {
        supposed.close();
        supposed = null;
      }
    }
  }
}
