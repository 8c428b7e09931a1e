package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.training.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that resize: real training jobs are stopped, and go on with more or fewer workers. */
class ElasticTest {
  private static final int BATCH = 32;

  /** The learning rate is that of so many workers, whoever has more or fewer. */
  private static final int ASKED = 2;

  @TempDir Path temporary;

  private Serving serve(String policy, String settings) throws IOException {
    Path file = temporary.resolve("server.yaml");
    Files.writeString(
        temporary.resolve("cluster.yaml"),
        "servers: [{count: 2, gpus: 8, name: n}]\nstart: 0.5s\nrestart: 0.5s\n");
    Files.writeString(
        file, "cluster: cluster.yaml\npolicy: %s\nset: {%s}\n".formatted(policy, settings));
    Serving serving =
        new Serving(
            ServeConfig.of(
                file, new ServeConfig.Given("127.0.0.1:0", temporary.resolve("data"), null, null)));
    return serving;
  }

  /** A job of so many mini-batches of 20 ms each. */
  private static Map<String, Object> job(String name, int least, int most, int steps, int seed) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("gpus", ASKED);
    map.put("min_gpus", least);
    map.put("max_gpus", most);
    map.put("duration_s", steps * 0.02 / ASKED);
    map.put("grace_s", 10);
    map.put(
        "command",
        Worker.command(
            "--samples",
            Integer.toString(steps * BATCH),
            "--batch",
            Integer.toString(BATCH),
            "--rate",
            "0.1",
            "--pace",
            "20ms",
            "--seed",
            Integer.toString(seed)));
    return map;
  }

  private static long submit(Client client, Map<String, Object> job) {
    return client.submit("test", "/jobs", job, UUID.randomUUID().toString()).whole("id");
  }

  private static List<Fields> points(Client client, long job) {
    return client.get("test", "/jobs/" + job + "/progress?points=500").objects("points");
  }

  private static void awaitShare(Client client, long job, double share) {
    while (points(client, job).stream().noneMatch(point -> point.number("done") >= share)) {
      Client.pause(50);
    }
  }

  private static Fields awaitEnd(Client client, long job) {
    Fields end = new Watch(client, job, _ -> {}).end();
    assertThat(end.text("state")).as(end.map().toString()).isEqualTo("succeeded");
    return end;
  }

  /** Workers of each attempt. */
  private static List<Long> sizes(Client client, long job) {
    return client.get("test", "/jobs/" + job + "/progress").objects("attempts").stream()
        .map(attempt -> attempt.whole("workers"))
        .toList();
  }

  /**
   * The first job has 16 GPUs to itself until others come: it is cut down, and grows again. Nothing
   * that was trained is lost or done twice.
   */
  @ParameterizedTest
  @CsvSource({"doubling,hysteresis: 0", "gadget,slot: 1"})
  void aJobIsResizedAndGoesOn(String policy, String settings)
      throws IOException, InterruptedException {
    try (Serving serving = serve(policy, settings)) {
      serving.awaitLeading();
      Client client = new Client(URI.create(serving.url()), "");
      List<Long> jobs = new ArrayList<>();
      jobs.add(submit(client, job("first", 1, 16, 2400, 1)));
      awaitShare(client, jobs.get(0), 0.05);
      for (int i = 2; i <= 5; i++) {
        jobs.add(submit(client, job("other-" + i, 1, 16, 500, i)));
      }
      for (long job : jobs) {
        awaitEnd(client, job);
      }
      assertThat(sizes(client, jobs.get(0))).as("workers of the first job").hasSizeGreaterThan(1);
      Fields first = client.get("test", "/jobs/" + jobs.get(0));
      assertThat(first.whole("restarts")).isPositive();
      assertThat(first.whole("failures") + first.whole("losses")).isZero();
      List<Fields> points = points(client, jobs.get(0));
      for (int i = 1; i < points.size(); i++) {
        assertThat(points.get(i).number("samples"))
            .as("%s after %s", points.get(i), points.get(i - 1))
            .isGreaterThanOrEqualTo(points.get(i - 1).number("samples"));
        if (points.get(i).whole("attempt") > points.get(i - 1).whole("attempt")) {
          assertThat(points.get(i).number("samples"))
              .isEqualTo(points.get(i - 1).number("samples"));
        }
      }
      assertThat(points.getLast().number("samples")).isEqualTo(2400 * BATCH);
    }
  }

  /**
   * A job that is resized goes on with the very loss that it had, and does not begin to learn anew:
   * its loss never climbs back towards that of an untrained network, and ends near that of jobs of
   * other seeds, which were never touched. It may climb a little for a while, since more workers
   * take larger steps.
   */
  @Test
  void theLossGoesOnWhereItWas() throws IOException, InterruptedException {
    // Without it a change that saves less than two restarts is not made, however slow this machine.
    try (Serving serving = serve("doubling", "hysteresis: 0")) {
      serving.awaitLeading();
      Client client = new Client(URI.create(serving.url()), "");
      long resized = submit(client, job("resized", 1, 8, 2400, 1));
      List<Long> untouched = new ArrayList<>();
      for (int seed = 1; seed <= 3; seed++) {
        untouched.add(submit(client, job("untouched-" + seed, 2, 2, 2400, seed)));
      }
      awaitShare(client, resized, 0.1);
      submit(client, job("other", 1, 8, 1000, 9));
      awaitEnd(client, resized);
      assertThat(sizes(client, resized)).as("its workers").hasSizeGreaterThan(1);
      List<Fields> points =
          points(client, resized).stream().filter(point -> point.has("loss")).toList();
      double untrained = points.getFirst().number("loss");
      double resumedWith = untrained;
      for (int i = 1; i < points.size(); i++) {
        Fields before = points.get(i - 1);
        Fields point = points.get(i);
        if (point.whole("attempt") > before.whole("attempt")) {
          assertThat(point.number("samples")).isEqualTo(before.number("samples"));
          assertThat(point.number("loss")).isEqualTo(before.number("loss"));
          resumedWith = point.number("loss");
        }
        assertThat(point.number("loss"))
            .as("%s, resumed with %s", point, resumedWith)
            .isLessThan(resumedWith + 0.3 * untrained);
      }
      double most = 0;
      for (long job : untouched) {
        awaitEnd(client, job);
        most = Math.max(most, points(client, job).getLast().number("loss"));
      }
      double last = points.getLast().number("loss");
      System.out.printf(
          "loss of a resized job: %.4f in the end; untouched ones: at most %.4f%n", last, most);
      assertThat(last).isLessThan(2 * most);
    }
  }
}
