package io.ringmaster.engine.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchy of control groups as this process sees it.
 *
 * @param folder where it is mounted
 * @param own the group that this process is in
 * @param isSecond version 2
 * @param controllers of version 1; version 2 tells them in each group
 */
record CgroupMount(Path folder, Path own, boolean isSecond, Set<String> controllers) {

  /** All there are, version 2 first. */
  static List<CgroupMount> all() throws IOException {
    return of(
        Files.readAllLines(Path.of("/proc/self/mounts")),
        Files.readAllLines(Path.of("/proc/self/cgroup")));
  }

  static List<CgroupMount> of(List<String> mounts, List<String> memberships) {
    Map<String, String> own = new HashMap<>();
    for (String line : memberships) {
      // NUMBER:CONTROLLER,CONTROLLER:PATH; those of version 2 are empty.
      String[] parts = line.split(":", 3);
      for (String controller : parts[1].split(",", -1)) {
        own.put(controller, parts[2]);
      }
    }
    List<CgroupMount> found = new ArrayList<>();
    for (String line : mounts) {
      String[] fields = line.split(" ", -1);
      Path folder = Path.of(fields[1].replace("\\040", " "));
      if (fields[2].equals("cgroup2")) {
        found.addFirst(new CgroupMount(folder, within(folder, own.get("")), true, Set.of()));
      } else if (fields[2].equals("cgroup")) {
        Set<String> controllers = Set.of(fields[3].split(",", -1));
        for (String controller : controllers) {
          if (own.containsKey(controller)) {
            found.add(
                new CgroupMount(folder, within(folder, own.get(controller)), false, controllers));
            break;
          }
        }
      }
    }
    return found;
  }

  /** In a container the path may begin above what is mounted. */
  private static Path within(Path folder, @Nullable String path) {
    Path own = path == null ? folder : folder.resolve(path.substring(1)).normalize();
    return own.startsWith(folder) && Files.isDirectory(own) ? own : folder;
  }
}
