package io.ringmaster.cli.live;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.ModelTable;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.YamlFile;
import io.ringmaster.workload.YamlMap;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a server is told at its start. docs/files.md describes the file.
 *
 * @param port 0: any that is free
 * @param store as {@code Store.open} takes it
 * @param cluster a cluster file; null: this machine is one node
 * @param slots GPUs of that node, whether or not there are any; 0: those there are
 * @param set settings of the policy
 * @param quotas most GPUs of a user at once
 * @param requestsPerSecond of one user
 */
public record ServeConfig(
    String host,
    int port,
    Path data,
    String store,
    @Nullable Path cluster,
    int slots,
    ModelTable models,
    String policy,
    Map<String, String> set,
    Map<String, Integer> quotas,
    double requestsPerSecond) {
  static final String LISTEN = "127.0.0.1:7070";
  static final String DATA = "ringmaster-data";
  static final String POLICY = "easy";
  static final int MOST_SLOTS = 1000;

  private static final String WHAT = "the server";
  private static final String SQLITE = "sqlite";
  private static final int MOST_PORT = 65_535;
  private static final double REQUESTS_PER_SECOND = 5000;
  private static final List<String> KEYS =
      List.of(
          "listen", "data", "store", "engine", "cluster", "slots", "models", "policy", "set",
          "quotas", "limits");

  /** What the command line says; it counts more than the file. Null: it does not say. */
  public record Given(
      @Nullable String listen,
      @Nullable Path data,
      @Nullable String policy,
      @Nullable Integer slots) {}

  public static ServeConfig of(@Nullable Path file, Given given) {
    if (file == null) {
      return of(Path.of(""), YamlMap.empty("", WHAT, KEYS), given);
    }
    YamlMap map =
        YamlFile.find(file)
            .map(node -> new YamlMap(file.toString(), node, WHAT, KEYS))
            .orElseGet(() -> YamlMap.empty(file.toString(), WHAT, KEYS));
    return of(file, map, given);
  }

  private static ServeConfig of(Path file, YamlMap map, Given given) {
    parsed(map, "engine", "local", ServeConfig::engine);
    Address address =
        given.listen == null
            ? parsed(map, "listen", LISTEN, Address::of)
            : said("--listen", () -> Address.of(given.listen));
    Path data = given.data == null ? file.resolveSibling(map.text("data", DATA)) : given.data;
    if (map.has("cluster") && map.has("slots")) {
      throw map.bad("slots", "slots: a cluster file says it itself; leave out one of the two");
    }
    boolean named = given.slots == null && map.has("cluster");
    String policy = given.policy == null ? map.text("policy", POLICY) : given.policy;
    // Settings belong to a policy: those of the file are for the policy of the file.
    Map<String, String> set =
        given.policy == null
            ? map.texts("set", "settings of the policy, such as {placement: pack}")
            : Map.of();
    check(map, given, policy, set);
    return new ServeConfig(
        address.host,
        address.port,
        data,
        parsed(map, "store", SQLITE, text -> store(text, data)),
        named ? file.resolveSibling(map.text("cluster", "")) : null,
        slots(map, given),
        map.has("models")
            ? ModelTable.standard()
                .with(ModelsFile.read(file.resolveSibling(map.text("models", ""))))
            : ModelTable.standard(),
        policy,
        set,
        quotas(map),
        requestsPerSecond(file, map));
  }

  /** Whether no other server can share its store, to stand by. */
  boolean isAlone() {
    return store.startsWith(SQLITE + ":");
  }

  /** Without a password. */
  String shownStore() {
    return isAlone()
        ? SQLITE + " in " + data
        : store.replaceFirst("//[^@/]*@", "//").replaceFirst("\\?.*", "");
  }

  private static void check(YamlMap map, Given given, String policy, Map<String, String> set) {
    try {
      Policies.named(policy).settings(set);
    } catch (BadInput e) {
      throw given.policy == null && map.has("policy")
          ? map.bad(set.isEmpty() ? "policy" : "set", String.valueOf(e.getMessage()))
          : e;
    }
  }

  private static int slots(YamlMap map, Given given) {
    if (given.slots == null) {
      return map.has("slots") ? map.whole("slots", 1, MOST_SLOTS) : 0;
    }
    if (given.slots < 1 || given.slots > MOST_SLOTS) {
      throw new BadInput(
          "--slots: expected a whole number from 1 to %d, not %d"
              .formatted(MOST_SLOTS, given.slots));
    }
    return given.slots;
  }

  private static Map<String, Integer> quotas(YamlMap map) {
    Map<String, Integer> quotas = new LinkedHashMap<>();
    map.texts("quotas", "users with their GPUs, such as {ann: 8}")
        .forEach((user, gpus) -> {
          if (!gpus.matches("\\d{1,6}")) {
            throw map.bad(
                "quotas",
                "quotas.%s: '%s' is not a whole number from 0 to 999999".formatted(user, gpus));
          }
          quotas.put(user, Integer.parseInt(gpus));
        });
    return quotas;
  }

  private static double requestsPerSecond(Path file, YamlMap map) {
    if (!map.has("limits")) {
      return REQUESTS_PER_SECOND;
    }
    YamlMap limits =
        new YamlMap(
            file.toString(), map.required("limits"), "limits", List.of("requests_per_second"));
    return limits.number(
        "requests_per_second", REQUESTS_PER_SECOND, "a number above 0", n -> n > 0);
  }

  private static <T> T parsed(
      YamlMap map, String key, String fallback, Function<String, T> parser) {
    try {
      return parser.apply(map.text(key, fallback));
    } catch (BadInput e) {
      throw map.has(key) ? map.bad(key, key + ": " + e.getMessage()) : e;
    }
  }

  private static <T> T said(String option, Supplier<T> value) {
    try {
      return value.get();
    } catch (BadInput e) {
      throw new BadInput(option + ": " + e.getMessage());
    }
  }

  private static String engine(String text) {
    if (!text.equals("local")) {
      throw new BadInput("no engine is called '%s'; there is 'local'".formatted(text));
    }
    return text;
  }

  private static String store(String text, Path data) {
    if (text.equals(SQLITE)) {
      return "sqlite:" + data.resolve("ringmaster.db");
    }
    if (text.startsWith("postgresql://")) {
      return text;
    }
    throw new BadInput(
        "'%s' is not a store; expected sqlite, or postgresql://USER:PASSWORD@HOST/DATABASE"
            .formatted(text));
  }

  /** Where to listen: {@code 127.0.0.1:7070}, {@code [::1]:7070}. */
  record Address(String host, int port) {
    static Address of(String text) {
      int colon = text.lastIndexOf(':');
      String host = colon < 1 ? "" : text.substring(0, colon);
      String port = text.substring(colon + 1);
      if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MOST_PORT) {
        throw new BadInput(
            "'%s' is not HOST:PORT, such as %s; port 0: any that is free".formatted(text, LISTEN));
      }
      return new Address(host.replaceAll("^\\[|\\]$", ""), Integer.parseInt(port));
    }
  }
}
