package io.ringmaster.rehearsal;

import io.ringmaster.control.store.MemoryDatabase;
import io.ringmaster.control.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Keeps a plane running: starts the next when one has died or does not answer. */
final class Servers {
  private final Rehearsal rehearsal;
  private final MemoryDatabase database;
  private final RandomGenerator random;
  private final List<PlaneProcess> alive = new ArrayList<>();
  private @Nullable PlaneProcess leader;
  private long newestTerm;

  Servers(Rehearsal rehearsal, MemoryDatabase database, RandomGenerator random) {
    this.rehearsal = rehearsal;
    this.database = database;
    this.random = random;
  }

  /** Starts a plane, if none leads. */
  void start() {
    if (leader != null || rehearsal.isOver()) {
      return;
    }
    try {
      Store store = database.open();
      OptionalLong term = rehearsal.stage().lead(store);
      if (term.isEmpty()) {
        rehearsal.agenda().in(5, this::start);
        return;
      }
      newestTerm = term.getAsLong();
      rehearsal.checks().rows(rehearsal.machines());
      rehearsal.trace().say("plane " + term.getAsLong(), "starts");
      PlaneProcess process = new PlaneProcess(rehearsal, store, term.getAsLong());
      leader = process;
      alive.add(process);
      rehearsal.network().join(process);
    } catch (RuntimeException e) {
      rehearsal.failed("a plane that starts", e);
    }
  }

  /** Whether nobody took the lead after it. */
  boolean leads(PlaneProcess process) {
    return process.term() == newestTerm;
  }

  @Nullable PlaneProcess leader() {
    return leader;
  }

  /** Whom a client reaches; null: nobody. */
  @Nullable PlaneProcess any() {
    return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
  }

  void died(PlaneProcess process) {
    alive.remove(process);
    if (leader == process) {
      leader = null;
      database.releaseLead();
      rehearsal.agenda().in(rehearsal.isFair() ? 1 : 60 * random.nextDouble(), this::start);
    }
  }

  /** A leader does not answer: its lead is given to another, which is not told to it. */
  void replace(PlaneProcess process) {
    if (leader == process) {
      leader = null;
      database.releaseLead();
      rehearsal.agenda().in(1 + 30 * random.nextDouble(), this::start);
    }
  }
}
