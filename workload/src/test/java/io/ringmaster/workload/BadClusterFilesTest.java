package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mistake has one line that says where it is and what was expected. */
class BadClusterFilesTest {
  @TempDir Path dir;

  record Case(String text, String message) {}

  static List<Case> cases() {
    return List.of(
        new Case("", "cluster.yaml: the file is empty; expected a cluster with servers"),
        new Case(
            "# only this\n", "cluster.yaml: the file is empty; expected a cluster with servers"),
        new Case(
            "42",
            "cluster.yaml:1:1: expected the cluster, a mapping with name, servers, racks, pods,"
                + " network, start, restart, failures, maintenance; found '42'"),
        new Case(
            "- a",
            "cluster.yaml:1:1: expected the cluster, a mapping with name, servers, racks, pods,"
                + " network, start, restart, failures, maintenance; found a list"),
        new Case("name: x", "cluster.yaml:1:1: missing key 'servers'"),
        new Case(
            "server: []",
            "cluster.yaml:1:1: unknown key 'server' of the cluster; did you mean" + " 'servers'?"),
        new Case(
            "servers: [{gpus: 4}]\ncolour: red",
            "cluster.yaml:2:1: unknown key 'colour' of the cluster; expected one of name, servers,"
                + " racks, pods, network, start, restart, failures, maintenance"),
        new Case(
            "name: a\nservers: [{gpus: 4}]\nname: b",
            "cluster.yaml:3:1: key 'name' is there twice, first in line 1"),
        new Case(
            "name: [a]\nservers: [{gpus: 4}]",
            "cluster.yaml:1:7: name: expected a text; found a list"),
        new Case(
            "name:\nservers: [{gpus: 4}]",
            "cluster.yaml:1:6: name: expected a text; found nothing"),
        new Case(
            "name: ''\nservers: [{gpus: 4}]", "cluster.yaml:1:7: name: is empty; expected a text"),
        new Case("servers: 4", "cluster.yaml:1:10: servers: expected a list of servers; found '4'"),
        new Case(
            "servers: {gpus: 4}",
            "cluster.yaml:1:10: servers: expected a list of servers; found a mapping"),
        new Case(
            "servers:", "cluster.yaml:1:9: servers: expected a list of servers; found nothing"),
        new Case(
            "servers: []",
            "cluster.yaml:1:10: servers: the list is empty; expected a list of servers"),
        new Case(
            "servers: [8]",
            "cluster.yaml:1:11: expected a server, a mapping with count, gpus, gpu, rack, pod,"
                + " nic, intra, cpus, memory, power, name; found '8'"),
        new Case("servers:\n  - {count: 2}", "cluster.yaml:2:5: missing key 'gpus'"),
        new Case(
            "servers:\n  - {gpus: 0}",
            "cluster.yaml:2:12: gpus: '0' is not a whole number from 1 to 100000000"),
        new Case(
            "servers:\n  - {gpus: -3}",
            "cluster.yaml:2:12: gpus: '-3' is not a whole number from 1 to 100000000"),
        new Case(
            "servers:\n  - {gpus: 4.5}",
            "cluster.yaml:2:12: gpus: '4.5' is not a whole number from 1 to 100000000"),
        new Case(
            "servers:\n  - {gpus: many}",
            "cluster.yaml:2:12: gpus: 'many' is not a whole number from 1 to 100000000"),
        new Case(
            "servers:\n  - {gpus: 99999999999999999999}",
            "cluster.yaml:2:12: gpus: '99999999999999999999' is not a whole number from 1 to"
                + " 100000000"),
        new Case(
            "servers:\n  - {gpus: [4]}",
            "cluster.yaml:2:12: gpus: expected a whole number from 1 to 100000000; found a list"),
        new Case(
            "servers:\n  - {gpus: }",
            "cluster.yaml:2:11: gpus: expected a whole number from 1 to 100000000; found nothing"),
        new Case(
            "servers:\n  - {count: 0, gpus: 4}",
            "cluster.yaml:2:13: count: '0' is not a whole number from 1 to 1000000"),
        new Case(
            "servers:\n  - {count: -1, gpus: 4}",
            "cluster.yaml:2:13: count: '-1' is not a whole number from 1 to 1000000"),
        new Case(
            "servers:\n  - {count: 1000001, gpus: 4}",
            "cluster.yaml:2:13: count: '1000001' is not a whole number from 1 to 1000000"),
        new Case(
            "servers:\n  - {count: 1000000, gpus: 4}\n  - {gpus: 4}",
            "cluster.yaml:3:5: more than 1000000 servers in all"),
        new Case(
            "servers:\n  - {count: 1000000, gpus: 101}",
            "cluster.yaml:2:28: more than 100000000 GPUs in all"),
        new Case(
            "servers:\n  - {name: a, gpus: 4}\n  - {name: a, gpus: 4}",
            "cluster.yaml:3:12: two servers are named 'a'; give them other names"),
        new Case(
            "servers:\n  - {name: s0002, gpus: 4}\n  - {gpus: 4}",
            "cluster.yaml:3:5: two servers are named 's0002'; give them other names"),
        new Case(
            "servers:\n  - {gpu_count: 4}",
            "cluster.yaml:2:6: unknown key 'gpu_count' of a server; expected one of count, gpus,"
                + " gpu, rack, pod, nic, intra, cpus, memory, power, name"),
        new Case(
            "servers:\n  - {gpsu: 4}",
            "cluster.yaml:2:6: unknown key 'gpsu' of a server; did you mean 'gpus'?"),
        new Case(
            "servers:\n  - {<<: {gpus: 4}}",
            "cluster.yaml:2:6: unknown key '<<' of a server; expected one of count, gpus, gpu,"
                + " rack, pod, nic, intra, cpus, memory, power, name"),
        new Case(
            "servers:\n  - {gpus: 4, gpus: 8}",
            "cluster.yaml:2:15: key 'gpus' is there twice, first in line 2"),
        new Case(
            "servers:\n  - {gpus: 4, nic: 10}",
            "cluster.yaml:2:20: nic: '10' is not a bandwidth above 0 with its unit, such as 10Gbps"
                + " or 1.25GB/s"),
        new Case(
            "servers:\n  - {gpus: 4, nic: 0Gbps}",
            "cluster.yaml:2:20: nic: '0Gbps' is not a bandwidth above 0 with its unit, such as"
                + " 10Gbps or 1.25GB/s"),
        new Case(
            "servers:\n  - {gpus: 4, intra: {a: b}}",
            "cluster.yaml:2:22: intra: expected a bandwidth such as 10Gbps; found a mapping"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork: contention",
            "cluster.yaml:2:10: expected the network, a mapping with model, xi1, alpha, overhead,"
                + " reduceRate, cap, slot, slack, reserve, overlap, microBatches, startup, perByte,"
                + " penalty, tiers; found 'contention'"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  slack: -1",
            "cluster.yaml:3:10: slack: '-1' is not a share of at least 0, such as 0.03"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  model: shared",
            "cluster.yaml:3:10: model: unknown network model 'shared'; did you mean 'share'?"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  overlap: yes",
            "cluster.yaml:3:12: overlap: 'yes' is not true or false"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  microBatches: 0",
            "cluster.yaml:3:17: microBatches: '0' is not a whole number from 1 to 1000000"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  microBatches: 1.5",
            "cluster.yaml:3:17: microBatches: '1.5' is not a whole number from 1 to 1000000"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  cap: -0.1",
            "cluster.yaml:3:8: cap: '-0.1' is not a share of at least 0, such as 0.15"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  perByte: 0.856ms",
            "cluster.yaml:3:12: perByte: '0.856ms' is not a time for a size, such as 0.856ms/MB"
                + " (ns, us, ms or s for each B, kB, MB or GB)"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  perByte: 0",
            "cluster.yaml:3:12: perByte: '0' is not above 0"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  model: contentoin",
            "cluster.yaml:3:10: model: unknown network model 'contentoin'; did you mean"
                + " 'contention'?"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  xi1: 0",
            "cluster.yaml:3:8: xi1: '0' is not a number above 0 and up to 1"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  xi1: 1.1",
            "cluster.yaml:3:8: xi1: '1.1' is not a number above 0 and up to 1"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  xi1: .nan",
            "cluster.yaml:3:8: xi1: '.nan' is not a number above 0 and up to 1"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  alpha: -0.1",
            "cluster.yaml:3:10: alpha: '-0.1' is not a number of at least 0"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  alpha: 1e999",
            "cluster.yaml:3:10: alpha: '1e999' is not a number of at least 0"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  overhead: 0.5",
            "cluster.yaml:3:13: overhead: '0.5' is not a duration of at least 0 with its unit (us,"
                + " ms, s, min, h, d), such as 10s"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  reduceRate: 0B/s",
            "cluster.yaml:3:15: reduceRate: '0B/s' is not a bandwidth above 0 with its unit, such"
                + " as 10Gbps or 1.25GB/s"),
        new Case(
            "servers: [{gpus: 4}]\nrestart: -1s",
            "cluster.yaml:2:10: restart: '-1s' is not a duration of at least 0 with its unit (us,"
                + " ms, s, min, h, d), such as 10s"),
        new Case(
            "servers:\n\t- gpus: 4",
            "cluster.yaml:2:1: not valid YAML: found character '\\t(TAB)' that cannot start any"
                + " token. (Do not use \\t(TAB) for indentation)"),
        new Case(
            "servers: [{gpus: 4}",
            "cluster.yaml:1:20: not valid YAML: expected ',' or ']', but got <stream end>"),
        new Case(
            "a: b\n---\nc: d",
            "cluster.yaml:2:1: not valid YAML: expected a single document in the stream, but found"
                + " another document"),
        new Case("servers: *x", "cluster.yaml:1:10: not valid YAML: found undefined alias x"),
        new Case(
            "name: a\nservers: \u0000",
            "cluster.yaml:2:10: not valid YAML: the character U+0000 is not allowed"),
        new Case(
            "name: a\nrestart: \u00fc\u00fc",
            "cluster.yaml:2: not UTF-8 text; save the file as UTF-8"),
        new Case("\u00ff\u00fen\u0000", "cluster.yaml: the text is UTF-16; save it as UTF-8"));
  }

