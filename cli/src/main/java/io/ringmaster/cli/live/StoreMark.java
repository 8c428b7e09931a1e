package io.ringmaster.cli.live;

import io.ringmaster.control.store.PrivateFiles;
import io.ringmaster.control.store.Store;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A file in the data folder that says that its store holds something. Should the store be new the
 * next time, then it was lost: to begin anew would be to forget all jobs, and with the tokens also
 * who may ask.
 */
final class StoreMark {
  private static final String TEXT =
      "The store of this folder holds something: a server refuses to begin anew.\n";

  private final Path file;
  private final AtomicBoolean isMade;

  private StoreMark(Path file) {
    this.file = file;
    this.isMade = new AtomicBoolean(Files.exists(file));
  }

  /**
   * Looks whether a store is the one that the folder had.
   *
   * @param shownStore without a password
   */
  static StoreMark check(Path data, Store store, String shownStore) {
    StoreMark mark = new StoreMark(data.resolve("store-in-use"));
    if (mark.isMade.get() && store.isNew()) {
      throw new BadInput(
          "%s had a store with jobs or tokens, and now the store (%s) is empty; put it back with 'ringmaster restore', or, to begin anew without them, remove %s"
              .formatted(data, shownStore, mark.file));
    }
    mark.tighten();
    return mark;
  }

  private void tighten() {
    try {
      PrivateFiles.tighten(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From now on the store must not be empty. */
  void make() {
    if (!isMade.getAndSet(true)) {
      try {
        try (FileChannel channel = PrivateFiles.open(file)) {
          channel.write(ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.US_ASCII)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
