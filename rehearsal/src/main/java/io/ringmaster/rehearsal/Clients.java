package io.ringmaster.rehearsal;

import io.ringmaster.control.api.Request;
import io.ringmaster.control.api.Response;
import io.ringmaster.control.job.JobSpec;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.model.Server;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * People and their scripts: they submit, cancel, look, drain nodes and change the policy, and ask
 * again when no answer came. Whoever gives no key does not ask again: that might make two jobs.
 */
final class Clients {
  static final String ADMIN = "root";
  private static final double WAIT_SECONDS = 40;

  private final Rehearsal rehearsal;
  private final RandomGenerator random;
  private final List<Long> ids = new ArrayList<>();
  private final Map<Long, String> owners = new HashMap<>();
  private int busy;

  Clients(Rehearsal rehearsal, RandomGenerator random) {
    this.rehearsal = rehearsal;
    this.random = random;
  }

  static String secret(String user) {
    return "rm_" + user;
  }

  /** Whether nobody waits for anything. */
  boolean areIdle() {
    return busy == 0;
  }

  void begin() {
    double start = rehearsal.agenda().nowSeconds();
    for (World.Planned planned : rehearsal.world().submissions()) {
      busy++;
      rehearsal.agenda().at(start + planned.atSeconds(), () -> prepare(planned));
    }
    admin();
    rehearsal.agenda().at(start + rehearsal.world().fairSeconds(), this::clearUp);
  }

  /** Dependencies can be named only once their ids are known. */
  private void prepare(World.Planned planned) {
    Map<String, Object> body = new LinkedHashMap<>(planned.body());
    if (planned.after() > 0 && !ids.isEmpty() && !body.containsKey("after")) {
      List<Long> after = new ArrayList<>();
      List<Long> own = ids.stream().filter(id -> isOf(planned.user(), id)).toList();
      for (int i = 0; i < planned.after(); i++) {
        // Mostly of their own: whoever names another's job is told that there is none.
        List<Long> from = own.isEmpty() || random.nextInt(8) == 0 ? ids : own;
        after.add(from.get(random.nextInt(from.size())));
      }
      body.put("after", after);
    }
    submit(planned, body, planned.repeated() ? 1 : 0);
  }

  private boolean isOf(String user, long id) {
    return user.equals(owners.get(id));
  }

  private void submit(World.Planned planned, Map<String, Object> body, int repeats) {
    ask(
        planned.user(),
        "POST",
        "/api/v1/jobs",
        planned.key(),
        Json.text(body),
        reply -> submitted(planned, body, repeats, reply),
        () -> {
          if (planned.key().isEmpty()) {
            busy--;
          } else {
            later(() -> submit(planned, body, repeats));
          }
        });
  }

  private void submitted(
      World.Planned planned, Map<String, Object> body, int repeats, Response reply) {
    boolean follows = body.containsKey("after");
    boolean isWrong =
        planned.wrong()
            || (body.get("after") instanceof List<?> after
                && !after.stream().allMatch(id -> isOf(planned.user(), (Long) id)));
    if (reply.status() == 201 && !isWrong) {
      JobSpec spec = JobSpecs.of(Json.parse(Json.text(body)));
      long id = number(reply, "id");
      rehearsal.checks().promises().accepted(id, planned.user(), planned.key(), spec);
      ids.add(id);
      owners.put(id, planned.user());
      if (random.nextInt(3) == 0) {
        look(planned.user(), id);
      }
      if (!Double.isNaN(planned.cancelSeconds())) {
        busy++;
        rehearsal
            .agenda()
            .in(planned.cancelSeconds(), () -> cancel(planned.user(), id, planned.force()));
      }
      if (repeats > 0 && !planned.key().isEmpty()) {
        later(() -> submit(planned, body, repeats - 1));
        return;
      }
    } else if (reply.status() == 201) {
      broken(Invariant.WRONGLY_ACCEPTED, "a job", reply);
    } else if (reply.status() == 429) {
      rehearsal.checks().promises().refused(planned.user());
      later(() -> submit(planned, body, repeats));
      return;
    } else if (!isWrong && !(follows && reply.status() == 400) && !neverFits(reply)) {
      broken(Invariant.WRONGLY_REFUSED, "a job", reply);
    }
    busy--;
  }

  /** Without a cluster file, a job may be too large for the nodes that are there at the moment. */
  private boolean neverFits(Response reply) {
    return !rehearsal.world().config().declared() && reply.body().contains("never fit");
  }

  /** Without a cluster file, a node that left is not known until it is back. */
  private boolean isAway(Response reply) {
    return !rehearsal.world().config().declared() && reply.status() == 404;
  }

  /** Cancels a job that did not come by way of the API. */
  void cancels(String user, long id, boolean force) {
    busy++;
    cancel(user, id, force);
  }

  private void cancel(String user, long id, boolean force) {
    Promises promises = rehearsal.checks().promises();
    String other = World.USERS.get(random.nextInt(World.USERS.size()));
    if (!other.equals(user) && random.nextInt(4) == 0) {
      ask(
          other,
          "POST",
          "/api/v1/jobs/" + id + "/cancel",
          "",
          "",
          reply -> {
            if (reply.status() < 400) {
              broken(Invariant.WRONGLY_ACCEPTED, "a cancel by " + other, reply);
            }
            cancel(user, id, force);
          },
          () -> later(() -> cancel(user, id, force)));
      return;
    }
    promises.cancelSent(id);
    ask(
        user,
        "POST",
        "/api/v1/jobs/" + id + "/cancel",
        "",
        force ? "{\"force\": true}" : "",
        reply -> {
          busy--;
          if (reply.status() == 202) {
            promises.cancelled(
                id, (int) number(reply, "attempt"), rehearsal.agenda().nowSeconds(), force);
          } else if (reply.status() != 409) {
            broken(Invariant.JOB_LOST, "a cancel of job " + id, reply);
          }
        },
        () -> later(() -> cancel(user, id, force)));
  }

