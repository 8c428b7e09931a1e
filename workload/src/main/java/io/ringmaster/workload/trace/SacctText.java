package io.ringmaster.workload.trace;

import io.ringmaster.model.BadInput;
import io.ringmaster.workload.Numbers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What {@code sacct --parsable2} prints: a header, then a line for each job or step, fields between
 * {@code |}. Columns are known by their names and may come in any order; {@code --parsable}, with a
 * {@code |} at the end of each line, is read too.
 *
 * <p>Slurm does not mark a {@code |} inside a name. If JobName is the last column it takes what is
 * left of the line; otherwise such a line is dropped. Bytes that are no UTF-8 are replaced: a name
 * must not keep a site from reading its history.
 */
final class SacctText {
  /** The columns that are used, by the names that sacct prints, then by those of squeue. */
  enum Column {
    JOB_ID("JobID"),
    JOB_ID_RAW("JobIDRaw"),
    SUBMIT("Submit", "SUBMIT_TIME"),
    ELIGIBLE("Eligible"),
    START("Start", "START_TIME"),
    END("End", "END_TIME"),
    ELAPSED("Elapsed", "TIME"),
    ELAPSED_RAW("ElapsedRaw"),
    SUSPENDED("Suspended"),
    STATE("State"),
    USER("User"),
    PARTITION("Partition"),
    JOB_NAME("JobName", "NAME"),
    NODE_LIST("NodeList"),
    ALLOC_TRES("AllocTRES", "TRES_ALLOC"),
    REQ_TRES("ReqTRES"),
    ALLOC_GRES("AllocGRES"),
    REQ_GRES("ReqGRES", "TRES_PER_NODE", "GRES"),
    ALLOC_CPUS("AllocCPUS", "CPUS"),
    N_CPUS("NCPUS"),
    REQ_MEM("ReqMem"),
    NODES("NNodes", "NODES"),
    TIME_LIMIT("Timelimit", "TIME_LIMIT"),
    TIME_LIMIT_RAW("TimelimitRaw"),
    PRIORITY("Priority"),
    REASON("REASON"),
    TRES_PER_JOB("TRES_PER_JOB"),
    TRES_PER_TASK("TRES_PER_TASK"),
    TASKS("TASKS"),
    DEPENDENCY("DEPENDENCY"),
    REQUIRED_NODES("REQ_NODES"),
    FEATURES("FEATURES"),
    RESERVATION("RESERVATION");

    private final String header;

    @SuppressWarnings("ImmutableEnumChecker") // List.of does not change.
    private final List<String> headers;

    Column(String... headers) {
      this.header = headers[0];
      this.headers = List.of(headers);
    }

    boolean is(String name) {
      return headers.stream().anyMatch(name::equalsIgnoreCase);
    }
  }

  /** Of each row at least one must be in the header. */
  private static final List<List<Column>> NEEDED =
      List.of(
          List.of(Column.JOB_ID, Column.JOB_ID_RAW),
          List.of(Column.SUBMIT),
          List.of(Column.START),
          List.of(Column.END),
          List.of(Column.STATE));

  private static final List<Column> RESOURCES =
      List.of(
          Column.ALLOC_TRES,
          Column.REQ_TRES,
          Column.ALLOC_GRES,
          Column.REQ_GRES,
          Column.ALLOC_CPUS,
          Column.N_CPUS);

  static final String NONE_ASSIGNED = "None assigned";
  private static final String HOSTS = "a list such as gpu[01-04]";

  private final Path file;
  private final SlurmTime time;
  private final SlurmJobs jobs;
  private final TraceSink out;
  private final boolean queue;

  private final Map<Column, Integer> indexOf = new EnumMap<>(Column.class);
  private String header = "";
  private boolean barAtEnd;
  private String[] fields = {};
  private int found;

  /**
   * @param queue whether what squeue prints will do, where no job has an end
   */
  SacctText(Path file, SlurmTime time, SlurmJobs jobs, TraceSink out, boolean queue) {
    this.file = file;
    this.time = time;
    this.jobs = jobs;
    this.out = out;
    this.queue = queue;
  }

