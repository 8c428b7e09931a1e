package io.ringmaster.cli.live;

import io.ringmaster.control.store.PrivateFiles;
import io.ringmaster.model.BadInput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Keeps a second server away from a folder. The kernel lets go of it when this process ends. */
record FolderLock(FileChannel channel) implements AutoCloseable {

  static FolderLock take(Path folder) {
    try {
      FileChannel channel = PrivateFiles.open(folder.resolve("serve.lock"));
      if (lock(channel) == null) {
        channel.close();
        throw new BadInput(
            "%s is used by another server; stop that one, or name another folder with --data"
                .formatted(folder));
      }
      return new FolderLock(channel);
    } catch (IOException e) {
      throw new BadInput("%s: cannot be written: %s".formatted(folder, e.getMessage()));
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
