package io.ringmaster.model;

import io.ringmaster.model.collect.Grow;
import io.ringmaster.model.pipeline.Pipeline;
import io.ringmaster.model.pipeline.Replicas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a run, one column an attribute: a million jobs must fit in little memory. A job is
 * known by its index; indexes follow submission, then the order of rows, which is how ties break
 * everywhere.
 *
 * <p>Longer than others, because each column stands in the jobs and in their builder, and changes
 * in both.
 */
public final class Jobs {
  private final ModelTable models;

  /** Those of the table, and behind them those that some jobs cut into stages. */
  private final List<ModelProfile> profiles;

  private final int size;
  private final byte[] idBytes;
  private final int[] idEnds;
  private final double[] submitSeconds;
  private final int[] gpus;
  private final int[] minGpus;
  private final int[] maxGpus;
  private final boolean elastic;
  private final double[] work;
  private final boolean[] workIsDuration;
  private final short[] model;
  private final int[] user;
  private final int[] group;

  /** Index into the list; null if no job asks for more than GPUs. */
  private final int @Nullable [] demand;

  private final List<Demand> demands;

  /** When jobs started and ended in truth; null if nobody knows of any. */
  private final double @Nullable [] startedSeconds;

  private final double @Nullable [] endedSeconds;

  /** Jobs that lose all when they stop; null if there are none. */
  private final @Nullable BitSet pinned;

  private final List<String> userNames;
  private final List<String> groupNames;

  private Jobs(Builder b) {
    models = b.models;
    profiles = List.copyOf(b.profiles);
    size = b.size;
    int[] order = b.submissionOrder();
    idBytes = order == null ? Arrays.copyOf(b.idBytes, b.idLength) : b.permutedIds(order);
    idEnds = order == null ? Arrays.copyOf(b.idEnds, size) : b.permutedIdEnds(order);
    submitSeconds = permute(b.submitSeconds, order);
    gpus = permute(b.gpus, order);
    elastic = b.elastic;
    minGpus = b.elastic ? permute(b.minGpus, order) : gpus;
    maxGpus = b.elastic ? permute(b.maxGpus, order) : gpus;
    work = permute(b.work, order);
    workIsDuration = new boolean[size];
    model = new short[size];
    for (int i = 0; i < size; i++) {
      int row = order == null ? i : order[i];
      workIsDuration[i] = b.workIsDuration[row];
      model[i] = b.model[row];
    }
    user = permute(b.user, order);
    group = permute(b.group, order);
    demands = List.copyOf(b.demands.keySet());
    demand = demands.size() == 1 ? null : permute(b.demand, order);
    startedSeconds = b.startedSeconds == null ? null : permute(b.startedSeconds, order);
    endedSeconds = b.endedSeconds == null ? null : permute(b.endedSeconds, order);
    pinned = b.pinned.isEmpty() ? null : permute(b.pinned, order);
    userNames = List.copyOf(b.users.names);
    groupNames = List.copyOf(b.groups.names);
  }

  private Jobs(Jobs other, double[] iterations) {
    models = other.models;
    profiles = other.profiles;
    size = other.size;
    idBytes = other.idBytes;
    idEnds = other.idEnds;
    submitSeconds = other.submitSeconds;
    gpus = other.gpus;
    elastic = other.elastic;
    minGpus = other.minGpus;
    maxGpus = other.maxGpus;
    work = iterations;
    workIsDuration = new boolean[size];
    model = other.model;
    user = other.user;
    group = other.group;
    demands = other.demands;
    demand = other.demand;
    startedSeconds = other.startedSeconds;
    endedSeconds = other.endedSeconds;
    pinned = other.pinned;
    userNames = other.userNames;
    groupNames = other.groupNames;
  }

  /** The same jobs, of so many iterations: then what an iteration takes says how long they are. */
  public Jobs iterating(double[] iterations) {
    return new Jobs(this, iterations.clone());
  }

  private double[] permute(double[] column, int @Nullable [] order) {
    double[] out = Arrays.copyOf(column, size);
    for (int i = 0; order != null && i < size; i++) {
      out[i] = column[order[i]];
    }
    return out;
  }

  private int[] permute(int[] column, int @Nullable [] order) {
    int[] out = Arrays.copyOf(column, size);
    for (int i = 0; order != null && i < size; i++) {
      out[i] = column[order[i]];
    }
    return out;
  }

