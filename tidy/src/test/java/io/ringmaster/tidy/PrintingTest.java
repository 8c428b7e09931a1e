package io.ringmaster.tidy;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.FileDescriptor;
import org.junit.jupiter.api.Test;

/**
 * Commands print through {@code System.out} and {@code System.err}, which the terminal package
 * guards. These are the ways around the guard, and who may take them.
 */
class PrintingTest {
  private static final String TERMINAL = "io.ringmaster.cli.terminal.Terminal";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.ringmaster.cli");

  @Test
  void onlyWhatDrawsForItselfPrintsRaw() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(TERMINAL)
        .and()
        .doNotHaveFullyQualifiedName("io.ringmaster.cli.Main")
        .and()
        .doNotHaveFullyQualifiedName("io.ringmaster.cli.terminal.Progress")
        .and()
        .doNotHaveFullyQualifiedName("io.ringmaster.cli.demo.Screen")
        .and()
        .doNotHaveFullyQualifiedName("io.ringmaster.cli.live.LogsCommand")
        .should()
        .callMethodWhere(target(nameMatching("raw(Out|Err)")).and(target(owner(name(TERMINAL)))))
        .because("what others wrote must not steer a terminal")
        .check(CLASSES);
  }

  @Test
  void nobodyGoesAroundTheGuard() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(TERMINAL)
        .should()
        .callMethodWhere(
            target(nameMatching("set(Out|Err)|console")).and(target(owner(type(System.class)))))
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(FileDescriptor.class)
        .because("what others wrote must not steer a terminal")
        .check(CLASSES);
  }
}
