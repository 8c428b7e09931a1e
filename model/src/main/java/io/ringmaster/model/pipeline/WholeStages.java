package io.ringmaster.model.pipeline;

import io.ringmaster.model.collect.Sorted;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Puts the replicas of a pipeline on servers such that rings stay inside them: stages in decreasing
 * order of what their rings exchange, each on the fullest server that has room for all of it. Those
 * that fit nowhere are divided at the end, each time onto the server with the most room. Ties:
 * lower stage, lower server.
 */
public final class WholeStages {
  private WholeStages() {}

  /**
   * Maps a pipeline.
   *
   * @param gpus of each server for this job; together as many as the pipeline has replicas
   * @return how many replicas of stage s are on server i, at i * stages + s
   */
  public static int[] map(Pipeline pipeline, int[] gpus) {
    int stages = pipeline.size();
    int[] mapping = new int[gpus.length * stages];
    int[] room = gpus.clone();
    int[] left = pipeline.replicas().toArray();
    int[] order =
        Sorted.by(Comparator.comparingDouble(s -> -pipeline.stage(s).ringBytes()), stages);
    for (int s : order) {
      int server = fullest(room, left[s]);
      if (server >= 0) {
        put(mapping, server * stages + s, room, server, left, s);
      }
    }
    for (int s : order) {
      while (left[s] > 0) {
        int server = emptiest(room);
        put(mapping, server * stages + s, room, server, left, s);
      }
    }
    return mapping;
  }

  private static void put(int[] mapping, int at, int[] room, int server, int[] left, int s) {
    int count = Math.min(room[server], left[s]);
    mapping[at] += count;
    room[server] -= count;
    left[s] -= count;
  }

  private static int fullest(int[] room, int replicas) {
    return IntStream.range(0, room.length)
        .filter(i -> room[i] >= replicas)
        .boxed()
        .min(Comparator.comparingInt(i -> room[i]))
        .orElse(-1);
  }

  private static int emptiest(int[] room) {
    int most = Arrays.stream(room).max().orElseThrow();
    return IntStream.range(0, room.length).filter(i -> room[i] == most).findFirst().orElseThrow();
  }
}
