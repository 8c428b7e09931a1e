package io.ringmaster.predictor.speed;

import io.ringmaster.model.AllReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fit of its own for each batch: {@link SpeedForm#PLACED} among the times with that batch. It
 * tells what a line in the batch costs, where kernels are chosen by the batch. A batch that was not
 * measured has the fit of all.
 */
public record EachBatch(Map<Double, SpeedFit> fits, SpeedFit all) implements SpeedModel {
  public static EachBatch of(List<StepTime> times, AllReduce allReduce) {
    Map<Double, List<StepTime>> byBatch = new TreeMap<>();
    times.forEach(time -> byBatch.computeIfAbsent(time.batch(), _ -> new ArrayList<>()).add(time));
    Map<Double, SpeedFit> fits = new TreeMap<>();
    byBatch.forEach((batch, own) -> fits.put(batch, SpeedFit.of(own, SpeedForm.PLACED, allReduce)));
    return new EachBatch(fits, SpeedFit.of(times, SpeedForm.PLACED, allReduce));
  }

  @Override
  public double seconds(int workers, int servers, int mostOnOne, double batch) {
    return fits.getOrDefault(batch, all).seconds(workers, servers, mostOnOne, batch);
  }
}
