package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.RunResult;
import io.ringmaster.simulator.Stretches;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the page of a run shows. */
public final class RunReport {
  private RunReport() {}

  /**
   * The page's data.
   *
   * @param summary the document that summary.json holds
   */
  public static Map<String, Object> of(
      Map<String, Object> summary,
      Cluster cluster,
      Jobs jobs,
      RunResult result,
      Stretches stretches) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("kind", "run");
    out.put("title", summary.get("policy") + " on " + cluster.name());
    out.put("version", String.valueOf(summary.get("version")));
    out.put("summary", summary);
    return out;
  }
}
