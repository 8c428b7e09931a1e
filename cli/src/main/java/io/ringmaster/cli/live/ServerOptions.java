package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server: what all that ask one have. */
class ServerOptions {
  static final String DEFAULT = "http://127.0.0.1:7070";

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "the server (default: RINGMASTER_SERVER, or else " + DEFAULT + ")")
  @Nullable String server;

  Client client() {
    return new Client(address(), token());
  }

  private URI address() {
    String named = server;
    String source = "--server";
    if (named == null) {
      named = System.getenv("RINGMASTER_SERVER");
      source = "RINGMASTER_SERVER";
    }
    if (named == null || named.isBlank()) {
      named = DEFAULT;
    }
    return address(source, named.strip());
  }

  static URI address(String source, String text) {
    String full = text.contains("://") ? text : "http://" + text;
    try {
      URI uri = new URI(full.replaceAll("/+$", ""));
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getQuery() == null) {
        return uri;
      }
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw new BadInput(
        "%s: '%s' is not the address of a server, such as %s".formatted(source, text, DEFAULT));
  }

  private static String token() {
    String given = System.getenv("RINGMASTER_TOKEN");
    String source = "RINGMASTER_TOKEN";
    Path file = TokenFile.usual();
    if ((given == null || given.isBlank()) && Files.exists(file)) {
      source = file.toString();
      try {
        given = Files.readString(file);
        TokenFile.warnIfReadable(file, "your token");
      } catch (IOException e) {
        throw new BadInput("%s: cannot be read: %s".formatted(file, e.getMessage()));
      }
    }
    String token = given == null ? "" : given.strip();
    if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new BadInput(source + ": a token is one word of letters, digits and signs");
    }
    return token;
  }
}
