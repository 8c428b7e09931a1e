package io.ringmaster.cli.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.ringmaster.cli.Browser;
import io.ringmaster.workload.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard in a real browser, of a real server with real processes as jobs. */
class DashboardTest {
  /** Says how far it is ten times a second, as a training would. */
  static final String TRAIN =
      """
      i=0
      while [ $i -lt 600 ]; do
        i=$((i + 1))
        echo "step $i of rank $RANK <b>bold</b>"
        [ "$RANK" != 0 ] || echo "{\\"at_s\\": $(date +%s), \\"done\\": 0.$((1000 + i)), \
      \\"iteration\\": $i, \\"samples\\": $((32 * i)), \\"loss\\": 0.$((9000 - 10 * i))}" \
          >>"$RINGMASTER_PROGRESS"
        sleep 0.1
      done
      """;

  private static final String HOSTILE = "<img src=x onerror=window.hacked=1>";
  private static @Nullable Browser browser;

  @TempDir Path temporary;
  private @Nullable Serving serving;
  private @Nullable Page open;

  @BeforeAll
  static void startBrowser() {
    browser = Browser.start();
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void start() {
    Objects.requireNonNull(browser).forgetComplaints();
    serving = serve("127.0.0.1:0");
  }

  @AfterEach
  void stop() throws IOException, InterruptedException {
    if (open != null) {
      open.close();
    }
    for (Object job : jobs()) {
      // With tokens this is refused; those tests start nothing that lasts.
      ask("POST", "/api/v1/jobs/%s/cancel".formatted(((Map<?, ?>) job).get("id")), "{}", "");
    }
    Objects.requireNonNull(serving).close();
  }

  private List<?> jobs() throws IOException, InterruptedException {
    Map<?, ?> reply =
        (Map<?, ?>)
            Objects.requireNonNull(
                Json.parse(ask("GET", "/api/v1/jobs?state=queued,running", "", "")));
    return reply.get("jobs") instanceof List<?> jobs ? jobs : List.of();
  }

  private Serving serve(String listen) {
    Serving started =
        new Serving(
            ServeConfig.of(
                null, new ServeConfig.Given(listen, temporary.resolve("data"), "fifo", 4)));
    while (!started.leads()) {
      Client.pause(10);
    }
    return started;
  }

  private String url() {
    return Objects.requireNonNull(serving).url();
  }

  private Page page(String route) {
    Page page = Objects.requireNonNull(browser).open(url() + "/" + route, 1200, 1000);
    open = page;
    return page;
  }

  private String ask(String method, String path, String body, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", "application/json");
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  private void submit(Map<String, Object> job, String token)
      throws IOException, InterruptedException {
    assertThat(ask("POST", "/api/v1/jobs", Json.text(job), token)).contains("\"id\"");
  }

  private String token(String user, String role, String with)
      throws IOException, InterruptedException {
    String reply =
        ask("POST", "/api/v1/tokens", Json.text(Map.of("user", user, "role", role)), with);
    return String.valueOf(((Map<?, ?>) Objects.requireNonNull(Json.parse(reply))).get("token"));
  }

  private static Locator figure(Page page, String name) {
    return page.locator("[data-figure=%s]".formatted(name));
  }

  @Test
  void aJobIsSubmittedWatchedAndCancelled() {
    Page page = page("");
    assertThat(figure(page, "connection")).hasText("live");
    page.getByText("Submit", new Page.GetByTextOptions().setExact(true)).click();
    page.locator("textarea")
        .fill(Json.text(Map.of("name", "train", "gpus", 2, "grace_s", 1, "command", sh(TRAIN))));
    page.locator("button.primary").click();

    page.waitForURL("**/#/jobs/1");
    assertThat(figure(page, "state")).containsText("running");
    assertThat(page.locator("pre.log")).containsText("step 3 of rank 0 <b>bold</b>");
    assertThat(page.locator("#curve h3")).hasText("Loss");
    assertThat(page.locator("#curve path.loss")).hasCount(1);
    assertThat(page.locator("#curve .step text")).hasText("2");
    assertThat(page.locator(".job-head [role=progressbar]"))
        .hasAttribute("aria-valuenow", Pattern.compile("1[01]"));
    assertThat(page.locator(".explained")).containsText("Rests on");
    page.locator("input.rank").fill("1");
    assertThat(page.locator("pre.log")).containsText("of rank 1");
    Objects.requireNonNull(browser).screenshot(page, "dashboard-job");

    page.reload();
    assertThat(figure(page, "state")).containsText("running");
    page.getByText("Cancel job").click();
    page.getByText("Yes, cancel it").click();
    assertThat(figure(page, "state")).containsText("cancelled");
    assertThat(page.locator("main table")).containsText("cancelling");
    page.getByText("All jobs").click();
    assertThat(page.locator("tr[data-job='1']")).containsText("cancelled");
    assertThat(figure(page, "gpus").locator("dd")).containsText("0 of 4");
    Objects.requireNonNull(browser).hasNoComplaints();
  }

  @Test
  void aRestartIsMarkedInTheCurve() throws IOException, InterruptedException {
    String script =
        """
        say() { echo "{\\"done\\": $1, \\"iteration\\": $2, \\"loss\\": $3}" >>"$RINGMASTER_PROGRESS"; }
        [ "$RINGMASTER_ATTEMPT" != 1 ] || { say 0 0 2.5; say 0.2 20 1.5; exit 1; }
        say 0.1 10 1.75; say 0.5 50 1
        sleep 60
        """;
    submit(
        Map.of("name", "twice", "gpus", 1, "grace_s", 0, "retries", 1, "command", sh(script)), "");
    Page page = page("#/jobs/1");
    assertThat(page.locator("#curve path.loss")).hasCount(2);
    assertThat(page.locator("#curve .restart")).hasCount(1);
    assertThat(page.locator("#curve .step")).hasCount(2);
    assertThat(page.locator("main")).containsText("2, 0 restarts, 1 failure");
    Objects.requireNonNull(browser).screenshot(page, "dashboard-restart");
  }

  private static List<String> sh(String script) {
    return List.of("sh", "-c", script);
  }

  @Test
  void textsOfJobsAreNeverMarkup() throws IOException, InterruptedException {
    submit(
        Map.of(
            "name",
            "hostile",
            "gpus",
            1,
            "command",
            List.of("sh", "-c", "echo \"$0\"; sleep 30", HOSTILE),
            "grace_s",
            0),
        "");
    Page page = page("#/submit");
    // The server takes no such name; a page must not rely on that.
    page.locator("textarea")
        .fill(Json.text(Map.of("name", HOSTILE, "gpus", 1, "command", List.of("true"))));
    page.locator("button.primary").click();
    assertThat(page.locator("form [role=alert]")).containsText("name: '" + HOSTILE);
    page.route(
        Pattern.compile("/api/v1/jobs(/1)?(\\?.*)?$"), route -> rename(route, "hostile", HOSTILE));
    page.navigate(url() + "/#/");
    page.reload();
    assertThat(page.locator("tr[data-job='1'] td.name")).hasText(HOSTILE);
    page.locator("canvas").hover(new Locator.HoverOptions().setPosition(8, 28));
    assertThat(page.locator(".tip")).containsText(HOSTILE);
    page.locator("tr[data-job='1'] td.name a").click();
    assertThat(page.locator("h1")).containsText(HOSTILE);
    assertThat(page.locator("pre.log")).containsText(HOSTILE);
    assertThat(page.locator("pre.spec")).containsText(HOSTILE);
    assertThat(page.locator("img")).hasCount(0);
    assertThat(page.evaluate("window.hacked ?? 0")).isEqualTo(0);
  }

  private static void rename(Route route, String from, String to) {
    var answer = route.fetch();
    route.fulfill(
        new Route.FulfillOptions()
            .setResponse(answer)
            .setBody(answer.text().replace("\"" + from + "\"", Json.text(to))));
  }

  @Test
  void aTokenOpensTheData() throws IOException, InterruptedException {
    String root = token("root", "admin", "");
    String bob = token("bob", "user", root);
    submit(Map.of("name", "of-root", "gpus", 1, "command", List.of("true")), root);
    submit(Map.of("name", "of-bob", "gpus", 1, "command", List.of("true")), bob);
    Page page = page("");
    signIn(page, "rm_wrong");
    assertThat(page.locator("[role=alert]")).containsText("the token is not known");
    signIn(page, bob);
    assertThat(figure(page, "caller")).hasText("bob (user)");
    assertThat(page.locator("tr[data-job='2']")).containsText("of-bob");
    assertThat(page.locator("tr[data-job='1']")).hasCount(0);
    assertThat(page.evaluate("JSON.stringify([localStorage, document.cookie, location.href])"))
        .asString()
        .doesNotContain("rm_");
    page.reload();
    assertThat(figure(page, "caller")).hasText("bob (user)");

    page.getByText("Policy and nodes").click();
    assertThat(figure(page, "present-policy")).containsText("fifo");
    assertThat(page.getByText("Only admins can change them")).isVisible();
    assertThat(page.getByText("See what it would do")).hasCount(0);
    assertThat(
            page.evaluate(
                """
                fetch("/api/v1/policy", {method: "PUT", body: '{"policy": "srtf"}', headers: {
                  "Content-Type": "application/json",
                  Authorization: "Bearer " + sessionStorage.getItem("ringmaster-token")}})
                  .then(reply => reply.status)
                """))
        .isEqualTo(403);

    page.getByText("Sign out").click();
    signIn(page, root);
    assertThat(figure(page, "caller")).hasText("root (admin)");
    page.locator("form.switch select").first().selectOption("srtf");
    page.locator("form.switch label:has-text('shield') input").fill("minus one");
    page.getByText("See what it would do").click();
    assertThat(page.locator("form.switch [role=alert]")).containsText("'minus one' is not allowed");
    page.locator("form.switch label:has-text('shield') input").fill("4");
    page.getByText("See what it would do").click();
    page.getByText("Use srtf from now on").click();
    assertThat(figure(page, "present-policy")).containsText("srtf shield=4");

    page.getByText("Drain", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("main table")).containsText("up, drained");
    page.getByText("Resume", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("main table")).not().containsText("drained");
    page.getByText("Cluster and jobs").click();
    assertThat(figure(page, "policy")).containsText("srtf");
    assertThat(page.locator("tr[data-job]")).hasCount(2);
  }

  @Test
  void anotherPolicyIsPreviewedBeforeItIsUsed() throws IOException, InterruptedException {
    List<String> sleeps = sh("exec sleep 60");
    submit(Map.of("name", "long", "gpus", 4, "duration_s", 3600, "command", sleeps), "");
    submit(Map.of("name", "short", "gpus", 4, "duration_s", 1200, "command", sleeps), "");
    submit(Map.of("name", "tiny", "gpus", 4, "duration_s", 300, "command", sleeps), "");
    Page page = page("#/jobs/1");
    assertThat(page.locator("main")).containsText("running");
    page.navigate(url() + "/#/policy");
    Locator settings = page.locator("form.switch label");
    page.locator("form.switch select").first().selectOption("srtf");
    assertThat(settings.filter(new Locator.FilterOptions().setHasText("shield"))).hasCount(1);
    // What makes sense in simulations only is not offered.
    assertThat(settings.filter(new Locator.FilterOptions().setHasText("estimate"))).hasCount(0);
    assertThat(page.getByText("from now on")).hasCount(0);

    page.getByText("See what it would do").click();
    Locator preview = figure(page, "preview");
    assertThat(preview).containsText("fifo (present)");
    Locator figures = preview.locator("table").first().locator("tbody tr");
    assertThat(figures.nth(3)).containsText("Stops01");
    assertThat(figures.nth(4)).containsText("GPU time at risk0");
    assertThat(figures.last()).containsText("Lengthsnonepredicted");
    Locator jobs = preview.locator("table").last().locator("tbody tr");
    assertThat(jobs).hasCount(3);
    assertThat(jobs.first()).containsText("long");
    assertThat(jobs.nth(1)).containsText("tiny");
    assertThat(jobs.nth(2)).containsText("short");
    assertThat(figure(page, "present-policy")).containsText("fifo");
    Objects.requireNonNull(browser).screenshot(page, "dashboard-preview");

    // A preview is of one choice: with another one it goes.
    page.locator("form.switch label:has-text('shield') input").fill("2");
    assertThat(preview).hasCount(0);
    page.getByText("See what it would do").click();
    page.getByText("Use srtf from now on").click();
    assertThat(figure(page, "present-policy")).containsText("srtf shield=2");
    assertThat(preview).hasCount(0);

    // It stops the long one, which had saved nothing.
    page.navigate(url() + "/#/jobs/1");
    assertThat(page.locator("dl.facts").first()).containsText("Work to do again");
    assertThat(page.locator("main")).containsText("stopping");
    Objects.requireNonNull(browser).screenshot(page, "dashboard-lost");
  }

  private static void signIn(Page page, String token) {
    page.locator("input[name=token]").fill(token);
    page.getByText("Sign in", new Page.GetByTextOptions().setExact(true)).click();
  }

  @Test
  void thePageGoesOnAfterTheServerWasAway() throws IOException, InterruptedException {
    submit(Map.of("name", "long", "gpus", 1, "grace_s", 0, "command", sh("sleep 60")), "");
    Page page = page("");
    assertThat(page.locator("tr[data-job='1']")).containsText("running");
    page.evaluate("window.same = true");
    String listen = URI.create(url()).getAuthority();
    Objects.requireNonNull(serving).close();
    assertThat(figure(page, "connection")).hasText("reconnecting…");
    serving = serve(listen);
    // Before the page is back: it must hear of both all the same.
    submit(Map.of("name", "missed", "gpus", 1, "grace_s", 0, "command", sh("sleep 60")), "");
    ask("POST", "/api/v1/jobs/1/cancel", "{}", "");
    assertThat(page.locator("tr[data-job='2']")).containsText("missed");
    assertThat(page.locator("tr[data-job='2']")).containsText("running");
    assertThat(page.locator("tr[data-job='1']")).containsText("cancelled");
    assertThat(figure(page, "connection")).hasText("live");
    assertThat(page.evaluate("window.same")).isEqualTo(true);
  }

  @Test
  void jobsAreFilteredAndSortedAndTheClusterIsWalkedByKeys()
      throws IOException, InterruptedException {
    for (String name : List.of("alpha", "beta", "gamma")) {
      submit(Map.of("name", name, "gpus", 2, "grace_s", 0, "command", sh("sleep 60")), "");
    }
    Page page = page("");
    Locator rows = page.locator("tr[data-job]");
    assertThat(rows).hasCount(3);
    assertThat(page.locator("tr[data-job='3']")).containsText("queued");
    assertThat(page.locator("tr[data-job='2']")).containsText("running");
    page.getByLabel("Filter jobs").fill("ALP");
    assertThat(rows).hasCount(1);
    assertThat(page).hasURL(Pattern.compile("#/\\?text=ALP$"));
    page.reload();
    assertThat(page.getByLabel("Filter jobs")).hasValue("ALP");
    assertThat(rows).hasCount(1);
    page.getByLabel("Filter jobs").fill("");
    page.getByLabel("State").selectOption("waiting");
    assertThat(rows).hasCount(1);
    assertThat(figure(page, "shown")).hasText("1 of 3 jobs");
    page.getByLabel("State").selectOption("all");
    page.locator("th.name button").click();
    assertThat(rows.first()).containsText("alpha");
    page.locator("th.name button").click();
    assertThat(rows.first()).containsText("gamma");

    assertThat(figure(page, "gpus").locator("dd")).containsText("4 of 4");
    page.locator("canvas").focus();
    page.keyboard().press("ArrowRight");
    assertThat(page.locator(".live-cluster [role=status]")).containsText("Job: 1 alpha");
    page.keyboard().press("ArrowRight");
    page.keyboard().press("ArrowRight");
    assertThat(page.locator(".live-cluster [role=status]")).containsText("Job: 2 beta");
    page.keyboard().press("Enter");
    page.waitForURL("**/#/jobs/2");
    Objects.requireNonNull(browser).hasNoComplaints();
  }

  @Test
  void theQueueSaysWhatIsExpectedAndManyAreCancelledAtOnce() {
    Page page = page("#/submit");
    page.locator("textarea")
        .fill(
            """
            {gpus: 1, command: [sh, -c, "echo lost >&2; exit 3"]}
            --- {gpus: 3, grace_s: 0, duration_s: 3600, command: [sh, -c, sleep 60]}
            ---
            {gpus: 2, grace_s: 0, duration_s: 3600, command: [sh, -c, sleep 60]}
            """);
    page.locator("button.primary").click();
    Locator last = page.locator("tr[data-job='3']");
    last.locator("td.start.expected:has-text('~')").waitFor();
    assertThat(last.locator("td.place")).hasText("1");
    assertThat(page.locator("tr[data-job='2'] .progress.estimated")).containsText("~");
    assertThat(page.locator("tr[data-job='1']")).containsText("failed");
    page.getByLabel("Choose all open jobs").check();
    page.getByText("Cancel them").click();
    page.locator("button.danger").click();
    assertThat(last).containsText("cancelled");
    page.locator("tr[data-job='1'] td.name a").click();
    assertThat(figure(page, "tail")).containsText("lost");
    page.navigate(url() + "/#/users/nobody");
    assertThat(figure(page, "shown")).hasText("0 of 3 jobs");
    Objects.requireNonNull(browser).hasNoComplaints();
  }

  @Test
  void aNarrowWindowIsEnough() throws IOException, InterruptedException {
    submit(Map.of("name", "done", "gpus", 1, "command", sh("echo done")), "");
    for (String route : List.of("#/", "#/jobs/1", "#/submit", "#/policy")) {
      Page page = Objects.requireNonNull(browser).open(url() + "/" + route, 380, 700);
      open = page;
      assertThat(figure(page, "connection")).hasText("live");
      page.getByText("Light / dark").click();
      assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
      assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
          .as(route)
          .isLessThanOrEqualTo(380);
      Objects.requireNonNull(browser)
          .screenshot(page, "dashboard-narrow" + route.replaceAll("[^a-z]", "-"));
      page.close();
    }
  }
}
