package io.ringmaster.control.store;

import io.ringmaster.control.engine.Node;

/**
 * What is remembered of a node.
 *
 * @param node as the engine last said
 * @param drained no new job is placed there
 * @param reason why it is drained; or empty
 */
public record NodeRow(Node node, boolean drained, String reason) {

  /** A node that nobody drained. */
  public NodeRow(Node node) {
    this(node, false, "");
  }

  public String name() {
    return node.name();
  }

  public int gpus() {
    return node.gpus();
  }

  public boolean up() {
    return node.up();
  }

  /** Whether new jobs may be placed there. */
  public boolean isOpen() {
    return node.up() && !drained;
  }
}
