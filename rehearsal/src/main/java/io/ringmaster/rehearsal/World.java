package io.ringmaster.rehearsal;

import io.ringmaster.control.plane.PlaneConfig;
import io.ringmaster.control.plane.UserLimits;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.model.Server;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What a seed stands for: a cluster, its users and their jobs, and how bad things get. Not every
 * world has every fault: some bugs show only where others do not get in the way.
 *
 * @param fairSeconds when the faults stop, from the beginning
 * @param killEverySeconds mean time between two kills of a plane; infinite: none
 * @param pauseEverySeconds of a leader that sleeps and finds another in its place
 * @param nodeEverySeconds of a node that is cut off
 * @param leaveEverySeconds of a node that joins, or leaves
 * @param resizeEverySeconds of a node that grows or shrinks
 * @param othersEverySeconds of others who take GPUs, and give them back
 * @param loseEverySeconds of an engine that loses attempts, or does not list them
 * @param silenceEverySeconds of an engine that does not answer
 * @param adminEverySeconds of an admin who drains nodes and changes the policy
 * @param replyLoss how likely an answer does not reach its client
 * @param clockEverySeconds of somebody who sets the clock
 * @param given what people give to the engine itself
 */
record World(
    PlaneConfig config,
    FaultyNetwork.Weather weather,
    List<Planned> submissions,
    double fairSeconds,
    double killEverySeconds,
    double pauseEverySeconds,
    double nodeEverySeconds,
    double leaveEverySeconds,
    double resizeEverySeconds,
    double othersEverySeconds,
    double loseEverySeconds,
    double silenceEverySeconds,
    double adminEverySeconds,
    double replyLoss,
    double clockEverySeconds,
    List<Given> given) {

  static final List<String> USERS = List.of("ada", "ben", "cyd");
  private static final List<String> USUAL =
      List.of("fifo", "srtf", "easy", "las", "drf", "doubling", "gadget", "a-srpt");

  /**
   * A submission that somebody will make.
   *
   * @param body as in the API, without its dependencies
   * @param after how many jobs that were accepted before it is to follow
   * @param wrong whether it must be refused
   * @param cancelSeconds when its user cancels it, from its acceptance; NaN: never
   * @param force whether to kill it at once
   * @param repeated whether it is submitted again after it was accepted
   */
  record Planned(
      double atSeconds,
      String user,
      String key,
      Map<String, Object> body,
      int after,
      boolean wrong,
      double cancelSeconds,
      boolean repeated,
      boolean force) {}

  /**
   * A job that somebody will give to the engine itself.
   *
   * @param readySeconds how long it waits there for something; NaN: it may start at once
   * @param holdSeconds when its owner holds it for a while; NaN: never
   * @param cancelSeconds when its owner cancels it; NaN: never
   */
  record Given(
      String id,
      double atSeconds,
      String user,
      Map<String, Object> body,
      double readySeconds,
      double holdSeconds,
      double cancelSeconds) {}

  static World of(RandomGenerator random) {
    Cluster cluster = cluster(random);
    Map<String, Integer> quotas = quotas(random, cluster.totalGpus());
    double fair = 1200 + 3600 * random.nextDouble();
    return new World(
        new PlaneConfig(
            cluster,
            random.nextInt(3) > 0,
            ModelTable.standard(),
            policy(random),
            Map.of(),
            quotas,
            15 + 45 * random.nextDouble(),
            5 + 25 * random.nextDouble(),
            1 + random.nextInt(8),
            limits(random),
            Policies::named),
        weather(random),
        submissions(random, cluster.totalGpus(), quotas, fair),
        fair,
        every(random, 200),
        every(random, 600),
        every(random, 400),
        every(random, 400),
        every(random, 400),
        every(random, 200),
        every(random, 300),
        every(random, 400),
        every(random, 300),
        random.nextBoolean() ? 0 : 0.3 * random.nextDouble(),
        every(random, 300),
        PlacePeople.plan(random, cluster.totalGpus(), quotas, fair));
  }

  /** Some users have more to do than they may ask for at once. */
  private static UserLimits limits(RandomGenerator random) {
    UserLimits usual = UserLimits.usual();
    return new UserLimits(
        random.nextInt(4) == 0 ? 2 + random.nextInt(5) : usual.openJobs(),
        random.nextInt(4) == 0 ? 2000 + random.nextInt(5000) : usual.specBytes(),
        usual.mostPriority(),
        usual.mostGraceSeconds(),
        usual.adminMostPriority(),
        usual.adminMostGraceSeconds());
  }

  private static double every(RandomGenerator random, double least) {
    return random.nextInt(3) == 0
        ? Double.POSITIVE_INFINITY
        : least * (1 + 9 * random.nextDouble());
  }

  private static FaultyNetwork.Weather weather(RandomGenerator random) {
    return new FaultyNetwork.Weather(
        random.nextBoolean() ? 0 : 0.4 * random.nextDouble(),
        random.nextBoolean() ? 0 : 0.4 * random.nextDouble(),
        random.nextBoolean() ? 0.05 : 5 * random.nextDouble(),
        random.nextBoolean() ? 0 : 0.2 * random.nextDouble(),
        20 + 400 * random.nextDouble());
  }

  private static Cluster cluster(RandomGenerator random) {
    List<Server> servers = new ArrayList<>();
    int count = 2 + random.nextInt(5);
    boolean equal = random.nextBoolean();
    int gpus = 1 + random.nextInt(8);
    for (int i = 0; i < count; i++) {
      int here = equal ? gpus : 1 + random.nextInt(8);
      servers.add(new Server(Cluster.serverName(i), here, "v100", "r1", 10e9 / 8, 300e9 / 8));
    }
    Network network = random.nextBoolean() ? Network.None.USUAL : Network.Contention.USUAL;
    return new Cluster("rehearsal", servers, network, random.nextBoolean() ? 0 : 20);
  }

  private static Map<String, Integer> quotas(RandomGenerator random, int total) {
    Map<String, Integer> quotas = new LinkedHashMap<>();
    for (String user : USERS) {
      if (random.nextInt(4) == 0) {
        quotas.put(user, 1 + random.nextInt(total));
      }
    }
    return quotas;
  }

  /** Mostly one of those that differ the most from each other. */
  static String policy(RandomGenerator random) {
    if (random.nextInt(5) > 0) {
      return USUAL.get(random.nextInt(USUAL.size()));
    }
    return Policies.all().get(random.nextInt(Policies.all().size())).name();
  }

  private static List<Planned> submissions(
      RandomGenerator random, int total, Map<String, Integer> quotas, double fair) {
    List<Planned> planned = new ArrayList<>();
    int count = 5 + random.nextInt(36);
    boolean elastic = random.nextBoolean();
    boolean prioritised = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      String user = USERS.get(random.nextInt(USERS.size()));
      int most = Math.min(total, quotas.getOrDefault(user, total));
      boolean wrong = random.nextInt(25) == 0;
      Map<String, Object> body = body(random, most, elastic);
      if (prioritised && random.nextInt(4) == 0) {
        body.put("priority", random.nextInt(5) - 2);
      }
      if (wrong) {
        spoil(random, body, total);
      }
      planned.add(
          new Planned(
              fair * 0.95 * random.nextDouble(),
              user,
              random.nextInt(4) == 0 ? "" : "k" + i,
              body,
              random.nextInt(5) == 0 ? 1 + random.nextInt(3) : 0,
              wrong,
              random.nextInt(8) == 0 ? 1500 * random.nextDouble() : Double.NaN,
              random.nextInt(5) == 0,
              random.nextInt(3) == 0));
    }
    return planned;
  }

  static Map<String, Object> body(RandomGenerator random, int most, boolean elastic) {
    Map<String, Object> body = new LinkedHashMap<>();
    double work = 20 * Math.pow(100, random.nextDouble());
    Life life = life(random, work);
    int gpus = 1 + random.nextInt(random.nextBoolean() ? Math.min(2, most) : Math.min(8, most));
    body.put("name", "job-" + random.nextInt(10));
    body.put("command", life.command());
    body.put("gpus", gpus);
    if (elastic && random.nextBoolean()) {
      body.put("min_gpus", 1 + random.nextInt(gpus));
      body.put("max_gpus", gpus + random.nextInt(most - gpus + 1));
    }
    if (random.nextInt(4) > 0) {
      body.put("duration_s", work * (random.nextBoolean() ? 1 : 0.2 + 2 * random.nextDouble()));
    }
    if (random.nextInt(3) == 0) {
      body.put("model", random.nextBoolean() ? "resnet50" : "vgg16");
    }
    if (random.nextInt(4) == 0) {
      body.put("group", "g" + random.nextInt(3));
    }
    if (random.nextInt(5) == 0) {
      body.put("time_limit_s", work * (0.2 + 2 * random.nextDouble()));
    }
    body.put("grace_s", random.nextInt(4) == 0 ? 0.0 : 60 * random.nextDouble());
    body.put("retries", random.nextInt(4));
    return body;
  }

  private static Life life(RandomGenerator random, double work) {
    return new Life(
        work,
        random.nextInt(3) == 0 ? 0 : 20 * random.nextDouble(),
        random.nextBoolean() ? 0 : 30 + 100 * random.nextDouble(),
        random.nextInt(8) == 0 ? -1 : 40 * random.nextDouble(),
        random.nextInt(5) > 0,
        random.nextInt(6) == 0 ? 0.7 * random.nextDouble() : 0,
        random.nextInt(15) == 0 ? 1 + random.nextInt(3) : 0,
        random.nextInt(3) > 0);
  }

  private static void spoil(RandomGenerator random, Map<String, Object> body, int total) {
    switch (random.nextInt(8)) {
      case 0 -> body.put("gpus", 0);
      case 1 -> body.put("gpus", total + 1000);
      case 2 -> body.remove("command");
      case 3 -> body.put("colour", "red");
      case 4 -> body.put("model", "no-such-model");
      case 5 -> body.put("priority", 101);
      case 6 -> body.put("grace_s", 601.0);
      default -> body.put("after", List.of(99_999L));
    }
  }
}
