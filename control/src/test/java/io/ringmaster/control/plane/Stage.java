package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Arrival;
import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Job;
import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.control.job.Status;
import io.ringmaster.control.store.MemoryDatabase;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token.Role;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** A plane on a store in memory, with the test in the place of the engine. */
final class Stage {
  final MemoryDatabase database = new MemoryDatabase();
  final List<Command> sent = new ArrayList<>();
  final List<Node> nodes = new ArrayList<>();
  final List<Status> engine = new ArrayList<>();
  final List<Arrival> arrivals = new ArrayList<>();
  final PlaneConfig config;
  private final PlaneListener listener;
  Store store;
  Plane plane;
  double now = 1000;

  /** How far the clock was set forward in all, and on which machine. */
  double clockSet;

  String boot = "b1";

  /** Equal nodes named s0001, s0002, ..., all up. */
  Stage(int servers, int gpus, String policy, Map<String, Integer> quotas) {
    this(
        Cluster.uniform(servers, gpus, Network.None.USUAL, 0),
        policy,
        quotas,
        UserLimits.usual(),
        Policies::named);
  }

  /** The same; somebody hears why the policy starts over. */
  Stage(
      int servers,
      int gpus,
      String policy,
      Map<String, Integer> quotas,
      Consumer<StartOver> startedOver) {
    this(
        Cluster.uniform(servers, gpus, Network.None.USUAL, 0),
        policy,
        quotas,
        UserLimits.usual(),
        Policies::named,
        hearing(startedOver));
  }

  /** Two nodes with two GPUs each under fifo, and limits for users. */
  Stage(UserLimits limits) {
    this(Cluster.uniform(2, 2, Network.None.USUAL, 0), "fifo", Map.of(), limits, Policies::named);
  }

  /** The same under a policy that nobody else knows. */
  Stage(int servers, int gpus, PolicySpec policy) {
    this(servers, gpus, policy, _ -> {});
  }

  Stage(int servers, int gpus, PolicySpec policy, Consumer<StartOver> startedOver) {
    this(
        Cluster.uniform(servers, gpus, Network.None.USUAL, 0),
        policy.name(),
        Map.of(),
        UserLimits.usual(),
        name -> name.equals(policy.name()) ? policy : Policies.named(name),
        hearing(startedOver));
  }

  private static PlaneListener hearing(Consumer<StartOver> startedOver) {
    return new PlaneListener() {
      @Override
      public void startedOver(StartOver reason) {
        startedOver.accept(reason);
      }
    };
  }

  Stage(
      Cluster cluster,
      String policy,
      Map<String, Integer> quotas,
      UserLimits limits,
      Function<String, PolicySpec> policies) {
    this(cluster, policy, quotas, limits, policies, new PlaneListener() {});
  }

  private Stage(
      Cluster cluster,
      String policy,
      Map<String, Integer> quotas,
      UserLimits limits,
      Function<String, PolicySpec> policies,
      PlaneListener listener) {
    this.listener = listener;
    config =
        new PlaneConfig(
            cluster,
            true,
            ModelTable.standard(),
            policy,
            Map.of(),
            quotas,
            10,
            5,
            3,
            limits,
            policies);
    cluster.servers().forEach(s -> nodes.add(new Node(s.name(), s.gpus(), true)));
    store = database.open();
    plane = open();
    observe();
  }

  private Plane open() {
    return new Plane(config, store, store.tryLead().orElseThrow(), sent::add, listener, mark());
  }

  /** What the clock says, beside one that was never set. */
  ClockMark mark() {
    return new ClockMark(now, boot, now - clockSet);
  }

  /** The server was killed and started again. */
  void restart() {
    store.close();
    store = database.open();
    sent.clear();
    plane = open();
  }

  void step(Message... messages) {
    plane.step(now, List.of(messages));
  }

  /** The engine answers the last question for all that it knows. */
  void observe() {
    step();
    long order =
        sent.stream()
            .filter(c -> c instanceof Command.Observe)
            .mapToLong(Command::order)
            .max()
            .orElse(0);
    step(new Message.FromEngine(new Report.Observed(order, new Snapshot(nodes, engine, arrivals))));
  }

  CompletableFuture<Job> submit(String user, String key, String json) {
    return submit(user, Role.USER, key, json);
  }

  CompletableFuture<Job> submit(String user, Role role, String key, String json) {
    CompletableFuture<Job> reply = new CompletableFuture<>();
    step(new Message.Submit(user, role, key, JobSpecs.of(Json.parse(json)), reply));
    return reply;
  }

  /** Submits a job that must be accepted. */
  long submit(String json) {
    return submit("ada", "", json).join().id();
  }

  void seen(long job, int attempt, Status.Phase phase) {
    Status status = new Status(new AttemptId(job, attempt), phase);
    step(new Message.FromEngine(new Report.Changed(status)));
  }

  /** A job that was asked to start runs. */
  void runs(long job) {
    seen(job, job(job).attempt(), new Status.Running());
  }

  /** A job that runs says how far it is; NaN: it does not. */
  void reports(long job, double doneShare, boolean saved) {
    AttemptId attempt = new AttemptId(job, job(job).attempt());
    Status status = new Status(attempt, new Status.Running(), doneShare, saved);
    step(new Message.FromEngine(new Report.Changed(status)));
  }

  void exits(long job, int code, boolean stopped) {
    seen(job, job(job).attempt(), new Status.Exited(code, stopped));
  }

  Job job(long id) {
    return store.job(id).orElseThrow();
  }

  String state(long id) {
    return job(id).state().text();
  }

  /** GPUs that a job holds, as text; empty if none. */
  String where(long id) {
    Allocation held = job(id).held();
    return held == null ? "" : held.text();
  }

  int holds(long id) {
    Allocation held = job(id).held();
    return held == null ? 0 : held.workers();
  }

  /** What was asked of the engine since the last look, without questions. */
  List<String> asked() {
    List<String> asked =
        sent.stream()
            .filter(c -> !(c instanceof Command.Observe))
            .map(c ->
                switch (c) {
                  case Command.Start(_, var launch) ->
                      "start %s on %s".formatted(launch.attempt(), launch.allocation());
                  case Command.Stop(_, var attempt, _) -> "stop " + attempt;
                  case Command.Forget(_, var attempt) -> "forget " + attempt;
                  case Command.Withdraw(_, _, var arrival) -> "withdraw " + arrival;
                  case Command.Observe _ -> "";
                })
            .toList();
    sent.removeIf(c -> !(c instanceof Command.Observe));
    return asked;
  }
}
