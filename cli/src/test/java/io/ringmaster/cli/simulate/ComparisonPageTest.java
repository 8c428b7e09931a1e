package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.ringmaster.cli.Browser;
import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a comparison, in a real browser. */
class ComparisonPageTest {
  private static final List<String> TIMES = List.of("jct_mean_s", "jct_p95_s", "makespan_s");

  @TempDir static Path temporary;

  private static Path folder = Path.of("");
  private static @Nullable Browser browser;

  private static Browser browser() {
    return Objects.requireNonNull(browser);
  }

  @BeforeAll
  static void compare() {
    browser = Browser.start();
    folder = temporary.resolve("compared");
    Cli.good(
        "compare",
        Cli.JOBS,
        "--cluster",
        Cli.CLUSTER,
        "--policies",
        "fifo,easy,srtf",
        "--set",
        "estimate=noise:1",
        "--seeds",
        "3",
        "--out",
        folder.toString());
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void nobodyComplains() {
    browser().hasNoComplaints();
  }

  private static Page open() {
    return browser().open(folder.resolve("report.html"), 1280, 900);
  }

  private static List<Map<?, ?>> policies() {
    Map<String, @Nullable Object> summary =
        JsonText.object(Cli.read(folder.resolve("summary.json")));
    return ((List<?>) Objects.requireNonNull(summary.get("policies")))
        .stream().<Map<?, ?>>map(p -> (Map<?, ?>) Objects.requireNonNull(p)).toList();
  }

  private static double figure(Map<?, ?> policy, String key, String part) {
    Map<?, ?> figure = (Map<?, ?>) Objects.requireNonNull(policy.get(key));
    return (Double) Objects.requireNonNull(figure.get(part));
  }

  /** What a cell shows, in seconds; its column's head names the unit. */
  @Test
  void theTableShowsWhatTheSummarySays() {
    Page page = open();
    for (Map<?, ?> policy : policies()) {
      for (String key : TIMES) {
        Locator cell = page.locator("[data-figure='" + policy.get("policy") + " " + key + "']");
        // All times of the golden workload are told in minutes.
        double mean = figure(policy, key, "mean") / 60;
        double ci95 = figure(policy, key, "ci95") / 60;
        String[] shown = cell.textContent().split(" ± ", -1);
        assertThat(Double.parseDouble(shown[0])).as(key).isCloseTo(mean, within(mean / 150));
        boolean interval = ci95 > 0.0005 * mean;
        assertThat(shown).hasSize(interval ? 2 : 1);
        if (interval) {
          assertThat(Double.parseDouble(shown[1])).isCloseTo(ci95, within(0.01 + ci95 / 150));
        }
      }
    }
    assertThat(page.locator("h1").textContent()).isEqualTo("3 policies on golden");
  }

  /** Each seed of a generated week draws other jobs; of a file it is the same ones. */
  @Test
  void theHeaderOfSeveralSeedsSaysSo() {
    assertThat(open().locator(".lead").textContent()).endsWith(" Each policy with 3 seeds.");
    String said = Cli.good("compare", "--policies", "fifo", "--seeds", "2").out();
    String header = said.substring(0, said.indexOf("\n\n")).replace('\n', ' ');
    assertThat(header)
        .matches("2 draws of [0-9,]+ to [0-9,]+ jobs submitted over .* Each policy with 2 seeds");
  }

  @Test
  void choosingAPairChangesTheWords() {
    Page page = open();
    String before = page.locator("#pair-words").textContent();
    assertThat(before).startsWith("On the same 54 jobs (of 3 seeds) ").contains("95 % interval");
    List<String> names = page.locator("select[name=pair-b] option").allTextContents();
    page.locator("select[name=pair-b]").selectOption(names.get(2));
    String after = page.locator("#pair-words").textContent();
    assertThat(after).isNotEqualTo(before).contains(names.get(0)).contains(names.get(2));
    // The cell of the second row and the first column.
    page.locator("#matrix g[aria-label=cell] rect").nth(2).click();
    assertThat(page.locator("select[name=pair-a]").inputValue()).isEqualTo("1");
    assertThat(page.locator("select[name=pair-b]").inputValue()).isEqualTo("0");
  }

  /** Jobs that end sooner, later and at the same time are all jobs, in words as in jobs.csv. */
  @Test
  void theWordsCountTheJobsOfTheFolders() {
    Page page = open();
    page.locator("select[name=pair-a]").selectOption("srtf");
    page.locator("select[name=pair-b]").selectOption("fifo");
    int sooner = 0;
    int later = 0;
    for (int seed = 1; seed <= 3; seed++) {
      double[] a = jct("srtf-seed" + seed);
      double[] b = jct("fifo-seed" + seed);
      for (int job = 0; job < a.length; job++) {
        sooner += b[job] - a[job] > 1 ? 1 : 0;
        later += a[job] - b[job] > 1 ? 1 : 0;
      }
    }
    assertThat(page.locator("#pair-words").textContent())
        .containsPattern(sooner + " jobs? \\([\\d.]+ %\\) end sooner under srtf than under fifo, ")
        .contains(", " + later + " (")
        .contains(", " + (54 - sooner - later) + " (");
  }

  private static double[] jct(String run) {
    return Cli.read(folder.resolve(run).resolve("jobs.csv"))
        .lines()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[4]))
        .toArray();
  }

  @Test
  void smallPicturesLeadToTheirRuns() {
    Page page = open();
    Locator links = page.locator(".pictures a");
    assertThat(links.count()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      String name = links.nth(i).textContent();
      String href = Objects.requireNonNull(links.nth(i).getAttribute("href"));
      assertThat(href).isEqualTo(name + "-seed1/report.html");
      Page run = browser().open(folder.resolve(href), 1280, 900);
      assertThat(run.locator("h1").textContent()).isEqualTo(name + " on golden");
      run.close();
    }
  }

  @Test
  void figuresAndCurvesMayBeChosen() {
    Page page = open();
    Locator title = page.locator("#policies-by-figure h3");
    assertThat(title.textContent()).isEqualTo("Mean JCT");
    page.locator("#policies-by-figure select").selectOption("gpu_utilization");
    assertThat(title.textContent()).isEqualTo("GPUs used");
    Locator labels = page.locator("#distribution-jct g[aria-label=text] text");
    int before = labels.count();
    page.locator(".choices input").first().uncheck();
    assertThat(labels.count()).isEqualTo(before - 1);
  }

  @Test
  void isDrawnInTheDarkAndOnNarrowScreens() {
    Page page = open();
    browser().screenshot(page, "comparison");
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    browser().screenshot(page, "comparison-dark");
    page.setViewportSize(700, 900);
    browser().screenshot(page, "comparison-narrow");
    // Tables scroll by themselves; the page does not.
    assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(700);
  }
}
