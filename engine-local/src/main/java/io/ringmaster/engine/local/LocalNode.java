package io.ringmaster.engine.local;

import io.ringmaster.control.engine.EngineSetup;
import io.ringmaster.control.engine.Node;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.Server;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A node that this machine plays.
 *
 * @param slots indexes of its GPUs, as {@code CUDA_VISIBLE_DEVICES} names them
 */
public record LocalNode(String name, List<Integer> slots) {
  /** The setting that says how many GPUs the machine plays. */
  static final String SLOTS = "slots";

  /** Not the host's name: jobs that run must be found again even if that changes. */
  private static final String ALONE = "local";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public LocalNode {
    slots = List.copyOf(slots);
    if (!NAME.matcher(name).matches()) {
      throw new BadInput(
          "node '%s': expected 1 to 64 letters, digits, '.', '_' and '-'"
              .formatted(name.replaceAll("\\p{C}", "?")));
    }
    if (new HashSet<>(slots).size() != slots.size()) {
      throw new BadInput("node '%s': slots %s name a GPU twice".formatted(name, slots));
    }
  }

  /**
   * What this machine plays: the nodes of a cluster file, or one with its GPUs. GPUs are dealt out
   * to nodes in the order of the file, so that no two nodes have the same.
   */
  static List<LocalNode> all(EngineSetup setup) {
    if (setup.declared() != null) {
      List<LocalNode> nodes = new ArrayList<>();
      int next = 0;
      for (Server server : setup.declared().servers()) {
        int end = next + server.gpus();
        nodes.add(new LocalNode(server.name(), IntStream.range(next, end).boxed().toList()));
        next = end;
      }
      return nodes;
    }
    int slots = setup.settings().whole(SLOTS);
    if (slots > 0) {
      return List.of(declared(ALONE, slots));
    }
    List<Integer> gpus = LocalGpus.found(LocalGpus.NVIDIA_SMI);
    return List.of(
        gpus.isEmpty()
            ? declared(ALONE, Runtime.getRuntime().availableProcessors())
            : new LocalNode(ALONE, gpus));
  }

  /** As the plane sees it. Its CPUs and memory are not counted: they are shared by all nodes. */
  Node node() {
    return new Node(name, slots.size(), true);
  }

  /** A node with so many slots, whether or not there is a GPU behind them. */
  public static LocalNode declared(String name, int slots) {
    return new LocalNode(name, IntStream.range(0, slots).boxed().toList());
  }
}