  private static final String TWO = "servers: [{gpus: 4, rack: a}, {gpus: 4, rack: b}]\nracks:";

  static List<Case> capacities() {
    return List.of(
        new Case(
            "servers:\n  - {gpus: 4, cpus: 0}",
            "cluster.yaml:2:21: cpus: '0' is not a number above 0"),
        new Case(
            "servers:\n  - {gpus: 4, cpus: .inf}",
            "cluster.yaml:2:21: cpus: '.inf' is not a number above 0"),
        new Case(
            "servers:\n  - {gpus: 4, memory: 512}",
            "cluster.yaml:2:23: memory: '512' is not a size above 0 with its unit, such as 512GB or"
                + " 512GiB"),
        new Case(
            "servers:\n  - {gpus: 4, memory: 512Gb}",
            "cluster.yaml:2:23: memory: '512Gb' is not a size above 0 with its unit, such as 512GB"
                + " or 512GiB"),
        new Case(
            "servers:\n  - {gpus: 4, memory: 0GB}",
            "cluster.yaml:2:23: memory: '0GB' is not a size above 0 with its unit, such as 512GB or"
                + " 512GiB"),
        new Case(
            "servers:\n  - {gpus: 4, memory: [1GB]}",
            "cluster.yaml:2:23: memory: expected a size such as 512GB; found a list"),
        new Case(
            "servers:\n  - {gpus: 4, power: 300}",
            "cluster.yaml:2:22: power: '300' is not a power with its unit, such as 300W"),
        new Case(
            "servers:\n  - {gpus: 4, power: -1W}",
            "cluster.yaml:2:22: power: '-1W' is not a power with its unit, such as 300W"),
        new Case(
            "servers:\n  - {gpus: 4, power: }",
            "cluster.yaml:2:21: power: expected a power such as 300W; found nothing"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  reserve: 1",
            "cluster.yaml:3:12: reserve: '1' is not a bandwidth above 0 with its unit, such as"
                + " 10Gbps or 1.25GB/s"),
        new Case(
            "servers: [{gpus: 4}]\nnetwork:\n  reserve: 0Gbps",
            "cluster.yaml:3:12: reserve: '0Gbps' is not a bandwidth above 0 with its unit, such as"
                + " 10Gbps or 1.25GB/s"),
        new Case(TWO, "cluster.yaml:2:7: racks: expected a list of racks; found nothing"),
        new Case(
            TWO + " []", "cluster.yaml:2:8: racks: the list is empty; expected a list of racks"),
        new Case(
            TWO + " [a, b]",
            "cluster.yaml:2:9: expected a rack, a mapping with name, uplink, oversubscription;"
                + " found 'a'"),
        new Case(
            TWO + " [{name: a, uplnk: 1Gbps}]",
            "cluster.yaml:2:19: unknown key 'uplnk' of a rack; did you mean 'uplink'?"),
        new Case(TWO + " [{uplink: 1Gbps}]", "cluster.yaml:2:9: missing key 'name'"),
        new Case(
            TWO + " [{name: a}]",
            "cluster.yaml:2:9: a rack has either an uplink, such as 100Gbps, or an oversubscription"
                + " factor"),
        new Case(
            TWO + " [{name: a, oversubscription: 4, uplink: 1Gbps}]",
            "cluster.yaml:2:48: a rack has either an uplink, such as 100Gbps, or an"
                + " oversubscription factor"),
        new Case(
            TWO + " [{name: a, uplink: 100}]",
            "cluster.yaml:2:27: uplink: '100' is not a bandwidth above 0 with its unit, such as"
                + " 10Gbps or 1.25GB/s"),
        new Case(
            TWO + " [{name: a, oversubscription: 0.5}]",
            "cluster.yaml:2:37: oversubscription: '0.5' is not a number of at least 1, such as 4"),
        new Case(
            TWO + " [{name: a, oversubscription: '4:1'}]",
            "cluster.yaml:2:37: oversubscription: '4:1' is not a number of at least 1, such as 4"),
        new Case(
            TWO + "\n  - {name: a, uplink: 1Gbps}\n  - {name: c, uplink: 1Gbps}",
            "cluster.yaml:4:12: no server is in rack 'c'; racks of servers are a, b"),
        new Case(
            TWO + "\n  - {name: a, uplink: 1Gbps}\n  - {name: a, uplink: 1Gbps}",
            "cluster.yaml:4:12: rack 'a' is there twice"),
        new Case(
            TWO + "\n  - {name: a, uplink: 1Gbps}",
            "cluster.yaml:3:3: rack 'b' of a server is not among the racks; add {name: b,"
                + " oversubscription: 1}"));
  }

  @ParameterizedTest
  @MethodSource({"cases", "capacities"})
  void oneLineThatSaysWhatIsWrong(Case bad) throws IOException {
    Path file = dir.resolve("cluster.yaml");
    Files.write(file, bad.text.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(Same.message(dir, () -> ClusterFile.read(file))).isEqualTo(bad.message);
  }
}
