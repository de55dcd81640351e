# Showhow's shell hook (bash 5.1 or newer). Loaded by:  eval "$(showhow shell-init bash)"
#
# While nothing is captured it looks once per prompt whether a pipe for this terminal exists. While this terminal is
# captured, the prompt says so and each finished command goes into that pipe. Nothing here can wait: the pipe refuses
# what does not fit. Nothing is printed, no process is started per command, and $?, $_, $! and PIPESTATUS stay as they are.
if [[ $- == *i* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then

__showhow_exe=@EXE@
__showhow_dir=@DIR@
__showhow_m='[watched] '
__showhow_u=$'\37'
__showhow_pre=$'\2run\37bash\37'$$$'\37'
__showhow_n='' __showhow_c='' __showhow_t1='' __showhow_st=0
: "${__showhow_fd=}" "${__showhow_back=}" "${__showhow_who=}" "${__showhow_proc=}" "${__showhow_here=}" "${__showhow_bad=}" "${__showhow_flags=}" "${__showhow_shown=}"
: "${__showhow_t=}" "${__showhow_w=}" "${__showhow_cw=}" "${__showhow_h=}" "${__showhow_s=0}" "${__showhow_lost=0}"

__showhow_tty=$(\builtin command tty 2>/dev/null)
__showhow_tty=${__showhow_tty#/dev/}
__showhow_tty=${__showhow_tty//\//-}
__showhow_fifo=$__showhow_dir/$__showhow_tty.fifo

# First of PROMPT_COMMAND. $1 exit status, $2 number of programs in the last pipeline. The long condition is the ordinary
# case in one test, because every command of bash's own costs microseconds; all else goes the long way.
__showhow_precmd() {
  if [[ $__showhow_fd ]]; then
    __showhow_t1=$EPOCHREALTIME
    if [[ HISTCMD -eq __showhow_h+1 && $__showhow_t && $__showhow_t != 0 && $PWD == "$__showhow_w" && -e $__showhow_here &&
      -e $__showhow_proc && -o history && ! ${HISTTIMEFORMAT-} && $- != *x* && $__showhow_lost == 0 ]]; then
      { \builtin history 1 && \builtin printf '%s\n' "$__showhow_pre$__showhow_s${__showhow_u}0$__showhow_u$__showhow_h${__showhow_u}1$__showhow_u$__showhow_t$__showhow_u$__showhow_t1$__showhow_u$1$__showhow_u$__showhow_flags$__showhow_u$__showhow_cw$__showhow_u$__showhow_cw"
      } >&"$__showhow_fd" 2>&1 || __showhow_lost=1
      __showhow_t=0 # reported, should a framework call us twice
    else
      __showhow_watched "$1" "$2"
    fi
  elif [[ -p $__showhow_fifo ]]; then
    __showhow_t1=$EPOCHREALTIME
    __showhow_watched "$1" "$2"
  fi
  if [[ $1 != 0 && $- != *e* ]]; then \builtin return "$1"; fi
}

# Last of PROMPT_COMMAND, after whoever sets the prompt. Notes where the next command starts from.
__showhow_mark() {
  __showhow_st=$?
  if [[ ! $__showhow_t || $PWD != "$__showhow_w" || $__showhow_shown != "$__showhow_who" ||
    $__showhow_fd && ${PS1-} != *"$__showhow_m"* ]]; then
    __showhow_settle
  fi
  __showhow_h=$HISTCMD __showhow_t=
  if [[ $__showhow_st != 0 && $- != *e* ]]; then \builtin return "$__showhow_st"; fi
}

__showhow_settle() {
  if [[ $__showhow_fd || $__showhow_shown ]]; then __showhow_paint; fi
  if [[ ! $__showhow_t ]]; then # the first prompt, an empty line, or somebody replaced PS0
    __showhow_hook_ps0
    __showhow_last
  fi
  __showhow_w=$PWD __showhow_cw=${PWD//[[:cntrl:]]/?}
}

# PS0 is expanded just before a command runs; its arithmetic notes the time, counts, and expands to nothing. No exclamation mark:
# in posix mode it would become the history number. Where prompts are not expanded the history's growth tells of a command.
__showhow_ps0='${__showhow_n:$((__showhow_t=${EPOCHREALTIME//[^0-9]/},__showhow_s++,0)):0}'
__showhow_hook_ps0() {
  if [[ $BASHOPTS == *promptvars* ]]; then
    [[ ${PS0-} == *'__showhow_t='* ]] || PS0=${PS0-}$__showhow_ps0
  elif [[ ${PS0-} == *'__showhow_t='* ]]; then
    PS0=${PS0//"$__showhow_ps0"/}
  fi
}

# There is or was a pipe: leave it when it is gone or nobody reads it, join it, report. $1 $2 as above.
__showhow_watched() {
  if [[ $- == *x* ]]; then { local -; \builtin set +x; } 2>/dev/null; fi
  if [[ $__showhow_fd ]]; then
    [[ -e $__showhow_here ]] && __showhow_reader "${__showhow_who%% *}" || __showhow_leave
  fi
  if [[ ! $__showhow_fd ]]; then
    [[ -p $__showhow_fifo ]] && __showhow_join
    [[ $__showhow_fd ]] || \builtin return 0
  fi
  if [[ ! $__showhow_t && $__showhow_h && $HISTCMD != "$__showhow_h" && $BASHOPTS != *promptvars* ]]; then
    __showhow_t=$__showhow_t1
    ((++__showhow_s))
  fi
  if [[ $__showhow_t && $__showhow_t != 0 ]]; then
    __showhow_report "$1" "$2"
    __showhow_t=0
  fi
}

# Does the process $1 still exist?
__showhow_reader() { [[ -e /proc/$1 ]] || \builtin kill -0 "$1" 2>/dev/null; }

# Opens the pipe of this terminal once a session names it. It must be ours, and somebody must be there to read it.
__showhow_join() {
  local who=''
  [[ -O $__showhow_dir && -O $__showhow_fifo && -f $__showhow_dir/$__showhow_tty.who ]] || \builtin return 0
  { IFS= \builtin read -r who <"$__showhow_dir/$__showhow_tty.who"; } 2>/dev/null
  [[ $who && $who != "$__showhow_bad" ]] && __showhow_reader "${who%% *}" || \builtin return 0
  __showhow_open "$__showhow_fifo" || { __showhow_bad=$who; \builtin return 0; }
  __showhow_fd=$__showhow_new __showhow_who=$who __showhow_shown='' __showhow_lost=0
  __showhow_proc=/proc/${who%% *} __showhow_here=$__showhow_dir/$__showhow_tty.${who##* }
  __showhow_flags=${bash_preexec_imported+s}${__bp_imported+s} # it keeps ignored lines in the history for itself
  __showhow_last
}

# The mark goes last, so that no other prompt function paints over it.
__showhow_last() { [[ ${PROMPT_COMMAND[*]: -1} == __showhow_mark ]] || __showhow_hook; }

# Opens $1 for reading and writing, which never waits, and has the descriptor made non-blocking: the one process we start.
__showhow_open() {
  local fd=''
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
  __showhow_fd='' __showhow_back='' __showhow_who=''
}

# Keeps the mark where the person sees it, and only while it is true. __showhow_shown is whose pipe was told of it.
__showhow_paint() {
  if [[ $__showhow_fd ]]; then
    if [[ ${PS1-} != *"$__showhow_m"* ]]; then
      PS1=$__showhow_m${PS1-}
      __showhow_last
    fi
    if [[ $__showhow_shown != "$__showhow_who" ]]; then
      \builtin printf '\2mark\37bash\37%s\37%s\n' "$$" "${PWD//[[:cntrl:]]/?}" >&"$__showhow_fd" 2>&1 && __showhow_shown=$__showhow_who
    fi
  elif [[ ${PS1-} == *"$__showhow_m"* ]]; then # looked for ever after: somebody may have kept a marked prompt
    PS1=${PS1//"$__showhow_m"/}
  fi
}

# Sends the command that has just ended; $1 exit status, $2 programs in the last pipeline.
# The line itself goes from the history straight into the pipe. What the history withheld, we withhold.
__showhow_report() {
  local n=$((HISTCMD - __showhow_h)) hold=''
  if [[ ! -o history || ${HISTSIZE-1} == 0 ]]; then
    hold=history_off
  elif ((n == 0)); then
    n=1
    __showhow_repeated "$2" || hold=shell_private
  elif ((n != 1)) && [[ $BASHOPTS == *cmdhist* || n -lt 0 || n -gt 999 ]]; then
    n=1 # without cmdhist there is one entry per line of the command
  fi
  if [[ $hold ]]; then
    \builtin printf '\2hold\37bash\37%s\37%s\37%s\37%s\37%s\n' \
      "$$" "$__showhow_s" "$__showhow_lost" "$hold" "${PWD//[[:cntrl:]]/?}" >&"$__showhow_fd" 2>&1
  else
    {
      HISTTIMEFORMAT='' \builtin history "$n" &&
        \builtin printf '\2run\37bash\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\n' "$$" "$__showhow_s" "$__showhow_lost" \
          "$((HISTCMD - n))" "$n" "$__showhow_t" "$__showhow_t1" "$1" "$__showhow_flags" "$__showhow_cw" "${PWD//[[:cntrl:]]/?}"
    } >&"$__showhow_fd" 2>&1
  fi && __showhow_lost=0 || ((__showhow_lost++)) || \builtin :
}

# The history did not grow: was its last entry run again, or was something kept out of it? Only what certainly is a repeat
# counts. $1 programs in the last pipeline; $__showhow_c the last simple command that ran, as bash prints it.
__showhow_repeated() {
  local e='' c=$__showhow_c
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
  local p
  local -a all
  all=()
  for p in "${PROMPT_COMMAND[@]}"; do
    [[ ! $p || $p == __showhow_mark || $p == 'for __showhow_c in '* ]] || all+=("$p")
  done
  PROMPT_COMMAND=('for __showhow_c in "$BASH_COMMAND";do __showhow_precmd "$?" "${#PIPESTATUS[@]}";done' "${all[@]}" __showhow_mark)
}

if [[ $__showhow_tty && $__showhow_tty != *[!a-z0-9-]* ]]; then
  __showhow_hook
  __showhow_hook_ps0
  if [[ -d $__showhow_dir && -O $__showhow_dir ]]; then
    { \builtin printf 'bash\n' >|"$__showhow_dir/$__showhow_tty.$$.shell"; } 2>/dev/null
  fi
fi

fi
