package io.ringmaster.control.engine;

/** How the plane reaches an engine: without waiting, and without knowing what became of it. */
@FunctionalInterface
public interface Commands {
  void send(Command command);
}
