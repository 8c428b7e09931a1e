package io.ringmaster.whatif;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.Server;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.Draws;
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

  Pattern SERVERS = Pattern.compile("(\\d{1,6})x(\\d{1,4})");

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
      default -> throw bad(text);
    };
  }

  private static BadInput bad(String text) {
    return new BadInput(
        ("'%s' is no change; expected add 2x8, remove 1x8, nic 100Gbps, policy NAME, load 1.2 or"
                + " restart 5min")
            .formatted(text.strip()));
  }

  private static Matcher servers(String value) {
    Matcher matcher = SERVERS.matcher(value);
    if (!matcher.matches()
        || Integer.parseInt(matcher.group(1)) < 1
        || Integer.parseInt(matcher.group(2)) < 1) {
      throw new BadInput(
          "'%s' is no number of servers; expected such as 2x8: two of 8 GPUs".formatted(value));
    }
    return matcher;
  }

  /** More servers, each like one of the same size that is there, or else like the first. */
  record AddServers(int count, int gpus) implements Change {
    static AddServers parse(String value) {
      Matcher matcher = servers(value);
      return new AddServers(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      Cluster cluster = before.cluster();
      Server like =
          cluster.servers().stream()
              .filter(server -> server.gpus() == gpus)
              .findFirst()
              .orElseGet(() -> scaled(cluster.server(0)));
      List<Server> servers = new ArrayList<>(cluster.servers());
      for (int i = 1; i <= count; i++) {
        servers.add(like.named("added-" + i));
      }
      return before.on(cluster.having(servers));
    }

    private Server scaled(Server other) {
      double share = gpus / (double) other.gpus();
      return other.limited(gpus, other.cpus() * share, other.memoryBytes() * share);
    }

    @Override
    public String text() {
      return "add %dx%d".formatted(count, gpus);
    }
  }

  /** Fewer servers: the last of that size go. */
  record RemoveServers(int count, int gpus) implements Change {
    static RemoveServers parse(String value) {
      Matcher matcher = servers(value);
      return new RemoveServers(
          Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public Scenario of(Scenario before, long seed) {
      List<Server> servers = new ArrayList<>(before.cluster().servers());
      int left = count;
      for (int i = servers.size() - 1; i >= 0 && left > 0; i--) {
        if (servers.get(i).gpus() == gpus) {
          servers.remove(i);
          left--;
        }
      }
      if (left > 0 || servers.isEmpty()) {
        throw new BadInput(
            "%s: the cluster has %d servers of %d GPUs, and one must stay"
                .formatted(text(), count - left, gpus));
      }
      return before.on(before.cluster().having(servers));
    }

    @Override
    public String text() {
      return "remove %dx%d".formatted(count, gpus);
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
      Jobs.Builder more = Jobs.builder(jobs.models());
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
      return "load " + (factor == Math.rint(factor) ? "%.0f" : "%s").formatted(factor);
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
}
