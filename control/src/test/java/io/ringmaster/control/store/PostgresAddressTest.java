package io.ringmaster.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.BadInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {
  @Test
  void oneLineSaysAll() {
    PostgresAddress address =
        PostgresAddress.of("postgresql://ann:p%40ss+w%2Frd@db.example:5433/jobs?sslmode=require");
    assertThat(address.jdbcUrl())
        .isEqualTo("jdbc:postgresql://db.example:5433/jobs?sslmode=require");
    assertThat(address.properties())
        .containsEntry("user", "ann")
        .containsEntry("password", "p@ss+w/rd");
    assertThat(address).hasToString("store postgresql://db.example:5433/jobs");
  }

  @Test
  void severalHostsAndNoUserAreFine() {
    PostgresAddress address = PostgresAddress.of("postgres://a:1,[::1]:2,c/jobs");
    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://a:1,[::1]:2,c/jobs");
    assertThat(address.properties()).doesNotContainKeys("user", "password");
  }

  /** None of these can be understood, and each may hold a part of a password. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://ann:secret/x@db/jobs",
        "postgresql://ann:se@secret@db/jobs",
        "postgresql://ann:12secret/jobs",
        "postgresql://ann:secret@db:port/jobs",
        "postgresql://ann:secret@db",
        "postgresql://ann:secret@/jobs",
        "postgresql:secret",
        "postgresql://ann:%secret@db/jobs",
      })
  void aLineThatIsWrongIsNotQuoted(String line) {
    assertThatThrownBy(() -> PostgresAddress.of(line))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE")
        .message()
        .doesNotContain("secret")
        .doesNotContain("ann");
  }
}
