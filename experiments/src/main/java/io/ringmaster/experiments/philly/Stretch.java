package io.ringmaster.experiments.philly;

import io.ringmaster.experiments.rivals.Contender;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.workload.Generated;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Stretches of the trace at a load; the seed is the number of the draw.
 *
 * @param trace asked when the first is drawn
 */
record Stretch(double load, Scale scale, Supplier<Jobs> trace) implements Contender.Workload {
  @Override
  public Map<String, Object> named() {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("workload", "trace");
    named.put("load", load);
    return named;
  }

  @Override
  public boolean staged() {
    return false;
  }

  @Override
  public Generated draw(long seed) {
    Cluster cluster = scale.cluster();
    PhillyWorkload drawn = PhillyWorkload.numbered((int) seed, trace.get(), scale.jobs());
    return new Generated(drawn.jobs(load, cluster.totalGpus()), cluster);
  }
}
