package io.ringmaster.rehearsal;

import io.ringmaster.control.api.Api;
import io.ringmaster.control.api.ApiDependencies;
import io.ringmaster.control.api.Limits;
import io.ringmaster.control.api.Metrics;
import io.ringmaster.control.api.Site;
import io.ringmaster.control.api.TokenSecrets;
import io.ringmaster.control.plane.Inbox;
import io.ringmaster.control.retention.Cleanup;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.control.store.MemoryDatabase;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token;
import io.ringmaster.model.Server;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One world from beginning to end, on virtual time and in one thread: requests, the API, the plane,
 * the store, and an engine behind a bad network. The seed decides everything.
 *
 * <p>In the spirit of FoundationDB's simulator and TigerBeetle's VOPR.
 */
final class Rehearsal {
  private static final double START_SECONDS = 1_800_000_000;
  private static final double SWEEP_SECONDS = 60;

  /** After so long in fair weather, no policy may stop jobs that save nothing any more. */
  private static final double UNTIL_FIFO_SECONDS = 20_000;

  private static final double LAST_SECONDS = 400_000;
  private static final int MOST_EVENTS = 2_000_000;

  /** Nobody reads them, and they take long to make. */
  private static final Metrics METRICS = new Metrics();

  private final long seed;
  private final World world;
  private final Stage stage;
  private final Agenda agenda = new Agenda(START_SECONDS);
  private final Trace trace;
  private final MemoryDatabase database = new MemoryDatabase();
  private final Checks checks;
  private final Machines machines;
  private final SimulatedEngine engine;
  private final FaultyNetwork network;
  private final Servers servers;
  private final Clients clients;
  private final Faults faults;
  private final PlacePeople people;
  private double clockAheadSeconds;
  private boolean over;

  Rehearsal(long seed, Stage stage, int traceLines) {
    SplittableRandom random = new SplittableRandom(seed);
    this.seed = seed;
    this.stage = stage;
    this.world = World.of(random.split());
    this.trace = new Trace(agenda, traceLines);
    this.checks = new Checks(database.open(), trace, world.config());
    this.machines = new Machines(agenda, seed, trace, checks);
    world.config().cluster().servers().forEach(s -> machines.size(s.name(), s.gpus()));
    this.engine = stage.engine(agenda, machines);
    this.network = new FaultyNetwork(agenda, random.split(), trace, engine, world.weather());
    this.servers = new Servers(this, database, random.split());
    this.clients = new Clients(this, random.split());
    this.faults = new Faults(this, random.split());
    this.people = new PlacePeople(this, random.split());
  }

  /** Plays it; what was broken, if anything. */
  Optional<Violation> play() {
    try (database) {
      trace.say("world", "seed " + seed + ": " + describe());
      tokens();
      servers.start();
      clients.begin();
      people.begin();
      faults.begin();
      agenda.at(fairSeconds(), this::clearUp);
      agenda.at(fairSeconds() + UNTIL_FIFO_SECONDS, () -> clients.setPolicy("fifo"));
      agenda.in(SWEEP_SECONDS, this::sweep);
      for (int events = 0; !isOver(); events++) {
        if (events > MOST_EVENTS || !agenda.next(fairSeconds() + LAST_SECONDS)) {
          checks.allEnded();
          checks.broken(Invariant.LIVENESS, "the world does not come to rest");
        }
      }
      return Optional.ofNullable(checks.violation());
    }
  }

  private String describe() {
    StringBuilder text = new StringBuilder();
    text.append(world.config().policy());
    text.append(world.config().declared() ? "" : ", no cluster file,");
    for (Server server : world.config().cluster().servers()) {
      text.append(' ').append(server.name()).append(':').append(server.gpus());
    }
    return text.append(", ")
        .append(world.submissions().size())
        .append(" submissions, quotas ")
        .append(world.config().quotaGpus())
        .append(", ")
        .append(world.weather())
        .append(", fair after ")
        .append(Math.round(world.fairSeconds()))
        .append(" s")
        .toString();
  }

