package io.ringmaster.workload.trace;

import java.io.InputStream;
import java.nio.file.Path;

final class SacctJson {
  SacctJson(Path file, SlurmJobs jobs, TraceSink out) {}

  void read(InputStream in) {}
}
