package io.ringmaster.whatif;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Failures;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.Server;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.Draws;
import io.ringmaster.workload.Numbers;
import io.ringmaster.workload.Units;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One thing that could be otherwise. */
public sealed interface Change {
  /** What is replayed then. */
  Scenario of(Scenario before, long seed);

  /** In words, as {@link #parse} reads it. */
  String text();

  Pattern SERVERS = Pattern.compile("(\\d{1,6})x(\\d{1,4})(?::(\\S{1,60}))?");

  /** Reads a change, such as {@code add 2x8} or {@code policy maestro}. */
  static Change parse(String text) {
    String[] words = text.strip().split("\\s+", 2);
    if (words.length < 2) {
      throw bad(text);
    }
    String value = words[1].strip();
    return switch (words[0].toLowerCase(Locale.ROOT)) {
      case "add" -> AddServers.parse(value);
      case "remove" -> RemoveServers.parse(value);
      case "nic" -> new Nic(Units.bytesPerSecond(value));
      case "policy" -> new UsePolicy(Policies.named(value).name());
      case "load" -> Load.parse(value);
      case "restart" -> new Restart(Units.seconds(value));
      case "failures" -> Fail.parse(value);
      case "spares" -> Spares.parse(value);
      case "checkpoint" -> Checkpoint.parse(value);
      case "resumable" -> NotResumable.parse(value);
      default -> throw bad(text);
    };
  }

  private static BadInput bad(String text) {
    return new BadInput(
        ("'%s' is no change; expected add 2x8, remove 1x8, nic 100Gbps, policy NAME, load 1.2,"
                + " restart 5min, failures 6.5, spares 2, checkpoint 30min/1min or resumable no")
            .formatted(text.strip()));
  }

  private static Matcher servers(String value) {
    Matcher matcher = SERVERS.matcher(value);
    if (!matcher.matches()
        || Integer.parseInt(matcher.group(1)) < 1
        || Integer.parseInt(matcher.group(2)) < 1) {
      throw new BadInput(
          "'%s' is no number of servers; expected such as 2x8: two of 8 GPUs, or 2x8:h100"
              .formatted(value));
    }
    return matcher;
  }

  private static String kindOf(Matcher matcher) {
    String kind = matcher.group(3);
    return kind == null ? "" : kind;
  }

  private static String servers(int count, int gpus, String kind) {
    return "%dx%d%s".formatted(count, gpus, kind.isEmpty() ? "" : ":" + kind);
  }

  /**
   * More servers, each like one of the same size that is there, or else like the first.
   *
   * @param kind of GPU; empty: as those have it
   */
  record AddServers(int count, int gpus, String kind) implements Change {
    AddServers(int count, int gpus) {
      this(count, gpus, "");
    }

    static AddServers parse(String value) {
      Matcher matcher = servers(value);
      return new AddServers(
          Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), kindOf(matcher));
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      Cluster cluster = before.cluster();
      List<Server> servers = new ArrayList<>(cluster.servers());
      for (int i = 1; i <= count; i++) {
        servers.add(like(cluster.servers()).named("added-" + i));
      }
      return before.on(cluster.having(servers));
    }

    /** Of that kind if there is one, and of that size if there is one. */
    private Server like(List<Server> there) {
      List<Server> ofKind = there.stream().filter(s -> s.gpu().equals(kind)).toList();
      List<Server> models = ofKind.isEmpty() ? there : ofKind;
      Server like =
          models.stream()
              .filter(server -> server.gpus() == gpus)
              .findFirst()
              .orElseGet(() -> scaled(models.getFirst()));
      return kind.isEmpty() || like.gpu().equals(kind) ? like : like.ofKind(kind);
    }

    private Server scaled(Server other) {
      double share = gpus / (double) other.gpus();
      return other.limited(gpus, other.cpus() * share, other.memoryBytes() * share);
    }

