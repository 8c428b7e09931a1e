package io.ringmaster.experiments;

import java.util.List;
import java.util.Map;

/** Rows of an experiment, to look up what came out. */
public record Figures(List<Row> rows) {
  public double mean(Map<String, Object> setting, String policy, String metric) {
    return rows.stream()
        .filter(row -> row.setting().equals(setting))
        .filter(row -> row.policy().equals(policy) && row.metric().equals(metric))
        .map(row -> row.figure().mean())
        .findFirst()
        .orElseThrow();
  }

  public List<Map<String, Object>> settings() {
    return rows.stream().map(Row::setting).distinct().toList();
  }
}
