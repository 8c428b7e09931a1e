package io.ringmaster.model.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final List<Parameter> DECLARED =
      List.of(
          Parameter.flag("blocking", true).saying("help"),
          Parameter.choice("placement", "any", "pack", "spread").saying("help"),
          Parameter.whole("workers", 8, 1, 64).saying("help"),
          Parameter.whole("jobs", 0, 0, Integer.MAX_VALUE).saying("help"),
          Parameter.number("load", 0.95, 0.01, 100).saying("help"),
          Parameter.number("sigma", 1, 0, Double.POSITIVE_INFINITY).saying("help"),
          new Parameter(
              "queues",
              "1,2",
              new Parameter.Pattern("numbers", t -> t.matches("[0-9,]+")),
              "help"));

  private static Settings of(String name, String value) {
    return Settings.of("policy test", DECLARED, Map.of(name, value));
  }

  @Test
  void defaultsStandForWhatIsNotGiven() {
    Settings settings = Settings.of("policy test", DECLARED, Map.of());
    assertThat(settings.flag("blocking")).isTrue();
    assertThat(settings.text("placement")).isEqualTo("any");
    assertThat(settings.whole("workers")).isEqualTo(8);
    assertThat(settings.number("load")).isEqualTo(0.95);
    assertThat(settings.asMap()).hasSize(DECLARED.size()).containsEntry("queues", "1,2");
  }

  @Test
  void defaultsAreAllowedValues() {
    assertThat(DECLARED).allMatch(p -> p.values().accepts(p.defaultValue()));
  }

  @ParameterizedTest
  @CsvSource({
    "blocking, false",
    "placement, spread",
    "workers, 1",
    "workers, 64",
    "load, 0.01",
    "load, 1e2",
    "sigma, 1e9",
    "queues, '7,8,9'",
    "jobs, 2147483647",
    "workers, 8.0"
  })
  void valuesInRangeAreTaken(String name, String value) {
    assertThat(of(name, value).text(name)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "blocking; yes; true|false",
        "blocking; TRUE; true|false",
        "placement; tight; any|pack|spread",
        "placement; ''; any|pack|spread",
        "workers; 0; a whole number from 1 to 64",
        "workers; 65; a whole number from 1 to 64",
        "workers; 1.5; a whole number from 1 to 64",
        "workers; eight; a whole number from 1 to 64",
        "workers; NaN; a whole number from 1 to 64",
        "jobs; -1; a whole number of at least 0",
        "load; 0.009; a number from 0.01 to 100",
        "load; 100.1; a number from 0.01 to 100",
        "load; NaN; a number from 0.01 to 100",
        "sigma; -0.1; a number of at least 0",
        "queues; a; numbers",
      })
  void othersAreRefusedWithWhatWasExpected(String name, String value, String expected) {
    assertThatThrownBy(() -> of(name, value))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "policy test: setting %s: '%s' is not allowed; expected %s"
                .formatted(name, value, expected));
  }

  @ParameterizedTest
  @CsvSource({
    "blokcing, blocking",
    "Blocking, blocking",
    "placment, placement",
    "worker, workers",
    "queue, queues",
    "sigmas, sigma",
    "lad, load"
  })
  void aMisspeltNameIsToldTheRightOne(String misspelt, String right) {
    assertThatThrownBy(() -> of(misspelt, "1"))
        .isInstanceOf(BadInput.class)
        .hasMessage(
            "policy test has no setting '%s'; did you mean '%s'?".formatted(misspelt, right));
  }

  @Test
  void aNameLikeNoOtherIsToldThemAll() {
    assertThatThrownBy(() -> of("zzzzzz", "1"))
        .hasMessage(
            "policy test has no setting 'zzzzzz'; expected one of blocking, placement, workers,"
                + " jobs, load, sigma, queues");
  }

  @Test
  void whatHasNoSettingsSaysSo() {
    assertThatThrownBy(() -> Settings.of("policy idle", List.of(), Map.of("a", "1")))
        .hasMessage("policy idle has no settings, so 'a' cannot be set");
  }

  @Test
  void whatWasNeverDeclaredCannotBeAsked() {
    Settings settings = Settings.of("policy test", DECLARED, Map.of());
    assertThatThrownBy(() -> settings.text("other")).hasMessageContaining("never declared");
  }
}
