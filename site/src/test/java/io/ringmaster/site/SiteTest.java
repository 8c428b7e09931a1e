package io.ringmaster.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import io.ringmaster.cli.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The site that the build made, in a real browser. */
class SiteTest {
  private static final Path SITE = Path.of("target/site").toAbsolutePath();
  private static final String HYDRATED = "document.querySelector('#app').__vue_app__ !== undefined";
  private static final int PHONE = 390;
  private static final Page.NavigateOptions DOM_IS_THERE =
      new Page.NavigateOptions().setWaitUntil(WaitUntilState.DOMCONTENTLOADED);

  /** The innermost parts that make a page scroll sideways. */
  private static final String TOO_WIDE =
      """
      document.documentElement.scrollWidth <= window.innerWidth ? [] :
        [...document.querySelectorAll('.vp-doc *')]
          .filter(e => e.getBoundingClientRect().right > window.innerWidth && !e.closest('table, pre'))
          .map(e => e.outerHTML.slice(0, 200))
          .slice(-2)
      """;

  private static @Nullable Browser browser;
  private static @Nullable HttpServer server;
  private static String address = "";

  private static Browser browser() {
    return Objects.requireNonNull(browser);
  }

  @BeforeAll
  static void serve() {
    browser = Browser.start();
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer files = SimpleFileServer.createFileServer(free, SITE, OutputLevel.NONE);
    files.start();
    server = files;
    address = "http://127.0.0.1:" + files.getAddress().getPort() + "/";
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.stop(0);
    }
  }

  @AfterEach
  void nobodyComplains() {
    browser().hasNoComplaints();
  }

  private static Page open(String path, int width) {
    Page page = browser().open(address + path, width, 900);
    page.waitForFunction(HYDRATED);
    return page;
  }

  /** Pages by their addresses within the site. Sample reports have tests of their own. */
  private static List<String> pages() throws IOException {
    try (Stream<Path> files = Files.walk(SITE)) {
      return files
          .map(file -> SITE.relativize(file).toString())
          .filter(name -> name.endsWith(".html"))
          .filter(name -> !name.startsWith("samples/") && !name.equals("404.html"))
          .sorted()
          .toList();
    }
  }

  private static List<String> texts(Page page, String script) {
    return ((List<?>) page.evaluate(script)).stream().map(String::valueOf).toList();
  }

  @Test
  void everyLinkLeadsSomewhereAndEveryPageFitsAPhone() throws IOException {
    Map<String, List<String>> links = new TreeMap<>();
    Map<String, Set<String>> anchors = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    Page page = open("", PHONE);
    for (String name : pages()) {
      page.navigate(address + name, DOM_IS_THERE);
      page.waitForFunction(HYDRATED);
      links.put(name, texts(page, "[...document.querySelectorAll('a[href]')].map(a => a.href)"));
      anchors.put(
          name,
          new HashSet<>(texts(page, "[...document.querySelectorAll('[id]')].map(e => e.id)")));
      texts(page, TOO_WIDE).forEach(part -> wrong.add(name + " is wider than a phone: " + part));
    }
    assertThat(links).containsKeys("index.html", "docs/index.html", "docs/policies/easy.html");
    links.forEach((name, hrefs) -> {
      for (String href : new HashSet<>(hrefs)) {
        if (href.startsWith(address) && !resolves(href, anchors)) {
          wrong.add(name + ": " + href.substring(address.length()));
        }
      }
    });
    assertThat(wrong).isEmpty();
  }

  private static boolean resolves(String href, Map<String, Set<String>> anchors) {
    URI uri = URI.create(href);
    String path = uri.getPath().substring(1);
    String name = path.isEmpty() || path.endsWith("/") ? path + "index.html" : path;
    String anchor = uri.getFragment();
    return Files.isRegularFile(SITE.resolve(name))
        && (anchor == null || anchors.getOrDefault(name, Set.of()).contains(anchor));
  }

  @Test
  void searchFindsContention() {
    Page page = open("", 1440);
    page.locator(".VPNavBarSearch button").first().click();
    page.locator("#localsearch-input").fill("contention");
    page.locator("#localsearch-list a[href*='/docs/model.html']").first().click();
    page.waitForURL("**/docs/model.html*");
    PlaywrightAssertions.assertThat(page.locator("h1")).containsText("contention");
  }

  @Test
  void sampleReportsAreThere() {
    Page page = open("docs/", 1440);
    page.locator(".VPNavBarMenuGroup button").hover();
    page.locator(".VPNavBarMenuGroup a[href$='/samples/history/report.html']").click();
    page.waitForURL("**/samples/history/report.html");
    assertThat(page.locator("h1").textContent()).startsWith("5 policies on ");
    page = open("docs/", 1440);
    page.locator(".VPNavBarMenuGroup button").hover();
    page.locator(".VPNavBarMenuGroup a[href$='/samples/whatif/report.html']").click();
    page.waitForURL("**/samples/whatif/report.html");
    assertThat(page.locator("table").first().textContent()).contains("as it happened", "replay");
  }

  @Test
  void looksRightInTheLightAndInTheDark() {
    for (int width : List.of(1440, PHONE)) {
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        for (String path : List.of("", "docs/", "docs/commands/whatif.html")) {
          Page page = open(path, width);
          page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
          page.waitForFunction(
              "dark => document.documentElement.classList.contains('dark') === dark",
              scheme == ColorScheme.DARK);
          String name =
              path.isEmpty() ? "home" : path.replaceAll("\\.html$|/$", "").replace('/', '-');
          browser().screenshot(page, "site-%s-%d-%s".formatted(name, width, scheme));
          page.close();
        }
      }
    }
  }
}
