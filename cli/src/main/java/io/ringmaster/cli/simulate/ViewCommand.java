package io.ringmaster.cli.simulate;

import io.ringmaster.cli.terminal.ExitStatus;
import io.ringmaster.model.BadInput;
import io.ringmaster.report.Page;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringmaster view}: a report in the browser. */
@Command(
    name = "view",
    description = "Shows the report that a command wrote with --out in the browser.",
    mixinStandardHelpOptions = true)
public final class ViewCommand implements Callable<Integer> {
  private static final int MOST_PORT = 65_535;
  private static final String WRITERS = "simulate, compare, reproduce, whatif or size";

  @Parameters(paramLabel = "DIR", description = "a folder that " + WRITERS + " wrote with --out")
  Path folder = Path.of("");

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "the port of the address (default: any that is free)")
  @Nullable Integer port;

  @Option(names = "--no-open", description = "open no browser")
  boolean noOpen;

  @Override
  public Integer call() throws InterruptedException {
    try (FolderServer server = serve(folder, port)) {
      URI address = server.address();
      System.out.println(address);
      System.out.flush();
      System.err.println("Ctrl-C ends it.");
      if (!noOpen && !open(address)) {
        System.err.println("There is no browser to open: open the address by hand.");
      }
      new CountDownLatch(1).await();
    }
    return ExitStatus.OK;
  }

  /** Begins to serve a report. The caller ends it. */
  static FolderServer serve(Path folder, @Nullable Integer port) {
    check(folder);
    if (port != null && (port < 1 || port > MOST_PORT)) {
      throw new BadInput(
          "--port: expected a whole number from 1 to %d, not %d".formatted(MOST_PORT, port));
    }
    try {
      return FolderServer.start(folder, Page.FILE, port == null ? 0 : port);
    } catch (BindException e) {
      throw new BadInput(
          "port %s cannot be used (%s); choose another with --port, or leave it out for any that is"
                  .formatted(port, e.getMessage())
              + " free");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private static void check(Path folder) {
    String expected = "expected the folder that %s wrote with --out".formatted(WRITERS);
    if (!Files.exists(folder)) {
      throw new BadInput("%s does not exist; %s".formatted(folder, expected));
    }
    if (!Files.isDirectory(folder)) {
      throw new BadInput("%s is not a folder; %s".formatted(folder, expected));
    }
    if (Files.isRegularFile(folder.resolve(Page.FILE))) {
      return;
    }
    for (String file : List.of("summary.json", "results.json")) {
      if (Files.exists(folder.resolve(file))) {
        throw new BadInput(
            "%s has %s but no %s: an older version wrote it; run the command again with --force"
                .formatted(folder, file, Page.FILE));
      }
    }
    throw new BadInput("%s has no %s; %s".formatted(folder, Page.FILE, expected));
  }

  /** Opens a browser, if there is one. What it says goes nowhere. */
  private static boolean open(URI address) {
    for (String program : browsers(System.getProperty("os.name", ""), System.getenv())) {
      try {
        new ProcessBuilder(program, address.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
        return true;
      } catch (IOException _) {
        // Not there: the next one may be.
      }
    }
    return false;
  }

  /** What may open an address, the best first. Without a screen nothing does. */
  static List<String> browsers(String system, Map<String, String> environment) {
    String name = system.toLowerCase(Locale.ROOT);
    boolean isLinux = !name.contains("mac") && !name.contains("windows");
    boolean hasScreen =
        environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY");
    if (isLinux && !hasScreen) {
      return List.of();
    }
    List<String> programs = new ArrayList<>();
    String chosen = environment.getOrDefault("BROWSER", "");
    for (String each : chosen.split(File.pathSeparator, 0)) {
      if (!each.isBlank()) {
        programs.add(each.strip());
      }
    }
    programs.add(
        name.contains("mac") ? "open" : name.contains("windows") ? "explorer" : "xdg-open");
    return programs;
  }
}
