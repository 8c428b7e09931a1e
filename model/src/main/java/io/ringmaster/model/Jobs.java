package io.ringmaster.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a run, one column an attribute: a million jobs must fit in little memory. A job is
 * known by its index; indexes follow submission, then the order of rows, which is how ties break
 * everywhere.
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

  /** Work between two checkpoints of a job; null if no job says. */
  private final double @Nullable [] checkpointSeconds;

  /** How long each checkpoint takes; null if no job says. */
  private final double @Nullable [] saveSeconds;

  /** Index into the list; null if no job has speeds of its own. */
  private final int @Nullable [] speeds;

  private final List<KindSpeeds> allSpeeds;
  private final boolean namesKinds;
  private final List<String> userNames;
  private final List<String> groupNames;

  Jobs(JobsBuilder b) {
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
    demands = List.copyOf(b.demandsInOrder);
    demand = demands.size() == 1 ? null : permute(b.demand, order);
    startedSeconds = b.startedSeconds == null ? null : permute(b.startedSeconds, order);
    endedSeconds = b.endedSeconds == null ? null : permute(b.endedSeconds, order);
    pinned = b.pinned.isEmpty() ? null : permute(b.pinned, order);
    checkpointSeconds = b.checkpointSeconds == null ? null : permute(b.checkpointSeconds, order);
    saveSeconds = b.saveSeconds == null ? null : permute(b.saveSeconds, order);
    allSpeeds = List.copyOf(b.allSpeeds.keySet());
    speeds = b.speeds == null ? null : permute(b.speeds, order);
    namesKinds = b.namesKinds;
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
    checkpointSeconds = other.checkpointSeconds;
    saveSeconds = other.saveSeconds;
    speeds = other.speeds;
    allSpeeds = other.allSpeeds;
    namesKinds = other.namesKinds;
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

  public static JobsBuilder builder(ModelTable models) {
    return new JobsBuilder(models);
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

  /** True if some job may not have GPUs of any kind, or is not as fast on all. */
  public boolean namesKinds() {
    return namesKinds;
  }

  /** How fast a job computes on each kind of GPU: as it says itself, or its model does. */
  public KindSpeeds speeds(int job) {
    KindSpeeds own = ownSpeeds(job);
    return own.isNone() && model[job] >= 0 ? profiles.get(model[job]).speeds() : own;
  }

  /** The same as far as it says so itself. */
  public KindSpeeds ownSpeeds(int job) {
    return speeds == null ? KindSpeeds.NONE : allSpeeds.get(speeds[job]);
  }

  /** True if some job has speeds of its own. */
  public boolean anyOwnSpeeds() {
    return speeds != null;
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

  /**
   * How far apart a job's checkpoints are, in seconds of its work at ideal speed; 0 if it does not
   * say.
   */
  public double checkpointSeconds(int job) {
    return checkpointSeconds == null ? 0 : checkpointSeconds[job];
  }

  /** How long each of its checkpoints takes, in which a job gets no further; 0 if not said. */
  public double saveSeconds(int job) {
    return saveSeconds == null ? 0 : saveSeconds[job];
  }

  /** True if some job says how long a checkpoint takes. */
  public boolean anySaveTimes() {
    return saveSeconds != null;
  }

  /** The share of a job's time at which it does not train but save. */
  public double savingShare(int job) {
    return saveSeconds(job) == 0
        ? 0
        : saveSeconds(job) / (checkpointSeconds(job) + saveSeconds(job));
  }

  /** True if some job says how often it saves what it did. */
  public boolean anyCheckpoints() {
    return checkpointSeconds != null;
  }

  /**
   * What is left of a job's work when it is stopped: all up to its last checkpoint, or all if it
   * does not say how often it saves.
   */
  public double keptSeconds(int job, double doneSeconds) {
    return checkpointSeconds == null || checkpointSeconds[job] == 0
        ? doneSeconds
        : Checkpoints.kept(doneSeconds, checkpointSeconds[job] + saveSeconds(job));
  }

  /**
   * The same when it fails, by itself or with a server: all up to its last checkpoint, or nothing
   * if it does not save, or cannot go on from what it saved.
   */
  public double keptAfterFailure(int job, double doneSeconds) {
    return checkpointSeconds(job) == 0 || !resumable(job) ? 0 : keptSeconds(job, doneSeconds);
  }

  /**
   * The same when its servers are taken away on purpose: as any stop, for a job that can resume.
   */
  public double keptAfterMaintenance(int job, double doneSeconds) {
    return resumable(job) ? keptSeconds(job, doneSeconds) : 0;
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
}
