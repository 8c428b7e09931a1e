package io.ringmaster.control.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Files and folders for their owner alone, whatever the umask says. */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");
  private static final FileAttribute<Set<PosixFilePermission>> FILE_ATTRIBUTE =
      PosixFilePermissions.asFileAttribute(FILE);

  private PrivateFiles() {}

  /** Makes an empty file, unless there is one. */
  static void make(Path file) throws IOException {
    try {
      Files.createFile(file, FILE_ATTRIBUTE);
    } catch (FileAlreadyExistsException e) {
      // Then it is tightened.
    }
  }

  /** Opens a file to write, and makes it if need be. */
  public static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), FILE_ATTRIBUTE);
  }

  /**
   * Makes a folder with all above it, and takes from others what they may do there.
   *
   * @param passable whether others may go through it to folders of their own, without looking
   * @return whether others could do more before
   */
  public static boolean makeFolder(Path folder, boolean passable) throws IOException {
    boolean isNew = !Files.exists(folder);
    Files.createDirectories(folder);
    return tighten(folder, passable ? PASSABLE : FOLDER) && !isNew;
  }

  /**
   * Takes from others what they may do with a file. One that is not there is let be.
   *
   * @return whether they could do anything before
   */
  public static boolean tighten(Path file) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && tighten(file, FILE);
  }

  private static boolean tighten(Path path, Set<PosixFilePermission> most) throws IOException {
    Set<PosixFilePermission> before = Files.getPosixFilePermissions(path);
    if (before.equals(most)) {
      return false;
    }
    Files.setPosixFilePermissions(path, most);
    return !most.containsAll(before);
  }

  /** Whether anybody but its owner can read a file. */
  public static boolean isReadableByOthers(Path file) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      return permissions.contains(PosixFilePermission.GROUP_READ)
          || permissions.contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Makes what was written to a file, and its name, last. */
  static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    syncNames(Objects.requireNonNull(file.toAbsolutePath().getParent()));
  }

  /** Makes the names in a folder last. */
  static void syncNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
