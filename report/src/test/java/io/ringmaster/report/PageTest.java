package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.workload.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {
  /** A job may be called anything; its name must not end the script that holds the data. */
  @Test
  void dataCannotEndTheScriptItIsIn() {
    String page = Page.html(Map.of("title", "</script><script>alert(1)</script><!--"));
    assertThat(page)
        .contains("\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--")
        .doesNotContain("<script>alert(1)");
  }

  /** Nothing to load: a page opens from a disk, without a network. */
  @Test
  void aPageNeedsNothingElse() {
    String page = Page.html(Map.of());
    assertThat(page).contains("default-src 'none'").doesNotContain("@REPORT@");
    assertThat(page.replaceAll("(?s)<script type=\"module\".*?</script>", ""))
        .doesNotContainPattern("(src|href)=\"(?!data:)");
  }

  @Test
  void columnsAreRoundedAndHolesAreNull() {
    assertThat(
            Json.compact(
                Map.of("x", new double[] {1, 0.5, 1234567.8912, -0.0004, Double.NaN, 1e15, 1e-9})))
        .isEqualTo("{\"x\":[1,0.5,1234567.891,0,null,1.0E15,0]}");
    assertThat(Json.compact(Map.of("x", List.of(1.25, 2)))).isEqualTo("{\"x\":[1.25,2]}");
  }
}
