package io.ringmaster.cli;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the pictures of reports in docs/images. Not a test by name: {@code script/pictures} runs
 * it.
 */
class Pictures {
  private static final Path IMAGES = Path.of("../docs/images");

  private static final int MARGIN = 12;

  @TempDir Path folder;

  @Test
  void ofReports() {
    Path week = folder.resolve("week");
    Cli.good("generate", "philly", "--out", week.toString());
    Cli.good("compare", "--out", folder.resolve("all").toString());
    Cli.good("reproduce", "sjf-bco", "--out", folder.resolve("sjf-bco").toString());
    try (Browser browser = Browser.start()) {
      top(browser.open(simulated("easy"), 1280, 1040), "report-run");
      part(browser.open(simulated("a-srpt"), 1280, 900), "#why-jobs-waited", 560, "report-waits");
      Path comparison = folder.resolve("all/report.html");
      part(browser.open(comparison, 1280, 900), "#cluster", 900, "report-comparison");
      part(browser.open(comparison, 1280, 900), "#pairs", 900, "report-pairs");
      Path reproduction = folder.resolve("sjf-bco/report.html");
      part(browser.open(reproduction, 1280, 900), "main", 1000, "report-reproduction");
    }
  }

  private Path simulated(String policy) {
    Path out = folder.resolve(policy);
    Cli.good(
        "simulate",
        folder.resolve("week/jobs.csv").toString(),
        "--cluster",
        folder.resolve("week/cluster.yaml").toString(),
        "--policy",
        policy,
        "--out",
        out.toString());
    return out.resolve("report.html");
  }

  private static void top(Page page, String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(IMAGES.resolve(name + ".png")));
  }

  /** The upper end of a part of the page, with a margin. */
  private static void part(Page page, String selector, int mostHeight, String name) {
    // The bar at the top would lie over what is below it.
    page.addStyleTag(new Page.AddStyleTagOptions().setContent(".top { position: static }"));
    Locator part = page.locator(selector).first();
    var box = part.boundingBox();
    page.screenshot(
        new Page.ScreenshotOptions()
            .setFullPage(true)
            .setClip(
                box.x - MARGIN,
                box.y - MARGIN,
                box.width + 2 * MARGIN,
                Math.min(box.height, mostHeight) + 2 * MARGIN)
            .setPath(IMAGES.resolve(name + ".png")));
  }
}
