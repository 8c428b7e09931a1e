package io.ringmaster.tidy;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.Serializable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Arrows point up only, and the pure modules stay pure. */
class LayeringTest {
  private static final String TRAINING = "io.ringmaster.training..";
  private static final String MODEL = "io.ringmaster.model..";
  private static final String POLICY = "io.ringmaster.policy..";
  private static final String SIMULATOR = "io.ringmaster.simulator..";
  private static final String WORKLOAD = "io.ringmaster.workload..";
  private static final String PREDICTOR = "io.ringmaster.predictor..";
  private static final String BOUNDS = "io.ringmaster.bounds..";
  private static final String RUNS = "io.ringmaster.runs..";
  private static final String WHATIF = "io.ringmaster.whatif..";
  private static final String ADVISE = "io.ringmaster.advise..";
  private static final String CALIBRATION = "io.ringmaster.calibration..";
  private static final String EXPERIMENTS = "io.ringmaster.experiments..";
  private static final String REPORT = "io.ringmaster.report..";
  private static final String CONTROL = "io.ringmaster.control..";
  private static final String REHEARSAL = "io.ringmaster.rehearsal..";
  private static final String ENGINES = "io.ringmaster.engine..";
  private static final String CLI = "io.ringmaster.cli..";
  private static final String BENCH = "io.ringmaster.bench..";
  private static final String JDK = "java..";
  private static final String ANNOTATIONS = "org.jspecify..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("jmh_generated"))
          .importPackages("io.ringmaster");

  @Test
  void trainingNeedsOnlyTheJdk() {
    needsOnly(TRAINING, JDK, ANNOTATIONS);
  }

  @Test
  void modelNeedsOnlyTheJdk() {
    needsOnly(MODEL, JDK, ANNOTATIONS);
  }

  @Test
  void policyNeedsOnlyPredictorAndModel() {
    needsOnly(POLICY, PREDICTOR, MODEL, JDK, ANNOTATIONS);
  }

  @Test
  void simulatorNeedsOnlyPolicyPredictorAndModel() {
    needsOnly(SIMULATOR, POLICY, PREDICTOR, MODEL, JDK, ANNOTATIONS);
  }

  @Test
  void predictorNeedsOnlyModel() {
    needsOnly(PREDICTOR, MODEL, JDK, ANNOTATIONS);
  }

  @Test
  void boundsDoNotKnowWhoAsks() {
    noClasses()
        .that()
        .resideInAPackage(BOUNDS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(WORKLOAD, RUNS, EXPERIMENTS, CLI, BENCH)
        .check(CLASSES);
  }

  @Test
  void workloadDoesNotKnowWhoRunsIt() {
    noClasses()
        .that()
        .resideInAPackage(WORKLOAD)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(POLICY, SIMULATOR, RUNS, EXPERIMENTS, CLI, BENCH)
        .check(CLASSES);
  }

  @Test
  void calibrationNeedsOnlyTrainingPredictorAndModel() {
    needsOnly(CALIBRATION, TRAINING, PREDICTOR, MODEL, JDK, ANNOTATIONS);
  }

  @Test
  void runsDoNotKnowWhatTheyAreFor() {
    noClasses()
        .that()
        .resideInAPackage(RUNS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BOUNDS, WHATIF, ADVISE, EXPERIMENTS, REPORT, CONTROL, CLI, BENCH)
        .check(CLASSES);
  }

  @Test
  void whatIfKnowsRunsAndNoCommand() {
    noClasses()
        .that()
        .resideInAPackage(WHATIF)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BOUNDS, EXPERIMENTS, REPORT, CONTROL, CLI, BENCH)
        .check(CLASSES);
  }

  @Test
  void adviceKnowsRunsAndNoCommand() {
    noClasses()
        .that()
        .resideInAPackage(ADVISE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BOUNDS, WHATIF, EXPERIMENTS, REPORT, CONTROL, CLI, BENCH)
        .check(CLASSES);
  }

  @Test
  void theLivePlaneKnowsNoEngineAndNoCommand() {
    noClasses()
        .that()
        .resideInAPackage(CONTROL)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BOUNDS, RUNS, EXPERIMENTS, REPORT, ENGINES, REHEARSAL, CLI, BENCH)
        .check(CLASSES);
  }

  @Test
  void enginesKnowOnlyThePlanesInterface() {
    noClasses()
        .that()
        .resideInAPackage(ENGINES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            POLICY,
            SIMULATOR,
            REHEARSAL,
            CLI,
            "io.ringmaster.control.plane..",
            "io.ringmaster.control.store..",
            "io.ringmaster.control.api..")
        .check(CLASSES);
  }

  @Test
  void rehearsalsAreForTests() {
    noClasses()
        .that()
        .resideOutsideOfPackage(REHEARSAL)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(REHEARSAL)
        .check(CLASSES);
  }

  @Test
  void jobsLiveWithoutClockOrThread() {
    noClasses()
        .that()
        .resideInAPackage("io.ringmaster.control.job..")
        .should()
        .dependOnClassesThat(
            type(Thread.class)
                .or(type(Clock.class))
                .or(
                    resideInAnyPackage("java.io..", "java.nio.file..", "java.sql..")
                        .and(not(type(Serializable.class)))))
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLineWritesPages() {
    noClasses()
        .that()
        .resideOutsideOfPackages(REPORT, CLI, BENCH)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(REPORT)
        .check(CLASSES);
  }

  @Test
  void onlyBenchNeedsCli() {
    noClasses()
        .that()
        .resideOutsideOfPackages(CLI, BENCH)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(CLI)
        .check(CLASSES);
  }

  @Test
  void nobodyNeedsBench() {
    noClasses()
        .that()
        .resideOutsideOfPackage(BENCH)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(BENCH)
        .check(CLASSES);
  }

  /** A policy must decide the same in simulation and live: time and chance come from the view. */
  @Test
  void whatDecidesTouchesNoFileClockThreadOrChance() {
    noClasses()
        .that()
        .resideInAnyPackage(MODEL, PREDICTOR, POLICY)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.io..", "java.nio.file..")
                // The compiler may name it in an inferred type.
                .and(not(type(Serializable.class)))
                .or(type(Thread.class))
                .or(type(Clock.class))
                .or(type(Random.class))
                .or(type(ThreadLocalRandom.class))
                .or(type(SecureRandom.class)))
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .check(CLASSES);
  }

  @Test
  void packagesNeedEachOtherOneWayOnly() {
    slices().matching("io.ringmaster.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noClassIsNamedForBeingAnImplementation() {
    noClasses().should().haveSimpleNameEndingWith("Impl").check(CLASSES);
  }

  @Test
  void everyPackageIsNullMarked() {
    List<String> unmarked =
        CLASSES.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(somePackage -> !isNullMarked(somePackage))
            .map(JavaPackage::getName)
            .sorted()
            .toList();
    assertThat(unmarked).as("packages without @NullMarked in package-info.java").isEmpty();
  }

  private static void needsOnly(String module, String... needed) {
    classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat(resideInAPackage(module).or(resideInAnyPackage(needed)))
        .check(CLASSES);
  }

  private static boolean isNullMarked(JavaPackage somePackage) {
    return somePackage.tryGetPackageInfo().isPresent()
        && somePackage.isAnnotatedWith(NullMarked.class);
  }
}
