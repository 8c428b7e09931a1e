package io.ringmaster.engine.local;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt was given.
 *
 * @param port for its workers to meet at
 * @param firstRank of the workers that run here
 */
record Plan(List<Share> shares, int port, int firstRank) {
  private static final Pattern TEXT =
      Pattern.compile("[0-9]{1,5}(\\+[0-9]{1,6})?( [^ =,]{1,64}=[0-9]{1,6}(,[0-9]{1,6})*)+\n");

  record Share(String node, List<Integer> slots) {
    Share {
      slots = List.copyOf(slots);
    }
  }

  Plan {
    shares = List.copyOf(shares);
  }

  int workers() {
    return shares.stream().mapToInt(share -> share.slots().size()).sum();
  }

  /** As the supervisor reads it: {@code a=0,1 b=3}. */
  String sharesText() {
    return shares.stream()
        .map(share ->
            share.slots().stream()
                .map(String::valueOf)
                .collect(Collectors.joining(",", share.node() + "=", "")))
        .collect(Collectors.joining(" "));
  }

  String text() {
    return port + (firstRank == 0 ? "" : "+" + firstRank) + " " + sharesText();
  }

  /** What {@link #text} wrote; null: somebody else did. */
  static @Nullable Plan of(String text) {
    if (!TEXT.matcher(text).matches()) {
      return null;
    }
    String[] parts = text.strip().split(" ", -1);
    List<Share> shares = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      int sign = parts[i].indexOf('=');
      List<Integer> slots = new ArrayList<>();
      for (String slot : parts[i].substring(sign + 1).split(",", -1)) {
        slots.add(Integer.parseInt(slot));
      }
      shares.add(new Share(parts[i].substring(0, sign), slots));
    }
    String[] numbers = parts[0].split("\\+", -1);
    return new Plan(
        shares,
        Integer.parseInt(numbers[0]),
        numbers.length == 1 ? 0 : Integer.parseInt(numbers[1]));
  }
}
