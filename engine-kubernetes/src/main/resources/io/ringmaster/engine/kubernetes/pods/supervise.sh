# First process of a container: runs the workers of one attempt on one node. Plain POSIX sh, fixed text.
# What belongs to the attempt comes by variables and by the file "program", which becomes a worker.
#
#   supervise.sh                     runs them
#   supervise.sh go ADDRESS          by exec: the pods of all nodes run, and meet at this address
#   supervise.sh stop HUNDREDTHS     by exec: TERM now, KILL after so many hundredths of a second
#
# What workers print goes to files, and from there to the container's log in frames:
#
#   RM1 o3 1024 17       17 bytes that worker 3 printed to stdout (e: stderr, p: progress) follow,
#                        after 1024 before them, and a line's end
#   RM1 s 1 0.25         after each batch: whether a checkpoint is there, how much is said to be done
set -u
umask 022
orders=/ringmaster/orders
state=/ringmaster/state
job=/ringmaster/job

case ${1:-} in
  go | stop)
    echo "$2" >"$state/$1.$$" && mv "$state/$1.$$" "$state/$1" && kill -s USR1 1
    exit
    ;;
esac

# All processes but the first one are sent signals: they must be the container's own.
if [ "$$" != 1 ]; then
  echo "ringmaster: the pod must not share its processes with others" >&2
  exit 126
fi
exec 2>"$state/errors" </dev/null
mkdir -p "$job/checkpoints" "$job/work"
progress=$state/progress
: >>"$progress"

asked=
trap 'asked=yes' TERM
trap : USR1

looks=0
pause() {
  looks=$((looks + 1))
  # Much happens at first.
  if [ "$looks" -lt 100 ]; then time=0.1; else time=0.5; fi
  { sleep "$time" || sleep 1; } &
  wait $!
}

# Hundredths of seconds since the node came up.
clock() {
  read -r up _ </proc/uptime
  now=${up%.*}${up#*.}
}

began=false code=0 stopped=false saved=0 said=- before= signal= kill_at=

finish() {
  echo "RM1 $began $code $stopped $saved $said $(date +%s)" >/dev/termination-log
  exit "$code"
}

address=$RINGMASTER_POD_ADDRESS
if [ "$RINGMASTER_PODS" -gt 1 ]; then
  while [ ! -e "$state/go" ]; do
    if [ -e "$state/stop" ] || [ -n "$asked" ]; then
      stopped=true code=143
      finish
    fi
    pause
  done
  read -r address <"$state/go"
fi
began=true

# GPUs that a container was given are all that it sees. Where nobody gave it any, and GPUs are a
# number only, the server has counted.
visible=${NVIDIA_VISIBLE_DEVICES:-}
case $visible in
  '' | all | none | void)
    visible=$RINGMASTER_SLOTS
    for device in /dev/nvidia[0-9]* /dev/kfd; do
      if [ -e "$device" ]; then
        visible=0 place=1
        while [ "$place" -lt "$RINGMASTER_COUNT" ]; do
          visible=$visible,$place
          place=$((place + 1))
        done
        break
      fi
    done
    ;;
esac

# A shell ignores these two for what it starts in the background; a program expects them whole.
whole="env --default-signal=INT,QUIT"
$whole true 2>/dev/null || whole=

workers=
files=$progress
place=0
while [ "$place" -lt "$RINGMASTER_COUNT" ]; do
  rank=$((RINGMASTER_FIRST + place))
  : >>"$state/$rank.out"
  : >>"$state/$rank.err"
  (
    export RANK="$rank" LOCAL_RANK="$place" LOCAL_WORLD_SIZE="$RINGMASTER_COUNT"
    export MASTER_ADDR="$address" CUDA_VISIBLE_DEVICES="$visible" RINGMASTER_PROGRESS="$progress"
    export RINGMASTER_CHECKPOINT_DIR="$job/checkpoints"
    unset RINGMASTER_PODS RINGMASTER_POD_ADDRESS RINGMASTER_FIRST RINGMASTER_COUNT RINGMASTER_SLOTS
    unset RINGMASTER_KEEPS RINGMASTER_GRACE
    exec $whole sh "$orders/program"
  ) >>"$state/$rank.out" 2>>"$state/$rank.err" &
  workers="$workers $rank:$!"
  files="$files $state/$rank.out $state/$rank.err"
  place=$((place + 1))
