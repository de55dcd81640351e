# Showhow's shell hook (bash 5.1 or newer). Loaded by:  eval "$(showhow shell-init bash)"
#
# While nothing is captured it looks once per prompt whether a pipe for this terminal exists. While this terminal is
# captured, the prompt says so and each finished command goes into that pipe. Nothing here can wait: the pipe refuses
# what does not fit. Nothing is printed, no process is started per command, and $?, $_, $! and PIPESTATUS stay as they are.
if [[ $- == *i* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then

__showhow_exe=@EXE@
__showhow_dir=@DIR@
__showhow_m='[watched] '
__showhow_n=''
__showhow_c=''
: "${__showhow_fd=}" "${__showhow_back=}" "${__showhow_who=}" "${__showhow_bad=}" "${__showhow_shown=}"
: "${__showhow_t=}" "${__showhow_w=}" "${__showhow_h=}" "${__showhow_seq=0}" "${__showhow_lost=0}"

__showhow_tty=$(\builtin command tty 2>/dev/null)
__showhow_tty=${__showhow_tty#/dev/}
__showhow_tty=${__showhow_tty//\//-}
__showhow_fifo=$__showhow_dir/$__showhow_tty.fifo

# First of PROMPT_COMMAND. $1 exit status, $2 number of programs in the last pipeline.
__showhow_precmd() {
  \builtin local st=$1 t1=$EPOCHREALTIME
  if [[ $- == *x* ]]; then { \builtin local -; \builtin set +x; } 2>/dev/null; fi
  if [[ $__showhow_fd ]]; then
    if [[ ! /dev/fd/$__showhow_fd -ef $__showhow_fifo ]] || ! \builtin kill -0 "${__showhow_who%% *}" 2>&"$__showhow_fd"; then
      __showhow_leave
    fi
  fi
  if [[ ! $__showhow_fd && -p $__showhow_fifo ]]; then __showhow_join; fi
  if [[ $__showhow_fd && $__showhow_t ]]; then __showhow_report "$1" "$2" "$t1"; fi
  __showhow_t=
  if [[ $- == *e* ]]; then \builtin return 0; fi
  \builtin return "$st"
}

# Last of PROMPT_COMMAND, after whoever sets the prompt: keeps the mark where the person sees it, and only while it is true.
__showhow_mark() {
  \builtin local st=$?
  if [[ $- == *x* ]]; then { \builtin local -; \builtin set +x; } 2>/dev/null; fi
  if [[ $__showhow_fd ]]; then
    [[ ${PS1-} == *"$__showhow_m"* ]] || PS1=$__showhow_m${PS1-}
    if [[ ! $__showhow_shown ]]; then
      __showhow_shown=1
      \builtin printf '\2mark\37bash\37%s\37%s\n' "$$" "${PWD//[[:cntrl:]]/?}" >&"$__showhow_fd" 2>&1 || __showhow_shown=
    fi
  elif [[ ${PS1-} == *"$__showhow_m"* ]]; then
    PS1=${PS1//"$__showhow_m"/}
  fi
  # Where the next command starts from. The start time comes from PS0, so an empty line leaves it empty.
  __showhow_h=$HISTCMD __showhow_w=$PWD __showhow_t=
  __showhow_hook_ps0
  if [[ $- == *e* ]]; then \builtin return 0; fi
  \builtin return "$st"
}

# PS0 is expanded just before a command runs; its arithmetic notes the time and expands to nothing.
__showhow_hook_ps0() {
  if [[ $BASHOPTS == *promptvars* ]]; then
    [[ ${PS0-} == *'__showhow_t='* ]] || PS0=${PS0-}$__showhow_ps0
  elif [[ ${PS0-} == *'__showhow_t='* ]]; then
    PS0=${PS0//"$__showhow_ps0"/}
  fi
}
__showhow_ps0='${__showhow_n:$((__showhow_t=${EPOCHREALTIME//[!0-9]/},0)):0}'

# Opens the pipe of this terminal once a session names it. It must be ours, and somebody must be there to read it.
__showhow_join() {
  \builtin local who='' fd=''
  [[ -O $__showhow_dir && -O $__showhow_fifo && -f $__showhow_dir/$__showhow_tty.who ]] || \builtin return 0
  { IFS= \builtin read -r who <"$__showhow_dir/$__showhow_tty.who"; } 2>/dev/null
  [[ $who && $who != "$__showhow_bad" ]] && \builtin kill -0 "${who%% *}" 2>/dev/null || \builtin return 0
  __showhow_open "$__showhow_fifo" || { __showhow_bad=$who; \builtin return 0; }
  __showhow_fd=$__showhow_new __showhow_who=$who __showhow_shown='' __showhow_lost=0
  # The mark goes last, so that no other prompt function paints over it.
  if [[ ${PROMPT_COMMAND[*]: -1} != __showhow_mark ]]; then __showhow_hook; fi
}

# Opens $1 for reading and writing, which never waits, and has the descriptor made non-blocking: the one process we start.
__showhow_open() {
  \builtin local fd=''
  { \exec {fd}<>"$1"; } 2>/dev/null || \builtin return 1
  if "$__showhow_exe" shell-init --nonblock "$fd" </dev/null >/dev/null 2>&1; then
    __showhow_new=$fd
  else
    \exec {fd}>&-
    \builtin return 1
  fi
}

__showhow_leave() {
  { \exec {__showhow_fd}>&-; } 2>/dev/null
  if [[ $__showhow_back ]]; then { \exec {__showhow_back}>&-; } 2>/dev/null; fi
  __showhow_fd='' __showhow_back='' __showhow_who='' __showhow_shown=''
}

# Sends the command that has just ended; $1 exit status, $2 programs in the last pipeline, $3 end time.
# The line itself goes from the history straight into the pipe. What the history withheld, we withhold.
__showhow_report() {
  \builtin local n=1 hold='' flags=''
  ((__showhow_seq++)) || \builtin :
  if [[ ! -o history || ${HISTSIZE-1} == 0 ]]; then
    hold=history_off
  elif [[ $HISTCMD == "$__showhow_h" ]]; then
    __showhow_repeated "$2" || hold=shell_private
  elif [[ $BASHOPTS != *cmdhist* ]]; then
    n=$((HISTCMD - __showhow_h)) # one entry per line of the command
    ((n > 0 && n < 1000)) || n=1
  fi
  if [[ ${bash_preexec_imported-}${__bp_imported-} ]]; then flags=s; fi # it keeps ignored lines in the history for itself
  if [[ $hold ]]; then
    \builtin printf '\2hold\37bash\37%s\37%s\37%s\37%s\37%s\n' \
      "$$" "$__showhow_seq" "$__showhow_lost" "$hold" "${PWD//[[:cntrl:]]/?}" >&"$__showhow_fd" 2>&1
  else
    {
      \builtin printf '\2run\37bash\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\n' "$$" "$__showhow_seq" "$__showhow_lost" \
        "$__showhow_t" "$3" "$1" "$flags" "$n" "${__showhow_w//[[:cntrl:]]/?}" "${PWD//[[:cntrl:]]/?}" &&
        HISTTIMEFORMAT='' \builtin history "$n" &&
        \builtin printf '\3%s\37%s\n' "$$" "$__showhow_seq"
    } >&"$__showhow_fd" 2>&1
  fi && __showhow_lost=0 || ((__showhow_lost++)) || \builtin :
}

# The history did not grow: was its last entry run again, or was something kept out of it? Only what certainly is a repeat
# counts. $1 programs in the last pipeline; $__showhow_c the last simple command that ran, as bash prints it.
__showhow_repeated() {
  \builtin local e='' c=$__showhow_c
  case :${HISTCONTROL-}: in
    *:ignoredups:* | *:ignoreboth:* | *:erasedups:*) ;;
    *) \builtin return 1 ;;
  esac
  if [[ ! $__showhow_back ]]; then
    [[ -p $__showhow_dir/back.fifo && -O $__showhow_dir/back.fifo ]] && __showhow_open "$__showhow_dir/back.fifo" || \builtin return 1
    __showhow_back=$__showhow_new
  fi
  { HISTTIMEFORMAT='' \builtin history 1 && \builtin printf '\0'; } >&"$__showhow_back" 2>/dev/null || \builtin return 1
  IFS= \builtin read -r -d '' -u "$__showhow_back" e 2>/dev/null || \builtin return 1
  [[ $e =~ ^[[:space:]]*[0-9]+[*\ ]\ (.*)$ ]] || \builtin return 1
  e=${BASH_REMATCH[1]//[[:space:]]/}
  c=${c//[[:space:]]/}
  [[ $c ]] || \builtin return 1
  if (($1 > 1)); then
    [[ $e == *"|$c" || $e == *"|&$c" ]]
  else
    [[ $e == "$c" || $e == "$c"[\;\&\|\#\<\>\)]* ]]
  fi
}

# Puts the two functions first and last. As an array, so that every part sees the command's own $? and PIPESTATUS.
__showhow_hook() {
  \builtin local p
  \builtin local -a all
  all=()
  for p in "${PROMPT_COMMAND[@]}"; do
    [[ ! $p || $p == __showhow_mark || $p == 'for __showhow_c in '* ]] || all+=("$p")
  done
  PROMPT_COMMAND=('for __showhow_c in "$BASH_COMMAND"; do __showhow_precmd "$?" "${#PIPESTATUS[@]}"; done' "${all[@]}" __showhow_mark)
}

if [[ $__showhow_tty && $__showhow_tty != *[!a-z0-9-]* ]]; then
  __showhow_hook
  __showhow_hook_ps0
  if [[ -d $__showhow_dir && -O $__showhow_dir ]]; then
    { \builtin printf 'bash\n' >|"$__showhow_dir/$__showhow_tty.$$.shell"; } 2>/dev/null
  fi
fi

fi
