package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run, in a real browser. */
class RunPageTest {
  @TempDir Path folder;

  @Test
  void opensFromTheDisk() {
    Path run = folder.resolve("run");
    Cli.simulate("fifo", run);
    try (Browser browser = Browser.start()) {
      Page page = browser.open(run.resolve("report.html"), 1280, 900);
      assertThat(page.locator("h1").textContent()).isEqualTo("fifo on golden");
      browser.screenshot(page, "run");
      browser.hasNoComplaints();
    }
  }
}
