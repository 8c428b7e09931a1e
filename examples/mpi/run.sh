# Runs an MPI program as one job. Ringmaster starts this once for each GPU. The first one starts the
# program with as many ranks by mpirun, and the others have nothing to do: the job lasts as long as
# the first. All on one machine.
set -eu

[ "$RANK" = 0 ] || exit 0

program=$RINGMASTER_CHECKPOINT_DIR/train
mpicc -O2 -o "$program" train.c -lm

# mpirun kills its ranks soon after SIGTERM, and Ringmaster sends that to all our processes but
# those with a session of their own. SIGUSR1 is passed on, and the program saves.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
setsid mpirun -np "$WORLD_SIZE" --oversubscribe --bind-to none "$program" &
mpirun=$!
trap 'kill -USR1 "$mpirun"' TERM

code=0
wait "$mpirun" || code=$?
while kill -0 "$mpirun" 2>/dev/null; do
  wait "$mpirun" || code=$?
done
exit "$code"
