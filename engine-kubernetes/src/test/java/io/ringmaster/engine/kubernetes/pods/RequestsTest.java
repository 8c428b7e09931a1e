package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What pods hold, and what is not known of them, from manifests counted by hand. */
class RequestsTest {
  private static Pod pod(String spec) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n" + spec.indent(2), Pod.class);
  }

  private static Map<String, Double> requests(String spec) {
    return Requests.of(pod(spec).getSpec());
  }

  @Test
  void containersTogetherOrTheGreatestThatRunsBefore() {
    assertThat(
            requests(
                """
                containers:
                  - {name: a, resources: {requests: {cpu: 2, memory: 1Gi, rdma/hca: 1}}}
                  - {name: b, resources: {requests: {cpu: 500m}}}
                initContainers:
                  - {name: i, resources: {requests: {cpu: 1, memory: 3Gi}}}
                  - {name: j, resources: {requests: {cpu: 4}}}
                """))
        .isEqualTo(Map.of("cpu", 4.0, "memory", 3 * 0x1p30, "rdma/hca", 1.0));
  }

  @Test
  void whatBeginsBeforeAndStaysCountsWithAllThatFollows() {
    // Before: 3, then 1 + 4; with the others: 2 + 1.
    assertThat(
            requests(
                """
                containers: [{name: a, resources: {requests: {cpu: 2}}}]
                initContainers:
                  - {name: i, resources: {requests: {cpu: 3}}}
                  - {name: stays, restartPolicy: Always, resources: {requests: {cpu: 1}}}
                  - {name: j, resources: {requests: {cpu: 4}}}
                """))
        .isEqualTo(Map.of("cpu", 5.0));
  }

  @Test
  void whatIsSaidOfThePodAndWhatRunningItCostsCount() {
    assertThat(
            requests(
                """
                overhead: {cpu: 250m, memory: 120Mi}
                resources: {requests: {cpu: 8}}
                containers: [{name: a, resources: {requests: {cpu: 2, nvidia.com/gpu: 4}}}]
                """))
        .isEqualTo(Map.of("cpu", 8.25, "memory", 120 * 0x1p20, "nvidia.com/gpu", 4.0));
  }

  @Test
  void whatAServerLeftOutIsNamed() {
    String sent =
        """
        hostNetwork: false
        schedulingGroup: {podGroupName: a}
        containers:
          - {name: a, restartPolicyRules: [{action: Restart}], env: [{name: A, value: ''}]}
        """;
    String back =
        """
        dnsPolicy: ClusterFirst
        containers:
          - {name: a, env: [{name: A}], volumeMounts: [{name: token, mountPath: /t}]}
        """;
    assertThat(Dropped.of(pod(sent).getSpec(), pod(back).getSpec()))
        .containsExactlyInAnyOrder("spec.schedulingGroup", "spec.containers[0].restartPolicyRules");
    assertThat(Dropped.of(pod(sent).getSpec(), pod(sent).getSpec())).isEmpty();
  }

  private static String unknown(String spec) {
    return Unknown.of(pod("containers: [{name: a}]\n" + spec).getSpec());
  }

  @Test
  void whatIsNotKnownIsSaid() {
    assertThat(unknown("")).isEmpty();
    assertThat(unknown("resourceClaims: [{name: gpu}]")).isEqualTo("has resource claims");
    assertThat(
            unknown(
                """
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      - {topologyKey: kubernetes.io/hostname}
                """))
        .isEqualTo("requires affinity between pods");
    assertThat(
            unknown(
                """
                topologySpreadConstraints:
                  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
                """))
        .isEqualTo("requires a spread over a topology");
    assertThat(unknown("volumes: [{name: d, gcePersistentDisk: {pdName: x}}]"))
        .isEqualTo("has the cloud's disk d, which may be in one zone");
    assertThat(unknown("hostNetwork: true")).isEmpty();
    String ports = "containers: [{name: a, ports: [{containerPort: 80%s}]}]\nhostNetwork: %s";
    assertThat(Unknown.of(pod(ports.formatted("", "false")).getSpec())).isEmpty();
    assertThat(Unknown.of(pod(ports.formatted("", "true")).getSpec()))
        .isEqualTo("takes ports of its node");
    assertThat(Unknown.of(pod(ports.formatted(", hostPort: 80", "false")).getSpec()))
        .isEqualTo("takes ports of its node");
  }
}
