package io.ringmaster.engine.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.ringmaster.control.engine.Node.Held;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes as the API tells of them, and what is made of them by hand. */
class NodeSightTest {
  private static NodeSight node(String labels, String spec, String template) {
    PodSettings settings = PodSettings.of(KubernetesEngine.KIND.settings(Map.of()));
    Pod pod =
        Serialization.unmarshal(
            "kind: Pod\napiVersion: v1\nspec:\n  containers: [{name: workers}]\n"
                + template.indent(2),
            Pod.class);
    Node read =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {%s}}
            spec: {%s}
            status:
              allocatable: {nvidia.com/gpu: 8, cpu: 32, memory: 64Gi, pods: 3, rdma/hca: 2}
              conditions: [{type: Ready, status: 'True'}]
            """
                .formatted(labels, spec),
            Node.class);
    return NodeSight.of(read, NodeSight.Rules.of(settings, pod));
  }

  @Test
  void labelsThatAreSetNameWhatItHangsOn() {
    NodeSight node = node("rack: r7, topology.kubernetes.io/zone: z1", "", "");
    assertThat(node.path(List.of("rack", "topology.kubernetes.io/zone")))
        .containsExactly("r7", "z1");
    assertThat(node.path(List.of("block", "rack"))).containsExactly("r7");
    assertThat(node.path(List.of())).isEmpty();
  }

  @Test
  void nodesThatTheTemplateLeavesOutAreClosed() {
    assertThat(node("pool: a", "", "nodeSelector: {pool: a}").whyClosed()).isEmpty();
    assertThat(node("pool: b", "", "nodeSelector: {pool: a}").whyClosed())
        .isEqualTo("the pod template asks for other nodes (pool=a)");
    String affinity =
        """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: In, values: [h100]}]}]
        """;
    assertThat(node("gpu: h100", "", affinity).whyClosed()).isEmpty();
    assertThat(node("gpu: a100", "", affinity).whyClosed())
        .isEqualTo("the pod template asks for other nodes (gpu In h100)");
    String taint = "taints: [{key: team, value: a, effect: NoSchedule}]";
    assertThat(node("", taint, "").whyClosed())
        .isEqualTo("its taint team is not tolerated by the pod template");
    assertThat(node("", taint, "tolerations: [{key: team, operator: Exists}]").whyClosed())
        .isEmpty();
  }

  @Test
  void roomIsOfAllThatANodeHas() {
    NodeSight node = node("", "", "");
    assertThat(node.hasRoom(new Load(3, new Held(8, 32, 0x1p36), Map.of("rdma/hca", 2.0))))
        .isTrue();
    assertThat(node.hasRoom(new Load(4, Held.NOTHING, Map.of()))).isFalse();
    assertThat(node.hasRoom(new Load(1, new Held(9, 0, 0), Map.of()))).isFalse();
    assertThat(node.hasRoom(new Load(1, Held.NOTHING, Map.of("rdma/hca", 3.0)))).isFalse();
    assertThat(node.hasRoom(new Load(1, Held.NOTHING, Map.of("example.com/dpu", 1.0)))).isFalse();
    assertThat(node.isFull(2)).isFalse();
    assertThat(node.isFull(3)).isTrue();
  }
}
