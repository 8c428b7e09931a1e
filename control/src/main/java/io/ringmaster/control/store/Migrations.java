package io.ringmaster.control.store;

import io.ringmaster.model.BadInput;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/** Brings the tables up to date. */
final class Migrations {
  private static final String FOLDER = "classpath:io/ringmaster/control/store/migration";

  private Migrations() {}

  /**
   * @param name of the database, for messages
   * @throws BadInput if this program cannot work with what is there
   * @throws SQLException if the database says no
   */
  static void run(DataSource source, Dialect dialect, String name) throws SQLException {
    Flyway flyway =
        Flyway.configure()
            .dataSource(source)
            .locations(FOLDER)
            .placeholders(dialect.placeholders())
            .loggers("slf4j")
            .load();
    try {
      for (MigrationInfo migration : flyway.info().all()) {
        if (migration.getState() == MigrationState.FUTURE_SUCCESS) {
          throw new BadInput(
              "%s was made by a newer version of this program (tables of version %s); run that one, or name another store"
                  .formatted(name, migration.getVersion()));
        }
      }
      flyway.migrate();
    } catch (FlywayException e) {
      SQLException cause = Failures.sqlCause(e);
      if (cause != null) {
        throw cause;
      }
      throw new BadInput(
          "%s holds tables that this program did not make; name a database of its own (%s)"
              .formatted(name, String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
    }
  }
}
