package io.ringmaster.rehearsal;

import io.ringmaster.control.api.Api;
import io.ringmaster.control.api.Request;
import io.ringmaster.control.api.Response;
import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.plane.ClockMark;
import io.ringmaster.control.plane.Message;
import io.ringmaster.control.plane.Plane;
import io.ringmaster.control.plane.PlaneListener;
import io.ringmaster.control.store.NotLeading;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A server: one plane from its start to its death. */
final class PlaneProcess implements FaultyNetwork.Receiver {
  /** From a message to the step that takes it in: what comes meanwhile goes with it. */
  private static final double GATHER_SECONDS = 0.01;

  /** Where a process is killed. */
  enum Where {
    BEFORE_STATEMENT,
    AFTER_COMMIT,
    BEFORE_COMMAND
  }

  private final Rehearsal rehearsal;
  private final String name;
  private final long term;

  /** How far the wall clock was ahead of true time when this process started. */
  private final double clockAheadSeconds;

  private final Plane plane;
  private final Api api;
  private final List<Message> inbox = new ArrayList<>();
  private final List<Report.Observed> reports = new ArrayList<>();
  private boolean alive = true;
  private boolean paused;
  private boolean stepping;
  private double nextStepSeconds = Double.POSITIVE_INFINITY;
  private @Nullable Where killAt;
  private int killCountdown;
  private double sleepAfterCommitSeconds;
  private Report.@Nullable Observed told;

  PlaneProcess(Rehearsal rehearsal, Store store, long term) {
    this.rehearsal = rehearsal;
    this.term = term;
    this.name = "plane " + term;
    this.clockAheadSeconds = rehearsal.clockAheadSeconds();
    store.onWrite(() -> reach(Where.BEFORE_STATEMENT));
    this.plane =
        new Plane(
            rehearsal.world().config(),
            store,
            term,
            this::send,
            new Listener(),
            new ClockMark(nowSeconds(), "one-machine", rehearsal.agenda().nowSeconds()));
    this.api = rehearsal.api(store, inbox -> post(inbox), this::nowSeconds);
    wake();
  }

  long term() {
    return term;
  }

  /** As a clock says that began with the wall clock, and was not set since. */
  private double nowSeconds() {
    return rehearsal.agenda().nowSeconds() + clockAheadSeconds;
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  boolean isPaused() {
    return paused;
  }

  CompletableFuture<Response> handle(Request call) {
    return api.handle(call);
  }

  @Override
  public void receive(Report report) {
    if (report instanceof Report.Observed observed) {
      reports.add(observed);
    }
    post(new Message.FromEngine(rehearsal.stage().heard(report)));
  }

  /** What the plane has been told of its nodes by this step. */
  private void takeIn() {
    for (Report.Observed report : reports) {
      if (told == null || report.order() > told.order()) {
        told = report;
      }
    }
    reports.clear();
  }

  private void post(Message message) {
    inbox.add(message);
    planStep(rehearsal.agenda().nowSeconds() + GATHER_SECONDS);
  }

  private void planStep(double seconds) {
    if (seconds < nextStepSeconds) {
      nextStepSeconds = seconds;
      rehearsal.agenda().at(seconds, () -> step(seconds));
    }
  }

  private void wake() {
    double earliest = rehearsal.agenda().nowSeconds() + GATHER_SECONDS;
    planStep(
        Math.max(earliest, inbox.isEmpty() ? plane.wakeSeconds() - clockAheadSeconds : earliest));
  }

  private void step(double seconds) {
    if (!alive || paused || stepping || seconds != nextStepSeconds) {
      return;
    }
    nextStepSeconds = Double.POSITIVE_INFINITY;
    List<Message> messages = List.copyOf(inbox);
    takeIn();
    inbox.clear();
    int before = rehearsal.checks().seen();
    boolean leads = rehearsal.servers().leads(this);
    stepping = true;
    try {
      plane.step(nowSeconds(), messages);
    } catch (Killed e) {
      rehearsal.trace().say(name, "killed " + e.getMessage());
      rehearsal.stage().killed(rehearsal, this);
      die();
    } catch (NotLeading e) {
      rehearsal.trace().say(name, String.valueOf(e.getMessage()));
      if (leads) {
        rehearsal.checks().broken(Invariant.FENCED, name + " leads, and is refused");
      }
      die();
    } catch (RuntimeException | AssertionError e) {
      rehearsal.failed(name, e);
      die();
    } finally {
      stepping = false;
    }
    if (!leads && rehearsal.checks().seen() > before) {
      rehearsal.checks().broken(Invariant.FENCED, name + " wrote after its term");
    }
    if (alive) {
      wake();
    }
  }

  private void send(Command command) {
    reach(Where.BEFORE_COMMAND);
    rehearsal.checks().sent(command);
    rehearsal.network().send(this, command);
  }

  private void reach(Where where) {
    if (killAt == where && killCountdown-- <= 0) {
      throw new Killed(where.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
    }
  }

  /** To be killed at one of the next such places. */
  void killAt(Where where, int countdown) {
    killAt = where;
    killCountdown = countdown;
  }

  /** To be killed now, between two steps. */
  void kill() {
    if (alive) {
      rehearsal.trace().say(name, "killed");
      rehearsal.stage().killed(rehearsal, this);
      die();
    }
  }

  private void die() {
    alive = false;
    rehearsal.servers().died(this);
  }

  /** To fall asleep after the next commit, before anybody is told. */
  void sleepAfterCommit(double seconds) {
    sleepAfterCommitSeconds = seconds;
  }

  void pause() {
    paused = true;
    rehearsal.trace().say(name, "sleeps");
  }

  void resume() {
    paused = false;
    if (alive) {
      rehearsal.trace().say(name, "wakes up");
      nextStepSeconds = Double.POSITIVE_INFINITY;
      wake();
    }
  }

  private final class Listener implements PlaneListener {
    @Override
    public void stored(double tookSeconds, int rows, long lastEntry) {
      if (told != null) {
        rehearsal.checks().told(told.snapshot().nodes());
      }
      if (lastEntry > rehearsal.checks().seen()) {
        rehearsal.checks().history(rehearsal.machines());
      }
      reach(Where.AFTER_COMMIT);
      double seconds = sleepAfterCommitSeconds;
      if (seconds > 0) {
        sleepAfterCommitSeconds = 0;
        rehearsal.trace().say(name, "sleeps between commit and reply");
        rehearsal.servers().replace(PlaneProcess.this);
        rehearsal.agenda().advance(seconds);
        if (!alive) {
          throw new Killed("asleep");
        }
        rehearsal.trace().say(name, "wakes up");
      }
    }
  }
}
