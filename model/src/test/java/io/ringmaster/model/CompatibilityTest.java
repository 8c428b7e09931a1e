package io.ringmaster.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompatibilityTest {
  private static LinkRing ring(int job, double exchange, double rest) {
    return new LinkRing(job, exchange, rest, 1, rest / exchange);
  }

  private static double score(LinkRing... rings) {
    return Compatibility.score(List.of(rings));
  }

  @Test
  void ringsThatNeedNeverMeetHaveTheBestScore() {
    assertThat(score(ring(0, 1, 0))).isEqualTo(1);
    assertThat(score(ring(0, 1, 2), ring(1, 1, 2))).isEqualTo(1);
    assertThat(score(ring(0, 1, 2), ring(1, 1, 2), ring(2, 1, 2))).isEqualTo(1);
    // One of them twice while the other goes round once.
    assertThat(score(ring(0, 1, 2), ring(1, 2, 4))).isEqualTo(1);
  }

  /** Two of 2 s in 3 s meet for one of them, three that always transmit are two too many. */
  @Test
  void whatIsAboveWhatTheLinkCarriesIsLost() {
    assertThat(score(ring(0, 2, 1), ring(1, 2, 1))).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(score(ring(0, 1, 0), ring(1, 1, 0), ring(2, 1, 0))).isCloseTo(-1, within(1e-9));
  }

  /** In 6 s one transmits twice for 2 s, the other three times for 1 s: in all 7 of 6. */
  @Test
  void periodsThatDifferGoOnTheCircleOfTheirCommonMultiple() {
    assertThat(score(ring(0, 2, 1), ring(1, 1, 1))).isCloseTo(4.0 / 6, within(1e-9));
  }

  @Test
  void aLinkThatIsWideCarriesSeveral() {
    LinkRing wide = new LinkRing(0, 1, 0, 2, 1);
    assertThat(score(wide, new LinkRing(1, 1, 0, 2, 1))).isEqualTo(1);
  }

  @Test
  void aNeighbourMoreNeverHelps() {
    Seeds.each(
        200,
        (random, seed) -> {
          List<LinkRing> rings = new ArrayList<>();
          double before = 1;
          for (int job = 0; job < 4; job++) {
            rings.add(ring(job, random.nextDouble(0.1, 1), random.nextDouble(2)));
            double load = rings.stream().mapToDouble(LinkRing::load).sum();
            double score = Compatibility.score(rings);
            assertThat(score).isLessThanOrEqualTo(2 - Math.max(1, load) + 0.05);
            assertThat(score).isLessThanOrEqualTo(before + 0.05);
            before = score;
          }
        });
  }
}
