#!/bin/sh
#SBATCH --job-name=ringmaster-nodes
#SBATCH --nodes=2
#SBATCH --gres=gpu:4
#SBATCH --time=1-00:00:00
#SBATCH --no-kill
#SBATCH --signal=B:USR1@180
#SBATCH --output=ringmaster-%j.log
#
# More nodes for a server that runs already, as long as this allocation lasts:
#
#   sbatch examples/slurm/more-nodes.sh
#
# RINGMASTER_DATA is the server's data folder (default: ~/ringmaster-data). To give the nodes back
# before the end, remove the file 'allocations/ID' there: jobs leave them, each with its grace. Then
# 'scancel ID'.
set -eu
umask 077

registration=${RINGMASTER_DATA:-$HOME/ringmaster-data}/allocations/$SLURM_JOB_ID
[ -d "${registration%/*}" ] || { echo "there is no ${registration%/*}: start the server first" >&2; exit 1; }
: >"$registration"

# Slurm may have changed when this allocation ends, and tells only this script.
trap '[ ! -e "$registration" ] || : >"$registration"' USR1
trap 'exit 0' TERM
while :; do
  sleep 3600 &
  wait $! || :
done
