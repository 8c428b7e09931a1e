package io.ringmaster.rehearsal;

import io.ringmaster.control.store.Store;
import java.util.Map;
import java.util.OptionalLong;

/** The parts of a world that tests replace by broken ones, to see that it is noticed. */
class Stage {

  SimulatedEngine engine(Agenda agenda, Machines machines, Map<String, Integer> gpusOfNodes) {
    return new SimulatedEngine(agenda, machines, gpusOfNodes);
  }

  OptionalLong lead(Store store) {
    return store.tryLead();
  }

  /** A plane was killed. */
  void killed(Rehearsal rehearsal, PlaneProcess process) {}
}
