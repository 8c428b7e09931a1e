package io.ringmaster.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.Network;
import io.ringmaster.policy.KnownLengths;
import io.ringmaster.whatif.Answer.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhatIfTest {
  /** Two jobs of a whole server each, and a small one behind them. */
  private static JobsBuilder threeJobs() {
    return Jobs.builder(ModelTable.standard())
        .addDuration("first", 0, 8, 600, "")
        .happened(0, 600)
        .addDuration("second", 0, 8, 600, "")
        .happened(600, 1200)
        .addDuration("small", 60, 4, 60, "")
        .happened(1200, 1260);
  }

  private static History history(Jobs jobs, int servers) {
    Cluster cluster = Cluster.uniform(servers, 8, Network.Contention.USUAL, 10);
    return new History(History.NATIVE, jobs, cluster, List.of());
  }

  private static Answer answer(History history, String... cases) {
    return new WhatIf(history, new Question("predicted", 1, 1, 2))
        .answer(List.of(cases).stream().map(Case::parse).toList(), _ -> {});
  }

  @Test
  void aReplayIsWhatHappenedAndAServerMoreIsWorthItsWait() {
    Answer answer = answer(history(threeJobs().build(), 1), "add 1x8");
    assertThat(answer.truth().orElseThrow().waitMeanSeconds()).isEqualTo((0 + 600 + 1140) / 3.0);
    // The second waits 600 s while nothing is free; the small one 540 s so, then 600 s for 8 of 8.
    assertThat(answer.truth().orElseThrow().freeShare()).isZero();
    Result replay = answer.replay();
    assertThat(replay.policy()).isEqualTo("fifo");
    assertThat(replay.lengths()).isEqualTo(KnownLengths.NONE);
    assertThat(replay.waitMeanSeconds().mean()).isEqualTo((0 + 600 + 1140) / 3.0);
    Result grown = answer.cases().get(1);
    assertThat(grown.gpus()).isEqualTo(16);
    assertThat(grown.waitMeanSeconds().mean()).isEqualTo((0 + 0 + 540) / 3.0);
    assertThat(grown.changes().waitMean()).isCloseTo(540 / 1740.0 - 1, within(1e-12));
    assertThat(grown.soonerShare()).isEqualTo(2 / 3.0);
    assertThat(grown.laterShare()).isZero();
    assertThat(grown.bySize())
        .containsExactly(new Answer.Part("4", 1, 1140, -600), new Answer.Part("8", 2, 300, -300));
    assertThat(answer.sentences())
        .contains(
            "In truth jobs waited 9.7 min in the mean; replayed under fifo, which comes closest,"
                + " 9.7 min (+0 %). 100 % of the jobs wait as long as they did, to a minute.",
            "1 more server of 8 GPUs: the mean wait falls from 9.7 min to 3.0 min.");
  }

  /**
   * A server that fails 200 times in a thousand days: every 5 days. Young: sqrt(2 x 600 s x 5 d).
   */
  @Test
  void howOftenToSaveIsToldBesideWhatFormulasSay() {
    JobsBuilder jobs = Jobs.builder(ModelTable.standard());
    for (int i = 0; i < 40; i++) {
      jobs.addDuration("j" + i, i * 43200.0, 8, 400_000, "");
    }
    Answer answer =
        answer(
            history(jobs.build(), 12),
            "failures 200",
            "failures 200, checkpoint 1h/10min",
            "failures 200, checkpoint 6h/10min",
            "failures 200, checkpoint 4d/10min");
    assertThat(answer.cases().get(1).goodput().mean())
        .isLessThan(answer.cases().get(3).goodput().mean());
    assertThat(answer.sentences())
        .anySatisfy(sentence ->
            assertThat(sentence)
                .startsWith("Of the checkpoints tried, those every 6.0 h keep the most: ")
                .endsWith(
                    "For a job on 1 server, and half of the GPU time is of such or smaller ones,"
                        + " Young's formula says every 6.3 h and Daly's every 6.2 h."));
    assertThat(answer.sentences())
        .anySatisfy(sentence ->
            assertThat(sentence).startsWith("200 failures for each thousand days of a server: "));
  }

  @Test
  void whetherGpusWereFreeWhileJobsWaitedIsTold() {
    // The second waits for 100 s beside 4 free GPUs, of which it asks for 4; the third asks for 8.
    Jobs jobs =
        Jobs.builder(ModelTable.standard())
            .addDuration("first", 0, 4, 600, "")
            .happened(0, 600)
            .addDuration("second", 100, 4, 600, "")
            .happened(200, 800)
            .addDuration("third", 500, 8, 60, "")
            .happened(800, 860)
            .build();
    Answer answer = answer(history(jobs, 1), "policy fifo");
    assertThat(answer.truth().orElseThrow().freeShare()).isCloseTo(100 / 400.0, within(1e-12));
    assertThat(answer.sentences().get(1))
        .isEqualTo(
            "While jobs waited, as many GPUs as they asked for were free 25 % of the time, as far"
                + " as the history tells.");
  }

  @Test
  void aFasterNetworkMakesAJobShorterThatSpansServers() {
    Jobs jobs =
        Jobs.builder(ModelTable.standard()).addDuration("ring", 0, 16, 600, "bert-large").build();
    Answer answer = answer(history(jobs, 2), "nic 100Gbps");
    assertThat(answer.replay().completionMeanSeconds().mean()).isCloseTo(600, within(1e-6));
    assertThat(answer.cases().get(1).completionMeanSeconds().mean()).isLessThan(300);
  }

  @Test
  void whereNobodySaysWhatJobsTrainTheNetworkIsGuessedAndThatIsSaid() {
    Jobs jobs = Jobs.builder(ModelTable.standard()).addDuration("ring", 0, 16, 600, "").build();
    Answer answer = answer(history(jobs, 2), "nic 100Gbps");
    assertThat(answer.cases().get(1).completionMeanSeconds().mean()).isLessThan(600);
    assertThat(String.join(" ", answer.sentences()))
        .contains("1 of 1 jobs do not say what they train", "over the draws");
  }

  /** The short one stops the long one, which starts again after 10 s; else it waits 5400 s. */
  private static Jobs longAndShort() {
    return Jobs.builder(ModelTable.standard())
        .addDuration("long", 0, 8, 6000, "")
        .addDuration("short", 600, 8, 60, "")
        .build();
  }

  private static final String STOPS =
      "Jobs are stopped for others by srsf (once). Each is taken to go on where it was, 10 s after"
          + " it starts again, and the history does not tell whether it can: --not-resumable asks"
          + " as if none could.";

  private static Answer knowing(History history) {
    return new WhatIf(history, new Question("perfect", 1, 1, 2))
        .answer(
            List.of(Case.parse("policy srsf"), Case.parse("policy srsf, resumable no")), _ -> {});
  }

  @Test
  void thatStopsRestOnJobsThatGoOnIsSaid() {
    Answer answer = knowing(history(longAndShort(), 1));
    assertThat(answer.sentences()).contains(STOPS);
    assertThat(answer.cases().get(1).stops().mean()).isEqualTo(1);
    assertThat(answer.cases().get(1).waitMeanSeconds().mean()).isEqualTo(60 / 2.0);
    assertThat(answer.cases().get(2).stops().mean()).isZero();
    assertThat(answer.cases().get(2).waitMeanSeconds().mean()).isEqualTo(5400 / 2.0);
  }

  @Test
  void whereNoJobCanGoOnNoneIsStopped() {
    Answer answer = knowing(history(longAndShort(), 1).notResumable());
    assertThat(answer.cases().get(1).waitMeanSeconds().mean()).isEqualTo(5400 / 2.0);
    assertThat(answer.sentences())
        .doesNotContain(STOPS)
        .endsWith(
            "Note: no job is taken to be able to go on after a stop, so no policy stops one.");
  }

  @Test
  void lengthsThatNobodyWouldKnowAreSaid() {
    History history = history(threeJobs().build(), 1);
    Answer answer =
        new WhatIf(history, new Question("perfect", 1, 1, 2))
            .answer(List.of(Case.parse("policy srsf")), _ -> {});
    assertThat(answer.cases().get(1).lengths()).isEqualTo(KnownLengths.KNOWN);
    assertThat(answer.sentences())
        .contains("Beware: srsf knows how long each job will run, which nobody would.");
  }

  @Test
  void theNumberOfThreadsDoesNotShow() {
    History history = history(threeJobs().build(), 2);
    Answer one = new WhatIf(history, new Question("predicted", 3, 7, 1)).answer(List.of(), _ -> {});
    Answer two = new WhatIf(history, new Question("predicted", 3, 7, 2)).answer(List.of(), _ -> {});
    assertThat(one.cases()).isEqualTo(two.cases());
  }
}
