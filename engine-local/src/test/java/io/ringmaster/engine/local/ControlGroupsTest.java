package io.ringmaster.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Attempts in control groups, where this machine lets them be made. */
class ControlGroupsTest extends LocalEngineStage {

  @Override
  LocalSettings settings() {
    return settings(Map.of("processes", "40"));
  }

  private void assume(String controller) {
    assumeTrue(
        engine.groups().controllers().contains(controller),
        "control groups of " + controller + " cannot be had here");
  }

  @Test
  void whoTakesTooMuchMemoryIsToldSo() throws IOException {
    assume("memory");
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            Map.of("memory_gb_per_gpu", 0.05),
            "sh",
            "-c",
            "head -c 400000000 /dev/zero | tail -c 400000000 >/dev/null"));
    assertThat(end(ONE))
        .isEqualTo(
            new Status.Exited(
                137, false, "it took more memory than it asked for, and was killed for that"));
  }

  @Test
  void processesAreCounted() throws IOException {
    assume("pids");
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            "sh",
            "-c",
            "i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i + 1)); done; echo all"));
    assertThat(end(ONE))
        .isInstanceOf(Status.Exited.class)
        .isNotEqualTo(new Status.Exited(0, false));
    assertThat(output(ONE, Engine.Stream.STDERR)).containsIgnoringCase("fork");
  }

  @Test
  void cpusAreThoseAskedFor() throws IOException {
    assume("cpu");
    engine.launch(
        1,
        launch(
            ONE,
            "left:2",
            Map.of("cpus_per_gpu", 0.25),
            "sh",
            "-c",
            // The file is of one version or the other.
            "for g in $(sed 's/.*:.*cpu[,:]*[^:]*://; s/^0:://' /proc/self/cgroup | sort -u); do"
                + " cat /sys/fs/cgroup/cpu*$g/cpu.cfs_quota_us /sys/fs/cgroup$g/cpu.max"
                + " /sys/fs/cgroup/unified$g/cpu.max 2>/dev/null; done; :"));
    end(ONE);
    assertThat(output(ONE, Engine.Stream.STDOUT)).contains("50000");
  }

  /** It left its session and wiped its environment: only its group knows it. */
  @Test
  void whoWipedItsMarksIsFound() throws IOException {
    assumeTrue(engine.groups().isAny(), "control groups cannot be had here");
    engine.launch(
        1,
        launch(
            ONE,
            "left:1",
            "sh",
            "-c",
            "env -i setsid sh -c 'trap \"\" TERM HUP; echo $$; while :; do sleep 60; done' &"
                + " sleep 0.5"));
    List<Long> pids = printed(ONE, 1);
    assertThat(end(ONE)).isEqualTo(new Status.Exited(0, false));
    assertThat(pids).noneMatch(LocalEngineStage::isAlive);
    assertThat(engine.groups().kill(ONE)).isFalse();
  }

  @Test
  void hierarchiesAreFoundAsTheyAreMounted() {
    List<CgroupMount> mounts =
        CgroupMount.of(
            List.of(
                "proc /proc proc rw 0 0",
                "cgroup /no/cpu cgroup rw,relatime,cpu,cpuacct 0 0",
                "cgroup /no/systemd cgroup rw,name=systemd 0 0",
                "cgroup2 /no/unified cgroup2 rw,nsdelegate 0 0"),
            List.of("9:name=systemd:/", "2:cpu,cpuacct:/system.slice", "0::/a/b"));
    assertThat(mounts)
        .containsExactly(
            new CgroupMount(Path.of("/no/unified"), Path.of("/no/unified"), true, Set.of()),
            new CgroupMount(
                Path.of("/no/cpu"),
                Path.of("/no/cpu"),
                false,
                Set.of("rw", "relatime", "cpu", "cpuacct")),
            new CgroupMount(
                Path.of("/no/systemd"),
                Path.of("/no/systemd"),
                false,
                Set.of("rw", "name=systemd")));
  }
}