  private BitSet permute(BitSet column, int @Nullable [] order) {
    BitSet out = new BitSet(size);
    for (int i = 0; i < size; i++) {
      out.set(i, column.get(order == null ? i : order[i]));
    }
    return out;
  }

  public static Builder builder(ModelTable models) {
    return new Builder(models);
  }

  public ModelTable models() {
    return models;
  }

  public int size() {
    return size;
  }

  public String id(int job) {
    int from = idFrom(job);
    return new String(idBytes, from, idEnds[job] - from, StandardCharsets.UTF_8);
  }

  /** Where the bytes of a job's id start in {@link #idBytes}. */
  public int idFrom(int job) {
    return job == 0 ? 0 : idEnds[job - 1];
  }

  public int idTo(int job) {
    return idEnds[job];
  }

  /** All ids in UTF-8, one after the other. Not to be changed. */
  public byte[] idBytes() {
    return idBytes;
  }

  public double submitSeconds(int job) {
    return submitSeconds[job];
  }

  public int gpus(int job) {
    return gpus[job];
  }

  public int minGpus(int job) {
    return minGpus[job];
  }

  public int maxGpus(int job) {
    return maxGpus[job];
  }

  /** True if any job may run with another number of workers than it asks for. */
  public boolean anyElastic() {
    return elastic;
  }

  /** Iterations, or the run time in seconds if {@link #workIsDuration}. */
  public double work(int job) {
    return work[job];
  }

  public boolean workIsDuration(int job) {
    return workIsDuration[job];
  }

  /** Index into {@link #profiles}, -1 for a job that does not communicate. */
  public int model(int job) {
    return model[job];
  }

  /** All that jobs train: the models of the table, and those that some jobs cut into stages. */
  public List<ModelProfile> profiles() {
    return profiles;
  }

  public @Nullable ModelProfile profile(int job) {
    return model[job] < 0 ? null : profiles.get(model[job]);
  }

  /** True if any job cuts its model into stages. */
  public boolean anyStaged() {
    return profiles.size() > models.profiles().size();
  }

  /** What each worker takes beside its GPU, as the job asks for it. */
  public Demand demand(int job) {
    return demand == null ? Demand.NONE : demands.get(demand[job]);
  }

  /** True if any job asks for more than GPUs. */
  public boolean anyDemand() {
    return demand != null;
  }

  /** True if these jobs were somewhere in truth, even if nobody knows what became of them. */
  public boolean isHistory() {
    return startedSeconds != null;
  }

  /** When the job started in truth; NaN if nobody knows. */
  public double startedSeconds(int job) {
    return startedSeconds == null ? Double.NaN : startedSeconds[job];
  }

  /** When the job ended in truth; NaN if nobody knows. */
  public double endedSeconds(int job) {
    return endedSeconds == null ? Double.NaN : endedSeconds[job];
  }

  /** Whether a job goes on where it was after a stop; if not, it may not be stopped or resized. */
  public boolean resumable(int job) {
    return pinned == null || !pinned.get(job);
  }

  /** True if every job is {@link #resumable}. */
  public boolean allResumable() {
    return pinned == null;
  }

  /** Index of the user, -1 if the job names none. */
  public int user(int job) {
    return user[job];
  }

  /** Index of the group, -1 if the job names none. */
  public int group(int job) {
    return group[job];
  }

  public List<String> userNames() {
    return userNames;
  }

  public List<String> groupNames() {
    return groupNames;
  }

  /** Collects jobs in any order of submission. Values must be valid: readers check them. */
  public static final class Builder {
    private final ModelTable models;
    private final Names users = new Names();
    private final Names groups = new Names();
    private int size;
    private byte[] idBytes = new byte[1 << 12];
    private int idLength;
    private int[] idEnds = new int[256];
    private double[] submitSeconds = new double[256];
    private int[] gpus = new int[256];
    private int[] minGpus = new int[256];
    private int[] maxGpus = new int[256];
    private double[] work = new double[256];
    private boolean[] workIsDuration = new boolean[256];
    private short[] model = new short[256];
    private int[] user = new int[256];
    private int[] group = new int[256];
    private int[] demand = new int[256];
    private final Map<Demand, Integer> demands = new LinkedHashMap<>(Map.of(Demand.NONE, 0));
    private double @Nullable [] startedSeconds;
    private double @Nullable [] endedSeconds;
    private final BitSet pinned = new BitSet();
    private boolean elastic;

