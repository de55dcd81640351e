# What bash-preexec does to a bash, as far as a neighbour can notice: it wants to be the first and the last of
# PROMPT_COMMAND and puts itself back there; it takes the first command that runs after its last for the person's, in a DEBUG
# trap; a command that stands in PROMPT_COMMAND ends that; it keeps ignored lines in the history.
bash_preexec_imported=defined
preexec_functions=() precmd_functions=()
__bp_ready='' __bp_first='__bp_precmd_invoke_cmd "$_"' __bp_last=__bp_interactive_mode

__bp_status() { return "$1"; }

__bp_arrange() {
  local IFS=$'\n' i
  local joined="${PROMPT_COMMAND[*]}"
  [[ $joined == "$__bp_first"$'\n'* && $joined == *$'\n'"$__bp_last" ]] && return
  for i in "${!PROMPT_COMMAND[@]}"; do
    PROMPT_COMMAND[i]=${PROMPT_COMMAND[i]//"$__bp_first"/:}
    PROMPT_COMMAND[i]=${PROMPT_COMMAND[i]//"$__bp_last"/:}
    PROMPT_COMMAND[i]=${PROMPT_COMMAND[i]//'__bp_install "$_"'/:}
    [[ ${PROMPT_COMMAND[i]} == : ]] && unset 'PROMPT_COMMAND[i]'
  done
  PROMPT_COMMAND=$__bp_first${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  PROMPT_COMMAND+=("$__bp_last")
}

__bp_precmd_invoke_cmd() {
  local s=$? f
  __bp_arrange
  for f in "${precmd_functions[@]}"; do
    __bp_status "$s"
    "$f"
  done
  __bp_status "$s"
}

__bp_interactive_mode() { __bp_ready=on; }

__bp_debug() {
  [[ -t 1 && $__bp_ready ]] || return 0
  __bp_ready=''
  local IFS=$'\n;' c f line
  for c in ${PROMPT_COMMAND[*]}; do
    [[ ${c# } == "$BASH_COMMAND" ]] && return
  done
  line=$(HISTTIMEFORMAT='' builtin history 1)
  for f in "${preexec_functions[@]}"; do "$f" "${line#*[[:digit:]][* ] }"; done
}

__bp_install() {
  trap '__bp_debug "$_"' DEBUG
  HISTCONTROL=${HISTCONTROL//ignorespace/} HISTCONTROL=${HISTCONTROL//ignoreboth/ignoredups}
  __bp_arrange
  __bp_precmd_invoke_cmd
  __bp_interactive_mode
}
declare -ft __bp_install
PROMPT_COMMAND+=('__bp_install "$_"')
