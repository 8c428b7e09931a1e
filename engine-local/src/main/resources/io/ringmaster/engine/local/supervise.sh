# Runs one attempt and outlives the server. Plain POSIX sh, fixed text: what belongs to the attempt
# comes in "$@", and is never read as shell. The decision record 0027 says why.
#
#   supervise.sh detach ARGS...   starts "run" in a session of its own, and is done
#   supervise.sh run DATA ATTEMPT LOGS DIRECTORY GRACE BOOT SHARES NAME=VALUE... PROGRAM ARGUMENT...
#   supervise.sh worker RANK DIRECTORY SIGNALS NAME=VALUE... PROGRAM ARGUMENT...
#
# SHARES is NODE=SLOT,SLOT NODE=SLOT: one worker for each slot, ranks in that order.
set -u
self=$0
mode=$1
shift

if [ "$mode" = detach ]; then
  setsid sh "$self" run "$@" </dev/null >/dev/null 2>&1 &
  exit 0
fi

if [ "$mode" = worker ]; then
  # Told from inside the new session: from now on its group can be sent signals.
  echo "pid $1 $$" >&3
  exec 3>&-
  if ! cd "$2"; then
    exit 126
  fi
  signals=$3
  shift 3
  exec env -i ${signals:+"$signals"} "$@"
fi

data=$1
attempt=$2
logs=$3
directory=$4
grace=$5
boot=$6
shares=$7
shift 7
folder=$data/attempts/$attempt
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

rank=0
for share in $shares; do
  node=${share%%=*}
  slots=${share#*=}
  size=$(IFS=,; set -- $slots; echo $#)
  place=0
  while [ "$place" -lt "$size" ]; do
    (
      setsid sh "$self" worker "$rank" "$directory" "$signals" \
        "RANK=$rank" "WORLD_SIZE=$count" "LOCAL_RANK=$place" "LOCAL_WORLD_SIZE=$size" \
        "RINGMASTER_NODE=$node" "CUDA_VISIBLE_DEVICES=$slots" "$@" \
        >"$logs/$rank.out" 2>"$logs/$rank.err"
      echo "exit $rank $?" >&3
    ) &
    rank=$((rank + 1))
    place=$((place + 1))
  done
done

groups=
signal=
timer=
code=0
stopped=false

# Sends a signal to the groups of all workers that are left, and to those that come.
signal_all() {
  signal=$1
  for group in $groups; do
    kill -s "$signal" -- "-${group#*:}" 2>/dev/null
  done
}

# Asks all to stop, and sees to it that they are killed after so many seconds.
terminate() {
  signal_all TERM
  setsid sh -c 'sleep "$1"; echo kill >&3' sh "$1" &
  timer=$!
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
        if [ -z "$signal" ]; then
          terminate "$grace"
        fi
      fi
      ;;
    stop)
      if [ -z "$signal" ]; then
        stopped=true
        terminate "$who"
      fi
      ;;
    kill)
      signal_all KILL
      ;;
  esac
done

if [ -n "$timer" ]; then
  kill -s KILL -- "-$timer" 2>/dev/null
fi
echo "$code $stopped" >result.new && mv result.new result
: >"$data/events/$attempt.ended"
