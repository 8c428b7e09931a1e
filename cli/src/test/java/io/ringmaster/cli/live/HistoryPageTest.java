package io.ringmaster.cli.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that tells what the cluster was like, and finds jobs that ended. */
class HistoryPageTest {
  private static final Pattern MOMENT =
      Pattern.compile("\\w{3} \\d{1,2} \\w{3} \\d{4} \\d\\d:\\d\\d, 10\\.0 min long");

  @Test
  void thePlotsShareACrosshairWithARealDate() {
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(20, 200)) {
      server.looked(600);
      Page page = browser.open(server.url() + "/#/history", 1200, 900);
      Locator plots = page.locator(".past-figure svg");
      assertThat(plots).hasCount(6);
      assertThat(page.locator(".crosshair")).hasCount(0);
      plots.first().hover();
      assertThat(page.locator("[data-figure=moment]")).hasText(MOMENT);
      assertThat(page.locator(".crosshair")).hasCount(6);
      assertThat(
              (List<?>)
                  page.locator(".crosshair")
                      .evaluateAll(
                          "lines => [...new Set(lines.map(line => line.getAttribute('x1')))]"))
          .hasSize(1);
      // One start a minute, which had waited two; a restart an hour, which lost a GPU-hour.
      page.locator(".past").focus();
      page.keyboard().press("Home");
      assertThat(page.locator("[data-figure=past-waits]")).hasText("2.00 min");
      assertThat(page.locator("[data-figure=past-contention]")).hasText("3.00");
      page.getByRole(
              com.microsoft.playwright.options.AriaRole.BUTTON,
              new Page.GetByRoleOptions().setName("week"))
          .click();
      page.waitForURL("**/#/history?span=week");
      browser.screenshot(page, "history");
      browser.hasNoComplaints();
    }
  }

  @Test
  void aServerThatHasNotLookedSaysSo() {
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(2, 3)) {
      Page page = browser.open(server.url() + "/#/history?span=hour", 1200, 900);
      assertThat(page.locator(".empty").first())
          .containsText("Nothing is known of the last hour yet.");
      assertThat(page.locator(".empty").last()).hasText("No job that ended is like this.");
      browser.hasNoComplaints();
    }
  }

  @Test
  void jobsThatEndedAreSearchedAndTheAddressSaysFor() {
    // Jobs 1 to 100 have ended: 1, 4, 7 ... are called resnet-50, user7 has 7 and 47 and 87.
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(2, 2000)) {
      Page page = browser.open(server.url() + "/#/history?user=user7", 1200, 900);
      Locator rows = page.locator("tr[data-ended]");
      assertThat(rows).hasCount(3);
      page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("RESNET");
      assertThat(rows).hasCount(1);
      assertThat(rows.first()).hasAttribute("data-ended", "7");
      page.waitForURL(Pattern.compile(".*name=RESNET.*"));
      page.reload();
      assertThat(rows).hasCount(1);
      page.getByLabel("User", new Page.GetByLabelOptions().setExact(true)).fill("");
      page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("");
      assertThat(page.locator("[data-figure=found]")).hasText("50 or more found");
      page.getByText("Older ones").click();
      assertThat(page.locator("[data-figure=found]")).hasText("100 found");
      page.getByLabel("ended from").fill("2099-01-01T00:00");
      assertThat(rows).hasCount(0);
      page.getByLabel("ended from").fill("");
      page.getByLabel("State", new Page.GetByLabelOptions().setExact(true)).selectOption("failed");
      assertThat(page.locator(".empty").last()).hasText("No job that ended is like this.");
      browser.hasNoComplaints();
    }
  }
}
