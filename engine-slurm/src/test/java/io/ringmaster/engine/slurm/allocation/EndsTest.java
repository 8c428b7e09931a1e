package io.ringmaster.engine.slurm.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.job.Status;
import io.ringmaster.control.job.Status.Exited;
import io.ringmaster.control.job.Status.Gone;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndsTest {
  private static Status.Phase of(String whyStopped, Status.Phase... phases) {
    List<Ends.End> ends = new ArrayList<>();
    for (Status.Phase phase : phases) {
      // The later a part in the list, the sooner it failed.
      ends.add(new Ends.End("n" + ends.size(), phase, 100 - ends.size()));
    }
    return Ends.of(ends, null, whyStopped);
  }

  @Test
  void allEndedWell() {
    assertThat(of("", new Exited(0, false), new Exited(0, false))).isEqualTo(new Exited(0, false));
  }

  @Test
  void theFirstToFailInTimeCountsWhateverItsRank() {
    assertThat(of("", new Exited(1, false), new Exited(9, false))).isEqualTo(new Exited(9, false));
  }

  @Test
  void whatWasStoppedBecauseAnotherFailedDoesNotCount() {
    assertThat(of("", new Exited(143, true), new Exited(9, false), new Gone("x")))
        .isEqualTo(new Exited(9, false));
  }

  @Test
  void aPartThatIsGoneNamesItsNode() {
    assertThat(of("", new Exited(143, true), new Gone("node n1 is down")))
        .isEqualTo(new Gone("on node n1: node n1 is down"));
  }

  @Test
  void allWereStopped() {
    assertThat(of("", new Exited(0, true), new Exited(143, true))).isEqualTo(new Exited(143, true));
    assertThat(of("", new Exited(0, false), new Exited(5, true))).isEqualTo(new Exited(5, true));
  }

  @Test
  void whoStoppedItIsSaidOfWhatWasStoppedOnly() {
    assertThat(of("allocation 7 ends", new Exited(0, true)))
        .isEqualTo(new Exited(0, true, "allocation 7 ends"));
    assertThat(of("allocation 7 ends", new Exited(0, false))).isEqualTo(new Exited(0, false));
    assertThat(of("allocation 7 ends", new Exited(3, false))).isEqualTo(new Exited(3, false));
  }

  @Test
  void whatCouldNotBeStartedEverywhereIsGone() {
    assertThat(Ends.of(List.of(new Ends.End("n1", new Exited(1, false), 0)), "no answer", ""))
        .isEqualTo(new Gone("no answer"));
  }
}
