package io.ringmaster.control.engine;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.settings.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is told when it is opened.
 *
 * @param folder the server's, for whatever the engine keeps; the same each time
 * @param settings of its {@link EngineKind}
 * @param declared what the cluster file says; null: there is none. The plane compares it with what
 *     the engine finds; only an engine that plays its nodes needs to look at it
 */
public record EngineSetup(Path folder, Settings settings, @Nullable Cluster declared) {}
