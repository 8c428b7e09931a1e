package io.ringmaster.control.store;

import io.ringmaster.model.BadInput;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where PostgreSQL is and who asks, of one line of configuration. Messages never quote the line: it
 * may hold a password.
 *
 * @param jdbcUrl without user and password
 * @param name for messages
 */
record PostgresAddress(String jdbcUrl, Properties properties, String name) {
  private static final Pattern LINE =
      Pattern.compile(
          "postgres(?:ql)?://(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?"
              + "(?<hosts>[A-Za-z0-9._,:\\[\\]-]*)/(?<database>[^/?@]+)(?:\\?(?<options>[^@]*))?");
  private static final Pattern HOSTS =
      Pattern.compile("(?:(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::[0-9]{1,5})?(?:,|$))+");

  static PostgresAddress of(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches() || !HOSTS.matcher(parts.group("hosts")).matches()) {
      throw misread();
    }
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "ringmaster");
    properties.setProperty("reWriteBatchedInserts", "true");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", "5");
    // A server that is gone without a word must not hold the plane for ever.
    properties.setProperty("socketTimeout", "60");
    put(properties, "user", parts.group("user"));
    put(properties, "password", parts.group("password"));
    String options = parts.group("options");
    String place = parts.group("hosts") + "/" + parts.group("database");
    return new PostgresAddress(
        "jdbc:postgresql://" + place + (options == null ? "" : "?" + options),
        properties,
        "store postgresql://" + place);
  }

  private static void put(Properties properties, String key, @Nullable String encoded) {
    if (encoded != null && !encoded.isEmpty()) {
      try {
        // A plus means itself outside of forms.
        properties.setProperty(
            key, URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw misread();
      }
    }
  }

  private static BadInput misread() {
    return new BadInput(
        "store postgresql://...: expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE; in a"
            + " password write %40 for @, %2F for /, %3A for :, %3F for ? and %25 for %");
  }

  @Override
  public String toString() {
    return name;
  }
}
