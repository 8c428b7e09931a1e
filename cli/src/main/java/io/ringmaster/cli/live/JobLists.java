package io.ringmaster.cli.live;

import io.ringmaster.control.job.JobState;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Jobs of a user, in some states. */
final class JobLists {
  static final List<String> STATES = Arrays.stream(JobState.values()).map(JobState::text).toList();

  private static final int PAGE = 100;

  private JobLists() {}

  /** Refuses what is no state. */
  static void check(List<String> states) {
    for (String state : states) {
      if (!STATES.contains(state)) {
        throw new BadInput(
            "--state: no state is called '%s'; %s"
                .formatted(state, Settings.Nearest.hint(state, STATES)));
      }
    }
  }

  /** States that jobs end in, or the others. */
  static List<String> states(boolean ended) {
    return Arrays.stream(JobState.values())
        .filter(state -> state.isEnd() == ended)
        .map(JobState::text)
        .toList();
  }

  /** A page of them, newest first. */
  static Fields page(Client client, List<String> states, String user, int most, String below) {
    return client.get(
        "jobs",
        "/jobs?limit=%d&state=%s%s%s"
            .formatted(
                Math.min(PAGE, most),
                String.join(",", states),
                user.isEmpty() ? "" : "&user=" + Client.part(user),
                below));
  }

  /** Ids of all that have not ended, newest first: those that wait behind others go first. */
  static List<Long> open(Client client, String user, List<String> states) {
    check(states);
    List<String> wanted = new ArrayList<>(states.isEmpty() ? states(false) : states);
    wanted.removeAll(states(true));
    List<Long> ids = new ArrayList<>();
    if (wanted.isEmpty()) {
      return ids;
    }
    for (String below = ""; ; ) {
      Fields page = page(client, wanted, user, PAGE, below);
      page.objects("jobs").forEach(job -> ids.add(job.whole("id")));
      if (!page.has("next")) {
        return ids;
      }
      below = "&below=" + page.whole("next");
    }
  }
}