  private void tokens() {
    Store store = store();
    for (String user : World.USERS) {
      store.addToken(
          user,
          Token.Role.USER,
          TokenSecrets.hash(Clients.secret(user)),
          agenda.nowSeconds(),
          Double.NaN);
    }
    store.addToken(
        Clients.ADMIN,
        Token.Role.ADMIN,
        TokenSecrets.hash(Clients.secret(Clients.ADMIN)),
        agenda.nowSeconds(),
        Double.NaN);
  }

  private double fairSeconds() {
    return START_SECONDS + world.fairSeconds();
  }

  /** Whether the faults have stopped. */
  boolean isFair() {
    return agenda.nowSeconds() >= fairSeconds();
  }

  private void clearUp() {
    trace.say("world", "fair weather");
    network.weather(FaultyNetwork.Weather.FAIR);
    engine.silent(false);
    faults.end();
  }

  /** Looks around from time to time, and for the end. */
  private void sweep() {
    if (isFair()) {
      checks.stops(machines.gangs(), agenda.nowSeconds(), fairSeconds(), slackSeconds());
      if (clients.areIdle() && people.areIdle() && checks.areAllEnded()) {
        agenda.in(slackSeconds(), this::end);
        return;
      }
    }
    agenda.in(SWEEP_SECONDS, this::sweep);
  }

  /** How long anything may take to be noticed and acted upon in fair weather, twice over. */
  private double slackSeconds() {
    return 2 * (world.config().observeSeconds() + world.config().patienceSeconds()) + 60;
  }

  private void end() {
    checks.rows(machines);
    checks.runs(machines.runs());
    checks.arrivals(engine.given().all());
    try {
      if (!engine.observe().attempts().isEmpty()) {
        checks.broken(Invariant.LIVENESS, "all is over, and the engine still remembers attempts");
      }
    } catch (IOException e) {
      failed("the engine", e);
    }
    over = true;
    trace.say("world", "ends");
  }

  boolean isOver() {
    return over || checks.violation() != null;
  }

  /** An exception that nobody should have to expect. */
  void failed(String who, Throwable thrown) {
    @Nullable Throwable cause = thrown;
    StringBuilder text = new StringBuilder(who);
    while (cause != null) {
      text.append(": ").append(cause);
      StackTraceElement[] frames = cause.getStackTrace();
      for (int i = 0; i < Math.min(6, frames.length); i++) {
        trace.say("failed", "  " + cause + " at " + frames[i]);
      }
      cause = cause.getCause();
    }
    checks.broken(Invariant.PLANE_FAILED, text.toString());
  }

  Api api(Store store, Inbox inbox, DoubleSupplier clock) {
    return new Api(
        new ApiDependencies(
            store,
            inbox,
            engine::log,
            job -> Optional.empty(),
            new Site(world.config(), Clients.ADMIN),
            Limits.usual(),
            clock,
            Runnable::run,
            METRICS,
            new Cleanup(store, Optional::empty, Retention.USUAL, clock)));
  }

  /** How far the wall clock of the servers is ahead of true time. */
  double clockAheadSeconds() {
    return clockAheadSeconds;
  }

  /** Somebody sets the clock. What runs does not notice; who starts does. */
  void setClock(double aheadSeconds) {
    trace.say("fault", "the clock is set to be ahead by %.0f s".formatted(aheadSeconds));
    clockAheadSeconds = aheadSeconds;
  }

  /** Another session on the memory of this world. */
  Store store() {
    return database.open();
  }

  World world() {
    return world;
  }

  Stage stage() {
    return stage;
  }

  Agenda agenda() {
    return agenda;
  }

  Trace trace() {
    return trace;
  }

  Checks checks() {
    return checks;
  }

  Machines machines() {
    return machines;
  }

  SimulatedEngine engine() {
    return engine;
  }

  FaultyNetwork network() {
    return network;
  }

  Clients clients() {
    return clients;
  }

  PlacePeople people() {
    return people;
  }

  Servers servers() {
    return servers;
  }
}