    private final List<ModelProfile> profiles;
    private final Map<Cut, Integer> cuts = new HashMap<>();

    private Builder(ModelTable models) {
      this.models = models;
      this.profiles = new ArrayList<>(models.profiles());
    }

    private record Cut(int model, Replicas replicas) {}

    /** A job that runs for so many seconds, alone on the fewest servers. */
    public Builder addDuration(
        String id, double submitSeconds, int gpus, double durationSeconds, String model) {
      return add(id, submitSeconds, gpus, gpus, gpus, durationSeconds, true, model, "", "");
    }

    /** A job of so many iterations. */
    public Builder addIterations(
        String id, double submitSeconds, int gpus, double iterations, String model) {
      return add(id, submitSeconds, gpus, gpus, gpus, iterations, false, model, "", "");
    }

    /**
     * Adds a job.
     *
     * @param amount iterations at {@code gpus} workers, or seconds if {@code isDuration}
     * @param modelName a name of the model table, or empty for no communication
     * @param userName empty for none
     * @param groupName empty for none
     */
    public Builder add(
        String id,
        double submit,
        int gpusAsked,
        int minimum,
        int maximum,
        double amount,
        boolean isDuration,
        String modelName,
        String userName,
        String groupName) {
      if (size == gpus.length) {
        grow();
      }
      byte[] text = id.getBytes(StandardCharsets.UTF_8);
      idBytes = Grow.ensure(idBytes, idLength + text.length);
      System.arraycopy(text, 0, idBytes, idLength, text.length);
      idLength += text.length;
      idEnds[size] = idLength;
      submitSeconds[size] = submit;
      gpus[size] = gpusAsked;
      minGpus[size] = minimum;
      maxGpus[size] = maximum;
      elastic |= minimum != gpusAsked || maximum != gpusAsked;
      work[size] = amount;
      workIsDuration[size] = isDuration;
      int index = modelName.isEmpty() ? -1 : models.indexOf(modelName);
      if (index < 0 && !modelName.isEmpty()) {
        throw new IllegalArgumentException("unknown model '" + modelName + "'");
      }
      model[size] = (short) index;
      user[size] = users.index(userName);
      group[size] = groups.index(groupName);
      size++;
      return this;
    }

    /**
     * Cuts the model of the job that was added last into stages. It must have a model with at least
     * as many layers, and as many GPUs as replicas.
     */
    public Builder staged(Replicas replicas) {
      Cut cut = new Cut(model[size - 1], replicas);
      Integer known = cuts.get(cut);
      if (known == null) {
        known = profiles.size();
        if (known > Short.MAX_VALUE) {
          throw new BadInput("jobs cut models into stages in over 30000 ways; use fewer");
        }
        cuts.put(cut, known);
        profiles.add(models.profiles().get(cut.model()).cut(replicas));
      }
      model[size - 1] = known.shortValue();
      return this;
    }

    /** Says what each worker of the job that was added last takes beside its GPU. */
    public Builder asking(Demand asked) {
      demand[size - 1] = demands.computeIfAbsent(asked, _ -> demands.size());
      return this;
    }

    /** Says when the job that was added last started and ended in truth; NaN: not known. */
    public Builder happened(double started, double ended) {
      if (startedSeconds == null || endedSeconds == null) {
        startedSeconds = unknown(gpus.length);
        endedSeconds = unknown(gpus.length);
      }
      startedSeconds[size - 1] = started;
      endedSeconds[size - 1] = ended;
      return this;
    }

    /** Says that the job that was added last cannot go on after a stop. */
    public Builder notResumable() {
      pinned.set(size - 1);
      return this;
    }

    private static double[] unknown(int length) {
      double[] times = new double[length];
      Arrays.fill(times, Double.NaN);
      return times;
    }

