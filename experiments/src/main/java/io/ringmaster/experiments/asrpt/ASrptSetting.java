package io.ringmaster.experiments.asrpt;

import io.ringmaster.workload.Generated;
import io.ringmaster.workload.Generators;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What policies are compared in.
 *
 * @param load GPU-seconds submitted over GPU-seconds there are
 * @param bandwidth of each server's link, Gbit/s
 */
public record ASrptSetting(Scale scale, double load, int bandwidth, Prediction prediction) {

  public record Scale(int servers, int jobs) {
    /** Servers have 8 GPUs each. */
    public static final Scale FULL = new Scale(32, 4000);
  }

  /** As rows name it. */
  public Map<String, Object> named() {
    Map<String, Object> setting = new LinkedHashMap<>();
    setting.put("load", load);
    setting.put("bandwidth", bandwidth);
    setting.put("prediction", prediction.text());
    return setting;
  }

  /** One random workload. Settings have the same jobs, at another scale of time. */
  public Generated draw(long seed) {
    return Generators.generate("a-srpt", given(), seed);
  }

  /** The generator's settings. */
  public Map<String, String> given() {
    return Map.of(
        "jobs", "" + scale.jobs,
        "servers", "" + scale.servers,
        "load", "" + load,
        "bandwidth", "" + bandwidth);
  }
}
