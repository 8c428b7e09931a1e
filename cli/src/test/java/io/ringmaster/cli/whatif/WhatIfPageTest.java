package io.ringmaster.cli.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import io.ringmaster.cli.Cli;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of what a change would be worth, in a real browser. */
class WhatIfPageTest {
  private static final String SITE = "../docs/examples/sacct.txt.gz";

  @TempDir static Path folder = Path.of("");

  private static @Nullable Browser browser;

  @BeforeAll
  static void start() {
    browser = Browser.start();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  private static Page open(Path out) {
    return Objects.requireNonNull(browser).open(out.resolve("report.html"), 1280, 900);
  }

  @Test
  void theTableTheSentencesAndWhoGainsAreThere() {
    Path out = folder.resolve("whatif");
    Cli.Ran ran =
        Cli.good(
            "whatif",
            SITE,
            "--draws",
            "2",
            "--case",
            "<b>grown</b>: add 2x8, policy srsf",
            "--out",
            out.toString());
    Page page = open(out);
    assertThat(page.locator("h1").textContent()).isEqualTo("What if: sacct");
    assertThat(page.locator("#cases tbody tr").count()).isEqualTo(3);
    assertThat(page.locator("#cases tbody tr").first().textContent()).startsWith("as it happened");
    assertThat(page.locator("#cases tbody tr").last().textContent()).startsWith("<b>grown</b>");
    assertThat(page.locator("#by-case svg").count()).isEqualTo(1);
    assertThat(page.locator("#who-gains-who-loses table").count()).isEqualTo(2);
    assertThat(page.locator(".sentences").textContent()).contains("In truth jobs waited 137 min");
    assertThat(ran.out()).contains("In truth jobs waited 137 min");
    Objects.requireNonNull(browser).screenshot(page, "whatif");
  }

  @Test
  void aSearchShowsItsCurves() {
    Path out = folder.resolve("size");
    Cli.good(
        "size",
        SITE,
        "--goal",
        "p95 wait < 30min",
        "--policy",
        "fifo,las",
        "--draws",
        "1",
        "--out",
        out.toString());
    Page page = open(out);
    assertThat(page.locator("h1").textContent()).isEqualTo("Servers for p95 wait < 30 min");
    assertThat(page.locator("#servers tbody tr").count()).isEqualTo(2);
    assertThat(page.locator("#curves svg").count()).isEqualTo(1);
    assertThat(page.locator("#curves svg circle").count()).isGreaterThan(4);
    Objects.requireNonNull(browser).screenshot(page, "size");
  }
}
