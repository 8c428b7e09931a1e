package io.ringmaster.cli.simulate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of a folder over HTTP, to this machine alone. A folder inside answers with its
 * page. Nothing outside of the folder is served, nor what is hidden or a link to the outside.
 */
final class FolderServer implements AutoCloseable {
  private static final int OK = 200;
  private static final int FOUND_ELSEWHERE = 301;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int NO_SUCH_METHOD = 405;

  private static final String TEXT = "text/plain; charset=utf-8";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "json", "application/json",
          "csv", "text/csv; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "yaml", "text/plain; charset=utf-8",
          "txt", TEXT,
          "gz", "application/gzip",
          "zst", "application/zstd");

  private final Path folder;
  private final String page;
  private final HttpServer server;
  private final ExecutorService threads;

  private FolderServer(Path folder, String page, HttpServer server, ExecutorService threads) {
    this.folder = folder;
    this.page = page;
    this.server = server;
    this.threads = threads;
  }

  /**
   * @param page the file that a folder answers with
   * @param port 0: any that is free
   */
  static FolderServer start(Path folder, String page, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(address, 0);
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    FolderServer own = new FolderServer(folder.toRealPath(), page, server, threads);
    server.setExecutor(threads);
    server.createContext("/", own::answer);
    server.start();
    return own;
  }

  URI address() {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://%s:%d/".formatted(address.getAddress().getHostAddress(), address.getPort()));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        say(exchange, NO_SUCH_METHOD, "only GET and HEAD are answered");
      } else if (!isOurs(exchange)) {
        say(exchange, FORBIDDEN, "this address is for this machine alone");
      } else {
        serve(exchange);
      }
    }
  }

  /** A page elsewhere could lead a browser here under a name of its own: such are turned away. */
  private static boolean isOurs(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    if (host == null) {
      return true;
    }
    String name = host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    return name.equals("localhost") || name.equals("127.0.0.1") || name.equals("[::1]");
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Path found = path == null ? null : find(path);
    if (found != null && Files.isDirectory(found)) {
      if (!path.endsWith("/")) {
        // Else the links of its page would be those of the folder above.
        exchange.getResponseHeaders().set("Location", exchange.getRequestURI().getRawPath() + "/");
        exchange.sendResponseHeaders(FOUND_ELSEWHERE, -1);
        return;
      }
      found = find(path + page);
    }
    if (found == null || !Files.isRegularFile(found) || !Files.isReadable(found)) {
      say(exchange, NOT_FOUND, "there is no such file in " + folder.getFileName());
      return;
    }
    head(exchange, type(found));
    long size = Files.size(found);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Long.toString(size));
      exchange.sendResponseHeaders(OK, -1);
      return;
    }
    try (InputStream in = Files.newInputStream(found)) {
      exchange.sendResponseHeaders(OK, size == 0 ? -1 : size);
      if (size > 0) {
        in.transferTo(exchange.getResponseBody());
      }
    }
  }

  /** The file of a path, with no link left in it; null if it is none of the folder's. */
  private @Nullable Path find(String path) throws IOException {
    Path at = folder;
    for (String name : path.split("/", -1)) {
      if (name.isEmpty()) {
        continue;
      }
      // A hidden file, the folder above, or a name with a separator in it.
      if (name.startsWith(".") || name.indexOf('\\') >= 0 || name.indexOf('\0') >= 0) {
        return null;
      }
      try {
        at = at.resolve(name);
      } catch (InvalidPathException _) {
        return null;
      }
    }
    if (!Files.exists(at)) {
      return null;
    }
    Path real = at.toRealPath();
    if (!real.startsWith(folder)) {
      return null;
    }
    for (Path name : folder.relativize(real)) {
      if (name.toString().startsWith(".")) {
        return null;
      }
    }
    return real;
  }

  private static String type(Path file) {
    String name = String.valueOf(file.getFileName());
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(ending, "application/octet-stream");
  }

  private static void head(HttpExchange exchange, String type) {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    // The folder may be written anew while it is looked at.
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    head(exchange, TEXT);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
