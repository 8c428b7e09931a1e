# Runs one attempt and outlives the server. Plain POSIX sh, fixed text. What belongs to the attempt is
# in two files of its folder: "orders" is for this script, "program" for the shell that becomes the
# worker. Nothing of it is in a command line, which everybody can read. The decision record 0027 says
# why there is a script, and 0045 why it is told by files.
#
#   supervise.sh detach DATA ATTEMPT   starts "run" in a session of its own, and is done
#   supervise.sh run DATA ATTEMPT
#   supervise.sh worker DATA ATTEMPT RANK SIGNALS NAME=VALUE...
set -u
umask 077
self=$0
mode=$1
shift

if [ "$mode" = detach ]; then
  setsid sh "$self" run "$@" </dev/null >/dev/null 2>&1 &
  exit 0
fi

data=$1
attempt=$2
folder=$data/attempts/$attempt
# Sets logs, grace, boot, shares, first, world, progress, become, and enter. SHARES is NODE=SLOT,SLOT
# NODE=SLOT: one worker for each slot, ranks in that order from FIRST on, of WORLD in all.
. "$folder/orders" || exit 1

if [ "$mode" = worker ]; then
  # Told from inside the new session: from now on its group can be sent signals.
  echo "pid $3 $$" >&3
  exec 3>&-
  if ! enter; then
    echo "ringmaster: the worker cannot enter its control group" >&2
    exit 126
  fi
  signals=$4
  shift 4
  # Rights are given up after all is open that the worker itself may not open.
  exec $become env -i ${signals:+"$signals"} "$@" sh -s <"$folder/program"
fi

cd "$folder" || exit 1

# The mailbox is open before the claim: whoever sees the claim can send to it.
mkfifo mailbox || exit 1
exec 3<>mailbox

read -r stat <"/proc/$$/stat"
# Field 22, the start time, is the 20th after the name, which may hold spaces.
start=$(set -f; set -- ${stat##*) }; echo "${20}")
# By its full name: if the folder was thrown away meanwhile, its tombstone with it, there is nothing
# to claim any more, though this shell still stands in what is left of it.
ln -s "$$:$start:$boot" "$folder/claim" 2>/dev/null || exit 0
: >"$data/events/$attempt.started"

# A shell ignores these two for what it starts in the background; a program expects them whole.
signals=--default-signal=INT,QUIT
env "$signals" true 2>/dev/null || signals=

count=0
for share in $shares; do
  slots=${share#*=}
  while :; do
    count=$((count + 1))
    case $slots in *,*) slots=${slots#*,} ;; *) break ;; esac
  done
done

rank=$first
for share in $shares; do
  node=${share%%=*}
  slots=${share#*=}
  size=$(IFS=,; set -- $slots; echo $#)
  place=0
  while [ "$place" -lt "$size" ]; do
    (
      # Whoever asks every process to end must not keep this one from telling how the worker did.
      trap : TERM
      # Appending: what is printed after a log was cut follows the cut.
      setsid sh "$self" worker "$data" "$attempt" "$rank" "$signals" \
        "RINGMASTER_PROGRESS=$progress" "RINGMASTER_ATTEMPT=${attempt#*.}" "RINGMASTER_PLACE=$data" \
        "RANK=$rank" "WORLD_SIZE=$world" "LOCAL_RANK=$place" "LOCAL_WORLD_SIZE=$size" \
        "RINGMASTER_NODE=$node" "CUDA_VISIBLE_DEVICES=$slots" \
        >>"$logs/$rank.out" 2>>"$logs/$rank.err"
      echo "exit $rank $?" >&3
    ) &
    rank=$((rank + 1))
    place=$((place + 1))
  done
done

groups=
signal=
timers=
code=0
stopped=false

# A cluster manager that takes the machine back asks every process: then the workers were stopped,
# and did not fail, and have the time that it gives them.
trap 'if [ -z "$signal" ]; then stopped=true; echo "stop $grace" >&3; fi' TERM

# Sends a signal to the groups of all workers that are left, and to those that come.
signal_all() {
  signal=$1
  for group in $groups; do
    kill -s "$signal" -- "-${group#*:}" 2>/dev/null
  done
}

# Sees to it that all are killed after so many seconds, if they are not by then.
kill_after() {
  setsid sh -c 'sleep "$1"; echo kill >&3' sh "$1" &
  timers="$timers $!"
}

# A worker is over: what it left in its group goes with it, before its number can be used again.
bury() {
  kept=
  for group in $groups; do
    if [ "${group%%:*}" = "$1" ]; then
      kill -s KILL -- "-${group#*:}" 2>/dev/null
    else
      kept="$kept $group"
    fi
  done
  groups=$kept
}

while [ "$count" -gt 0 ]; do
  read -r what who value <&3 || continue
  case $what in
    pid)
      groups="$groups $who:$value"
      if [ -n "$signal" ]; then
        kill -s "$signal" -- "-$value" 2>/dev/null
      fi
      ;;
    exit)
      count=$((count - 1))
      bury "$who"
      if [ "$value" -ne 0 ] && [ "$code" -eq 0 ]; then
        code=$value
        # When that was is the time of this file: of several parts the first to fail counts.
        : >failed
        if [ -z "$signal" ]; then
          signal_all TERM
          kill_after "$grace"
        fi
      fi
      ;;
    stop)
      if [ -z "$signal" ]; then
        stopped=true
        signal_all TERM
      fi
      kill_after "$who"
      ;;
    kill)
      signal_all KILL
      ;;
  esac
done

for timer in $timers; do
  kill -s KILL -- "-$timer" 2>/dev/null
done
echo "$code $stopped" >result.new && mv result.new result
: >"$data/events/$attempt.ended"
