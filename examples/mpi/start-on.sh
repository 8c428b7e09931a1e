# In place of ssh: start-on.sh NODE COMMAND... leaves it to the one who waits on that node.
set -eu
node=$1
shift
echo "$*" >"$meet/$node.new"
mv "$meet/$node.new" "$meet/$node.command"
