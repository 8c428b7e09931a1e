# shellcheck shell=sh
# Sourced, not run: find_jdk sets JDK to the folder of a JDK that the build takes, or fails.
# Reads each JDK's release file: starting a JVM to ask would cost more than the rest of the start.

JDK_MAJOR=25

# Does the folder $1 hold a JDK of that version? Sets JDK_VERSION.
is_jdk() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  JDK_VERSION=
  while IFS='="' read -r key _ value _; do
    case $key in
      JAVA_RUNTIME_VERSION) JDK_VERSION=$value ;;
      JAVA_VERSION) [ -n "$JDK_VERSION" ] || JDK_VERSION=$value ;;
    esac
  done <"$1/release"
  major=${JDK_VERSION%%[!0-9]*}
  [ "${major:-0}" -eq "$JDK_MAJOR" ]
}

find_jdk() {
  # What a person set by hand is used or refused, never passed over.
  if [ -n "${RINGMASTER_JAVA_HOME:-}" ]; then
    JDK=$RINGMASTER_JAVA_HOME
    is_jdk "$JDK" && return
    echo "ringmaster: RINGMASTER_JAVA_HOME=$JDK holds no JDK $JDK_MAJOR." >&2
    return 1
  fi
  if [ -n "${JAVA_HOME:-}" ] && is_jdk "$JAVA_HOME"; then
    JDK=$JAVA_HOME
    return
  fi
  if JDK=$(command -v java); then
    JDK=$(readlink -f "$JDK" || :)
    JDK=${JDK%/bin/java}
    is_jdk "$JDK" && return
  fi
  for JDK in /usr/lib/jvm/* /usr/java/* /opt/java/* \
    "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* "${HOME:-}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    is_jdk "$JDK" && return
  done
  JDK=
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    how="apt-get install openjdk-$JDK_MAJOR-jdk, or temurin-$JDK_MAJOR-jdk from Adoptium's packages"
  else
    how="for instance from adoptium.net"
  fi
  echo "ringmaster: needs a JDK $JDK_MAJOR and found none; install one ($how)" \
    "or set RINGMASTER_JAVA_HOME to its folder." >&2
  return 1
}
