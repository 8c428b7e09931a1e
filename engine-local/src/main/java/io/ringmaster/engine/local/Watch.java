package io.ringmaster.engine.local;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that looks whenever a file appears in a folder, and now and then in any case: what was
 * killed leaves no file.
 */
final class Watch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final int SWEEP_MILLIS = 250;

  @FunctionalInterface
  interface Look {
    void run() throws IOException;
  }

  private final Path folder;
  private final Look look;
  private final WatchService service;
  private final Thread thread;

  Watch(Path folder, Look look) throws IOException {
    this.folder = folder;
    this.look = look;
    service = folder.getFileSystem().newWatchService();
    folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
    // What came before the watch is seen by the first look.
    for (Path old : DataFolder.list(folder)) {
      tryDelete(old);
    }
    thread = Thread.ofPlatform().name("local-engine").daemon().unstarted(this::loop);
    thread.start();
  }

  private void loop() {
    while (true) {
      try {
        look.run();
        WatchKey key = service.poll(SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        if (key != null) {
          for (WatchEvent<?> event : key.pollEvents()) {
            if (event.context() instanceof Path name) {
              tryDelete(folder.resolve(name));
            }
          }
          key.reset();
        }
      } catch (ClosedWatchServiceException | InterruptedException e) {
        return;
      } catch (IOException | RuntimeException e) {
        // A full disk, say: the attempt is not told as ended, and is looked at again.
        LOG.warn("{}: cannot look at attempts, trying again", folder, e);
        if (!pause(SWEEP_MILLIS)) {
          return;
        }
      }
    }
  }

  /** What cannot be deleted was put there by somebody else, and says nothing. */
  private static void tryDelete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("{}", e.toString());
    }
  }

  /** Waits; false: it was asked to end. */
  static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns when the thread is done: nobody touches the folder after it. */
  @Override
  public void close() {
    try {
      service.close();
      if (!thread.equals(Thread.currentThread())) {
        thread.join();
      }
    } catch (IOException e) {
      LOG.warn("{}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
