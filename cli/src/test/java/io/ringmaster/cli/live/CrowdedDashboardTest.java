package io.ringmaster.cli.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The dashboard with 10,000 jobs on 1,000 servers. Times are printed for people: they depend on the
 * machine, and a browser without a graphics card is slow.
 */
class CrowdedDashboardTest {
  private static final int SERVERS = 1000;
  private static final int JOBS = 10_000;

  /** Scrolls by so many pixels in each of 150 frames, and returns how long they took. */
  private static final String FRAMES =
      """
      step => new Promise(done => {
        const box = document.querySelector(".job-rows");
        const times = [];
        let last = performance.now();
        const frame = now => {
          times.push(now - last);
          last = now;
          box.scrollTop += step;
          if (times.length < 150) requestAnimationFrame(frame);
          else done(times.slice(1));
        };
        requestAnimationFrame(frame);
      })
      """;

  @Test
  void tenThousandJobsOnAThousandServers() {
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(SERVERS, JOBS);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
      Page page = browser.open(server.url() + "/", 1200, 1000);
      page.waitForSelector("tr[data-job]");
      say("first row after %.0f ms", page.evaluate("performance.now()"));
      assertThat(page.locator("[data-figure=shown]")).hasText("10,000 of 10,000 jobs");
      say("all jobs after %.0f ms", page.evaluate("performance.now()"));
      assertThat(page.locator("[data-figure=gpus] dd")).containsText("6,000 of 8,000");
      // Only what is in sight is in the page.
      assertThat(page.locator("tr[data-job]").count()).isBetween(10, 60);

      frames("at rest", page, 0);
      frames("scrolling", page, 47);
      Object _ = timer.scheduleAtFixedRate(() -> server.moveOn(20), 0, 100, TimeUnit.MILLISECONDS);
      frames("200 events a second", page, 0);
      frames("200 events a second, scrolling", page, 47);
      page.getByLabel("Filter jobs").fill("bert user7");
      assertThat(page.locator("[data-figure=shown]")).not().containsText("10,000 of");
      page.getByLabel("Filter jobs").fill("");
      page.locator("th.state button").click();
      frames("200 events a second, sorted by state", page, 47);
      browser.screenshot(page, "dashboard-crowded");
      browser.hasNoComplaints();
    }
  }

  private static void frames(String what, Page page, int step) {
    List<Double> times =
        ((List<?>) page.evaluate(FRAMES, step))
            .stream().map(time -> ((Number) time).doubleValue()).sorted().toList();
    say(
        what + ": frames of %.1f ms at the median, %.1f ms at the 95th percentile, %.1f ms at most",
        times.get(times.size() / 2),
        times.get(times.size() * 95 / 100),
        times.getLast());
  }

  private static void say(String format, Object... values) {
    Object[] numbers = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      numbers[i] = ((Number) values[i]).doubleValue();
    }
    System.out.printf(Locale.ROOT, "dashboard: " + format + "%n", numbers);
  }
}
