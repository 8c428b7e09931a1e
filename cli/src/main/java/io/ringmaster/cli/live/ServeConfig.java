package io.ringmaster.cli.live;

import io.ringmaster.control.api.Limits;
import io.ringmaster.control.engine.EngineKind;
import io.ringmaster.control.retention.Retention;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.settings.Settings;
import io.ringmaster.policy.registry.Policies;
import io.ringmaster.workload.ClusterFile;
import io.ringmaster.workload.ModelsFile;
import io.ringmaster.workload.YamlFile;
import io.ringmaster.workload.YamlMap;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a server is told at its start. docs/files.md describes the file.
 *
 * @param port 0: any that is free
 * @param store as {@code Store.open} takes it
 * @param engine where jobs run
 * @param cluster what a cluster file says; null: what the engine finds is the cluster
 * @param set settings of the policy
 * @param quotas most GPUs of a user at once
 * @param limits how much one may ask for
 * @param retention what is kept of jobs after their end
 */
public record ServeConfig(
    String host,
    int port,
    Path data,
    String store,
    EngineKind engine,
    Settings engineSettings,
    @Nullable Cluster cluster,
    ModelTable models,
    String policy,
    Map<String, String> set,
    Map<String, Integer> quotas,
    Limits limits,
    Retention retention) {
  static final String LISTEN = "127.0.0.1:7070";
  static final String DATA = "ringmaster-data";
  static final String POLICY = Policies.DEFAULT;
  static final String LOCAL = "local";

  private static final int MOST_SLOTS = 1000;
  private static final String ENGINE = "engine";
  private static final String SLOTS = "slots";
  private static final String RUN_AS = "run-as";

  private static final String WHAT = "the server";
  private static final String SQLITE = "sqlite";
  private static final int MOST_PORT = 65_535;
  private static final List<String> KEYS =
      List.of(
          "listen",
          "data",
          "store",
          "engine",
          "cluster",
          "slots",
          "models",
          "policy",
          "set",
          "quotas",
          LimitsSection.KEY,
          "retention");

  /** What the command line says; it counts more than the file. Null: it does not say. */
  public record Given(
      @Nullable String listen,
      @Nullable Path data,
      @Nullable String policy,
      @Nullable Integer slots,
      @Nullable String engine) {

    /** With the engine that the file says. */
    public Given(
        @Nullable String listen,
        @Nullable Path data,
        @Nullable String policy,
        @Nullable Integer slots) {
      this(listen, data, policy, slots, null);
    }
  }

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
    Address address =
        given.listen == null
            ? parsed(map, "listen", LISTEN, Address::of)
            : said("--listen", () -> Address.of(given.listen));
    Path data = given.data == null ? file.resolveSibling(map.text("data", DATA)) : given.data;
    ChosenEngine engine = ChosenEngine.of(map, given);
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
        engine.kind,
        engine.settings,
        named ? ClusterFile.read(file.resolveSibling(map.text("cluster", ""))) : null,
        map.has("models")
            ? ModelTable.standard()
                .with(ModelsFile.read(file.resolveSibling(map.text("models", ""))))
            : ModelTable.standard(),
        policy,
        set,
        quotas(map),
        LimitsSection.of(file, map),
        RetentionSection.of(file, map));
  }

  /** Whether no other server can share its store, to stand by. */
  boolean isAlone() {
    return store.startsWith(SQLITE + ":");
  }

  /** Whether jobs run as other users, who must get through the data folder to what is theirs. */
  boolean isPassable() {
    return engine.parameters().stream().anyMatch(parameter -> parameter.name().equals(RUN_AS))
        && engineSettings.text(RUN_AS).equals("user");
  }

  /** The file of a store that is {@linkplain #isAlone alone}. */
  Path storeFile() {
    return Path.of(store.substring(SQLITE.length() + 1));
  }

  boolean hasPassword() {
    return store.matches("[^/]*//[^:@/]*:[^@/]+@.*");
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

  /** An engine with its settings: {@code engine: NAME}, or {@code engine: {name: NAME, ...}}. */
  private record ChosenEngine(EngineKind kind, Settings settings) {
    static ChosenEngine of(YamlMap map, Given given) {
      Map<String, String> set = new LinkedHashMap<>();
      if (map.isMapping(ENGINE)) {
        set.putAll(map.texts(ENGINE, "an engine with its settings, such as {name: local}"));
      } else {
        set.put("name", map.text(ENGINE, LOCAL));
      }
      if (map.has(SLOTS)) {
        set.put(SLOTS, Integer.toString(map.whole(SLOTS, 1, MOST_SLOTS)));
      }
      if (map.has("cluster") && set.containsKey(SLOTS)) {
        throw map.bad(SLOTS, "slots: a cluster file says it itself; leave out one of the two");
      }
      String named = Objects.requireNonNullElse(set.remove("name"), LOCAL);
      String name = Objects.requireNonNullElse(given.engine, named);
      // Settings belong to an engine: those of the file are for the engine of the file.
      if (!name.equals(named)) {
        set.clear();
      }
      if (given.slots != null) {
        set.put(SLOTS, Integer.toString(slots(given.slots)));
      }
      try {
        EngineKind kind = Engines.named(name);
        return new ChosenEngine(kind, kind.settings(set));
      } catch (BadInput e) {
        if (given.engine != null) {
          throw new BadInput("--engine: " + e.getMessage());
        }
        throw map.has(ENGINE) ? map.bad(ENGINE, "engine: " + e.getMessage()) : e;
      }
    }

    private static int slots(int given) {
      if (given < 1 || given > MOST_SLOTS) {
        throw new BadInput(
            "--slots: expected a whole number from 1 to %d, not %d".formatted(MOST_SLOTS, given));
      }
      return given;
    }
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

  /** Where {@code --listen} says, or where servers usually do. */
  static Address address(@Nullable String listen) {
    return listen == null ? Address.of(LISTEN) : said("--listen", () -> Address.of(listen));
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
