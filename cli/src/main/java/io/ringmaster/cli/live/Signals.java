package io.ringmaster.cli.live;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/**
 * Ctrl-C and SIGTERM as a wish to stop, with the exit status that each stands for. Java has no
 * other way to tell the two apart than a class that must be looked up: it is not part of the
 * standard, so the compiler warns of it. Without it, the JVM ends by itself on both.
 */
public final class Signals {
  static final int INTERRUPTED = 130;
  static final int TERMINATED = 0;

  private Signals() {}

  /** The exit status, once one of the two came. */
  public static CompletableFuture<Integer> stop() {
    CompletableFuture<Integer> stop = new CompletableFuture<>();
    on("INT", () -> stop.complete(INTERRUPTED));
    on("TERM", () -> stop.complete(TERMINATED));
    return stop;
  }

  private static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, args) -> {
                if (method.getName().equals("handle")) {
                  action.run();
                }
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      // Then the JVM ends by itself: jobs go on all the same.
      System.err.println("cannot wait for SIG" + name + ": " + e.getMessage());
    }
  }
}
