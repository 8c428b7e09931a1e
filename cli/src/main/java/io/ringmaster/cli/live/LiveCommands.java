package io.ringmaster.cli.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The commands of the live plane by their names. */
public final class LiveCommands {
  private LiveCommands() {}

  /** None of the classes is initialized: other commands must not wait for a server's libraries. */
  public static Map<String, Class<?>> all() {
    Map<String, Class<?>> commands = new LinkedHashMap<>();
    commands.put("serve", ServeCommand.class);
    commands.put("submit", SubmitCommand.class);
    commands.put("jobs", JobsCommand.class);
    commands.put("show", ShowCommand.class);
    commands.put("logs", LogsCommand.class);
    commands.put("cancel", CancelCommand.class);
    commands.put("priority", PriorityCommand.class);
    commands.put("explain", ExplainCommand.class);
    commands.put("nodes", NodesCommand.class);
    commands.put("drain", DrainCommand.class);
    commands.put("policy", PolicyCommand.class);
    commands.put("token", TokenCommand.class);
    commands.put("gc", GcCommand.class);
    commands.put("backup", BackupCommand.class);
    commands.put("restore", RestoreCommand.class);
    commands.put("doctor", DoctorCommand.class);
    commands.put("worker", WorkerCommand.class);
    commands.put("complete", CompleteCommand.class);
    return commands;
  }

  public static List<String> states() {
    return JobLists.STATES;
  }
}
