package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.Cli;
import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.model.BadInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewCommandTest {
  private static final String SECRET = "not for you";

  @TempDir Path temporary;
  private Path report = Path.of("");
  private FolderServer server = unstarted();
  private final HttpClient client = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway") // JUnit starts it before any test.
  private static FolderServer unstarted() {
    return null;
  }

  /** A report with one run below it; beside it, what nobody may read. */
  @BeforeEach
  void serve() throws IOException {
    report = temporary.resolve("report");
    Files.createDirectories(report.resolve("easy"));
    Files.createDirectories(report.resolve(".hidden"));
    Cli.write(report.resolve("report.html"), "<p>all</p>");
    Cli.write(report.resolve("results.json"), "{}");
    Cli.write(report.resolve("a b.svg"), "<svg/>");
    Cli.write(report.resolve("empty.csv"), "");
    Cli.write(report.resolve(".hidden/file"), SECRET);
    Cli.write(report.resolve(".name"), SECRET);
    Cli.write(report.resolve("easy/report.html"), "<p>easy</p>");
    Cli.write(temporary.resolve("secret"), SECRET);
    Files.createSymbolicLink(report.resolve("out"), temporary);
    Files.createSymbolicLink(report.resolve("link"), temporary.resolve("secret"));
    Files.createSymbolicLink(report.resolve("shown"), report.resolve(".name"));
    server = ViewCommand.serve(report, null);
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    URI address = server.address().resolve(path);
    return client.send(
        HttpRequest.newBuilder(address).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** What a client is told that mends nothing in the path: the first line, and all. */
  private String raw(String path, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      String request =
          "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      return String.join("\n", in.lines().toList());
    }
  }

  @Test
  void pageIsAtTheRoot() throws IOException, InterruptedException {
    assertThat(server.address().toString()).matches("http://127\\.0\\.0\\.1:\\d+/");
    HttpResponse<String> page = send("GET", "/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).isEqualTo("<p>all</p>");
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
  }

  @Test
  void runsBelowHaveTheirPages() throws IOException, InterruptedException {
    assertThat(send("GET", "/easy/report.html").body()).isEqualTo("<p>easy</p>");
    assertThat(send("GET", "/easy/").body()).isEqualTo("<p>easy</p>");
    HttpResponse<String> folder = send("GET", "/easy");
    assertThat(folder.statusCode()).isEqualTo(301);
    assertThat(folder.headers().firstValue("Location")).hasValue("/easy/");
  }

  @Test
  void filesHaveTheirTypes() throws IOException, InterruptedException {
    assertThat(send("GET", "/results.json").headers().firstValue("Content-Type"))
        .hasValue("application/json");
    HttpResponse<String> svg = send("GET", "/a%20b.svg");
    assertThat(svg.headers().firstValue("Content-Type")).hasValue("image/svg+xml");
    assertThat(svg.body()).isEqualTo("<svg/>");
    HttpResponse<String> empty = send("GET", "/empty.csv");
    assertThat(empty.statusCode()).isEqualTo(200);
    assertThat(empty.body()).isEmpty();
  }

  @Test
  void headHasNoBody() throws IOException, InterruptedException {
    HttpResponse<String> head = send("HEAD", "/");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("Content-Length")).hasValue("10");
    assertThat(head.body()).isEmpty();
    assertThat(send("HEAD", "/none").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE"})
  void nothingIsChanged(String method) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(method, "/report.html");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
    assertThat(Files.readString(report.resolve("report.html"))).isEqualTo("<p>all</p>");
  }

  @Test
  void whatIsNotThereIsSaidInWords() throws IOException, InterruptedException {
    HttpResponse<String> none = send("GET", "/none.html");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).isEqualTo("there is no such file in report\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../secret",
        "/easy/../../secret",
        "/%2e%2e/secret",
        "/%2E%2E%2Fsecret",
        "/..%2fsecret",
        "/..%5csecret",
        "/easy/%2e%2e/%2e%2e/secret",
        "/%252e%252e/secret",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/%2Fetc%2Fpasswd",
        "/out/secret",
        "/out/",
        "/link",
        "/shown",
        "/.name",
        "/.hidden/file",
        "/%2ehidden/file",
        "/report.html%00",
        "/report.html/secret"
      })
  void thereIsNoWayOut(String path) throws IOException {
    assertThat(raw(path, "localhost"))
        .matches("(?s)HTTP/1.1 40[04] .*")
        .doesNotContain(SECRET, "root:");
  }

  @Test
  void otherNamesOfThisMachineAreTurnedAway() throws IOException {
    assertThat(raw("/", "evil.example:80")).startsWith("HTTP/1.1 403 ");
    assertThat(raw("/", "127.0.0.1:" + server.address().getPort())).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void portMayBeChosenUnlessItIsTaken() throws IOException {
    int free;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = taken.getLocalPort();
      assertThatThrownBy(() -> ViewCommand.serve(report, taken.getLocalPort()))
          .isInstanceOf(BadInput.class)
          .hasMessageContainingAll("port " + free, "--port");
    }
    try (FolderServer chosen = ViewCommand.serve(report, free)) {
      assertThat(chosen.address().getPort()).isEqualTo(free);
    }
    assertThat(error(report, "--port", "70000")).contains("1 to 65535", "70000");
  }

  private static String error(Path folder, String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "view";
    args[1] = folder.toString();
    System.arraycopy(more, 0, args, 2, more.length);
    Cli.Ran ran = Cli.run(args);
    assertThat(ran.status()).isEqualTo(ExitStatus.BAD_INPUT);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).hasLineCount(1);
    return ran.err();
  }

  @Test
  void whatIsNoReportIsAnError() throws IOException {
    String expected =
        "the folder that simulate, compare, reproduce, whatif or size wrote with --out";
    assertThat(error(temporary.resolve("none"))).contains("none does not exist", expected);
    assertThat(error(temporary.resolve("secret"))).contains("secret is not a folder", expected);
    assertThat(error(temporary)).contains("has no report.html", expected);
    Files.delete(report.resolve("report.html"));
    assertThat(error(report)).contains("results.json", "older version", "run the command again");
  }

  @Test
  void aBrowserIsOpenedOnlyOnAScreen() {
    assertThat(ViewCommand.browsers("Linux", Map.of("BROWSER", "firefox"))).isEmpty();
    assertThat(ViewCommand.browsers("Linux", Map.of("DISPLAY", ":0"))).containsExactly("xdg-open");
    assertThat(ViewCommand.browsers("Linux", Map.of("WAYLAND_DISPLAY", "w", "BROWSER", "firefox")))
        .isEqualTo(List.of("firefox", "xdg-open"));
    assertThat(ViewCommand.browsers("Mac OS X", Map.of())).containsExactly("open");
  }
}
