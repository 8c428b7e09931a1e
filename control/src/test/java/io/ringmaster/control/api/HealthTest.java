package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.control.plane.PlaneHealth;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a plane that does well or not. */
class HealthTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          true  | ''            | 1        | 2        | 3   | 200 | 200 | leader
          true  | ''            | 31       | 2        | 3   | 200 | 503 | the plane has not answered for 31 s
          true  | ''            | 1        | 61       | 3   | 200 | 503 | the engine has not answered for 61 s
          true  | ''            | 1        | Infinity | 3   | 200 | 503 | the engine has not answered yet
          true  | ''            | 1        | 2        | 31  | 200 | 503 | the store has not answered for 31 s
          true  | ''            | Infinity | 2        | 3   | 503 | 503 | the plane has ended: start the server again
          false | node 7 leads  | 1        | Infinity | 3   | 200 | 503 | node 7 leads
          false | ''            | 1        | Infinity | 3   | 200 | 503 | another server leads
          """)
  void isTold(
      boolean leads,
      String why,
      double step,
      double engine,
      double store,
      int alive,
      int ready,
      String words) {
    Health health =
        new Health(
            () -> new PlaneHealth(leads, why, step, engine, store, "trouble"), Limits.usual());
    assertThat(health.alive().status()).isEqualTo(alive);
    assertThat(health.ready().status()).isEqualTo(ready);
    assertThat(health.ready().body()).contains(words, "\"trouble\":\"trouble\"");
  }
}
