package io.ringmaster.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Nothing is shipped under a licence that {@code licences.yaml} does not allow. */
class LicencesTest {
  private static final Path RULES = Repository.ROOT.resolve("tidy/licences.yaml");
  private static final Path LOCK = Repository.ROOT.resolve("web/package-lock.json");
  private static final Path SHIPPED = Repository.ROOT.resolve("cli/target/bom.json");
  private static final Path CLASS_PATH = Repository.ROOT.resolve("cli/target/classpath");

  /** Libraries by their names, each with the licences that one may choose from. */
  private static Map<String, Set<String>> shipped() {
    Map<String, Set<String>> found = new LinkedHashMap<>();
    for (Map<?, ?> component : maps(read(SHIPPED).get("components"))) {
      Set<String> licences = new TreeSet<>();
      for (Map<?, ?> choice : maps(component.get("licenses"))) {
        if (choice.get("license") instanceof Map<?, ?> licence) {
          Object id = licence.get("id");
          licences.add(String.valueOf(id == null ? licence.get("name") : id));
        } else {
          licences.addAll(choices(String.valueOf(choice.get("expression"))));
        }
      }
      found.put(component.get("group") + ":" + component.get("name"), licences);
    }
    return found;
  }

  /** What goes into the pages: npm knows what is only for building them. */
  private static Map<String, Set<String>> bundled() {
    Map<String, Set<String>> found = new LinkedHashMap<>();
    if (read(LOCK).get("packages") instanceof Map<?, ?> packages) {
      packages.forEach((path, about) -> {
        String name = String.valueOf(path).replaceFirst(".*node_modules/", "");
        if (about instanceof Map<?, ?> each && !name.isEmpty() && each.get("dev") == null) {
          found.put(name, choices(String.valueOf(each.get("license"))));
        }
      });
    }
    return found;
  }

  /** {@code (MIT OR CC0-1.0)}; several that all hold are one that is not on the list. */
  private static Set<String> choices(String expression) {
    return new TreeSet<>(Arrays.asList(expression.replaceAll("^\\(|\\)$", "").split(" OR ", -1)));
  }

  /** What may not be shipped, in words. */
  private static List<String> refused(Map<String, Set<String>> libraries) {
    Map<?, ?> allowed = section("allowed");
    Map<?, ?> corrected = section("corrected");
    List<String> refused = new ArrayList<>();
    libraries.forEach((name, said) -> {
      Set<String> licences =
          corrected.get(name) instanceof Map<?, ?> right
              ? Set.of(String.valueOf(right.get("licence")))
              : said;
      if (licences.stream().noneMatch(allowed::containsKey)) {
        refused.add(name + " is under " + licences);
      }
    });
    return refused;
  }

  private static Map<?, ?> section(String name) {
    return (Map<?, ?>) Objects.requireNonNull(read(RULES).get(name));
  }

  @Test
  void everythingInThePagesMayBeShipped() {
    assertThat(bundled()).hasSizeGreaterThan(10).containsKey("preact");
    assertThat(refused(bundled())).isEmpty();
  }

  @Test
  void everyJarMayBeShipped() {
    assumeTrue(Files.exists(SHIPPED), "cli/target/bom.json is made by mvn verify");
    assertThat(refused(shipped())).isEmpty();
  }

  @Test
  void everyJarIsOnTheList() {
    assumeTrue(Files.exists(SHIPPED), "cli/target/bom.json is made by mvn verify");
    List<String> listed =
        maps(read(SHIPPED).get("components")).stream()
            .map(each -> "lib/%s-%s.jar".formatted(each.get("name"), each.get("version")))
            .toList();
    assertThat(listed).contains(Repository.read(CLASS_PATH).strip().split(":", -1));
  }

  @Test
  void whatIsNotAllowedIsRefused() {
    assertThat(
            refused(
                Map.of(
                    "ours:choice", Set.of("GPL-3.0-only", "MIT"),
                    "theirs:none", Set.of(),
                    "theirs:strong", choices("(AGPL-3.0-only OR GPL-3.0-only)"),
                    "theirs:both", choices("MIT AND GPL-3.0-only"))))
        .containsExactlyInAnyOrder(
            "theirs:none is under []",
            "theirs:strong is under [AGPL-3.0-only, GPL-3.0-only]",
            "theirs:both is under [MIT AND GPL-3.0-only]");
  }

  /** JSON is YAML, too. */
  private static Map<?, ?> read(Path file) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(1 << 26).build();
    return (Map<?, ?>) new Load(settings).loadFromString(Repository.read(file));
  }

  private static List<Map<?, ?>> maps(@Nullable Object list) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (list instanceof List<?> each) {
      each.forEach(one -> maps.add((Map<?, ?>) one));
    }
    return maps;
  }
}
