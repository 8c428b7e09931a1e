# Answers as Slurm's commands do, of one allocation with two nodes that are both this machine, and
# starts what srun would as plain processes.
#
#   plain-slurm.sh FOLDER COMMAND...
#
# FOLDER/state and FOLDER/end, if they are there, say how the allocation is and when it ends;
# FOLDER/down names a node that is down. FOLDER/started has the processes that srun started.
folder=$1
shift
state=RUNNING
end=Unknown
[ ! -e "$folder/state" ] || state=$(cat "$folder/state")
[ ! -e "$folder/end" ] || end=$(cat "$folder/end")

gpus() { case $1 in left) echo 0,1,2,3 ;; *) echo 0,1 ;; esac; }

case "$*" in
  "scontrol -d show job -o 7")
    printf 'JobId=7 JobName=plain UserId=%s(%s) GroupId=x(0) JobState=%s EndTime=%s NodeList=left,right' \
      "$(id -un)" "$(id -u)" "$state" "$end"
    echo ' JOB_GRES=gpu:6   Nodes=left CPU_IDs=0-15 Mem=4096 GRES=gpu:a100:4(IDX:0-3)   Nodes=right CPU_IDs=0-7 Mem=2048 GRES=gpu:a100:2(IDX:0-1) MinCPUsNode=1'
    ;;
  "scontrol -d show job "*)
    echo 'slurm_load_jobs error: Invalid job id specified' >&2
    exit 1
    ;;
  "scontrol -d show node -o "*)
    for node in $(echo "$6" | tr , ' '); do
      down=MIXED
      [ "$(cat "$folder/down" 2>/dev/null)" != "$node" ] || down=DOWN*
      echo "NodeName=$node Gres=gpu:a100:4 NodeAddr=127.0.0.1 NodeHostName=$node State=$down"
    done
    ;;
  srun*)
    echo $$ >>"$folder/started"
    shift
    while :; do
      case $1 in
        --nodelist=*) nodes=${1#*=} ;;
        --*) ;;
        *) break ;;
      esac
      shift
    done
    for node in $(echo "$nodes" | tr , ' '); do
      [ "$(cat "$folder/down" 2>/dev/null)" != "$node" ] || continue
      SLURM_JOB_ID=7 SLURMD_NODENAME=$node CUDA_VISIBLE_DEVICES=$(gpus "$node") "$@" \
        >>"$folder/agent-$node.log" 2>&1 &
    done
    wait
    ;;
  *)
    echo "plain-slurm: what is '$*'?" >&2
    exit 2
    ;;
esac