done

# Copies what is new in the files to the container's log.
ship() {
  there=
  for file in $files; do
    if [ -f "$file" ] && [ ! -L "$file" ]; then there="$there $file"; fi
  done
  shipped= more=
  # shellcheck disable=SC2086
  set -- $(wc -c /dev/null $there)
  while [ $# -gt 1 ]; do
    size=$1 file=$2
    shift 2
    case $file in
      "$progress") name=p0 ;;
      "$state"/*.out) name=${file##*/} name=o${name%.out} ;;
      "$state"/*.err) name=${file##*/} name=e${name%.err} ;;
      *) continue ;;
    esac
    eval "at=\${at_$name:-0} sent=\${sent_$name:-0}"
    # Somebody has begun the file anew.
    [ "$size" -ge "$at" ] || at=0
    length=$((size - at))
    [ "$length" -gt 0 ] || continue
    if [ "$length" -gt 1000000 ]; then length=1000000 more=yes; fi
    echo "RM1 $name $sent $length"
    tail -c "+$((at + 1))" "$file" | head -c "$length"
    echo
    shipped="$shipped $name"
    at=$((at + length))
    # What is in the log need not fill the disk as well.
    if [ "$at" -gt 16000000 ] && [ "$at" -eq "$size" ]; then
      : >"$file"
      at=0
    fi
    eval "at_$name=$at sent_$name=$((sent + length))"
  done
  case $shipped in *p0*) look_at_progress ;; esac
  if [ "$saved" = 0 ] && [ "$RINGMASTER_KEEPS" = yes ]; then
    for file in "$job"/checkpoints/*; do
      [ ! -e "$file" ] || saved=1
      break
    done
  fi
  if [ -n "$shipped" ] || [ "$saved $said" != "$before" ]; then
    before="$saved $said"
    echo "RM1 s $before"
  fi
}

# The last complete line that says it counts.
look_at_progress() {
  if [ -f "$progress" ] && [ -z "$(tail -c 1 "$progress")" ]; then
    last=$(tail -c 4096 "$progress" |
      sed -n 's/.*"done"[ ]*:[ ]*\([01][.0-9]*\([eE][-+]*[0-9]*\)*\)[^.0-9eE].*/\1/p' | tail -n 1)
    said=${last:-$said}
  fi
}

# Sends a signal to all processes but this one.
signal_all() {
  signal=$1
  kill -s "$1" -- -1
}

kill_after() {
  clock
  at=$((now + $1))
  if [ -z "$kill_at" ] || [ "$at" -lt "$kill_at" ]; then kill_at=$at; fi
}

has_ended() {
  while read -r key value _; do
    if [ "$key" = State: ]; then
      [ "$value" = Z ]
      return
    fi
  done 2>/dev/null <"/proc/$1/status"
  return 0
}

while [ -n "$workers" ]; do
  ship
  left=
  for worker in $workers; do
    if has_ended "${worker#*:}"; then
      wait "${worker#*:}"
      it=$?
      if [ "$it" != 0 ] && [ "$code" = 0 ]; then
        code=$it
        if [ -z "$signal" ]; then
          signal_all TERM
          kill_after "$RINGMASTER_GRACE"
        fi
      fi
    else
      left="$left $worker"
    fi
  done
  workers=$left
  # Who has ended was not stopped.
  [ -n "$workers" ] || break
  if [ -n "$asked" ]; then
    # The node takes its pod back.
    asked=
    if [ -z "$signal" ]; then
      stopped=true
      signal_all TERM
      kill_after "$RINGMASTER_GRACE"
    fi
  fi
  if [ -e "$state/stop" ]; then
    read -r grace <"$state/stop"
    rm -f "$state/stop"
    if [ -z "$signal" ]; then
      stopped=true
      signal_all TERM
    fi
    kill_after "$grace"
  fi
  if [ -n "$kill_at" ]; then
    clock
    [ "$now" -lt "$kill_at" ] || signal_all KILL
  fi
  [ -n "$more" ] || pause
done
# What a worker left behind may still write, and is not waited for.
kill -s KILL -- -1
more=yes
while [ -n "$more" ]; do ship; done
finish
