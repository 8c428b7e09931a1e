# What Slurm starts on a node: the mother of the agent and of all supervisors there. Slurm may know
# the processes of a step by their parents alone; an orphan would outlive its allocation. And the
# agent may be killed: it is started again, and what it watched goes on.
#
#   nursery.sh FOLDER JOBS AGENT...
#
# The agent asks for a supervisor by a line "ATTEMPT ROOT" to its file 3.
set -u
umask 077
folder=$1
jobs=$2
shift 2

pipe=$folder/nursery.$SLURM_JOB_ID.$SLURMD_NODENAME.$$
mkfifo "$pipe" || exit 1
exec 3<>"$pipe"
rm "$pipe"

# Slurm asks all processes to end, and kills them later: these see to it that the others can save.
trap : TERM
(
  trap : TERM
  failures=0
  while ! "$@"; do
    failures=$((failures + 1))
    [ "$failures" -lt 5 ] || echo failing >&3
    sleep "$((failures < 5 ? failures : 5))"
  done
  echo end >&3
) &
agents=$!

children=
while :; do
  read -r attempt root <&3 || continue
  case $attempt in
    end) exit 0 ;;
    failing)
      # Where no agent comes up the server has another nursery made, after a while.
      [ -z "$children" ] || continue
      kill -KILL "$agents"
      exit 1
      ;;
  esac
  children=yes
  RINGMASTER_PROGRESS=$jobs/progress/${attempt%.*} RINGMASTER_ATTEMPT=${attempt#*.} \
    RINGMASTER_PLACE=$root setsid sh "$root/supervise.sh" run "$root" "$attempt" \
    </dev/null >/dev/null 2>&1 3>&- &
  # A shell that waits for one child buries the others that have ended.
  env true
done
