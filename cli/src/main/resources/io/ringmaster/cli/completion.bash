# What may stand where the cursor is. Ids of jobs and names of nodes come from the server, if it
# answers at once.
__ringmaster_candidates() { # KIND OWNER WORD
  case "$1" in
    settings\ of\ *)
      local kind=${1#settings of }
      case "$3" in
        *=*) __ringmaster_settings_of "$kind $2 ${3%%=*}=" | tr ' ' '\n' | sed "s/^/${3%%=*}=/" ;;
        *) __ringmaster_settings_of "$kind $2" ;;
      esac
      ;;
    jobs | nodes) "${COMP_WORDS[0]}" complete "$1" 2>/dev/null ;;
    *) __ringmaster_list_of "$1" ;;
  esac
}

# The policy, format or generator that is named on the line, whose settings are meant.
__ringmaster_owner() { # KIND WORDS...
  local kind=$1 word
  shift
  for word in "$@"; do
    word=${word%%,*}
    word=${word#*=}
    if [ -n "$word" ] && [ -n "$(__ringmaster_settings_of "$kind $word")" ]; then
      echo "$word"
      return
    fi
  done
  echo '*'
}

_ringmaster() {
  # Bash breaks words at = and :, which we and zsh do not. (In zsh no name here may be path.)
  local words word command='' option='' rest='' i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case "$rest$word" in
      [=:]*) words[${#words[@]} - 1]+=$word ;;
      *) words+=("$word") ;;
    esac
    case "$word" in = | :) rest=$word ;; *) rest='' ;; esac
  done
  local last=$((${#words[@]} - 1))
  local current=${words[last]}

  for ((i = 1; i < last; i++)); do
    word=${words[i]}
    if [ -n "$(__ringmaster_words_of "${command:+$command }$word")" ]; then
      command="${command:+$command }$word"
    fi
  done

  # --option=value, or a value that follows its option.
  local before=''
  case "$current" in
    --*=*)
      option=${current%%=*}
      before=$option=
      current=${current#*=}
      ;;
    -*) ;;
    *) [ "$last" -lt 2 ] || option=${words[last - 1]} ;;
  esac
  local kind=''
  case "$option" in -*) kind=$(__ringmaster_kind_of "$command|$option") ;; esac
  case "$kind$current" in
    -*) ;;
    *) [ -n "$kind" ] || kind=$(__ringmaster_kind_of "$command|") ;;
  esac

  local list='' owner='*'
  case "$kind" in
    settings*) owner=$(__ringmaster_owner "${kind#settings of }" "${words[@]:1:$((last - 1))}") ;;
  esac
  case "$current" in
    -*) list=$(__ringmaster_words_of "$command") ;;
    *,*)
      before+=${current%,*},
      current=${current##*,}
      list=$(__ringmaster_candidates "$kind" "$owner" "$current")
      ;;
    *)
      list=$(__ringmaster_candidates "$kind" "$owner" "$current")
      case "$option" in
        -*) ;;
        *) [ -n "$list" ] || [ "$kind" = files ] || list=$(__ringmaster_words_of "$command") ;;
      esac
      ;;
  esac

  COMPREPLY=()
  if [ "$kind" = files ] && [ -z "$list" ]; then
    while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen -f -- "$current")
    ! type compopt >/dev/null 2>&1 || compopt -o filenames 2>/dev/null
  else
    while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen -W "$list" -- "$current")
  fi
  # A setting's value follows its name at once.
  case "${COMPREPLY[0]:-}" in
    *=) ! type compopt >/dev/null 2>&1 || compopt -o nospace 2>/dev/null ;;
  esac
  [ -z "${ZSH_VERSION:-}" ] || return 0
  # Bash puts back what stands before its own word.
  local whole=$before$current
  case "$whole" in
    *[=:]*)
      local cut=${whole%"${whole##*[=:]}"}
      for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$cut"}; done
      ;;
  esac
}

if [ -n "${ZSH_VERSION:-}" ]; then
  autoload -U +X compinit && compinit
  autoload -U +X bashcompinit && bashcompinit
fi
complete -F _ringmaster ringmaster ./ringmaster
