package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.ringmaster.cli.live.DashboardPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Axe finds nothing serious on any page, at three widths, light and dark: names of what can be
 * used, contrast (AA), what the keyboard reaches. Pictures of all are left in target/screenshots.
 */
class AccessibilityTest {
  private static final Path AXE = Path.of("../web/node_modules/axe-core/axe.min.js");
  private static final List<Integer> WIDTHS = List.of(390, 820, 1440);

  private static final String RUN =
      """
      async () => {
        const found = await axe.run(document, { resultTypes: ["violations"] });
        return found.violations
          .filter(each => each.impact === "serious" || each.impact === "critical")
          .flatMap(each => each.nodes.map(node =>
            `${each.id}: ${node.target.join(" ")}: ${node.any.map(a => a.message).join("; ")}`));
      }
      """;

  @TempDir Path folder;

  @Test
  void nothingSeriousOnThePagesOfAServer() throws IOException {
    try (Browser browser = Browser.start();
        DashboardPages pages = new DashboardPages()) {
      look(browser, pages.addresses());
    }
  }

  @Test
  void nothingSeriousInReports() throws IOException {
    Map<String, String> pages = new LinkedHashMap<>();
    Cli.good(
        "compare",
        Cli.JOBS,
        "--cluster",
        Cli.CLUSTER,
        "--policies",
        "fifo,srtf",
        "--out",
        folder.resolve("all").toString());
    pages.put("comparison", folder.resolve("all/report.html").toUri().toString());
    pages.put("run", folder.resolve("all/fifo/report.html").toUri().toString());
    Cli.good(
        "whatif",
        "../docs/examples/sacct.txt.gz",
        "--draws",
        "1",
        "--case",
        "add 2x8",
        "--out",
        folder.resolve("whatif").toString());
    pages.put("whatif", folder.resolve("whatif/report.html").toUri().toString());
    try (Browser browser = Browser.start()) {
      look(browser, pages);
    }
  }

  private static void look(Browser browser, Map<String, String> pages) throws IOException {
    String axe = Files.readString(AXE);
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, String> each : pages.entrySet()) {
      Page page = browser.open(each.getValue(), 1440, 900);
      page.waitForSelector("main h1");
      page.evaluate(axe);
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        for (int width : WIDTHS) {
          page.setViewportSize(width, 900);
          page.waitForTimeout(300);
          String name =
              "%s-%d-%s".formatted(each.getKey(), width, scheme.name().toLowerCase(Locale.ROOT));
          browser.screenshot(page, "look-" + name);
          ((List<?>) page.evaluate(RUN)).forEach(problem -> found.add(name + ": " + problem));
        }
      }
      page.close();
    }
    assertThat(found).isEmpty();
  }
}
