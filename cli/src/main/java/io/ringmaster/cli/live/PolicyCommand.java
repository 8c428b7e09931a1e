package io.ringmaster.cli.live;

import io.ringmaster.cli.options.NamedValues;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Shown;
import io.ringmaster.model.BadInput;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster policy}: who goes first. */
@Command(
    name = "policy",
    description = "Shows the policy of the server, previews another, or switches to it.",
    mixinStandardHelpOptions = true)
final class PolicyCommand implements Callable<Integer> {
  @Mixin LiveOptions live = new LiveOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "the policy to switch to; see 'ringmaster policies'")
  @Nullable String name;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "a setting of that policy; may be repeated")
  List<String> settings = new ArrayList<>();

  @Option(
      names = "--preview",
      description = "only show what that policy would do with the present queue")
  boolean preview;

  @Override
  public Integer call() {
    if (preview) {
      return previewed();
    }
    Fields answer = name == null ? shown() : switched(name);
    if (live.json.given) {
      System.out.print(Json.document(answer));
    } else {
      System.out.println(answer.text("policy"));
      if (answer.has("lengths")) {
        System.out.print(Prose.wrapped("  ", lengths(answer.text("lengths"))));
      }
      new TreeMap<>(answer.object("settings").map())
          .forEach((key, value) -> System.out.println(Shown.line("  %s=%s".formatted(key, value))));
    }
    return 0;
  }

  /** What the policy knows of how long jobs will run. */
  private static String lengths(String word) {
    return "lengths %s: %s"
        .formatted(
            word,
            word.equals("none")
                ? "it does not ask how long jobs take"
                : "it goes by how long jobs are expected to take, which nobody knows");
  }

  private Fields shown() {
    if (!settings.isEmpty()) {
      throw new BadInput("--set: name the policy too, which may be the present one");
    }
    return live.client().get("policy", "/policy");
  }

  private Fields switched(String wanted) {
    return live.client().change("policy " + wanted, "PUT", "/policy", choice(wanted));
  }

  private Map<String, Object> choice(String wanted) {
    Map<String, String> given = NamedValues.of(settings);
    Policies.named(wanted).settings(given);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("policy", wanted);
    body.put("settings", given);
    return body;
  }

  private int previewed() {
    String wanted = name;
    if (wanted == null) {
      throw new BadInput("--preview: name the policy to look at, as in 'policy srtf --preview'");
    }
    Fields answer =
        live.client()
            .change(
                "policy %s --preview".formatted(wanted), "POST", "/policy/preview", choice(wanted));
    System.out.print(
        live.json.given ? Json.document(answer) : PreviewText.of(answer, settings, Moments.now()));
    return 0;
  }
}
