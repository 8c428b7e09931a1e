package io.ringmaster.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.AllReduce;
import io.ringmaster.model.FittedExchange;
import io.ringmaster.model.ModelProfile;
import io.ringmaster.model.ModelTable;
import io.ringmaster.model.pipeline.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModelsFileTest {
  private static final String HEADER =
      "model,gradient_bytes,batch,forward_s_per_sample,backward_s\n";

  @TempDir Path dir;

  record Case(String text, String message) {}

  @Test
  void profilesWithAndWithoutASource() throws IOException {
    Path file = dir.resolve("models.csv");
    Files.writeString(
        file, HEADER.strip() + ",source\nmine,1e8,16,0.002,0.03,measured by us\nother,5,1,0,1,\n");
    assertThat(ModelsFile.read(file))
        .containsExactly(
            new ModelProfile("mine", 1e8, 16, 0.002, 0.03, "measured by us"),
            new ModelProfile("other", 5, 1, 0, 1, "models.csv"));
    Files.writeString(file, HEADER + "mine,1e8,16,0.002,0.03\n");
    assertThat(ModelsFile.read(file))
        .containsExactly(new ModelProfile("mine", 1e8, 16, 0.002, 0.03, "models.csv"));
  }

  @Test
  void theStandardTableReadsBackTheSame() throws IOException {
    Path file = dir.resolve("model.csv");
    ModelsFile.write(file, ModelTable.standard().profiles());
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(1 + ModelTable.standard().profiles().size());
    assertThat(lines.getFirst()).isEqualTo(HEADER.strip() + ",layers");
    assertThat(lines.get(1))
        .startsWith("vgg16,526400000,16,0.00225,0.054,1792:12845056:86704128 36928:3211264:");
    assertThat(ModelsFile.read(file))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("source")
        .isEqualTo(ModelTable.standard().profiles());
  }

  @Test
  void reservationsReadBackTheSame() throws IOException {
    Path file = dir.resolve("models.csv");
    Files.writeString(
        file,
        HEADER.strip() + ",reserve_gbps\nmine,5,1,0,1,2.5\nother,5,1,0,1,\nlast,5,1,0,1,0.1\n");
    List<ModelProfile> read = ModelsFile.read(file);
    assertThat(read)
        .containsExactly(
            new ModelProfile("mine", 5, 1, 0, 1, "models.csv").reserving(2.5e9 / 8),
            new ModelProfile("other", 5, 1, 0, 1, "models.csv"),
            new ModelProfile("last", 5, 1, 0, 1, "models.csv").reserving(0.1 * 1e9 / 8));
    ModelsFile.write(file, ModelTable.standard().with(read).profiles());
    assertThat(Files.readAllLines(file))
        .contains(HEADER.strip() + ",reserve_gbps,layers", "mine,5,1,0,1,2.5,", "other,5,1,0,1,0,");
    assertThat(ModelsFile.read(file)).containsAll(read);
  }

  private static final String LAYERED = HEADER.strip() + ",layers\n";

  @Test
  void layersReadBackTheSame() throws IOException {
    Path file = dir.resolve("models.csv");
    Files.writeString(
        file, LAYERED + "mine,5,1,0,1,1:2e3:3  0.5:0:1e9\nother,5,1,0,1,\nlast,5,1,0,1,1:0:1\n");
    List<ModelProfile> read = ModelsFile.read(file);
    assertThat(read)
        .containsExactly(
            new ModelProfile("mine", 5, 1, 0, 1, "models.csv")
                .layered(List.of(new Layer(1, 2000, 3), new Layer(0.5, 0, 1e9))),
            new ModelProfile("other", 5, 1, 0, 1, "models.csv"),
            new ModelProfile("last", 5, 1, 0, 1, "models.csv")
                .layered(List.of(new Layer(1, 0, 1))));
    ModelsFile.write(file, read);
    assertThat(Files.readAllLines(file)).contains("mine,5,1,0,1,1:2000:3 0.5:0:1000000000");
    assertThat(ModelsFile.read(file)).isEqualTo(read);
  }

  private static final String FITTED =
      HEADER.strip()
          + ",all_reduce,overlap,startup_s,inside_share_s,inside_step_s,across_share_s,"
          + "across_step_s,neighbour_s\n";

  @Test
  void fittedExchangesReadBackTheSame() throws IOException {
    Path file = dir.resolve("models.csv");
    Files.writeString(
        file,
        FITTED
            + "mine,0,8,0.001,0.02,halving-doubling,1.5,0.01,0.02,0.03,0.04,0.05,0.06\n"
            + "plain,5,1,0,1,,,,,,,,\nlast,5,1,0,1,ring,,,0.5,,,,\n");
    List<ModelProfile> read = ModelsFile.read(file);
    assertThat(read)
        .containsExactly(
            new ModelProfile("mine", 0, 8, 0.001, 0.02, "models.csv")
                .exchanging(
                    new FittedExchange(
                        AllReduce.HALVING_DOUBLING, 1.5, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06)),
            new ModelProfile("plain", 5, 1, 0, 1, "models.csv"),
            // What is left empty is 0, the overlap 1.
            new ModelProfile("last", 5, 1, 0, 1, "models.csv")
                .exchanging(new FittedExchange(AllReduce.RING, 1, 0, 0.5, 0, 0, 0, 0)));
    ModelsFile.write(file, read);
    assertThat(ModelsFile.read(file)).isEqualTo(read);
    assertThat(ModelsFile.text(read)).isEqualTo(Files.readString(file)).startsWith(FITTED);
  }

  static List<Case> bad() {
    return List.of(
        new Case(
            LAYERED + "a,1,1,1,1,1:2:3 1:2\n",
            "models.csv:2: column layers: layer 2 is '1:2'; expected parameters:bytes:compute,"
                + " three numbers of at least 0"),
        new Case(
            LAYERED + "a,1,1,1,1,1:-2:3\n",
            "models.csv:2: column layers: layer 1 is '1:-2:3'; expected parameters:bytes:compute,"
                + " three numbers of at least 0"),
        new Case(
            LAYERED + "a,1,1,1,1,1:2:NaN\n",
            "models.csv:2: column layers: layer 1 is '1:2:NaN'; expected parameters:bytes:compute,"
                + " three numbers of at least 0"),
        new Case(
            LAYERED + "a,1,1,1,1,1:2:0\n",
            "models.csv:2: column layers: no layer computes anything"),
        new Case(
            LAYERED + "a,1,1,1,1,0:2:1\n", "models.csv:2: column layers: no layer has parameters"),
        new Case(
            LAYERED + "a,1,1,1,1," + "1:1:1 ".repeat(1001) + "\n",
            "models.csv:2: column layers: more than 1000 layers"),
        new Case(
            FITTED + "a,1,1,1,1,tree,1,0,0,0,0,0,0\n",
            "models.csv:2: column all_reduce: 'tree' is not one of ring, halving-doubling,"
                + " binary-blocks"),
        new Case(
            FITTED + "a,1,1,1,1,ring,0.5,0,0,0,0,0,0\n",
            "models.csv:2: column overlap: '0.5' is not a number from 1 to 1000"),
        new Case(
            FITTED + "a,1,1,1,1,ring,1,0,-1,0,0,0,0\n",
            "models.csv:2: column inside_share_s: '-1' is not a number of at least 0"),
        new Case(
            FITTED + "a,1,1,1,1,ring,1,0,0,0,0,0,x\n",
            "models.csv:2: column neighbour_s: 'x' is not a number of at least 0"),
        new Case(
            HEADER.strip() + ",reserve_gbps\na,1,1,1,1,-2\n",
            "models.csv:2: column reserve_gbps: '-2' is not a number of at least 0"),
        new Case(
            HEADER.strip() + ",reserve_gbps\na,1,1,1,1,2Gbps\n",
            "models.csv:2: column reserve_gbps: '2Gbps' is not a number of at least 0"),
        new Case(
            HEADER.strip() + ",reserve_gbps\na,1,1,1,1,2e9\n",
            "models.csv:2: column reserve_gbps: '2e9' is not a number from 0 to 1000000000"),
        new Case(
            "",
            "models.csv: the file is empty; expected a header line with model, gradient_bytes,"
                + " batch, forward_s_per_sample, backward_s"),
        new Case(HEADER, "models.csv: no models: there is nothing after the header line"),
        new Case(
            "model,batch\n",
            "models.csv:1: missing columns gradient_bytes, forward_s_per_sample, backward_s; the"
                + " header has model, batch"),
        new Case(HEADER + ",1,1,1,1\n", "models.csv:2: column model: is empty; expected a name"),
        new Case(
            HEADER + "a,1,1,1,1\na,1,1,1,1\n",
            "models.csv:3: column model: 'a' is already in line 2; expected one row for each"
                + " model"),
        new Case(
            HEADER + "a,-1,1,1,1\n",
            "models.csv:2: column gradient_bytes: '-1' is not a number of at least 0"),
        new Case(
            HEADER + "a,1e16,1,1,1\n",
            "models.csv:2: column gradient_bytes: '1e16' is not a number from 0 to"
                + " 1000000000000000"),
        new Case(
            HEADER + "a,1,0,1,1\n",
            "models.csv:2: column batch: '0' is not a whole number of at least 1"),
        new Case(
            HEADER + "a,1,2000000000,1,1\n",
            "models.csv:2: column batch: '2000000000' is not a whole number from 1 to 1000000000"),
        new Case(
            HEADER + "a,1,1,NaN,1\n",
            "models.csv:2: column forward_s_per_sample: 'NaN' is not a number of at least 0"),
        new Case(
            HEADER + "a,1,1,1,\n",
            "models.csv:2: column backward_s: is empty; expected a number of at least 0"),
        new Case(
            HEADER + "a,1,1,0,0\n",
            "models.csv:2: columns forward_s_per_sample and backward_s: an iteration would take no"
                + " time"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void oneLineThatSaysWhatIsWrong(Case bad) throws IOException {
    Path file = Files.writeString(dir.resolve("models.csv"), bad.text);
    assertThat(Same.message(dir, () -> ModelsFile.read(file))).isEqualTo(bad.message);
  }
}
