package io.ringmaster.model.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * How many replicas each stage of a pipeline has. As a text {@code 4x2,1x8} is four stages of two
 * replicas and then one of eight; {@code 4} is four stages, as equal as the job's GPUs allow.
 */
public record Replicas(List<Integer> ofStage) {
  private static final Pattern RUN = Pattern.compile("([1-9]\\d{0,5})x([1-9]\\d{0,7})");
  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,5}");

  /** More stages than any network has layers. */
  private static final int MOST_STAGES = 1000;

  public Replicas {
    ofStage = List.copyOf(ofStage);
    if (ofStage.isEmpty()) {
      throw new IllegalArgumentException("a pipeline needs at least one stage");
    }
  }

  /**
   * Reads the text.
   *
   * @throws IllegalArgumentException if it is no such text, or does not make up the GPUs, in words
   *     that follow the text
   */
  public static Replicas parse(String text, int gpus) {
    List<Integer> stages = new ArrayList<>();
    long sum = 0;
    if (COUNT.matcher(text).matches()) {
      int count = few(Integer.parseInt(text));
      if (count > gpus) {
        throw new IllegalArgumentException(
            "%d stages need at least %d GPUs, the job has %d".formatted(count, count, gpus));
      }
      return new Replicas(
          IntStream.range(0, count)
              .mapToObj(s -> (int) ((s + 1L) * gpus / count - (long) s * gpus / count))
              .toList());
    }
    for (String run : text.split(",", -1)) {
      Matcher matcher = RUN.matcher(run);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "expected stages x replicas such as 4x2 or 4x2,1x8, or a number of stages such as 4");
      }
      int count = Integer.parseInt(matcher.group(1));
      int each = Integer.parseInt(matcher.group(2));
      sum += (long) count * each;
      few(stages.size() + count);
      for (int i = 0; i < count; i++) {
        stages.add(each);
      }
    }
    if (sum != gpus) {
      throw new IllegalArgumentException(
          "these are %d replicas, the job has %d GPUs".formatted(sum, gpus));
    }
    return new Replicas(stages);
  }

  private static int few(int stages) {
    if (stages > MOST_STAGES) {
      throw new IllegalArgumentException("more than " + MOST_STAGES + " stages");
    }
    return stages;
  }

  public int stages() {
    return ofStage.size();
  }

  public int gpus() {
    return ofStage.stream().mapToInt(Integer::intValue).sum();
  }

  int[] toArray() {
    return ofStage.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The text, runs of equal stages put together. */
  public String text() {
    int[] all = toArray();
    List<String> runs = new ArrayList<>();
    for (int from = 0; from < all.length; ) {
      int start = from;
      int to =
          IntStream.range(from, all.length)
              .filter(s -> all[s] != all[start])
              .findFirst()
              .orElse(all.length);
      runs.add((to - from) + "x" + all[from]);
      from = to;
    }
    return String.join(",", runs);
  }

  @Override
  public String toString() {
    return text();
  }
}
