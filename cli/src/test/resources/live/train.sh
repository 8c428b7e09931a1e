# A training program for tests of the server: counts iterations and saves after each, in one rename.
#
#   sh train.sh ITERATIONS SECONDS LOG
#
# The saved file has a line "ITERATION ATTEMPT" for each iteration and "done ATTEMPT" at the end.
# LOG gets "start ATTEMPT ITERATION", "step ATTEMPT ITERATION" and "end ATTEMPT WHY", in order.
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

keep() {
  cat "$saved" >"$saved.$attempt" 2>/dev/null
  echo "$1 $attempt" >>"$saved.$attempt"
  mv "$saved.$attempt" "$saved"
}

i=$(($(count)))
echo "start $attempt $i" >>"$log"
while [ "$i" -lt "$total" ]; do
  sleep "$seconds"
  i=$((i + 1))
  keep "$i"
  echo "step $attempt $i" >>"$log"
  echo "{\"iteration\": $i, \"done\": $(awk "BEGIN {print $i / $total}")}" >>"$RINGMASTER_PROGRESS"
  if [ -n "$stop" ]; then
    echo "end $attempt stopped" >>"$log"
    exit 1
  fi
done
[ "$i" -gt "$total" ] || keep done
echo "end $attempt done" >>"$log"
