package io.ringmaster.cli.terminal;

/** What a command tells the shell. */
public final class ExitStatus {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int BAD_INPUT = 2;

  private ExitStatus() {}
}
