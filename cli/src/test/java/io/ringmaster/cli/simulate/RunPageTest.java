package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import io.ringmaster.cli.Browser;
import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run, in a real browser. */
class RunPageTest {
  @TempDir static Path folder;

  private static @Nullable Browser browser;
  private static @Nullable Page page;
  private static Map<String, @Nullable Object> summary = Map.of();

  @BeforeAll
  static void open() throws IOException {
    Browser started = Browser.start();
    browser = started;
    Path run = folder.resolve("run");
    Cli.good(
        "generate", "philly", "--set", "jobs=10000", "--out", folder.resolve("week").toString());
    Cli.good(
        "simulate",
        folder.resolve("week/jobs.csv").toString(),
        "--cluster",
        folder.resolve("week/cluster.yaml").toString(),
        "--policy",
        "srtf",
        "--out",
        run.toString());
    summary = JsonText.object(Files.readString(run.resolve("summary.json")));
    page = started.open(run.resolve("report.html"), 1280, 900);
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  private static Page page() {
    return Objects.requireNonNull(page);
  }

  private static Browser browser() {
    return Objects.requireNonNull(browser);
  }

  private static double figure(String key) {
    return ((Number) Objects.requireNonNull(summary.get(key))).doubleValue();
  }

  @Test
  void aRunOfTenThousandJobsIsASmallPage() throws IOException {
    assertThat(Files.size(folder.resolve("run/report.html"))).isLessThan(3_000_000);
  }

  @Test
  void theFiguresAreThoseOfTheSummary() {
    assertThat(page().locator("h1").textContent()).isEqualTo("srtf on 64x8");
    assertThat(tile("jct_mean_s")).startsWith(hours(figure("jct_mean_s")));
    assertThat(tile("restarts")).isEqualTo(String.format(Locale.ROOT, "%,.0f", figure("restarts")));
    assertThat(tile("finished")).isEqualTo("10,000");
    assertThat(tile("gpu_utilization"))
        .isEqualTo(Math.round(100 * figure("gpu_utilization")) + " %");
    for (String key :
        List.of(
            "jct_mean_s", "jct_p99_s", "wait_mean_s", "makespan_s", "slowdown_mean", "events")) {
      String shown = page().locator("[data-summary=" + key + "]").textContent();
      assertThat(Double.parseDouble(shown)).as(key).isEqualTo(figure(key));
    }
  }

  private static String tile(String key) {
    return page().locator("[data-figure=" + key + "] dd").textContent();
  }

  private static String hours(double seconds) {
    return String.format(Locale.ROOT, "%.2f h", seconds / 3600);
  }

  /** The rows of the table add up to all jobs. */
  @Test
  void theTableOfSizesHasEveryJob() {
    Locator rows = page().locator("#by-size tbody tr");
    int jobs = 0;
    for (Locator row : rows.all()) {
      jobs += Integer.parseInt(row.locator("td").first().textContent().replace(",", ""));
    }
    assertThat(jobs).isEqualTo(10_000);
  }

  @Test
  void aTableIsSortedByTheColumnThatIsClicked() {
    Locator table = page().locator("#by-user table");
    table.locator("th button").getByText("jobs").click();
    assertThat(table.locator("th[aria-sort=descending]").count()).isEqualTo(1);
    List<Integer> jobs =
        table.locator("tbody tr td:nth-child(2)").allTextContents().stream()
            .map(text -> Integer.parseInt(text.replace(",", "")))
            .toList();
    assertThat(jobs).isSortedAccordingTo((a, b) -> b - a).hasSizeGreaterThan(5);
  }

  /** Each has the buttons; a canvas, a drawing and a curve are saved: Chromium stops at ten. */
  @Test
  void plotsAreSavedAsPicturesWithTheNumbersBehindThem() throws IOException {
    for (Locator figure : page().locator("figure").all()) {
      assertThat(figure.locator(".save button").allTextContents()).contains("PNG", "CSV");
    }
    for (String id : List.of("gpus-over-time", "utilisation", "distribution-jct")) {
      Locator figure = page().locator("figure#" + id);
      String csv = Files.readString(saved(figure, "CSV").path());
      assertThat(csv.lines().count()).as(id).isGreaterThan(100);
      byte[] png = Files.readAllBytes(saved(figure, "PNG").path());
      assertThat(new String(png, 1, 3, StandardCharsets.US_ASCII)).as(id).isEqualTo("PNG");
    }
    Download svg = saved(page().locator("figure#utilisation"), "SVG");
    assertThat(svg.suggestedFilename()).isEqualTo("srtf-on-64x8-utilisation.svg");
    assertThat(Files.readString(svg.path())).startsWith("<svg").doesNotContain("var(--");
  }

  private static Download saved(Locator figure, String kind) {
    return page()
        .waitForDownload(() ->
            figure
                .locator(".save")
                .getByRole(
                    AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(kind).setExact(true))
                .click());
  }

  /** Zooming the picture of the cluster moves the plots below it along. */
  @Test
  void allPlotsOverTimeShowTheSameSpan() {
    Locator ticks = page().locator("#queue svg [aria-label='x-axis tick label'] text");
    String[] before = ticks.allTextContents().toArray(String[]::new);
    page().locator("#gpus-over-time button", new Page.LocatorOptions().setHasText("+")).click();
    PlaywrightAssertions.assertThat(ticks).not().hasText(before);
    page().locator("#gpus-over-time button").getByText("Whole run").click();
    PlaywrightAssertions.assertThat(ticks).hasText(before);
  }

  @Test
  void isReadableInTheDarkInPrintAndOnANarrowScreen() {
    Page page = page();
    browser().screenshot(page, "run-light");
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    hasBackground(page, "rgb(14, 17, 22)");
    browser().screenshot(page, "run-dark");
    page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
    hasBackground(page, "rgb(255, 255, 255)");
    browser().screenshot(page, "run-print");
    page.emulateMedia(
        new Page.EmulateMediaOptions().setMedia(Media.SCREEN).setColorScheme(ColorScheme.LIGHT));
    page.setViewportSize(700, 900);
    assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("fits into 700 pixels")
        .isTrue();
    browser().screenshot(page, "run-narrow");
    page.setViewportSize(1280, 900);
    browser().hasNoComplaints();
  }

  private static void hasBackground(Page page, String colour) {
    PlaywrightAssertions.assertThat(page.locator("body")).hasCSS("background-color", colour);
  }
}
