package io.ringmaster.testing;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The network of another process, with this thread in it. Java has no word for that. */
public final class Namespace implements AutoCloseable {
  private static final int NETWORK = 0x40000000;

  private final int before;

  Namespace(String pid) {
    before = open("/proc/thread-self/ns/net");
    enter(open("/proc/" + pid + "/ns/net"));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }

  private static int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      int file =
          (int)
              function(
                      "open",
                      FunctionDescriptor.of(
                          ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT))
                  .invokeExact(arena.allocateFrom(path), 0);
      if (file < 0) {
        throw new IllegalStateException(path + " cannot be opened");
      }
      return file;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void enter(int file) {
    FunctionDescriptor descriptor =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    try {
      if ((int) function("setns", descriptor).invokeExact(file, NETWORK) != 0) {
        throw new IllegalStateException("setns failed");
      }
      int _ =
          (int)
              function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                  .invokeExact(file);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Back to where the thread was. */
  @Override
  public void close() {
    enter(before);
  }
}
