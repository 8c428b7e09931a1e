package io.ringmaster.rehearsal;

import io.ringmaster.control.engine.Report;
import io.ringmaster.control.store.Store;
import java.util.OptionalLong;

/** The parts of a world that tests replace by broken ones, to see that it is noticed. */
class Stage {

  SimulatedEngine engine(Agenda agenda, Machines machines) {
    return new SimulatedEngine(agenda, machines);
  }

  /** What a plane understands of what it is told. */
  Report heard(Report report) {
    return report;
  }

  /** How far ahead of true time somebody sets the clock. */
  double clockAheadSeconds(double aheadSeconds) {
    return aheadSeconds;
  }

  OptionalLong lead(Store store) {
    return store.tryLead();
  }

  void killed(Rehearsal rehearsal, PlaneProcess process) {}
}
