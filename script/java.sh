# shellcheck shell=sh
# Sourced, not run: how Java is called, by the launcher of the sources and by that of a release.

MAIN=io.ringmaster.cli.Main
# What the start-up cache is made from.
TRAINING=io.ringmaster.cli.StartUpTraining

# A start-up cache works only with the flags it was made with: these are used for both. The last two
# keep the JVM's own messages off standard output, and those about an unusable cache to itself.
# A JVM that ran out of memory has lost some thread or other: it ends, and is started again.
# The simple compiler, C1: a run waits for memory more than for instructions, so what C2 gains even
# on a million jobs, it spends on compiling. A small young generation: a larger one holds garbage.
JVM="-XX:+UseSerialGC -XX:MaxNewSize=64m -XX:TieredStopAtLevel=1 -XX:+UseCompactObjectHeaders -XX:-UsePerfData
  -XX:+ExitOnOutOfMemoryError
  --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Xlog:disable -Xlog:all=error,aot*=off,cds*=off:stderr"

# JAVA ARGUMENT...: becomes Java.
run_java() {
  java=$1
  shift
  # Progress bars and pictures are for people.
  terminal=
  [ ! -t 2 ] || terminal=-Dringmaster.terminal=true
  screen=
  [ ! -t 1 ] || screen=-Dringmaster.screen=true
  # shellcheck disable=SC2086
  exec "$java" $JVM $terminal $screen ${RINGMASTER_JAVA_OPTS:-} "$@"
}
