package io.ringmaster.cli.whatif;

import io.ringmaster.cli.options.OutputOptions;
import io.ringmaster.report.Page;
import io.ringmaster.runs.Machine;
import io.ringmaster.workload.AtomicFile;
import io.ringmaster.workload.json.Json;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/** The folder of an answer: its numbers, its page, and what it cost. */
final class AnswerFolder {
  private static final String NUMBERS = "results.json";

  private AnswerFolder() {}

  /** Writes all of it, unless no folder was asked for. */
  static void write(
      OutputOptions.Opened folder,
      Record document,
      Object page,
      Machine machine,
      CommandSpec command) {
    Path path = folder.path();
    if (path == null) {
      return;
    }
    AtomicFile.write(path.resolve(NUMBERS), Json.document(document));
    AtomicFile.write(path.resolve(Page.FILE), Page.html(page));
    machine.write(path, command.commandLine().getParseResult().originalArgs());
    folder.commit();
  }
}
