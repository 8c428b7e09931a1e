package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.BadInput;
import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.pipeline.Pipeline;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Compares what has no equals of its own, to the last bit. */
final class Same {
  private Same() {}

  static void jobs(Jobs actual, Jobs expected) {
    assertThat(actual.size()).isEqualTo(expected.size());
    for (int job = 0; job < expected.size(); job++) {
      assertThat(job(actual, job)).isEqualTo(job(expected, job));
      assertThat(actual.demand(job)).isEqualTo(expected.demand(job));
    }
  }

  /** One job in a line, with the names of what it refers to. */
  static String job(Jobs jobs, int job) {
    ModelProfile profile = jobs.profile(job);
    Pipeline pipeline = profile == null ? null : profile.pipeline();
    return "id=%s submit=%s gpus=%d %d..%d %s=%s model=%s user=%s group=%s%s"
        .formatted(
            jobs.id(job),
            jobs.submitSeconds(job),
            jobs.gpus(job),
            jobs.minGpus(job),
            jobs.maxGpus(job),
            jobs.workIsDuration(job) ? "duration" : "iterations",
            jobs.work(job),
            profile == null ? "" : profile.id(),
            jobs.user(job) < 0 ? "" : jobs.userNames().get(jobs.user(job)),
            jobs.group(job) < 0 ? "" : jobs.groupNames().get(jobs.group(job)),
            pipeline == null ? "" : " stages=" + pipeline.replicas());
  }

  static void clusters(Cluster actual, Cluster expected) {
    assertThat(actual.name()).isEqualTo(expected.name());
    assertThat(actual.servers()).isEqualTo(expected.servers());
    assertThat(actual.racks()).isEqualTo(expected.racks());
    assertThat(actual.network()).isEqualTo(expected.network());
    assertThat(actual.restartSeconds()).isEqualTo(expected.restartSeconds());
  }

  /** The message of the bad input that a call must refuse, with files named from a directory. */
  static String message(Path dir, ThrowingCallable call) {
    BadInput error = catchThrowableOfType(BadInput.class, call);
    assertThat(error).isNotNull();
    return String.valueOf(error.getMessage()).replace(dir + "/", "");
  }
}
