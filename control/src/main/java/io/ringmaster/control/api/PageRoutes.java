package io.ringmaster.control.api;

import static io.ringmaster.control.api.Route.Access.ANYBODY;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The dashboard: three files of module web. Anybody may load them, since they hold no data; what
 * the page shows it asks for like every other caller.
 */
final class PageRoutes {
  private static final String FOLDER = "/io/ringmaster/web/dashboard/";

  /** Nothing from elsewhere, nothing inline, in nobody's frame. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "X-Frame-Options",
          "DENY");

  private PageRoutes() {}

  static List<Route> routes() {
    return List.of(
        file("/", "dashboard.html", "text/html; charset=utf-8"),
        file("/dashboard.js", "dashboard.js", "text/javascript; charset=utf-8"),
        file("/dashboard.css", "dashboard.css", "text/css; charset=utf-8"));
  }

  private static Route file(String path, String name, String contentType) {
    byte[] bytes = bytes(name);
    return Route.read(path, ANYBODY, List.of(), _ -> Response.bytes(contentType, bytes, HEADERS));
  }

  private static byte[] bytes(String name) {
    try (InputStream file = PageRoutes.class.getResourceAsStream(FOLDER + name)) {
      if (file == null) {
        throw new IllegalStateException(FOLDER + name + " is missing: module web was not built");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
