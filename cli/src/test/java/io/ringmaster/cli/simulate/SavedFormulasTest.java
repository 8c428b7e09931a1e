package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.ringmaster.cli.Browser;
import io.ringmaster.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of jobs and users are other people's: what a page saves of them, a spreadsheet opens. */
class SavedFormulasTest {
  @TempDir Path folder;

  @Test
  void textThatASpreadsheetWouldRunIsGuarded() throws IOException {
    Path jobs = folder.resolve("jobs.csv");
    Files.writeString(
        jobs,
        """
        job_id,submit_s,gpus,duration_s,user
        first,0,1,100,ann
        =cmd|'/C calc'!A0,0,1,100,+1+1
        -2+3,0,1,100,@SUM(A1)
        -7,0,1,100,ann
        """);
    Path cluster = folder.resolve("cluster.yaml");
    Files.writeString(cluster, "servers: [{count: 1, gpus: 1}]\nnetwork: {model: none}\n");
    Path run = folder.resolve("run");
    String[] simulate = {
      "simulate",
      jobs.toString(),
      "--cluster",
      cluster.toString(),
      "--policy",
      "fifo",
      "--out",
      run.toString()
    };
    Cli.good(simulate);
    try (Browser browser = Browser.start()) {
      Page page = browser.open(run.resolve("report.html"), 1280, 900);
      String saved =
          Files.readString(
              page.waitForDownload(
                      () -> page.getByLabel("Save the worst-served jobs as CSV").click())
                  .path());
      assertThat(saved)
          .contains("\n'=cmd|'/C calc'!A0,'+1+1,1,", "\n'-2+3,'@SUM(A1),1,")
          .as("a number is one")
          .contains("\n-7,ann,1,");
    }
  }
}
