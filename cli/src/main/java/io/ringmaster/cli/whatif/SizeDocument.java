package io.ringmaster.cli.whatif;

import io.ringmaster.whatif.Sized;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code size --json} prints. Scripts read it: add, do not rename. */
record SizeDocument(
    String goal,
    double goalSeconds,
    int jobs,
    int servers,
    int serverGpus,
    String replayPolicy,
    List<Row> policies,
    List<String> sentences) {

  /** What a policy needs; null if no number of servers is enough. */
  record Row(
      String policy,
      String lengths,
      @Nullable Integer servers,
      @Nullable Integer gpus,
      List<Sized.Point> curve) {}

  static SizeDocument of(Sized sized) {
    return new SizeDocument(
        sized.goal().figure(),
        sized.goal().limitSeconds(),
        sized.history().jobs().size(),
        sized.history().cluster().size(),
        sized.serverGpus(),
        sized.replayPolicy(),
        sized.policies().stream().map(SizeDocument::row).toList(),
        sized.sentences());
  }

  private static Row row(Sized.Needed needed) {
    return new Row(
        needed.policy(),
        needed.lengths().word(),
        needed.fewest().map(Sized.Point::servers).orElse(null),
        needed.fewest().map(Sized.Point::gpus).orElse(null),
        needed.curve());
  }
}
