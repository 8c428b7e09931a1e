package io.ringmaster.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times, resources, hosts and ids as Slurm writes them. */
class SlurmTextsTest {
  private static final long ANY = SlurmTime.UNKNOWN;

  private final SlurmTime utc = new SlurmTime(ZoneId.of("UTC"));
  private final SlurmTime berlin = new SlurmTime(ZoneId.of("Europe/Berlin"));

  @ParameterizedTest
  @CsvSource({
    "1970-01-02T00:00:00, 86400",
    "1970-01-02 00:00:00, 86400",
    "1970-01-02T00:00, 86400",
    "1970-01-02T01:00:00+01:00, 86400",
    "1794817093, 1794817093"
  })
  void times(String text, long seconds) {
    assertThat(utc.at(text, ANY)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Unknown", "None", "N/A", "0"})
  void timesThatAreNotKnown(String text) {
    assertThat(utc.at(text, ANY)).isEqualTo(SlurmTime.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "2026-13-01T00:00:00",
        "10:00",
        "1794817093123",
        "99999999999999999999",
        "-5"
      })
  void noTimes(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> utc.at(text, ANY));
  }

  /** On 25 October 2026 02:00 to 03:00 comes twice in Berlin: at 00:00 UTC and at 01:00 UTC. */
  @Test
  void theHourThatComesTwice() {
    long before = utc.at("2026-10-25T00:50:00", ANY);
    assertThat(berlin.at("2026-10-25T02:50:00", ANY)).isEqualTo(before);
    // Half past two cannot be before ten to three: it is the second one, 40 minutes later.
    assertThat(berlin.at("2026-10-25T02:30:00", before)).isEqualTo(before + 2400);
    // 29 March 2026: 02:30 is skipped, and read as 03:30, which is 01:30 UTC.
    assertThat(berlin.at("2026-03-29T02:30:00", ANY)).isEqualTo(utc.at("2026-03-29T01:30:00", ANY));
  }

  @ParameterizedTest
  @CsvSource({"00:00:04,4", "1-02:03:04,93784", "02:30,150", "01:00:00.500,3600", "93784,93784"})
  void spans(String text, long seconds) {
    assertThat(SlurmTime.span(text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:b", "-1:00", "1-", ":", "1:-2:00"})
  void noSpans(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> SlurmTime.span(text));
  }

  @Test
  void resources() {
    double gib = 1024 * 1024 * 1024;
    assertThat(Tres.of("billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=62.50G,node=2"))
        .isEqualTo(new Tres(4, 8, 62.5 * gib));
    assertThat(Tres.of("cpu=1,gres/gpu:a100=1,gres/gpu:v100=2,mem=1024"))
        .isEqualTo(new Tres(3, 1, gib));
    assertThat(Tres.of("cpu=1K,gres/gpumem=40G,gres/gpuutil=90,gres/shard=2,license/x=1"))
        .isEqualTo(new Tres(0, 1000, 0));
    assertThat(Tres.of("")).isEqualTo(Tres.NOTHING);
    for (String text : List.of("gpu", "cpu=", "mem=-1", "gres/gpu=x", "=3", "cpu=1,")) {
      assertThatIllegalArgumentException().isThrownBy(() -> Tres.of(text));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',0",
    "gpu,1",
    "gpu:4,4",
    "gpu:a100:4,4",
    "gpu:a100,1",
    "'gres:gpu:2(IDX:0,3),mic:1',2",
    "'gpu:a:1,gpu:b:2',3",
    "craynetwork:0,0"
  })
  void oldResources(String text, long gpus) {
    assertThat(Tres.ofGres(text)).isEqualTo(gpus);
  }

  @Test
  void memoryAskedFor() {
    double gib = 1024 * 1024 * 1024;
    assertThat(Tres.requestedMemory("4G", 8, 2)).isEqualTo(4 * gib);
    assertThat(Tres.requestedMemory("4Gc", 8, 2)).isEqualTo(32 * gib);
    assertThat(Tres.requestedMemory("4Gn", 8, 2)).isEqualTo(8 * gib);
    assertThat(Tres.requestedMemory("", 8, 2)).isZero();
  }

  @Test
  void hosts() {
    assertThat(HostList.expand("gpu[01-03,07],big1"))
        .containsExactly("gpu01", "gpu02", "gpu03", "gpu07", "big1");
    assertThat(HostList.expand("r[1-2]n[9-10]-ib"))
        .containsExactly("r1n9-ib", "r1n10-ib", "r2n9-ib", "r2n10-ib");
    assertThat(HostList.expand("c[098-101]")).containsExactly("c098", "c099", "c100", "c101");
    for (String text :
        List.of(
            "",
            "a,",
            "a[1",
            "a]1",
            "a[[1]]",
            "a[x]",
            "a[1-]",
            "a[1-9999999]",
            "a[]",
            "a[1-999999999999]b[2-1]")) {
      assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand(text));
    }
  }

  @Test
  void ids() {
    assertThat(SlurmId.of("123")).isEqualTo(new SlurmId(123, SlurmId.Kind.JOB, 0));
    assertThat(SlurmId.of("123_4")).isEqualTo(new SlurmId(123, SlurmId.Kind.TASK, 4));
    assertThat(SlurmId.of("123+1")).isEqualTo(new SlurmId(123, SlurmId.Kind.PART, 1));
    for (String text : List.of("123_[5-9]", "123_[1,3%2]")) {
      assertThat(SlurmId.of(text).kind()).isEqualTo(SlurmId.Kind.WAITING_TASKS);
    }
    for (String text : List.of("123.batch", "123_4.extern", "123+0.0", "1.interactive")) {
      assertThat(SlurmId.of(text).kind()).isEqualTo(SlurmId.Kind.STEP);
    }
    assertThat(List.of("1", "1_0", "1+0", "1_1").stream().map(t -> SlurmId.of(t).key()))
        .doesNotHaveDuplicates();
    for (String text :
        List.of("", "x", "0", "1_", "1_x", "1-2", "1.", "99999999999", "1_9999999999")) {
      assertThatIllegalArgumentException().isThrownBy(() -> SlurmId.of(text));
    }
  }
}
