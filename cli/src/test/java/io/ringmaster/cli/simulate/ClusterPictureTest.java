package io.ringmaster.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import io.ringmaster.cli.Browser;
import io.ringmaster.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of a cluster over time, in a real browser. The run is the golden one under fifo:
 * from 0 to 5166.781 s, on servers of 4, 4 and 2 GPUs. Of it are used
 *
 * <pre>
 * b1, from   39.219 to  159.219 s: both GPUs of s0003, which then are idle until 300 s
 * a5, from 1477.121 to 3243.790 s: both GPUs of s0003, two of s0002
 * c4, from 3243.790 to 3607.664 s: all of s0001, three of s0002
 * </pre>
 */
class ClusterPictureTest {
  private static final double END = 5166.781;

  /** GPUs above the second of s0003. */
  private static final double LAST_GPU = 9.5;

  @TempDir private static Path folder;

  private static Browser browser;

  private static Page page;

  private Locator figure;
  private Locator canvas;

  @BeforeAll
  static void open() {
    browser = Browser.start();
    Cli.simulate("fifo", folder.resolve("run"));
    page = browser.open(folder.resolve("run/report.html"), 1280, 900);
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void showTheWholeRun() {
    look("gpus-over-time");
    canvas.focus();
    page.keyboard().press("Escape");
    page.keyboard().press("0");
    shows(0, END);
  }

  @AfterEach
  void complainsOfNothing() {
    browser.hasNoComplaints();
  }

  private void look(String id) {
    figure = page.locator("#" + id);
    canvas = figure.locator("canvas");
    canvas.scrollIntoViewIfNeeded();
  }

  private double data(String name) {
    return Double.parseDouble(canvas.getAttribute("data-" + name));
  }

  private double x(double seconds) {
    double share = (seconds - data("from")) / (data("to") - data("from"));
    return data("plot-left") + share * data("plot-width");
  }

  private double y(double gpusAbove) {
    return data("plot-top") + gpusAbove * data("lane-height");
  }

  private void pointAt(double seconds, double gpusAbove) {
    BoundingBox box = canvas.boundingBox();
    page.mouse().move(box.x + x(seconds), box.y + y(gpusAbove));
  }

  private void shows(double from, double to) {
    page.waitForCondition(
        () -> Math.abs(data("from") - from) < 0.01 && Math.abs(data("to") - to) < 0.01,
        new Page.WaitForConditionOptions().setTimeout(2000));
  }

  private void press(String button) {
    figure
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button).setExact(true))
        .click();
  }

  /** Red, green, blue and opacity of a place, once it is drawn. */
  private String pixel(double seconds, double gpusAbove) {
    return (String)
        canvas.evaluate(
            """
            (canvas, [x, y]) => new Promise((done) => requestAnimationFrame(() => {
              const pixel = new OffscreenCanvas(1, 1).getContext("2d");
              pixel.drawImage(canvas, x, y, 1, 1, 0, 0, 1, 1);
              done(pixel.getImageData(0, 0, 1, 1).data.join());
            }))\
            """,
            List.of(x(seconds), y(gpusAbove)));
  }

  @Test
  void zoomsByButtonsAndKeys() {
    shows(0, END);
    press("Zoom in");
    shows(END / 4, END * 3 / 4);
    canvas.focus();
    page.keyboard().press("+");
    shows(END * 3 / 8, END * 5 / 8);
    // A fifth of a quarter.
    page.keyboard().press("ArrowRight");
    shows(END * (0.375 + 0.05), END * (0.625 + 0.05));
    page.keyboard().press("-");
    shows(END * (0.25 + 0.05), END * (0.75 + 0.05));
    page.keyboard().press("0");
    shows(0, END);
    press("Zoom in");
    press("Whole run");
    shows(0, END);
  }

  @Test
  void zoomsByWheelAroundThePointer() {
    pointAt(1000, 1);
    page.mouse().wheel(0, 20);
    shows(0, END);
    pointAt(1000, 1);
    page.keyboard().down("Control");
    page.mouse().wheel(0, -200);
    page.keyboard().up("Control");
    page.waitForCondition(() -> data("from") > 0);
    // A turn of 200 narrows by e: 1000 - 1000 / e and 1000 + (END - 1000) / e.
    assertThat(data("from")).isCloseTo(1000 - 1000 / Math.E, within(5.0));
    assertThat(data("to")).isCloseTo(1000 + (END - 1000) / Math.E, within(5.0));
  }

  @Test
  void dragsPanAndWithShiftChoose() {
    page.keyboard().down("Shift");
    pointAt(1000, 1);
    page.mouse().down();
    pointAt(3000, 1);
    page.mouse().up();
    page.keyboard().up("Shift");
    page.waitForCondition(() -> data("from") > 0);
    assertThat(data("from")).isCloseTo(1000, within(5.0));
    assertThat(data("to")).isCloseTo(3000, within(5.0));

    pointAt(2000, 1);
    page.mouse().down();
    pointAt(1500, 1);
    page.mouse().up();
    assertThat(data("from")).isCloseTo(1500, within(5.0));
    assertThat(data("to")).isCloseTo(3500, within(5.0));
  }

  @Test
  void tellsOfTheJobUnderThePointer() {
    pointAt(2400, LAST_GPU);
    String tip = figure.locator(".tip").innerText();
    assertThat(tip.lines())
        .contains("a5", "ann", "xlnet-large", "asked for 4, holds 4", "s0002 (2), s0003 (2)")
        // Submitted at 400 s, begun at 1477.121 s.
        .contains("00:06:40 after the start", "18.0 min");
    browser.screenshot(page, "cluster-hover");
    pointAt(250, LAST_GPU);
    assertThat(figure.locator(".tip").count()).isZero();
  }

  @Test
  void findsAJobAndPinsIt() {
    Locator said = figure.locator("[aria-live=polite]");
    Locator field = figure.getByPlaceholder("Find job");
    field.fill("c4");
    field.press("Enter");
    // It runs for 363.875 s; half of that on either side.
    shows(3243.790 - 181.937, 3607.664 + 181.937);
    assertThat(said.textContent()).contains("Job: c4").contains("s0001 (4), s0002 (3)");
    canvas.focus();
    page.keyboard().press("Escape");
    page.waitForCondition(() -> said.textContent().isEmpty());
    field.fill("z9");
    field.press("Enter");
    assertThat(figure.getByText("No job is called z9.").count()).isOne();
  }

  @Test
  void drawsBarsAndSpeaksWhenClicked() {
    assertThat(pixel(2400, LAST_GPU)).isNotEqualTo(pixel(250, LAST_GPU));
    pointAt(100, LAST_GPU);
    page.mouse().down();
    page.mouse().up();
    assertThat(figure.locator("[aria-live=polite]").textContent()).contains("Job: b1");
  }

  @Test
  void drawsCellsWhereSegmentsAreTooMany() throws IOException {
    String html = Files.readString(folder.resolve("run/report.html"));
    int from = html.indexOf("\"segments\":{");
    int to = html.indexOf(",\"grid\":", from);
    Path without = folder.resolve("cells.html");
    Files.writeString(without, html.substring(0, from) + "\"segments\":null" + html.substring(to));
    Page before = page;
    page = browser.open(without, 1280, 900);
    try {
      look("gpus-over-time");
      assertThat(pixel(2400, LAST_GPU)).isNotEqualTo(pixel(250, LAST_GPU));
      pointAt(2400, LAST_GPU);
      assertThat(figure.locator(".tip").innerText().lines())
          .contains("s0003 (2 GPUs)", "100 %", "jobs of 3-4 GPUs", "user ann");
      canvas.focus();
      page.keyboard().press("+");
      shows(END / 4, END * 3 / 4);
    } finally {
      page.close();
      page = before;
    }
  }

  @Test
  void ringsFollowTheSameWindow() {
    press("Zoom in");
    look("rings-over-time");
    shows(END / 4, END * 3 / 4);
    // The rings of a5 and of no other job cross s0003.
    pointAt(2400, LAST_GPU);
    assertThat(figure.locator(".tip").innerText().lines()).contains("s0003 (2 GPUs)", "1.00");
  }
}
