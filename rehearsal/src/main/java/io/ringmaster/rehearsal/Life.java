package io.ringmaster.rehearsal;

import io.ringmaster.control.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a job do, written in its command: {@code life work=600 save-every=60}. So a
 * job carries its script through the API, the store and the engine.
 *
 * @param workSeconds how long all of its work takes with the workers asked for; others are as much
 *     faster or slower
 * @param startSeconds from the launch until it runs
 * @param saveEverySeconds how often it saves its progress; 0: never by itself
 * @param stopSeconds from being asked to stop until it exits; negative: it does not listen
 * @param saves whether it saves its progress when asked to stop
 * @param crash how likely an attempt crashes before its end
 * @param exit its code when the work is done
 * @param tells whether it reports its progress
 */
record Life(
    double workSeconds,
    double startSeconds,
    double saveEverySeconds,
    double stopSeconds,
    boolean saves,
    double crash,
    int exit,
    boolean tells) {
  private static final String PROGRAM = "life";

  List<String> command() {
    List<String> words = new ArrayList<>();
    words.add(PROGRAM);
    words.add("work=" + workSeconds);
    words.add("start=" + startSeconds);
    words.add("save-every=" + saveEverySeconds);
    words.add("stop=" + stopSeconds);
    words.add("saves=" + saves);
    words.add("crash=" + crash);
    words.add("exit=" + exit);
    words.add("tells=" + tells);
    return words;
  }

  static Life of(JobSpec spec) {
    List<String> words = spec.command();
    return new Life(
        number(words, "work", 60),
        number(words, "start", 0),
        number(words, "save-every", 0),
        number(words, "stop", 0),
        Boolean.parseBoolean(word(words, "saves", "true")),
        number(words, "crash", 0),
        (int) number(words, "exit", 0),
        Boolean.parseBoolean(word(words, "tells", "true")));
  }

  private static double number(List<String> words, String key, double usual) {
    @Nullable String word = word(words, key, null);
    return word == null ? usual : Double.parseDouble(word);
  }

  @SuppressWarnings("NullAway") // As null as the fallback.
  private static String word(List<String> words, String key, @Nullable String fallback) {
    for (String word : words) {
      if (word.startsWith(key + "=")) {
        return word.substring(key.length() + 1);
      }
    }
    return fallback;
  }
}
