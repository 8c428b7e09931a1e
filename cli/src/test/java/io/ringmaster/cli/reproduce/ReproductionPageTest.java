package io.ringmaster.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import io.ringmaster.cli.Cli;
import io.ringmaster.cli.JsonText;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The page of a reproduction, in a real browser. */
class ReproductionPageTest {
  @TempDir static Path folder = Path.of("");

  private static @Nullable Browser browser;
  private static List<Map<?, ?>> rows = List.of();
  private static Path report = Path.of("");

  @BeforeAll
  static void run() {
    browser = Browser.start();
    Path out = folder.resolve("ada");
    Cli.good("reproduce", "ada-srsf", "--draws", "2", "--out", out.toString());
    report = out.resolve("report.html");
    Map<String, @Nullable Object> results = JsonText.object(Cli.read(out.resolve("results.json")));
    rows =
        ((List<?>) Objects.requireNonNull(results.get("rows")))
            .stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  private static Browser browser() {
    return Objects.requireNonNull(browser);
  }

  private static double number(Map<?, ?> row, String key) {
    return (Double) Objects.requireNonNull(row.get(key));
  }

  /** As the page writes numbers below a thousand. */
  private static String shown(double value) {
    String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 0.095 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  @Test
  void everyPlotIsThereWithItsLinesNamed() {
    Page page = browser().open(report, 1280, 900);
    assertThat(page.locator("h1").textContent()).isEqualTo("Reproduction of ada-srsf");
    List<String> plots =
        Cli.files(report.resolveSibling("")).keySet().stream()
            .filter(file -> file.endsWith(".svg"))
            .map(file -> file.replace(".svg", ""))
            .toList();
    assertThat(plots).isNotEmpty();
    for (String plot : plots) {
      assertThat(page.locator("#" + plot + " svg").count()).as(plot).isEqualTo(1);
    }
    assertThat(page.locator("#ada-srsf-kappa svg").textContent())
        .contains("LWF-kappa", "first fit", "random", "mean JCT, s");
    browser().screenshot(page, "reproduction");
    browser().hasNoComplaints();
  }

  /** The abstract has 20.1 % less than SRSF(1): 1 / (1 - 0.201) = 1.25. */
  @Test
  void thePapersFiguresAreMarked() {
    Page page = browser().open(report, 1280, 900);
    long known = rows.stream().filter(row -> row.get("paper") != null).count();
    Locator beside = page.locator("#beside-the-paper svg");
    assertThat(beside.locator("text", new Locator.LocatorOptions().setHasText(" / ")).count())
        .isEqualTo((int) known);
    assertThat(beside.textContent()).contains("/ 1.25", "/ 1.58", "/ 1.59");
    Locator ratios = page.locator("#ada-srsf-gate-ratio svg");
    assertThat(ratios.textContent()).contains("SRSF(n), paper");
    assertThat(ratios.locator("[stroke-dasharray]").count()).isEqualTo(1);
  }

  @Test
  void theTableHasTheNumbersOfTheDocument() {
    Page page = browser().open(report, 1280, 900);
    Locator lines = page.locator("#numbers tbody tr");
    assertThat(lines.count()).isEqualTo(rows.size());
    List<String> texts = lines.allTextContents();
    for (int i = 0; i < rows.size(); i++) {
      Map<?, ?> row = rows.get(i);
      String half = number(row, "ci95") > 0 ? " ± " + shown(number(row, "ci95")) : "";
      assertThat(texts.get(i))
          .contains(
              row.get("policy")
                  + ""
                  + row.get("lengths")
                  + row.get("metric")
                  + shown(number(row, "mean"))
                  + half);
    }
    page.locator("#numbers select").last().selectOption("jct_ratio");
    assertThat(lines.count())
        .isEqualTo((int) rows.stream().filter(r -> "jct_ratio".equals(r.get("metric"))).count());
    page.locator("#numbers th button", new Page.LocatorOptions().setHasText("ours / paper"))
        .click();
    assertThat(lines.first().textContent()).contains("first-fit", "1.59");
    browser().hasNoComplaints();
  }

  private static String saved(Page page, String figure, String what) {
    Download download =
        page.waitForDownload(() ->
            page.locator(figure + " button", new Page.LocatorOptions().setHasText(what)).click());
    return Cli.read(download.path());
  }

  @Test
  void plotsAndNumbersAreSaved() throws Exception {
    Page page = browser().open(report, 1280, 900);
    Document svg =
        DocumentBuilderFactory.newNSInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(saved(page, "#ada-srsf-kappa", "SVG"))));
    assertThat(svg.getDocumentElement().getLocalName()).isEqualTo("svg");
    assertThat(svg.getDocumentElement().getTextContent()).contains("LWF-kappa");
    // Six kappas for each of three lines.
    assertThat(saved(page, "#ada-srsf-kappa", "CSV").lines())
        .hasSize(1 + 18)
        .startsWith("series,whose,kappa,\"mean JCT, s\",ci95");
    List<String> lines = saved(page, "#numbers", "CSV").lines().skip(1).toList();
    assertThat(lines).hasSize(rows.size());
    for (int i = 0; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      assertThat(Double.parseDouble(cells[cells.length - 4]))
          .isEqualTo(number(rows.get(i), "mean"));
    }
  }
}
