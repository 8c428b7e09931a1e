# A training program for tests of the server: counts iterations and saves after each, in one rename.
#
#   sh train.sh ITERATIONS SECONDS LOG
#
# The saved file has a line "ITERATION ATTEMPT" for each iteration and "done ATTEMPT" at the end.
# LOG gets "start ATTEMPT TIME ITERATION", "step ATTEMPT TIME ITERATION" and "end ATTEMPT TIME WHY", in
# order; times are seconds since 1970.
set -u
total=$1
seconds=$2
log=$3
attempt=$RINGMASTER_ATTEMPT
saved=$RINGMASTER_CHECKPOINT_DIR/saved

stop=
trap 'stop=yes' TERM

count() { [ -e "$saved" ] && wc -l <"$saved" || echo 0; }

# Others than the first worker only keep their GPUs busy.
if [ "$RANK" -ne 0 ]; then
  while [ -z "$stop" ] && [ "$(count)" -le "$total" ]; do sleep "$seconds"; done
  exit 0
fi

# A stop goes to all processes of a worker: those that tell and save must not be cut short by it.
tell() (
  trap '' TERM
  echo "$1 $attempt $(date +%s.%N) $2" >>"$log"
)

keep() (
  trap '' TERM
  cat "$saved" >"$saved.$attempt" 2>/dev/null
  echo "$1 $attempt" >>"$saved.$attempt"
  mv "$saved.$attempt" "$saved"
)

i=$(($(count)))
tell start "$i"
while [ "$i" -lt "$total" ]; do
  sleep "$seconds"
  i=$((i + 1))
  keep "$i"
  tell step "$i"
  echo "{\"iteration\": $i, \"done\": $(awk "BEGIN {print $i / $total}")}" >>"$RINGMASTER_PROGRESS"
  if [ -n "$stop" ]; then
    tell end stopped
    exit 1
  fi
done
[ "$i" -gt "$total" ] || keep done
tell end done
