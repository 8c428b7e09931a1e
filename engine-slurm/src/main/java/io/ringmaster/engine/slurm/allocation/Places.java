package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.engine.local.DataFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where things are in the data folder, which the server and all nodes see.
 *
 * @param data the folder
 */
record Places(Path data) {
  private static final Pattern JOB = Pattern.compile("[1-9][0-9]{0,17}");

  /** The server's own. */
  Path own() {
    return data.resolve("slurm-allocation");
  }

  private Path nodes() {
    return own().resolve("nodes");
  }

  /** An agent's own. */
  Path node(String name) {
    return nodes().resolve(name);
  }

  /** Where an agent can be reached. */
  Path agent(String name) {
    return node(name).resolve("agent");
  }

  /** What an agent writes again and again as long as it can. */
  Path beat(String name) {
    return node(name).resolve("beat");
  }

  Path jobs() {
    return own().resolve("jobs");
  }

  /** What Slurm last said of an allocation. */
  Path job(long id) {
    return jobs().resolve(Long.toString(id));
  }

  /** Names of allocations to be used, a file each. */
  Path registrations() {
    return data.resolve("allocations");
  }

  Path registration(long id) {
    return registrations().resolve(Long.toString(id));
  }

  Path agentLog(String host) {
    return own().resolve("agent-" + host + ".log");
  }

  void make() throws IOException {
    for (Path folder : List.of(nodes(), jobs(), registrations())) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Allocations that somebody put down here. */
  List<Long> registered() throws IOException {
    return numbered(registrations());
  }

  static List<Long> numbered(Path folder) throws IOException {
    List<Long> ids = new ArrayList<>();
    try {
      for (Path file : DataFolder.list(folder)) {
        String name = String.valueOf(file.getFileName());
        if (JOB.matcher(name).matches()) {
          ids.add(Long.parseLong(name));
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return ids;
  }

  /** Names of nodes that ever had an agent. */
  List<String> nodeNames() throws IOException {
    try {
      return DataFolder.list(nodes()).stream()
          .map(path -> String.valueOf(path.getFileName()))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** The secret that server and agents share, made by whoever comes first. */
  byte[] key() throws IOException {
    Path file = own().resolve("key");
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] fresh = new byte[Channel.KEY_BYTES];
      new SecureRandom().nextBytes(fresh);
      Path aside =
          Files.createTempFile(
              own(),
              "key",
              ".new",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(aside, fresh);
      try {
        // A link fails if there is one: nobody ever replaces a key that somebody has read.
        Files.createLink(file, aside);
      } catch (FileAlreadyExistsException e) {
        // Somebody else was faster.
      } catch (UnsupportedOperationException e) {
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(aside);
      }
    }
    Set<PosixFilePermission> open = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
    if (!Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)
        .containsAll(open)) {
      throw new IOException(
          "%s: others can read it, and then do with the nodes as they like; 'rm' it while no agent runs"
              .formatted(file));
    }
    byte[] key = Files.readAllBytes(file);
    if (key.length != Channel.KEY_BYTES) {
      throw new IOException(
          "%s: %d bytes, expected %d; 'rm' it while no agent runs"
              .formatted(file, key.length, Channel.KEY_BYTES));
    }
    return key;
  }
}
