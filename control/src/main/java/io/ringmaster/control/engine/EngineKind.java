package io.ringmaster.control.engine;

import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A kind of engine that a server can be told to take.
 *
 * @param name as {@code serve --engine} has it
 * @param summary one sentence that says where jobs run
 * @param parameters what can be set in the server's file
 * @param discovery finds the nodes without opening anything: no lock is taken, nothing is started
 * @param opening opens the engine, each time that a server begins to lead
 */
public record EngineKind(
    String name, String summary, List<Parameter> parameters, Discovery discovery, Opening opening) {

  @FunctionalInterface
  public interface Discovery {
    List<Node> discover(EngineSetup setup) throws IOException;
  }

  /** Opens an engine, and finds what runs there. */
  @FunctionalInterface
  public interface Opening {
    Engine open(EngineSetup setup) throws IOException;
  }

  public EngineKind {
    parameters = List.copyOf(parameters);
  }

  /** What was given, checked, and the defaults for the rest. */
  public Settings settings(Map<String, String> given) {
    return Settings.of("engine " + name, parameters, given);
  }

  /** The nodes as they are now: what {@link Engine#observe} of an engine opened now would tell. */
  public List<Node> discover(EngineSetup setup) throws IOException {
    return discovery.discover(setup);
  }

  public Engine open(EngineSetup setup) throws IOException {
    return opening.open(setup);
  }
}
