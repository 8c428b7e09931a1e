package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.testing.Shape;
import io.ringmaster.testing.TypeScript;
import io.ringmaster.workload.json.RecordFields;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What pages are given has the fields that data.ts describes. */
class DataTypesTest {
  private static Map<String, AnnotatedType> fields(Class<?> data) {
    Map<String, AnnotatedType> fields = new LinkedHashMap<>();
    RecordFields.of(data).forEach(field -> fields.put(field.name(), field.type()));
    return fields;
  }

  @Test
  void pagesAreDescribedAsTheyAreWritten() throws IOException {
    TypeScript types = new TypeScript(Files.readString(Path.of("../web/src/data.ts")));
    List<String> differences = new ArrayList<>();
    Map<String, Class<?>> pages =
        Map.of(
            "Run", RunReport.Document.class,
            "Comparison", ComparisonReport.Document.class,
            "Reproduction", ReproductionReport.class,
            "WhatIf", WhatIfReport.class,
            "Size", SizeReport.class);
    pages.forEach((name, page) ->
        differences.addAll(
            Shape.differences(name, Shape.of(page, DataTypesTest::fields), types.shape(name))));
    assertThat(differences).as("data.ts").isEmpty();
  }
}
