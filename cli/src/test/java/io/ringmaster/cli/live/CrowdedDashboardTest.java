package io.ringmaster.cli.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import io.ringmaster.cli.Browser;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

  /** Chooses one of two in turn. */
  private static final String CHOOSE =
      """
      const select = document.querySelector("select[aria-label='%s']");
      select.value = i %% 2 === 0 ? "%s" : "%s";
      select.dispatchEvent(new Event("change", { bubbles: true }));
      """;

  /** What people do, by what it is called. */
  private static final Map<String, String> INTERACTIONS =
      new TreeMap<>(
          Map.of(
              "filter by text",
              """
              const input = document.querySelector("input[type=search]");
              input.value = input.value === "" ? "bert user7" : "";
              input.dispatchEvent(new Event("input", { bubbles: true }));
              """,
              "sort",
              "document.querySelector('th.gpus button').click();",
              "scroll",
              "document.querySelector('.job-rows').scrollTop += 4700;",
              "point at a GPU",
              """
              const canvas = document.querySelector(".live-cluster canvas");
              const { left, top } = canvas.getBoundingClientRect();
              canvas.dispatchEvent(new PointerEvent("pointermove",
                { clientX: left + 40 + 97 * i, clientY: top + 8 + 13 * i, bubbles: true }));
              """,
              "colour by user",
              CHOOSE.formatted("Colour by", "user", "job"),
              "group by rack",
              CHOOSE.formatted("Group by", "rack", "state"),
              "open a job",
              "location.hash = i % 2 === 0 ? '#/jobs/700' : '#/';"));

  /** Does one seven times, and returns the median time to the frame after it. */
  private static final String TIMED =
      """
      async () => {
        const times = [];
        for (let i = 0; i < 7; i++) {
          const began = performance.now();
          DO;
          await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
          times.push(performance.now() - began);
        }
        location.hash = "#/";
        return times.sort((a, b) => a - b)[3];
      }
      """;

  /** A laptop a quarter as fast as this machine. */
  @Test
  void eachInteractionOnASlowLaptop() {
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(SERVERS, JOBS)) {
      Page page = browser.open(server.url() + "/", 1200, 1000);
      assertThat(page.locator("[data-figure=shown]"))
          .hasText("10,000 of 10,000 jobs", new HasTextOptions().setTimeout(120_000));
      JsonObject rate = new JsonObject();
      rate.addProperty("rate", 4);
      var _ = page.context().newCDPSession(page).send("Emulation.setCPUThrottlingRate", rate);
      INTERACTIONS.forEach((what, script) -> {
        page.waitForSelector("tr[data-job]");
        say("4 x throttled, " + what + ": %.0f ms", page.evaluate(TIMED.replace("DO", script)));
      });
      browser.hasNoComplaints();
    }
  }

  @Test
  void tenThousandJobsOnAThousandServers() {
    try (Browser browser = Browser.start();
        CrowdedServer server = new CrowdedServer(SERVERS, JOBS);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
      Page page = browser.open(server.url() + "/", 1200, 1000);
      page.waitForSelector("tr[data-job]");
      say("first row after %.0f ms", page.evaluate("performance.now()"));
      assertThat(page.locator("[data-figure=shown]"))
          .hasText("10,000 of 10,000 jobs", new HasTextOptions().setTimeout(120_000));
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
