package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TurnTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final double SLACK = 0.01;

  private static LinkRing ring(int job, double exchange, double rest) {
    return new LinkRing(job, exchange, rest, 1, rest / exchange);
  }

  private static Turn given(LinkRing ring, List<Turn.Holder> neighbours) {
    return Objects.requireNonNull(Turn.of(ring, neighbours, SLACK));
  }

  private static void isAt(Turn turn, double period, double offset) {
    assertThat(turn.periodSeconds()).isCloseTo(period, EXACT);
    assertThat(turn.offsetSeconds()).isCloseTo(offset, EXACT);
  }

  /** Of 3 s each transmits 1: three find room one after the other, a fourth does not. */
  @Test
  void ringsGoOneAfterTheOther() {
    List<Turn.Holder> holders = new ArrayList<>();
    for (int job = 0; job < 3; job++) {
      LinkRing ring = ring(job, 1, 2);
      Turn turn = given(ring, holders);
      isAt(turn, 3.03, 1.01 * job);
      holders.add(new Turn.Holder(ring, turn));
    }
    assertThat(Turn.of(ring(3, 1, 2), holders, SLACK)).isNull();
    assertThat(given(ring(0, 0.25, 0.25), List.of()).text()).isEqualTo("0.505000000,0.000000000");
  }

  /** Twice while the neighbour goes once, and once while it goes twice. */
  @Test
  void onePeriodMayBeAMultipleOfAnother() {
    Turn.Holder slow = new Turn.Holder(ring(0, 1, 5), new Turn(6.06, 2));
    isAt(given(ring(1, 1, 2), List.of(slow)), 3.03, 3.01);
    Turn.Holder fast = new Turn.Holder(ring(0, 1, 2), new Turn(3.03, 3));
    isAt(given(ring(1, 1, 5), List.of(fast)), 6.06, 4.01);
  }

  /** To wait for a neighbour of 5 s is slower than to meet it now and then. */
  @Test
  void whoIsFasterFreeHasNoTurn() {
    Turn.Holder slow = new Turn.Holder(ring(0, 2, 3), new Turn(5.05, 0));
    assertThat(Turn.of(ring(1, 1, 2), List.of(slow), SLACK)).isNull();
    assertThat(Turn.of(ring(1, 2, 1), List.of(), SLACK)).isNull();
  }

  @Test
  void nobodyMeetsAnybody() {
    Seeds.each(
        300,
        (random, seed) -> {
          List<Turn.Holder> holders = new ArrayList<>();
          for (int job = 0; job < 6; job++) {
            double exchange = random.nextInt(1, 5) / 10.0;
            LinkRing ring = ring(job, exchange, random.nextInt(1, 5) - exchange);
            Turn turn = Turn.of(ring, holders, SLACK);
            if (turn != null) {
              assertThat(turn.periodSeconds()).isGreaterThan(ring.periodSeconds());
              assertThat(turn.offsetSeconds()).isBetween(0.0, turn.periodSeconds());
              holders.add(new Turn.Holder(ring, turn));
            }
          }
          for (double now = 100; now < 130; now += 0.01) {
            double at = now;
            assertThat(holders.stream().filter(holder -> transmits(holder, at)).count())
                .isLessThanOrEqualTo(1);
          }
        });
  }

  private static boolean transmits(Turn.Holder holder, double now) {
    double period = holder.turn().periodSeconds();
    double since = (now - holder.turn().offsetSeconds()) % period;
    return since >= 0 && since < holder.ring().exchangeSeconds();
  }
}
