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

/** Collects jobs in any order of submission. Values must be valid: readers check them. */
public final class JobsBuilder {
  final ModelTable models;
  final Names users = new Names();
  final Names groups = new Names();
  int size;
  byte[] idBytes = new byte[1 << 12];
  int idLength;
  int[] idEnds = new int[256];
  double[] submitSeconds = new double[256];
  int[] gpus = new int[256];
  int[] minGpus = new int[256];
  int[] maxGpus = new int[256];
  double[] work = new double[256];
  boolean[] workIsDuration = new boolean[256];
  short[] model = new short[256];
  int[] user = new int[256];
  int[] group = new int[256];
  int[] demand = new int[256];
  private final Map<Demand, Integer> demands = new HashMap<>(Map.of(Demand.NONE, 0));
  final List<Demand> demandsInOrder = new ArrayList<>(List.of(Demand.NONE));
  double @Nullable [] startedSeconds;
  double @Nullable [] endedSeconds;
  final BitSet pinned = new BitSet();
  double @Nullable [] checkpointSeconds;
  double @Nullable [] saveSeconds;
  int @Nullable [] speeds;
  final Map<KindSpeeds, Integer> allSpeeds = new LinkedHashMap<>(Map.of(KindSpeeds.NONE, 0));
  boolean namesKinds;
  boolean elastic;

  final List<ModelProfile> profiles;
  private final Map<Cut, Integer> cuts = new HashMap<>();

  JobsBuilder(ModelTable models) {
    this.models = models;
    this.profiles = new ArrayList<>(models.profiles());
  }

  private record Cut(int model, Replicas replicas) {}

  /** A job that runs for so many seconds, alone on the fewest servers. */
  public JobsBuilder addDuration(
      String id, double submitSeconds, int gpus, double durationSeconds, String model) {
    return add(id, submitSeconds, gpus, gpus, gpus, durationSeconds, true, model, "", "");
  }

  /** A job of so many iterations. */
  public JobsBuilder addIterations(
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
  public JobsBuilder add(
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
    byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
    return add(
        utf8,
        utf8.length,
        submit,
        gpusAsked,
        minimum,
        maximum,
        amount,
        isDuration,
        modelName,
        userName,
        groupName);
  }

  /** The same, where the id is the first so many bytes of a text in UTF-8. */
  public JobsBuilder add(
      byte[] id,
      int length,
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
    idBytes = Grow.ensure(idBytes, idLength + length);
    System.arraycopy(id, 0, idBytes, idLength, length);
    idLength += length;
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
    return index < 0 || profiles.get(index).speeds().isNone() ? this : onOneKind();
  }

  /**
   * Cuts the model of the job that was added last into stages. It must have a model with at least
   * as many layers, and as many GPUs as replicas.
   */
  public JobsBuilder staged(Replicas replicas) {
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
  public JobsBuilder asking(Demand wanted) {
    boolean staysOnOne = wanted.where().isAny() && asked().where().equals(Where.ONE_KIND);
    Demand whole = staysOnOne ? wanted.on(Where.ONE_KIND) : wanted;
    Integer known = demands.putIfAbsent(whole, demands.size());
    if (known == null) {
      demandsInOrder.add(whole);
    }
    demand[size - 1] = known == null ? demands.size() - 1 : known;
    return this;
  }

  /** Says which kinds of GPU the job that was added last may use, and how fast it is on each. */
  public JobsBuilder onKinds(Where kinds, KindSpeeds own) {
    if (!own.isNone()) {
      if (speeds == null) {
        speeds = new int[gpus.length];
      }
      speeds[size - 1] = allSpeeds.computeIfAbsent(own, _ -> allSpeeds.size());
      onOneKind();
    }
    if (!kinds.isAny()) {
      namesKinds = true;
      asking(asked().on(kinds));
    }
    return this;
  }

  /** Workers on GPUs of several speeds would wait for each other. */
  private JobsBuilder onOneKind() {
    namesKinds = true;
    return asked().where().isAny() ? asking(asked().on(Where.ONE_KIND)) : this;
  }

  /** By the job that was added last. */
  private Demand asked() {
    return demandsInOrder.get(demand[size - 1]);
  }

  /** Says when the job that was added last started and ended in truth; NaN: not known. */
  public JobsBuilder happened(double started, double ended) {
    if (startedSeconds == null || endedSeconds == null) {
      startedSeconds = unknown(gpus.length);
      endedSeconds = unknown(gpus.length);
    }
    startedSeconds[size - 1] = started;
    endedSeconds[size - 1] = ended;
    return this;
  }

  /** Says that the job that was added last cannot go on after a stop. */
  public JobsBuilder notResumable() {
    pinned.set(size - 1);
    return this;
  }

  /** Says how far apart the checkpoints of the job that was added last are. */
  public JobsBuilder saving(double everySeconds) {
    if (checkpointSeconds == null) {
      checkpointSeconds = new double[gpus.length];
    }
    checkpointSeconds[size - 1] = everySeconds;
    return this;
  }

  /** The same, where each takes so long. */
  public JobsBuilder saving(double everySeconds, double takesSeconds) {
    if (takesSeconds > 0) {
      if (saveSeconds == null) {
        saveSeconds = new double[gpus.length];
      }
      saveSeconds[size - 1] = takesSeconds;
    }
    return saving(everySeconds);
  }

  private static double[] unknown(int length) {
    double[] times = new double[length];
    Arrays.fill(times, Double.NaN);
    return times;
  }

  /**
   * Adds a job of another run as it is, but for its id, its submission and its model.
   *
   * @param modelName a name of the model table, or empty for no communication; of a job that is cut
   *     into stages it stays as it is
   */
  public JobsBuilder addLike(Jobs other, int job, String id, double submit, String modelName) {
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
    if (other.namesKinds()) {
      onKinds(other.demand(job).where(), other.ownSpeeds(job));
    }
    if (other.isHistory()) {
      happened(other.startedSeconds(job), other.endedSeconds(job));
    }
    if (!other.resumable(job)) {
      notResumable();
    }
    if (other.checkpointSeconds(job) > 0) {
      saving(other.checkpointSeconds(job), other.saveSeconds(job));
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
    if (checkpointSeconds != null) {
      checkpointSeconds = Arrays.copyOf(checkpointSeconds, to);
    }
    if (saveSeconds != null) {
      saveSeconds = Arrays.copyOf(saveSeconds, to);
    }
    if (speeds != null) {
      speeds = Arrays.copyOf(speeds, to);
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
  int @Nullable [] submissionOrder() {
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

  byte[] permutedIds(int[] order) {
    byte[] out = new byte[idLength];
    int at = 0;
    for (int row : order) {
      int length = idEnds[row] - idFrom(row);
      System.arraycopy(idBytes, idFrom(row), out, at, length);
      at += length;
    }
    return out;
  }

  int[] permutedIdEnds(int[] order) {
    int[] out = new int[size];
    int at = 0;
    for (int i = 0; i < size; i++) {
      at += idEnds[order[i]] - idFrom(order[i]);
      out[i] = at;
    }
    return out;
  }

  /** Texts that repeat, each kept once. */
  static final class Names {
    private final Map<String, Integer> indexes = new HashMap<>();
    final List<String> names = new ArrayList<>();

    /** Names that were asked for lately: readers hand the same object out again and again. */
    private final String[] lately = new String[1 << 12];

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
