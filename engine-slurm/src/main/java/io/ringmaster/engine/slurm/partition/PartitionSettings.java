package io.ringmaster.engine.slurm.partition;

import io.ringmaster.engine.slurm.client.Slurm;
import io.ringmaster.engine.slurm.client.SlurmByRest;
import io.ringmaster.engine.slurm.client.SlurmCommands;
import io.ringmaster.model.BadInput;
import io.ringmaster.model.settings.Parameter;
import io.ringmaster.model.settings.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What can be set.
 *
 * @param partition whose jobs these are
 * @param slurm how Slurm is spoken to
 * @param signal what a job's script is sent before it is put back into the queue; empty: nothing,
 *     and the TERM and KillWait of Slurm are its grace
 * @param settleSeconds how long a run that Slurm does not know of may have processes, once its
 *     nodes respond
 * @param pollSeconds how often attempts are looked at without being asked
 * @param readsScripts whether the scripts of new jobs are looked through for what they say of
 *     themselves, a call each
 */
record PartitionSettings(
    String partition,
    Slurm slurm,
    String signal,
    double settleSeconds,
    double pollSeconds,
    boolean readsScripts) {
  private static final String PARTITION = "partition";
  private static final String WRAPPER = "wrapper";
  private static final String REST = "rest";
  private static final String TOKEN = "token-file";
  private static final String LIMIT = "command-limit-s";
  private static final String SIGNAL = "signal";
  private static final String SETTLE = "settle-s";
  private static final String POLL = "poll-s";
  private static final String SCRIPTS = "read-scripts";

  static final List<Parameter> PARAMETERS =
      List.of(
          new Parameter(
              PARTITION,
              "ringmaster",
              new Parameter.Pattern(
                  "the name of a partition", value -> value.matches("[A-Za-z0-9_.-]{1,64}")),
              "the partition whose jobs Ringmaster decides about"),
          new Parameter(
              WRAPPER,
              "",
              new Parameter.Pattern("words before each command", value -> true),
              "words before each of Slurm's commands, such as 'ssh slurm-login'"),
          new Parameter(
              REST,
              "",
              new Parameter.Pattern(
                  "an address as in http://slurm:6820, or nothing",
                  value -> value.isEmpty() || value.matches("https?://[^/?# ]+/?")),
              "a slurmrestd that is asked instead of Slurm's commands, as far as it can"),
          new Parameter(
              TOKEN,
              "",
              new Parameter.Pattern("the path of a file, or nothing", value -> true),
              "with rest: the file that holds what scontrol token printed; read for each call"),
          Parameter.number(LIMIT, 20, 1, 600)
              .saying("after so long a command of Slurm's, or a call, is given up, seconds"),
          new Parameter(
              SIGNAL,
              "",
              new Parameter.Pattern(
                  "the name of a signal, or nothing", value -> value.matches("[A-Z0-9]{0,8}")),
              "what a job's script is sent before it is stopped; empty: Slurm's own TERM and"
                  + " KillWait are its grace"),
          Parameter.number(SETTLE, 15, 0, 600)
              .saying(
                  "how long a run that Slurm has forgotten may have processes once its nodes"
                      + " respond, seconds"),
          Parameter.number(POLL, 1, 0.1, 60)
              .saying("how often running jobs are looked at between two looks at all, seconds"),
          Parameter.flag(SCRIPTS, false)
              .saying(
                  "whether scripts are looked through for a #RINGMASTER line, a call each;"
                      + " job_submit.lua does it for nothing"));

  static PartitionSettings of(Settings settings) {
    return new PartitionSettings(
        settings.text(PARTITION),
        slurm(settings),
        settings.text(SIGNAL),
        settings.number(SETTLE),
        settings.number(POLL),
        settings.flag(SCRIPTS));
  }

  private static Slurm slurm(Settings settings) {
    String wrapper = settings.text(WRAPPER).strip();
    SlurmCommands commands =
        new SlurmCommands(
            wrapper.isEmpty() ? List.of() : List.of(wrapper.split(" +")),
            Duration.ofMillis(Math.round(1000 * settings.number(LIMIT))));
    String rest = settings.text(REST);
    String token = settings.text(TOKEN);
    if (rest.isEmpty() != token.isEmpty()) {
      throw new BadInput(
          "engine: '%s' needs '%s' beside it, as in: engine: {name: slurm, rest: http://slurm:6820, token-file: /etc/ringmaster/slurm.jwt}"
              .formatted(rest.isEmpty() ? TOKEN : REST, rest.isEmpty() ? REST : TOKEN));
    }
    return rest.isEmpty()
        ? new Slurm(commands)
        : new SlurmByRest(commands, URI.create(rest.replaceFirst("/$", "")), Path.of(token));
  }
}