    /**
     * Adds a job of another run as it is, but for its id, its submission and its model.
     *
     * @param modelName a name of the model table, or empty for no communication; of a job that is
     *     cut into stages it stays as it is
     */
    public Builder addLike(Jobs other, int job, String id, double submit, String modelName) {
      ModelProfile profile = other.profile(job);
      Pipeline pipeline = profile == null ? null : profile.pipeline();
      add(
          id,
          submit,
          other.gpus(job),
          other.minGpus(job),
          other.maxGpus(job),
          other.work(job),
          other.workIsDuration(job),
          profile != null && pipeline != null ? profile.id() : modelName,
          other.user(job) < 0 ? "" : other.userNames().get(other.user(job)),
          other.group(job) < 0 ? "" : other.groupNames().get(other.group(job)));
      if (pipeline != null) {
        staged(pipeline.replicas());
      }
      if (other.anyDemand()) {
        asking(other.demand(job));
      }
      if (other.isHistory()) {
        happened(other.startedSeconds(job), other.endedSeconds(job));
      }
      if (!other.resumable(job)) {
        notResumable();
      }
      return this;
    }

    private void grow() {
      int to = size * 2;
      idEnds = Arrays.copyOf(idEnds, to);
      submitSeconds = Arrays.copyOf(submitSeconds, to);
      gpus = Arrays.copyOf(gpus, to);
      minGpus = Arrays.copyOf(minGpus, to);
      maxGpus = Arrays.copyOf(maxGpus, to);
      work = Arrays.copyOf(work, to);
      workIsDuration = Arrays.copyOf(workIsDuration, to);
      model = Arrays.copyOf(model, to);
      user = Arrays.copyOf(user, to);
      group = Arrays.copyOf(group, to);
      demand = Arrays.copyOf(demand, to);
      if (startedSeconds != null && endedSeconds != null) {
        startedSeconds = grown(startedSeconds, to);
        endedSeconds = grown(endedSeconds, to);
      }
    }

    private static double[] grown(double[] times, int to) {
      double[] more = unknown(to);
      System.arraycopy(times, 0, more, 0, times.length);
      return more;
    }

    public int size() {
      return size;
    }

    public Jobs build() {
      return new Jobs(this);
    }

    /** Rows in order of submission, or null if they are already. */
    private int @Nullable [] submissionOrder() {
      boolean sorted = true;
      for (int i = 1; i < size && sorted; i++) {
        sorted = submitSeconds[i - 1] <= submitSeconds[i];
      }
      if (sorted) {
        return null;
      }
      int[] rows = new int[size];
      Arrays.setAll(rows, i -> i);
      return sortedBySubmission(rows);
    }

    /** Merges runs of doubling length: stable, and without an object for each row. */
    private int[] sortedBySubmission(int[] rows) {
      int[] from = rows;
      int[] to = new int[size];
      for (int run = 1; run < size; run *= 2) {
        for (int start = 0; start < size; start += 2 * run) {
          int middle = Math.min(start + run, size);
          int end = Math.min(start + 2 * run, size);
          int left = start;
          int right = middle;
          for (int at = start; at < end; at++) {
            boolean takeLeft =
                right == end
                    || (left < middle && submitSeconds[from[left]] <= submitSeconds[from[right]]);
            to[at] = takeLeft ? from[left++] : from[right++];
          }
        }
        int[] swapped = from;
        from = to;
        to = swapped;
      }
      return from;
    }

    private int idFrom(int row) {
      return row == 0 ? 0 : idEnds[row - 1];
    }

    private byte[] permutedIds(int[] order) {
      byte[] out = new byte[idLength];
      int at = 0;
      for (int row : order) {
        int length = idEnds[row] - idFrom(row);
        System.arraycopy(idBytes, idFrom(row), out, at, length);
        at += length;
      }
      return out;
    }

    private int[] permutedIdEnds(int[] order) {
      int[] out = new int[size];
      int at = 0;
      for (int i = 0; i < size; i++) {
        at += idEnds[order[i]] - idFrom(order[i]);
        out[i] = at;
      }
      return out;
    }
  }

  /** Texts that repeat, each kept once. */
  private static final class Names {
    private final Map<String, Integer> indexes = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** Names that were asked for lately: readers hand the same object out again and again. */
    private final String[] lately = new String[64];

    private final int[] latelyIndex = new int[lately.length];

    @SuppressWarnings("ReferenceEquality") // Others that are equal are found in the map.
    int index(String name) {
      if (name.isEmpty()) {
        return -1;
      }
      int slot = name.hashCode() & (lately.length - 1);
      if (lately[slot] != name) {
        Integer known = indexes.putIfAbsent(name, names.size());
        if (known == null) {
          names.add(name);
        }
        lately[slot] = name;
        latelyIndex[slot] = known == null ? names.size() - 1 : known;
      }
      return latelyIndex[slot];
    }
  }
}