  void read(InputStream bytes) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8), 1 << 16);
    long line = 0;
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      line++;
      if (text.isBlank() || text.equals(header)) {
        // Files that were put together have the header more than once.
        continue;
      }
      if (header.isEmpty()) {
        header(text, line);
      } else {
        row(text, line);
      }
    }
    if (header.isEmpty()) {
      throw new BadInput(file + ": the file is empty; expected what sacct --parsable2 prints");
    }
  }

  private void header(String text, long line) {
    header = text;
    if (text.indexOf('|') < 0) {
      throw new BadInput(
          "%s:%d: no '|' in the header line; run sacct with --parsable2".formatted(file, line));
    }
    if (Character.isDigit(text.charAt(0)) && text.indexOf("JobID") < 0) {
      throw new BadInput(
          "%s:%d: the first line is not the header; run sacct without --noheader"
              .formatted(file, line));
    }
    barAtEnd = text.endsWith("|");
    List<String> names = Arrays.asList(withoutLastBar(text).split("\\|", -1));
    for (Column column : Column.values()) {
      for (int i = 0; i < names.size(); i++) {
        if (column.is(names.get(i).strip())) {
          indexOf.put(column, i);
        }
      }
    }
    fields = new String[names.size()];
    check(names, line);
  }

  private void check(List<String> names, long line) {
    List<List<Column>> needed = new ArrayList<>(NEEDED);
    needed.add(RESOURCES);
    if (queue) {
      needed.remove(List.of(Column.END));
    }
    if (jobs.needsPartition()) {
      needed.add(List.of(Column.PARTITION));
    }
    for (List<Column> oneOf : needed) {
      if (oneOf.stream().noneMatch(indexOf::containsKey)) {
        throw new BadInput(
            "%s:%d: missing column %s; the header has %s; name it in sacct's --format"
                .formatted(file, line, oneOf.getFirst().header, String.join(", ", names)));
      }
    }
  }

  private String withoutLastBar(String text) {
    return barAtEnd && text.endsWith("|") ? text.substring(0, text.length() - 1) : text;
  }

  private void row(String text, long line) {
    out.row(file, line);
    split(withoutLastBar(text));
    if (found != fields.length) {
      out.drop("has more or fewer fields than the header: a '|' in a name? Put JobName last");
      return;
    }
    try {
      jobs.take(parsed());
    } catch (Unusable e) {
      out.drop(e.reason());
    }
  }

  /** Puts fields where they belong, and counts them. */
  private void split(String text) {
    int last = fields.length - 1;
    boolean nameLast = indexOf.getOrDefault(Column.JOB_NAME, -1) == last;
    found = 0;
    int from = 0;
    for (int bar = text.indexOf('|'); bar >= 0; bar = text.indexOf('|', from)) {
      if (found == last && nameLast) {
        break;
      }
      if (found < fields.length) {
        fields[found] = text.substring(from, bar);
      }
      found++;
      from = bar + 1;
    }
    if (found < fields.length) {
      fields[found] = text.substring(from);
    }
    found++;
  }

  private SlurmRow parsed() {
    Column idColumn = indexOf.containsKey(Column.JOB_ID) ? Column.JOB_ID : Column.JOB_ID_RAW;
    SlurmId id = value(idColumn, "a job's id such as 123 or 123_4", SlurmId::of);
    if (id.kind() == SlurmId.Kind.STEP) {
      return new SlurmRow(
          id, 0, 0, 0, 0, 0, "", Tres.NOTHING, "", "", "", List.of(), SlurmRow.Queued.UNKNOWN);
    }
    long submit = time(Column.SUBMIT, SlurmTime.UNKNOWN);
    long eligible = time(Column.ELIGIBLE, submit);
    long start = time(Column.START, submit);
    long end = time(Column.END, start);
    List<String> servers =
        text(Column.NODE_LIST).equals(NONE_ASSIGNED) || text(Column.NODE_LIST).isEmpty()
            ? List.of()
            : value(Column.NODE_LIST, HOSTS, HostList::expand);
    return new SlurmRow(
        id,
        submit,
        eligible,
        start,
        end,
        elapsed(start, end),
        text(Column.STATE).toUpperCase(Locale.ROOT),
        tres(servers.size()),
        text(Column.USER),
        text(Column.PARTITION),
        text(Column.JOB_NAME),
        servers,
        queue ? queued() : SlurmRow.Queued.UNKNOWN);
  }

  private SlurmRow.Queued queued() {
    // What sacct has for a reason is one of any time; what squeue has is the present one.
    String reason = indexOf.containsKey(Column.END) ? "" : text(Column.REASON);
    String on = withoutNone(text(Column.REQUIRED_NODES));
    String eachNode = withoutNone(text(Column.REQ_GRES));
    String type =
        Stream.of(Column.REQ_GRES, Column.TRES_PER_JOB, Column.TRES_PER_TASK)
            .map(column -> Tres.gpuType(withoutNone(text(column))))
            .filter(name -> !name.isEmpty())
            .findFirst()
            .orElse("");
    return new SlurmRow.Queued(
        limitSeconds(),
        number(text(Column.PRIORITY)),
        reason,
        new AskedPlace(
            List.of(text(Column.PARTITION).split(",", -1)),
            (int) Math.min(HostList.MOST, number(text(Column.NODES))),
            (int) Math.min(Tres.ofGres(eachNode), TraceJobs.MOST_GPUS_EACH),
            type,
            on.isEmpty() ? List.of() : value(Column.REQUIRED_NODES, HOSTS, t -> HostList.expand(t)),
            withoutNone(text(Column.FEATURES)),
            withoutNone(text(Column.RESERVATION)),
            withoutNone(text(Column.DEPENDENCY))));
  }

  /** Infinite where it is a word: UNLIMITED, Partition_Limit. */
  private double limitSeconds() {
    double minutes = number(text(Column.TIME_LIMIT_RAW));
    String text = text(Column.TIME_LIMIT);
    if (minutes > 0) {
      return 60 * minutes;
    }
    boolean isSpan = !text.isEmpty() && Character.isDigit(text.charAt(0));
    long seconds =
        isSpan
            ? value(Column.TIME_LIMIT, "a span such as 1-02:30:00", SlurmTime::span)
            : SlurmTime.UNKNOWN;
    return seconds > 0 ? (double) seconds : Double.POSITIVE_INFINITY;
  }

  private static double number(String text) {
    double number = Numbers.parse(text);
    return Double.isFinite(number) ? number : 0;
  }

  /** Slurm's own figure first: local times are off by an hour where clocks change. */
  private long elapsed(long start, long end) {
    String span = "a span such as 1-02:30:00";
    long elapsed = value(Column.ELAPSED_RAW, span, SlurmTime::span);
    if (elapsed == SlurmTime.UNKNOWN) {
      elapsed = value(Column.ELAPSED, span, SlurmTime::span);
    }
    if (elapsed == SlurmTime.UNKNOWN && start != SlurmTime.UNKNOWN && end != SlurmTime.UNKNOWN) {
      elapsed = end - start - Math.max(0, value(Column.SUSPENDED, span, SlurmTime::span));
    }
    return elapsed;
  }

  private Tres tres(int nodes) {
    String expected = "a list such as cpu=8,gres/gpu=4,mem=64G";
    Tres tres = value(Column.ALLOC_TRES, expected, Tres::of);
    if (tres.equals(Tres.NOTHING)) {
      tres = value(Column.REQ_TRES, expected, Tres::of);
    }
    double cpus = tres.cpus();
    if (cpus == 0) {
      Column column = indexOf.containsKey(Column.ALLOC_CPUS) ? Column.ALLOC_CPUS : Column.N_CPUS;
      cpus = value(column, "a number of CPUs", t -> t.isEmpty() ? 0 : Tres.of("cpu=" + t).cpus());
    }
    long gpus = tres.gpus();
    if (gpus == 0) {
      String gres = "a list such as gpu:4";
      gpus = value(Column.ALLOC_GRES, gres, Tres::ofGres);
      // What is asked for is for each node; one that waits has none yet, but says how many.
      long asked = value(Column.REQ_GRES, gres, text -> Tres.ofGres(withoutNone(text)));
      long each = nodes > 0 || !queue ? nodes : (long) number(text(Column.NODES));
      gpus = gpus > 0 ? gpus : Math.max(1, Math.min(each, HostList.MOST)) * asked;
      gpus = gpus > 0 ? gpus : ofJobOrTasks(gres);
    }
    double memory = tres.memoryBytes();
    if (tres.equals(Tres.NOTHING)) {
      double ofCpus = cpus;
      memory =
          value(
              Column.REQ_MEM,
              "an amount of memory such as 64G",
              t -> Tres.requestedMemory(t, ofCpus, nodes));
    }
    return new Tres(gpus, cpus, memory);
  }

  /** What was asked for with {@code --gpus} or {@code --gpus-per-task}. */
  private long ofJobOrTasks(String expected) {
    long ofJob = value(Column.TRES_PER_JOB, expected, t -> Tres.ofGres(withoutNone(t)));
    long ofTask = value(Column.TRES_PER_TASK, expected, t -> Tres.ofGres(withoutNone(t)));
    double tasks = Math.max(1, number(text(Column.TASKS)));
    return ofJob > 0 ? ofJob : ofTask * (long) Math.min(tasks, TraceJobs.MOST_GPUS);
  }

  private static String withoutNone(String text) {
    return text.equals("N/A") || text.equals("(null)") ? "" : text.replace("gres/", "");
  }

  private long time(Column column, long notBefore) {
    return value(
        column,
        "a time such as 2026-11-02T10:00:00 or seconds since 1970",
        t -> time.at(t, notBefore));
  }

  /** The field of a column, empty if there is no such column. */
  private String text(Column column) {
    Integer at = indexOf.get(column);
    return at == null ? "" : fields[at].strip();
  }

  private <T> T value(Column column, String expected, Function<String, T> parse) {
    String text = text(column);
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw new Unusable("has no %s that is %s".formatted(column.header, expected));
    }
  }
}
