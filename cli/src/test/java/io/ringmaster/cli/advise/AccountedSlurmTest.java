package io.ringmaster.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.engine.slurm.look.KeptLooks;
import io.ringmaster.engine.slurm.look.Look;
import io.ringmaster.engine.slurm.look.SlurmLook;
import io.ringmaster.testing.SlurmTestbed;
import io.ringmaster.workload.trace.SeenJob;
import io.ringmaster.workload.trace.SlurmSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command on a real Slurm that keeps accounts; first open to all, then with private jobs. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AccountedSlurmTest {
  private static final int NOBODY = 65534;
  private static final int DAEMON = 1;

  private static final int ENDED = 3;
  private static final int SECONDS = 2;

  @TempDir static Path ofNobody;
  @TempDir static Path ofDaemon;
  private SlurmTestbed slurm;
  private SlurmUser nobody;
  private SlurmUser daemon;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(SlurmTestbed.canRun(), SlurmTestbed.MISSING);
    assumeTrue(SlurmTestbed.canAccount(), SlurmTestbed.MISSING);
    slurm = SlurmTestbed.up(Map.of("NODES", "2", "ACCOUNTING", "yes"));
    nobody = new SlurmUser(slurm, NOBODY, ofNobody);
    daemon = new SlurmUser(slurm, DAEMON, ofDaemon);
    nobody.submit(SECONDS, "-J", "train", "-t", "10", "--gres=gpu:2", "--array=1-" + ENDED);
    // By their own eyes, and in the words that a look asks in.
    nobody.awaitLines(
        ENDED,
        "setpriv --reuid=%d --clear-groups sacct -n -a -X -S now-7days -o state 2>&1"
                .formatted(NOBODY)
            + " | grep COMPLETED");
  }

  @AfterAll
  void down() {
    if (slurm != null) {
      slurm.close();
    }
  }

  @Test
  @Order(1)
  void lengthsAreThoseOfJobsThatEnded() throws Exception {
    Look look = lookOnceAllAreTold();
    SlurmSite site = SlurmSite.of(look.texts(), look.atSeconds(), ZoneId.systemDefault(), Map.of());
    assertThat(site.notes())
        .as(look.texts().history())
        .noneMatch(note -> note.contains("nothing is known"));
    assertThat(site.jobs())
        .filteredOn(job -> job.state() == SeenJob.State.ENDED)
        .hasSize(ENDED)
        .allSatisfy(job -> {
          assertThat(job.lengthSeconds()).isBetween((double) SECONDS, 60.0);
          assertThat(job.gpus()).isEqualTo(2);
          assertThat(job.user()).isEqualTo("nobody");
        });
    // Of slurmctld: what sacct tells is slurmdbd's.
    assertThat(look.cost().calls()).isEqualTo(4);
  }

  /** Slurmdbd was seen to list jobs to one who asks, and none a moment later. */
  private Look lookOnceAllAreTold() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      KeptLooks kept = new KeptLooks(Files.createTempDirectory(ofNobody, "kept"));
      Look look = new SlurmLook(nobody.commands(), kept, Clock.systemUTC()).look(false);
      if (look.texts().history().lines().count() > ENDED || System.nanoTime() > end) {
        return look;
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  @Test
  @Order(2)
  void aUserWhoMayNotSeeOthersJobsIsToldSo() throws Exception {
    nobody.submit(600, "--gres=gpu:3", "-t", "60", "-w", "n1");
    nobody.awaitLines(1, "squeue -h -t R -u nobody -w n1 -o %b | grep gpu:3");
    hide("slurm.conf", "jobs");
    hide("slurmdbd.conf", "jobs");
    slurm.run("scontrol", "reconfigure");
    slurm.run("sacctmgr", "-i", "reconfigure");
    daemon.submit(600, "--gres=gpu:4", "-t", "30", "-w", "n1");
    String said = daemon.ringmaster("advise", "--from", "slurm", "--draws", "20");
    assertThat(said)
        .contains("this Slurm shows each user their own jobs only (PrivateData), and 3 GPUs on 1")
        .contains("are held by jobs that you may not see")
        .contains("of others' waiting jobs nothing is known, and starts may be later than told")
        .contains("nothing is known of jobs that ended");
  }

  private void hide(String file, String what) throws IOException {
    Files.writeString(
        slurm.folder().resolve("etc").resolve(file),
        "PrivateData=" + what + "\n",
        StandardOpenOption.APPEND);
  }
}
