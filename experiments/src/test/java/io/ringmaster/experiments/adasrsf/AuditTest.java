package io.ringmaster.experiments.adasrsf;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.experiments.adasrsf.Workload.Job;
import io.ringmaster.policy.adasrsf.Gate;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The audit passes a right run and finds each way to tamper with it. Two nodes of one GPU with 1000
 * MB, two jobs of two workers and one iteration: 10 ms, 20 ms, and 100 MB at 1 ms, or 2.5 ms beside
 * another.
 */
class AuditTest {
  private static final int[] BOTH = {0, 1};

  private final Audit audit = audit(2);

  private static Audit audit(int most) {
    Net net = new Net(100, 10, 20, 400);
    Workload workload = new Workload(List.of(new Job(0, net, 2, 1), new Job(0, net, 2, 1)));
    Machines machines = new Machines(2, 1, 1000);
    return new Audit(workload, machines, new LinkCost(1, 0.5), new Gate.AtMost(most));
  }

  private static void compute(Audit audit, int job, double from) {
    audit.place(job, BOTH, 0);
    for (int gpu : BOTH) {
      audit.task(job, gpu, from, from + 10);
      audit.task(job, gpu, from + 10, from + 30);
    }
  }

  /** As in {@code TaskSimulationTest}: the two overlap from 60 to 235. */
  private static void run(Audit audit, double firstEnd, double secondEnd) {
    compute(audit, 0, 0);
    compute(audit, 1, 30);
    audit.transfer(0, 30, firstEnd);
    audit.finish(0, firstEnd);
    audit.transfer(1, 60, secondEnd);
    audit.finish(1, secondEnd);
    audit.close();
  }

  private static void fails(ThrowingCallable tampered, String message) {
    assertThatThrownBy(tampered)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the run cannot be: job ")
        .hasMessageContaining(message);
  }

  @Test
  void passesARightRun() {
    run(audit, 235, 265);
  }

  @Test
  void findsBytesThatWereNotMoved() {
    fails(() -> run(audit, 234, 264), "has not moved its bytes");
  }

  @Test
  void findsASpeedThatTheOverlapDoesNotAllow() {
    fails(() -> run(audit, 130, 265), "has not moved its bytes");
  }

  @Test
  void findsMoreTransfersThanTheGateAllows() {
    fails(() -> run(audit(1), 235, 265), "beside too many others");
  }

  @Test
  void findsTwoTasksOnAGpu() {
    compute(audit, 0, 0);
    fails(() -> compute(audit, 1, 29), "beside another on a GPU");
  }

  @Test
  void findsATaskOfAnotherLength() {
    audit.place(0, BOTH, 0);
    fails(() -> audit.task(0, 0, 0, 11), "too long or too short");
  }

  @Test
  void findsAWorkerThatGoesOnAlone() {
    audit.place(0, BOTH, 0);
    audit.task(0, 0, 0, 10);
    audit.task(0, 0, 10, 30);
    fails(() -> audit.task(0, 0, 30, 40), "starts an iteration twice");
  }

  @Test
  void findsAnIterationThatDoesNotWaitForTheTransfer() {
    Net net = new Net(100, 10, 20, 400);
    Workload workload = new Workload(List.of(new Job(0, net, 2, 2)));
    Audit two =
        new Audit(workload, new Machines(2, 1, 1000), new LinkCost(1, 0.5), new Gate.AtMost(1));
    compute(two, 0, 0);
    two.transfer(0, 30, 130);
    fails(() -> two.task(0, 0, 129, 139), "before the last one's end");
  }

  @Test
  void findsATransferBeforeAllHaveComputed() {
    audit.place(0, BOTH, 0);
    audit.task(0, 0, 0, 10);
    audit.task(0, 0, 10, 30);
    fails(() -> audit.transfer(0, 30, 130), "before all its workers have computed");
  }

  @Test
  void findsATaskWhereTheJobIsNot() {
    fails(() -> audit.task(0, 0, 0, 10), "is not on GPU 0");
  }

  @Test
  void findsMemoryThatIsNotThere() {
    Net net = new Net(100, 10, 20, 600);
    Workload workload = new Workload(List.of(new Job(0, net, 1, 1), new Job(0, net, 1, 1)));
    Audit tight =
        new Audit(workload, new Machines(2, 1, 1000), new LinkCost(1, 0.5), new Gate.AtMost(1));
    tight.place(0, new int[] {0}, 0);
    fails(() -> tight.place(1, new int[] {0}, 0), "too little memory");
  }

  @Test
  void findsAWrongPlacement() {
    fails(() -> audit.place(0, new int[] {0}, 0), "one GPU for each worker");
    fails(() -> audit.place(0, new int[] {1, 1}, 0), "one GPU for each worker");
    audit.place(0, BOTH, 0);
    fails(() -> audit.place(0, BOTH, 0), "placed twice");
  }

  @Test
  void findsWorkThatIsNotDone() {
    compute(audit, 0, 0);
    fails(() -> audit.finish(0, 30), "ends too soon");
    fails(audit::close, "never ends");
  }
}
