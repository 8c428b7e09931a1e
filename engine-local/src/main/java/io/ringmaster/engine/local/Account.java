package io.ringmaster.engine.local;

import io.ringmaster.model.BadInput;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An account of the operating system that jobs can run as. */
record Account(String name, int uid, int gid, String home) {
  private static final int PATIENCE_SECONDS = 10;

  /** Neither a number, which would be looked up as one, nor what a program takes for an option. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

  /** Who this process runs as. */
  static long self() {
    return uid(Path.of("/proc", Long.toString(ProcessHandle.current().pid())));
  }

  /** Says what is missing for a server of this user to run jobs as others. */
  static void checkPossible(long self) {
    if (self != 0) {
      throw new BadInput(
          "engine local: 'run-as: user' needs a server of root, and this one has uid %d: it cannot"
                  .formatted(self)
              + " start, stop or look after processes of other users; start it as root, or leave"
              + " 'run-as' out: then all jobs run as the server's own user");
    }
    for (String program : new String[] {"setpriv", "getent"}) {
      if (!isOnPath(program)) {
        throw new BadInput(
            "engine local: 'run-as: user' needs the program '%s', which is not on the server's PATH;"
                    .formatted(program)
                + " it is part of "
                + (program.equals("setpriv") ? "util-linux" : "the C library's programs"));
      }
    }
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "/usr/bin:/bin" : path).split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  /** Who a file belongs to; of a process, who it runs as. -1: it is not there. */
  static long uid(Path path) {
    try {
      return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) instanceof Integer uid
          ? Integer.toUnsignedLong(uid)
          : -1;
    } catch (IOException e) {
      return -1;
    }
  }

  /**
   * The account of a name; null: there is none.
   *
   * @throws IOException if it cannot be told now: a directory service may be down
   */
  static @Nullable Account find(String name) throws IOException {
    if (!NAME.matcher(name).matches()) {
      return null;
    }
    Process process =
        new ProcessBuilder("getent", "passwd", name)
            .redirectInput(new File("/dev/null"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      process
          .onExit()
          .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .exceptionally(late -> process.destroyForcibly());
      String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      // As getent has it: 2 says that there is no such name.
      if (code == 2) {
        return null;
      }
      String[] fields = answer.strip().split(":", -1);
      if (code != 0 || fields.length < 7) {
        throw new IOException("getent passwd %s ended with %d".formatted(name, code));
      }
      return fields[0].equals(name)
          ? new Account(name, Integer.parseInt(fields[2]), Integer.parseInt(fields[3]), fields[5])
          : null;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (NumberFormatException e) {
      throw new IOException("getent passwd %s: %s".formatted(name, e.getMessage()), e);
    }
  }

  /** The start of a command line that runs the rest as this account. Has no word with a space. */
  String prefix() {
    return "setpriv --reuid=%d --regid=%d --init-groups --inh-caps=-all".formatted(uid, gid);
  }
}
