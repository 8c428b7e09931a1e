package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Debian's Chromium without a window, driven by Playwright with the machine's Node. */
public final class Browser implements AutoCloseable {
  private static final Path SCREENSHOTS = Path.of("target/screenshots");

  private final Playwright playwright;
  private final com.microsoft.playwright.Browser chromium;
  private final List<String> complaints = new ArrayList<>();

  private Browser(Playwright playwright, com.microsoft.playwright.Browser chromium) {
    this.playwright = playwright;
    this.chromium = chromium;
  }

  /** Skips the test where there is no Chromium. */
  public static Browser start() {
    Optional<Path> chromium = program("chromium");
    Optional<Path> node = program("node");
    assumeTrue(chromium.isPresent(), "no chromium (Debian: apt-get install chromium)");
    assumeTrue(node.isPresent(), "no node");
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions()
                .setEnv(
                    Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.orElseThrow().toString(),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1")));
    com.microsoft.playwright.Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(chromium.orElseThrow())
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    return new Browser(playwright, browser);
  }

  private static Optional<Path> program(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens a page from the disk in a window of some size. What it complains of is kept. */
  public Page open(Path file, int width, int height) {
    return open(file.toUri().toString(), width, height);
  }

  /** Opens a page of a server. */
  public Page open(String address, int width, int height) {
    Page page =
        chromium.newPage(
            new com.microsoft.playwright.Browser.NewPageOptions().setViewportSize(width, height));
    page.onConsoleMessage(message -> {
      // That a font which was fetched early was not used at once tells of a busy machine only.
      boolean isLate = message.text().contains("was preloaded using link preload");
      if (!isLate && (message.type().equals("error") || message.type().equals("warning"))) {
        complaints.add(message.text());
      }
    });
    page.onPageError(complaints::add);
    page.onRequestFailed(request -> complaints.add("request failed: " + request.url()));
    page.navigate(address);
    return page;
  }

  /** Keeps a picture of the whole page in target/screenshots, for people to look at. */
  public void screenshot(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")).setFullPage(true));
  }

  public void forgetComplaints() {
    complaints.clear();
  }

  public void hasNoComplaints() {
    assertThat(complaints).as("errors and warnings in the browser's console").isEmpty();
  }

  @Override
  public void close() {
    chromium.close();
    playwright.close();
  }
}
