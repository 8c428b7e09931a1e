package io.ringmaster.cli.options;

import io.ringmaster.cli.terminal.Next;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.runs.OutputFolder;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where results go. */
public final class OutputOptions {
  @Option(names = "--out", paramLabel = "DIR", description = "write all results to a new folder")
  @Nullable Path out;

  @Option(names = "--force", description = "replace the folder if it exists")
  boolean force;

  @Mixin public JsonOption json = new JsonOption();

  /** As it was given; null: none was. */
  public @Nullable Path folder() {
    return out;
  }

  /** Opens the folder before any work is done, so that a bad name costs nothing. */
  public Opened open() {
    return new Opened(out == null ? null : OutputFolder.create(out, force));
  }

  /**
   * Says where the results are and how to look at them, or how to keep them. A script knows.
   *
   * @param kept what a folder would hold beside the results
   */
  public void sayNext(String kept) {
    if (json.given) {
      return;
    }
    if (out != null) {
      Next.say("Results are in " + out + ".", "ringmaster view " + Next.path(out));
    } else {
      System.err.print(Prose.wrapped("Next: ", "--out DIR keeps " + kept));
    }
  }

  /**
   * Says where the results are that have no page, and what to do with them.
   *
   * @param next what to do, with the folder in it
   */
  public void sayWhere(UnaryOperator<String> next) {
    if (out != null && !json.given) {
      Next.say("Results are in " + out + ".", next.apply(Next.path(out)));
    }
  }

  /** The folder of a command, or none. */
  public record Opened(@Nullable OutputFolder folder) implements AutoCloseable {
    public @Nullable Path path() {
      return folder == null ? null : folder.path();
    }

    public void commit() {
      if (folder != null) {
        folder.commit();
      }
    }

    @Override
    public void close() {
      if (folder != null) {
        folder.close();
      }
    }
  }
}
