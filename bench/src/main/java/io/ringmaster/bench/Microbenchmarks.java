package io.ringmaster.bench;

import io.ringmaster.policy.PolicySpec;
import io.ringmaster.policy.registry.Policies;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs JMH with its own options, on every policy in the registry unless some are named. */
public final class Microbenchmarks {
  private static final String POLICY = "policy";

  private Microbenchmarks() {}

  public static void main(String[] args) throws CommandLineOptionException, RunnerException {
    CommandLineOptions given = new CommandLineOptions(args);
    ChainedOptionsBuilder options = new OptionsBuilder().parent(given);
    if (!given.getParameter(POLICY).hasValue()) {
      options.param(POLICY, Policies.all().stream().map(PolicySpec::name).toArray(String[]::new));
    }
    new Runner(options.build()).run();
  }
}
