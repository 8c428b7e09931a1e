# Runs an MPI program as one job, on one node or several. Ringmaster starts this once for each GPU.
# The first one runs mpirun. The first on each other node waits for what mpirun wants to have
# started there. The others have nothing to do: the job lasts as long as its last process.
set -eu

[ "$LOCAL_RANK" = 0 ] || exit 0

# A folder that all nodes see takes the place of ssh: who is there, and what is to be started.
meet=$RINGMASTER_CHECKPOINT_DIR/mpi-$RINGMASTER_ATTEMPT
export meet
node=$(hostname)
mkdir -p "$meet"
echo "$node slots=$LOCAL_WORLD_SIZE" >"$meet/$node.new"
mv "$meet/$node.new" "$meet/$node.node"

# mpirun and its helpers kill the ranks soon after SIGTERM, and Ringmaster sends that to all our
# processes but those with a session of their own.
if [ "$RANK" != 0 ]; then
  trap '' TERM
  until [ -e "$meet/$node.command" ]; do sleep 0.05; done
  setsid --wait sh "$meet/$node.command"
  exit
fi

program=$RINGMASTER_CHECKPOINT_DIR/train
[ "$program" -nt train.c ] || mpicc -O2 -o "$program" train.c -lm
slots() { cat "$meet"/*.node | awk -F= '{ n += $2 } END { print n }'; }
until [ "$(slots)" = "$WORLD_SIZE" ]; do sleep 0.05; done
cat "$meet"/*.node >"$meet/hosts"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Else large messages take twice as long on a slow network: they wait for each other's answers.
export OMPI_MCA_btl_tcp_eager_limit=16777216 OMPI_MCA_btl_tcp_rndv_eager_limit=16777216
export OMPI_MCA_btl_tcp_max_send_size=16777216
setsid mpirun -np "$WORLD_SIZE" --hostfile "$meet/hosts" --oversubscribe --bind-to none \
  --leave-session-attached --mca plm rsh --mca plm_rsh_agent "sh $PWD/start-on.sh" \
  --mca plm_rsh_no_tree_spawn 1 --mca orte_abort_on_non_zero_status 0 "$program" &
mpirun=$!
# mpirun passes SIGUSR1 on, and the program saves.
trap 'kill -USR1 "$mpirun"' TERM

code=0
wait "$mpirun" || code=$?
while kill -0 "$mpirun" 2>/dev/null; do
  wait "$mpirun" || code=$?
done
rm -rf "$meet"
exit "$code"
