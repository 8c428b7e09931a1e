package io.ringmaster.engine.kubernetes.pods;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server left out of an object without a word: old ones do so with what they do not know.
 */
final class Dropped {
  private Dropped() {}

  /** Fields of what was sent that are not in what came back, as in {@code spec.resources}. */
  static List<String> of(Object sent, Object back) {
    List<String> dropped = new ArrayList<>();
    compare("spec", PlainFields.of(sent), PlainFields.of(back), dropped);
    return dropped;
  }

  private static void compare(
      String path, @Nullable Object sent, @Nullable Object back, List<String> dropped) {
    switch (sent) {
      case Map<?, ?> fields -> {
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          String at = path + "." + field.getKey();
          @Nullable Object there = back instanceof Map<?, ?> map ? map.get(field.getKey()) : null;
          if (there == null && !isEmpty(field.getValue())) {
            dropped.add(at);
          } else {
            compare(at, field.getValue(), there, dropped);
          }
        }
      }
      case List<?> list -> {
        // Servers add to lists at their end.
        for (int i = 0; i < list.size() && back instanceof List<?> there && i < there.size(); i++) {
          compare("%s[%d]".formatted(path, i), list.get(i), there.get(i), dropped);
        }
      }
      case null, default -> {
        // A value may be written in another way.
      }
    }
  }

  /** What says nothing is not kept. */
  private static boolean isEmpty(@Nullable Object value) {
    return value == null
        || value.equals(false)
        || value.equals("")
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof List<?> list && list.isEmpty());
  }
}
