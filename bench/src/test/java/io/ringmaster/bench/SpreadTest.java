package io.ringmaster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void ofFiveTheLeastIsBelowTheTrueMiddleButOnceInThirtyTwo() {
    assertThat(Spread.of(5, 1, 4, 2, 3)).isEqualTo(new Spread(3, 1, 5));
  }

  @Test
  void fourSayNothingForCertain() {
    assertThat(Spread.of(1, 2, 3, 4)).isEqualTo(new Spread(2.5, 0, Double.POSITIVE_INFINITY));
  }

  /** (1 + 8) / 2^8 = 3.5 %, and with the third 14 %. */
  @Test
  void ofEightTheSecondIs() {
    assertThat(Spread.of(1, 2, 3, 4, 5, 6, 7, 8)).isEqualTo(new Spread(4.5, 2, 7));
  }

  @Test
  void aBusyMachineSlowsBothOfAPair() {
    double[] run = {2, 4, 20, 2, 6};
    double[] kernel = {1, 2, 10, 1, 3};

    assertThat(Spread.ratio(run, kernel)).isEqualTo(new Spread(2, 2, 2));
  }
}
