package io.ringmaster.report;

import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * One HTML file that needs nothing else: the front end with the data that it shows inside.
 *
 * <p>The data has a {@code kind}, which says what page it is for. Their fields are those of the
 * types in web/src/data.ts.
 */
public final class Page {
  public static final String FILE = "report.html";

  private static final String TEMPLATE = "/io/ringmaster/web/report.html";
  private static final String MARK = "@REPORT@";

  private Page() {}

  public static String html(Object data) {
    String template = template();
    int at = template.indexOf(MARK);
    // An end tag in a job's name must not end the script that it is in.
    String json = Json.compact(data).replace("<", "\\u003c");
    return template.substring(0, at) + json + template.substring(at + MARK.length());
  }

  private static String template() {
    try (InputStream in = Page.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IllegalStateException(TEMPLATE + " is missing: module web was not built");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
