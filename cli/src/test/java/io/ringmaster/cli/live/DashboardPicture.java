package io.ringmaster.cli.live;

import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Makes the picture of the dashboard in docs/images. Not a test by name: {@code script/pictures}
 * runs it.
 */
class DashboardPicture {
  private static final Path IMAGE = Path.of("../docs/images/dashboard.png");

  @Test
  void ofTheDashboard() {
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(48, 400)) {
      Page page = browser.open(server.url() + "/", 1200, 800);
      page.waitForSelector("tr[data-job]");
      page.getByLabel("State").selectOption("holding");
      page.locator("th.done button").click();
      page.waitForTimeout(1500);
      page.screenshot(new Page.ScreenshotOptions().setPath(IMAGE));
    }
  }
}
