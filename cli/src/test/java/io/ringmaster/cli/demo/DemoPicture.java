package io.ringmaster.cli.demo;

import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the pictures of a running demo in docs/images. Not a test by name: {@code script/pictures}
 * runs it.
 */
class DemoPicture {
  private static final Path IMAGES = Path.of("../docs/images");
  private static final Pattern ADDRESS = Pattern.compile("Dashboard: (\\S+)");

  @TempDir Path temporary;

  @Test
  void ofTheDemo() throws Exception {
    try (DemoProcess demo = DemoProcess.start(temporary);
        Browser browser = Browser.start()) {
      demo.await("took it from 4 to 2 workers");
      Matcher address = ADDRESS.matcher(demo.out());
      if (!address.find()) {
        throw new AssertionError(demo.out());
      }
      // When most of the jobs have come.
      demo.await("ranking-10");
      Page page = browser.open(address.group(1) + "/", 1200, 760);
      page.waitForSelector("tr[data-job]");
      page.waitForTimeout(3000);
      page.screenshot(new Page.ScreenshotOptions().setPath(IMAGES.resolve("demo.png")));
      Page job = browser.open(address.group(1) + "/#/jobs/3", 1200, 1000);
      job.waitForTimeout(4000);
      job.screenshot(new Page.ScreenshotOptions().setPath(IMAGES.resolve("dashboard-job.png")));
    }
  }
}
