#!/bin/sh
#SBATCH --job-name=ringmaster
#SBATCH --nodes=2
#SBATCH --gres=gpu:4
#SBATCH --time=1-00:00:00
#SBATCH --no-kill
#SBATCH --signal=B:USR1@180
#SBATCH --open-mode=append
#SBATCH --output=ringmaster-%j.log
#
# A Ringmaster server for the nodes of this allocation, on the first of them:
#
#   sbatch examples/slurm/allocation.sh
#
# from the root of the repository; options of sbatch before the name count more than those above.
# --no-kill keeps the allocation when a node fails. By environment:
#
#   RINGMASTER        the program (default: ringmaster in the folder that sbatch was called in)
#   RINGMASTER_DATA   a folder that all nodes see (default: ~/ringmaster-data)
#   RINGMASTER_LISTEN where the server listens (default: port 7070 of this node)
#
# What it is called with goes to 'ringmaster serve'. Send the allocation away with 'scancel'; the
# next one with the same folder goes on with all jobs.
set -eu
umask 077

ringmaster=${RINGMASTER:-$SLURM_SUBMIT_DIR/ringmaster}
data=${RINGMASTER_DATA:-$HOME/ringmaster-data}
address=${RINGMASTER_LISTEN:-$(hostname):7070}
registration=$data/allocations/$SLURM_JOB_ID

mkdir -p "$data/allocations"
: >"$registration"

# Who may ask: the owner alone, with a token that is in their home from now on.
if [ ! -e "$data/ringmaster.db" ]; then
  "$ringmaster" token add "$(id -un)" --admin --save --data "$data"
fi
echo "http://$address" >"$data/server"

# Slurm may have changed when this allocation ends, and tells only this script: a file that was
# touched makes the server ask.
trap ': >"$registration"' USR1
trap 'kill -TERM "$server" 2>/dev/null || :' TERM

while :; do
  "$ringmaster" serve --engine slurm-allocation --data "$data" --listen "$address" "$@" &
  server=$!
  # A signal ends the waiting, and not the server.
  while :; do
    status=0
    wait "$server" || status=$?
    kill -0 "$server" 2>/dev/null || break
  done
  # One that was killed is started again; its jobs went on meanwhile.
  [ "$status" -gt 128 ] && [ "$status" != 130 ] || exit "$status"
  sleep 2
done
