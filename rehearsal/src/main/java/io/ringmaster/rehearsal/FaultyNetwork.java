package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Command;
import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.Report;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Between planes and an engine: delays, drops, repeats and reorders what is sent, both ways. What a
 * plane sent before it died still arrives.
 */
final class FaultyNetwork {

  /**
   * How bad it is.
   *
   * @param drop how likely a message is lost
   * @param repeat how likely it comes twice
   * @param delaySeconds mean time on the way
   * @param late how likely it is late
   * @param lateSeconds mean time that a late one takes
   */
  record Weather(double drop, double repeat, double delaySeconds, double late, double lateSeconds) {
    static final Weather FAIR = new Weather(0, 0, 0.05, 0, 0);
  }

  /** A plane at the other end. */
  interface Receiver {
    boolean isAlive();

    void receive(Report report);
  }

  private final Agenda agenda;
  private final RandomGenerator random;
  private final Trace trace;
  private final Engine engine;
  private final List<Receiver> receivers = new ArrayList<>();
  private Weather weather;

  FaultyNetwork(
      Agenda agenda, RandomGenerator random, Trace trace, Engine engine, Weather weather) {
    this.agenda = agenda;
    this.random = random;
    this.trace = trace;
    this.engine = engine;
    this.weather = weather;
    engine.listen(this::changed);
  }

  void weather(Weather now) {
    weather = now;
  }

  void join(Receiver receiver) {
    receivers.removeIf(other -> !other.isAlive());
    receivers.add(receiver);
  }

  void send(Receiver from, Command command) {
    deliver(() -> carryOut(from, command));
  }

  private void deliver(Runnable delivery) {
    if (random.nextDouble() >= weather.drop()) {
      agenda.in(delaySeconds(), delivery);
    }
    if (random.nextDouble() < weather.repeat()) {
      agenda.in(delaySeconds(), delivery);
    }
  }

  private double delaySeconds() {
    boolean late = random.nextDouble() < weather.late();
    double mean = late ? weather.lateSeconds() : weather.delaySeconds();
    return -mean * Math.log(1 - random.nextDouble());
  }

  private void carryOut(Receiver from, Command command) {
    try {
      switch (command) {
        case Command.Start start -> {
          trace.say("engine", "start " + start.launch().attempt() + ", order " + start.order());
          engine.launch(start.order(), start.launch());
        }
        case Command.Stop stop -> {
          trace.say("engine", "stop " + stop.attempt() + ", order " + stop.order());
          engine.stop(stop.attempt(), stop.graceSeconds());
        }
        case Command.Forget forget -> {
          trace.say("engine", "forget " + forget.attempt() + ", order " + forget.order());
          engine.forget(forget.order(), forget.attempt());
        }
        case Command.Withdraw withdraw -> {
          trace.say("engine", "withdraw " + withdraw.arrival() + ", order " + withdraw.order());
          engine.withdraw(withdraw.arrival());
        }
        case Command.Observe observe -> {
          Report report = new Report.Observed(observe.order(), engine.observe());
          deliver(() -> hand(from, report));
        }
      }
    } catch (IOException e) {
      trace.say("engine", "fails: " + e.getMessage());
    }
  }

  private void changed(Status status) {
    trace.say("engine", "tells " + text(status));
    for (Receiver receiver : receivers) {
      deliver(() -> hand(receiver, new Report.Changed(status)));
    }
  }

  private static void hand(Receiver receiver, Report report) {
    if (receiver.isAlive()) {
      receiver.receive(report);
    }
  }

  static String text(Status status) {
    return status.attempt()
        + " "
        + switch (status.phase()) {
          case Status.Pending() -> "pending";
          case Status.Running() -> "running";
          case Status.Exited(int code, boolean stopped, String _) ->
              "exited with " + code + (stopped ? ", stopped" : "");
          case Status.Gone(String why) -> "gone: " + why;
        };
  }
}