    @Override
    public String text() {
      return "add " + servers(count, gpus, kind);
    }
  }

  /**
   * Fewer servers: the last of that size go.
   *
   * @param kind of GPU; empty: of any
   */
  record RemoveServers(int count, int gpus, String kind) implements Change {
    RemoveServers(int count, int gpus) {
      this(count, gpus, "");
    }

    static RemoveServers parse(String value) {
      Matcher matcher = servers(value);
      return new RemoveServers(
          Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), kindOf(matcher));
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      List<Server> servers = new ArrayList<>(before.cluster().servers());
      int left = count;
      for (int i = servers.size() - 1; i >= 0 && left > 0; i--) {
        Server server = servers.get(i);
        if (server.gpus() == gpus && (kind.isEmpty() || server.gpu().equals(kind))) {
          servers.remove(i);
          left--;
        }
      }
      if (left > 0 || servers.isEmpty()) {
        throw new BadInput(
            "%s: the cluster has %d servers of %d%s GPUs, and one must stay"
                .formatted(text(), count - left, gpus, kind.isEmpty() ? "" : " " + kind));
      }
      return before.on(before.cluster().having(servers));
    }

    @Override
    public String text() {
      return "remove " + servers(count, gpus, kind);
    }
  }

  /** Another bandwidth between servers. */
  record Nic(double bytesPerSecond) implements Change {
    @Override
    public Scenario of(Scenario before, long seed) {
      Cluster other =
          before
              .cluster()
              .having(
                  before.cluster().servers().stream()
                      .map(server -> server.linked(bytesPerSecond))
                      .toList());
      return before.with(GuessedTraffic.onto(other, before, seed)).on(other);
    }

    @Override
    public String text() {
      return "nic " + Units.bits(bytesPerSecond);
    }
  }

  record UsePolicy(String policy) implements Change {
    @Override
    public Scenario of(Scenario before, long seed) {
      return before.under(policy);
    }

    @Override
    public String text() {
      return "policy " + policy;
    }
  }

  /**
   * More work of the same kind, or less: jobs that were there come once more at other moments, or
   * some stay away; which ones is drawn.
   */
  record Load(double factor) implements Change {
    static Load parse(String value) {
      double factor;
      try {
        factor = Double.parseDouble(value);
      } catch (NumberFormatException e) {
        factor = Double.NaN;
      }
      if (!(factor >= 0.1 && factor <= 10)) {
        throw new BadInput("load '%s': expected a number from 0.1 to 10".formatted(value));
      }
      return new Load(factor);
    }

    private static final int PICKED = 11;

    @Override
    public Scenario of(Scenario before, long seed) {
      Jobs jobs = before.jobs();
      Draws chance = new Draws(seed, PICKED);
      double span = jobs.submitSeconds(jobs.size() - 1);
      JobsBuilder more = Jobs.builder(jobs.models());
      Set<Integer> away = new HashSet<>();
      int wanted = (int) Math.max(1, Math.rint(factor * jobs.size()));
      while (jobs.size() - away.size() > wanted) {
        away.add(chance.below(jobs.size()));
      }
      for (int job = 0; job < jobs.size(); job++) {
        if (!away.contains(job)) {
          more.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), Draw.modelName(jobs, job));
        }
      }
      Map<String, String> like = new HashMap<>();
      for (int extra = 1; more.size() < wanted; extra++) {
        int job = chance.below(jobs.size());
        String id = "more-%d-%s".formatted(extra, jobs.id(job));
        like.put(id, jobs.id(job));
        more.addLike(jobs, job, id, chance.uniform() * span, Draw.modelName(jobs, job));
      }
      return before.with(more.build()).knowing(before.foresight().and(like));
    }

    @Override
    public String text() {
      return "load " + shown(factor);
    }
  }

  /** What it costs to stop a job and go on with it. */
  record Restart(double seconds) implements Change {
    @Override
    public Scenario of(Scenario before, long seed) {
      return before.on(before.cluster().costing(before.cluster().startSeconds(), seconds));
    }

    @Override
    public String text() {
      return "restart " + Units.duration(seconds);
    }
  }

  /**
   * Servers fail so often, for each thousand days of each. Repairs and racks are as the cluster
   * file has them, or as usual.
   */
  record Fail(double perThousandDays) implements Change {
    private static final double MOST = 1e6;

    static Fail parse(String value) {
      double rate = value.contains("/") ? Units.perThousandDays(value) : Numbers.parse(value);
      if (!(rate >= 0 && rate <= MOST)) {
        throw new BadInput(
            "failures '%s': expected how many servers fail for each thousand days of a server, such"
                    .formatted(value)
                + " as 6.5, or a rate such as 4/1000d");
      }
      return new Fail(rate);
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      Cluster cluster = before.cluster();
      Failures now = cluster.failures().isNone() ? Failures.USUAL : cluster.failures();
      return before.on(cluster.failing(now.ofServers(perThousandDays), cluster.maintenance()));
    }

    @Override
    public String text() {
      return "failures " + shown(perThousandDays);
    }
  }

  /** So many servers more than are needed, of the size that most have. */
  record Spares(int count) implements Change {
    static Spares parse(String value) {
      if (!value.matches("[1-9]\\d{0,5}")) {
        throw new BadInput("spares '%s': expected a number of servers, such as 2".formatted(value));
      }
      return new Spares(Integer.parseInt(value));
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      return new AddServers(count, Case.commonSize(before.cluster())).of(before, seed);
    }

    @Override
    public String text() {
      return "spares " + count;
    }
  }

  /** Jobs that do not say so save every so often, which takes so long. */
  record Checkpoint(double everySeconds, double takesSeconds) implements Change {
    static Checkpoint parse(String value) {
      String[] parts = value.split("/", 2);
      double every = Units.seconds(parts[0]);
      double takes = parts.length < 2 ? 0 : Units.seconds(parts[1]);
      if (every == 0) {
        throw new BadInput(
            "checkpoint '%s': expected a time above 0, such as 30min, or 30min/1min if each takes a"
                    .formatted(value)
                + " minute");
      }
      return new Checkpoint(every, takes);
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      Jobs jobs = before.jobs();
      JobsBuilder saving = Jobs.builder(jobs.models());
      for (int job = 0; job < jobs.size(); job++) {
        saving.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), Draw.modelName(jobs, job));
        if (jobs.checkpointSeconds(job) == 0) {
          saving.saving(everySeconds, takesSeconds);
        }
      }
      return before.with(saving.build());
    }

    @Override
    public String text() {
      return "checkpoint "
          + Units.duration(everySeconds)
          + (takesSeconds == 0 ? "" : "/" + Units.duration(takesSeconds));
    }
  }

  /** No job can go on after a stop, so no policy stops one. */
  record NotResumable() implements Change {
    private static final String NO = "no";

    static NotResumable parse(String value) {
      if (!value.equals(NO)) {
        throw new BadInput(
            "resumable '%s': expected no: no job can go on after a stop".formatted(value));
      }
      return new NotResumable();
    }

    /** The same jobs, none of which can go on after a stop. */
    static Jobs none(Jobs jobs) {
      JobsBuilder none = Jobs.builder(jobs.models());
      for (int job = 0; job < jobs.size(); job++) {
        none.addLike(jobs, job, jobs.id(job), jobs.submitSeconds(job), Draw.modelName(jobs, job))
            .notResumable();
      }
      return none.build();
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      return before.with(none(before.jobs()));
    }

    @Override
    public String text() {
      return "resumable " + NO;
    }
  }

  private static String shown(double number) {
    return (number == Math.rint(number) ? "%.0f" : "%s").formatted(number);
  }
}
