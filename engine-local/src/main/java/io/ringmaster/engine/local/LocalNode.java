package io.ringmaster.engine.local;

import io.ringmaster.model.BadInput;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A node that this machine plays.
 *
 * @param slots indexes of its GPUs, as {@code CUDA_VISIBLE_DEVICES} names them
 */
public record LocalNode(String name, List<Integer> slots) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public LocalNode {
    slots = List.copyOf(slots);
    if (!NAME.matcher(name).matches()) {
      throw new BadInput(
          "node '%s': expected 1 to 64 letters, digits, '.', '_' and '-'"
              .formatted(name.replaceAll("\\p{C}", "?")));
    }
    if (new HashSet<>(slots).size() != slots.size()) {
      throw new BadInput("node '%s': slots %s name a GPU twice".formatted(name, slots));
    }
  }

  /** A node with so many slots, whether or not there is a GPU behind them. */
  public static LocalNode declared(String name, int slots) {
    return new LocalNode(name, IntStream.range(0, slots).boxed().toList());
  }
}
