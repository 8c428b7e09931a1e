package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.engine.kubernetes.client.Kubernetes;
import io.ringmaster.testing.KubernetesTestbed;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/** {@link GangRounds} by the thousand, in a Kubernetes of its own; see script/gang-rounds. */
final class RoundsRun {
  private RoundsRun() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = Integer.parseInt(option(arguments, "--rounds", "1000"));
    long seed = Long.parseLong(option(arguments, "--seed", "1"));
    if (!KubernetesTestbed.canRun()) {
      System.err.println(KubernetesTestbed.MISSING);
      System.exit(69);
    }
    int code = 0;
    try (KubernetesTestbed testbed = KubernetesTestbed.up(Map.of("NODES", "0"))) {
      System.setProperty("kubeconfig", testbed.kubeconfig().toString());
      testbed.kubectl("create", "namespace", GangRounds.NAMESPACE);
      try (Kubernetes kubernetes = Kubernetes.connect("");
          PlayedNodes nodes = new PlayedNodes(kubernetes.client(), 8, 4, 40);
          Engine engine =
              KubernetesEngine.KIND.open(
                  new EngineSetup(
                      Files.createTempDirectory(testbed.folder(), "data"),
                      KubernetesEngine.KIND.settings(GangRounds.settings()),
                      null))) {
        GangRounds all = new GangRounds(kubernetes, engine, nodes, seed);
        for (int round = 1; round <= rounds && code == 0; round++) {
          String wrong = all.round();
          if (!wrong.isEmpty()) {
            System.out.println("round %d of seed %d: %s".formatted(round, seed, wrong));
            code = 1;
          } else if (round % 50 == 0 || round == rounds) {
            System.out.println(
                "%,d rounds: %,d gangs ran whole, %,d were undone, %,d found no room; of %,d"
                        .formatted(round, all.whole, all.undone, all.never, all.parts)
                    + " a part ran for a moment, at most %,d ms".formatted(all.longestPartMillis));
          }
        }
        if (all.whole == 0 || all.undone == 0) {
          System.out.println("nothing was seen: no gang was whole, or none was undone");
          code = 1;
        }
      }
    }
    System.exit(code);
  }

  static String option(String[] arguments, String name, String otherwise) {
    for (int i = 0; i + 1 < arguments.length; i++) {
      if (arguments[i].equals(name)) {
        return arguments[i + 1];
      }
    }
    return otherwise;
  }
}
