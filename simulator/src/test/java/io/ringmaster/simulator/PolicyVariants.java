package io.ringmaster.simulator;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every policy with its defaults, and with every other word of every setting that has words. */
record PolicyVariants(String policy, List<String> settings) {

  static Stream<PolicyVariants> all() {
    return Policies.all().stream().flatMap(spec -> of(spec).stream());
  }

  private static List<PolicyVariants> of(PolicySpec spec) {
    List<PolicyVariants> variants = new ArrayList<>();
    variants.add(new PolicyVariants(spec.name(), List.of()));
    for (Parameter parameter : spec.parameters()) {
      if (parameter.values() instanceof Parameter.Choice choice) {
        choice.words().stream()
            .filter(word -> !word.equals(parameter.defaultValue()))
            .map(word -> List.of(parameter.name() + "=" + word))
            .forEach(settings -> variants.add(new PolicyVariants(spec.name(), settings)));
      }
    }
    return variants;
  }

  String[] given() {
    return settings.toArray(String[]::new);
  }

  @Override
  public String toString() {
    return policy + " " + String.join(" ", settings);
  }
}