  /** Reads what was written: no answer is fine, a wrong one is not. */
  private void look(String user, long id) {
    String path =
        switch (random.nextInt(4)) {
          case 0 -> "/api/v1/jobs";
          case 1 -> "/api/v1/nodes";
          default -> "/api/v1/jobs/" + id;
        };
    busy++;
    ask(
        user,
        "GET",
        path,
        "",
        "",
        reply -> {
          busy--;
          if (reply.status() != 200) {
            broken(Invariant.JOB_LOST, "GET " + path, reply);
          }
        },
        () -> busy--);
  }

  private void admin() {
    double mean = rehearsal.world().adminEverySeconds();
    if (Double.isInfinite(mean)) {
      return;
    }
    rehearsal
        .agenda()
        .in(
            -mean * Math.log(1 - random.nextDouble()),
            () -> {
              if (!rehearsal.isFair()) {
                if (random.nextBoolean()) {
                  busy++;
                  drain(node());
                } else {
                  setPolicy(World.policy(random));
                }
                admin();
              }
            });
  }

  private String node() {
    List<Server> servers = rehearsal.world().config().cluster().servers();
    return servers.get(random.nextInt(servers.size())).name();
  }

  private void drain(String node) {
    int resumes = rehearsal.checks().promises().resumes(node);
    ask(
        ADMIN,
        "POST",
        "/api/v1/nodes/" + node + "/drain",
        "",
        "{\"reason\": \"broken fan\"}",
        reply -> {
          if (isAway(reply)) {
            later(() -> drain(node));
            return;
          }
          if (reply.status() != 200) {
            broken(Invariant.WRONGLY_REFUSED, "a drain", reply);
          }
          rehearsal.checks().promises().drained(node, resumes);
          rehearsal.agenda().in(500 * random.nextDouble(), () -> resume(node));
        },
        () -> later(() -> drain(node)));
  }

  private void resume(String node) {
    rehearsal.checks().promises().resumeSent(node);
    ask(
        ADMIN,
        "POST",
        "/api/v1/nodes/" + node + "/resume",
        "",
        "",
        reply -> {
          if (isAway(reply)) {
            later(() -> resume(node));
            return;
          }
          busy--;
          if (reply.status() != 200) {
            broken(Invariant.WRONGLY_REFUSED, "a resume", reply);
          }
        },
        () -> later(() -> resume(node)));
  }

  /** Asks until it is granted. */
  void setPolicy(String policy) {
    busy++;
    putPolicy(policy);
  }

  private void putPolicy(String policy) {
    ask(
        ADMIN,
        "PUT",
        "/api/v1/policy",
        "",
        Json.text(Map.of("policy", policy)),
        reply -> {
          busy--;
          if (reply.status() != 200) {
            broken(Invariant.WRONGLY_REFUSED, "policy " + policy, reply);
          }
        },
        () -> later(() -> putPolicy(policy)));
  }

  private void clearUp() {
    for (Server server : rehearsal.world().config().cluster().servers()) {
      busy++;
      resume(server.name());
    }
  }

  private void later(Runnable again) {
    rehearsal.agenda().in(2 + 40 * random.nextDouble(), again);
  }

  private void ask(
      String user,
      String method,
      String path,
      String key,
      String body,
      Consumer<Response> answered,
      Runnable unanswered) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("authorization", "Bearer " + secret(user));
    if (!body.isEmpty()) {
      headers.put("content-type", "application/json");
    }
    if (!key.isEmpty()) {
      headers.put("idempotency-key", key);
    }
    Request call = new Request(method, path, Map.of(), headers, body, "10.0.0.1");
    @Nullable PlaneProcess server = rehearsal.servers().any();
    if (server == null) {
      unanswered.run();
      return;
    }
    String what = user + " " + method + " " + path + (key.isEmpty() ? "" : " key " + key);
    rehearsal.trace().say("client", what);
    boolean[] over = {false};
    rehearsal
        .agenda()
        .in(
            WAIT_SECONDS,
            () -> {
              if (!over[0]) {
                over[0] = true;
                unanswered.run();
              }
            });
    boolean lost = !rehearsal.isFair() && random.nextDouble() < rehearsal.world().replyLoss();
    double delay = 0.1 * random.nextDouble();
    var _ =
        server
            .handle(call)
            .thenAccept(reply ->
                rehearsal
                    .agenda()
                    .in(delay, () -> hear(what, reply, lost, over, answered, unanswered)));
  }

  private void hear(
      String what,
      Response reply,
      boolean lost,
      boolean[] over,
      Consumer<Response> answered,
      Runnable unanswered) {
    if (over[0] || lost) {
      return;
    }
    over[0] = true;
    rehearsal.trace().say("client", what + ": " + reply.status());
    if (reply.status() == 503) {
      unanswered.run();
    } else if (reply.status() >= 500) {
      broken(Invariant.PLANE_FAILED, what, reply);
    } else {
      answered.accept(reply);
    }
  }

  private void broken(Invariant invariant, String what, Response reply) {
    rehearsal.checks().broken(invariant, what + " got " + reply.status() + ": " + reply.body());
  }

  private static long number(Response reply, String key) {
    return Json.parse(reply.body()) instanceof Map<?, ?> map && map.get(key) instanceof Number n
        ? n.longValue()
        : -1;
  }
}
