# Showhow's shell hook (bash 5.1 or newer). Loaded by:  eval "$(showhow shell-init bash)"
#
# While nothing is captured it looks once per prompt whether a pipe for this terminal exists. While this terminal is
# captured, the prompt says so and each finished command goes into that pipe. Nothing here can wait: the pipe refuses
# what does not fit. No process is started per command, programs do not inherit the pipe, and $?, $_, $! and PIPESTATUS
# stay as they are.
if [[ $- == *i* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then

__showhow_exe=@EXE@
__showhow_dir=@DIR@
__showhow_u=$'\37' __showhow_u1=$'\0371\37'
__showhow_run=$'\2run\37bash\37'$$$'\37\0370\37'
__showhow_c='' __showhow_t1='' __showhow_w='' __showhow_cwcw='' __showhow_x=() __showhow_h='' __showhow_st=0 __showhow_k=1

__showhow_tty=$(\builtin command tty 2>/dev/null)
__showhow_tty=${__showhow_tty#/dev/}
__showhow_tty=${__showhow_tty//\//-}
__showhow_fifo=$__showhow_dir/$__showhow_tty.fifo

# Evaluated again, it goes on as it was; whatever came through the environment (set -a) is not ours.
if [[ ! ${__showhow_fd-} || ${__showhow_pid-} != "$$" || ! /dev/fd/${__showhow_fd} -ef $__showhow_fifo ]]; then
  __showhow_fd='' __showhow_back='' __showhow_here='' __showhow_proc='' __showhow_state='' __showhow_bad='' __showhow_flags=''
  __showhow_m='' __showhow_rl=() __showhow_told='' __showhow_marked='' __showhow_lost=''
fi
__showhow_pid=$$
__showhow_todo=2   # for how many prompts there is something to look after
__showhow_debug='' # somebody's DEBUG trap
__showhow_nested='' # the function that calls us

# First of PROMPT_COMMAND while nothing is captured. Small, because bash copies a function to call it, and everything else
# costs microseconds too. __showhow_x holds what PS0 noted of the commands since the prompt.
__showhow_pre() {
  __showhow_st=$? __showhow_k=${#PIPESTATUS[@]}
  if [[ $__showhow_here$__showhow_todo || ! ${__showhow_x-} || -p $__showhow_fifo ]]; then __showhow_watched "$EPOCHREALTIME"; fi
  __showhow_x=() __showhow_h=$HISTCMD __showhow_w=$PWD
  if [[ $__showhow_st != 0 && $- != *e* ]]; then \builtin return "$__showhow_st"; fi
}

# First of PROMPT_COMMAND while this shell is captured. The first condition is the ordinary case in one test: one command, one
# more entry in the history, and nothing to look after.
__showhow_rec() {
  __showhow_st=$? __showhow_k=${#PIPESTATUS[@]}
  if [[ ${__showhow_x-} == *+$HISTCMD+* && HISTCMD -eq __showhow_h+1 && $PWD == "$__showhow_w" && ! ${__showhow_x[1]-}$__showhow_todo$__showhow_lost${HISTTIMEFORMAT-} &&
    -e $__showhow_here && -e $__showhow_proc && -o history && ! -o xtrace ]]; then
    { \builtin history 1 && \builtin printf '%s\n' "$__showhow_run$__showhow_h$__showhow_u1$__showhow_x$__showhow_u${__showhow_t1:-$EPOCHREALTIME}$__showhow_u$__showhow_st$__showhow_cwcw"
    } >&"$__showhow_fd" 2>&1 || __showhow_lost=1
    __showhow_x=() __showhow_h=$HISTCMD
  else
    __showhow_watched "${__showhow_t1:-$EPOCHREALTIME}"
    __showhow_x=() __showhow_h=$HISTCMD __showhow_w=$PWD
  fi
  if [[ $__showhow_st != 0 && $- != *e* ]]; then \builtin return "$__showhow_st"; fi
}

# Last of PROMPT_COMMAND when it holds more than us: the history and the folder that the next command starts from.
__showhow_end() {
  __showhow_st=$?
  __showhow_h=$HISTCMD
  if [[ $PWD != "$__showhow_w" || $__showhow_todo ]]; then
    __showhow_w=$PWD
    __showhow_clean
    if [[ $__showhow_todo ]]; then __showhow_hook; fi
  fi
  if [[ ${__showhow_rl-} == ps1 ]]; then __showhow_paint; fi
  if [[ $__showhow_st != 0 && $- != *e* ]]; then \builtin return "$__showhow_st"; fi
}

# The end of a record that begins and ends in this folder.
__showhow_clean() {
  local w=${PWD//[[:cntrl:]]/?}
  __showhow_cwcw=$__showhow_u$__showhow_flags$__showhow_u$w$__showhow_u$w
}

# bash-preexec runs its functions before us: note the end of the command before them.
__showhow_ended() { __showhow_t1=$EPOCHREALTIME; }

# PS0 is expanded just before a command runs. It notes "time+number of the history+status of the command before" in the next
# element of __showhow_x and expands to nothing: an offset far behind the end. There is more than one element where several
# commands run from one prompt, as lines pasted together do. No exclamation mark: in posix mode it would become the history's
# number. Where prompts are not expanded the history's growth tells of a command.
__showhow_ps0='${PS0:${__showhow_x[${#__showhow_x[@]}]:=${EPOCHREALTIME/[^0-9]/}+$HISTCMD+$?}:0}'
__showhow_hook_ps0() {
  if [[ $BASHOPTS == *promptvars* ]]; then
    [[ ${PS0-} == *'__showhow_x'* ]] || PS0=${PS0-}$__showhow_ps0
  elif [[ ${PS0-} == *'__showhow_x'* ]]; then
    PS0=${PS0//"$__showhow_ps0"/}
  fi
}

# The long way: leave the pipe when it is gone or nobody reads it, join it, report the command, look after the mark and our
# places in the prompt's variables. $1 is when the command ended.
__showhow_watched() {
  if [[ $- == *x* ]]; then { local -; \builtin set +x; } 2>/dev/null; fi
  local IFS=$' \t\n'
  if [[ $__showhow_here ]] && ! { [[ -e $__showhow_here ]] && __showhow_reader; }; then __showhow_leave; fi
  if [[ ! $__showhow_here && -p $__showhow_fifo ]]; then __showhow_join; fi
  if [[ $__showhow_fd ]]; then
    if [[ ! ${__showhow_x-} && $__showhow_h && $HISTCMD != "$__showhow_h" && $BASHOPTS != *promptvars* ]]; then
      __showhow_x=("$1+$HISTCMD+0")
    fi
    if [[ ${__showhow_x-} ]]; then
      __showhow_earlier
      __showhow_report "$1"
    fi
    __showhow_clean
  fi
  __showhow_show
  __showhow_nested=${FUNCNAME[2]-}
  if [[ ! ${__showhow_x-} || $__showhow_todo ]]; then # the first prompts, an empty line, or somebody replaced PS0
    __showhow_hook_ps0
    __showhow_hook
    case $__showhow_todo in 2) __showhow_todo=1 ;; *) __showhow_todo='' ;; esac
  fi
}

# Does the process that reads the pipe still exist?
__showhow_reader() { [[ -e $__showhow_proc ]] || \builtin kill -0 "${__showhow_proc##*/}" 2>/dev/null; }

# Joins what a session does with this terminal: the file beside the pipe says who reads it ("PID NONCE on ...", or "paused",
# when there is nothing to open). Both must be ours, and somebody must be there to read.
__showhow_join() {
  local pid='' nonce='' state='' rest
  [[ -O $__showhow_dir && -O $__showhow_fifo && -f $__showhow_dir/$__showhow_tty.who ]] || \builtin return 0
  { \builtin read -r pid nonce state rest <"$__showhow_dir/$__showhow_tty.who"; } 2>/dev/null
  [[ $nonce && $nonce != "$__showhow_bad" && -e $__showhow_dir/$__showhow_tty.$nonce ]] || \builtin return 0
  __showhow_proc=/proc/$pid
  __showhow_reader || \builtin return 0
  if [[ $state == on ]]; then
    __showhow_open "$__showhow_fifo" || { __showhow_bad=$nonce; \builtin return 0; }
    __showhow_fd=$__showhow_new __showhow_lost=''
    __showhow_flags=${bash_preexec_imported+s}${__bp_imported+s} # it keeps ignored lines in the history for itself
  fi
  __showhow_state=$state __showhow_here=$__showhow_dir/$__showhow_tty.$nonce __showhow_todo=2
}

# Opens $1 for reading and writing, which never waits, and has the descriptor made non-blocking: the one process we start.
# Programs must not inherit it. bash keeps a redirected descriptor aside and closes that copy in children, and a copy of
# such a copy is closed in children too. $2 is a descriptor of the same pipe that is not meant.
__showhow_open() {
  local fd='' k
  { { for ((k = 10; k < 256; k++)); do
    if [[ $k != "${2-}" && /dev/fd/$k -ef $1 ]]; then \exec {fd}<&"$k"; \builtin break; fi
  done; } 3</dev/null; } 3<>"$1" 2>/dev/null
  if [[ ! $fd ]]; then { \exec {fd}<>"$1"; } 2>/dev/null || \builtin return 1; fi
  if "$__showhow_exe" shell-init --nonblock 0 <&"$fd" >/dev/null 2>&1; then
    __showhow_new=$fd
  else
    \exec {fd}>&-
    \builtin return 1
  fi
}

__showhow_leave() {
  if [[ $__showhow_fd ]]; then { \exec {__showhow_fd}>&-; } 2>/dev/null; fi
  if [[ $__showhow_back ]]; then { \exec {__showhow_back}>&-; } 2>/dev/null; fi
  __showhow_fd='' __showhow_back='' __showhow_here='' __showhow_state='' __showhow_marked='' __showhow_todo=2
}

# Keeps the mark true, says once what it means, and tells the pipe that it is shown.
__showhow_show() {
  local m=''
  case $__showhow_state in on) m='[watched] ' ;; paused) m='[paused] ' ;; esac
  if [[ $m != "$__showhow_m" ]]; then
    if [[ ! $m ]]; then
      __showhow_told=''
    elif [[ ! $__showhow_told ]]; then
      __showhow_told=1
      \builtin printf '%s\n' @LINE@ >&2
    fi
    __showhow_paint "$m"
  fi
  if [[ $__showhow_fd && ! $__showhow_marked ]]; then
    \builtin printf '\2mark\37bash\37%s\37%s\n' "$$" "${PWD//[[:cntrl:]]/?}" >&"$__showhow_fd" 2>&1 && __showhow_marked=1
  fi
}

# The mark is readline's own, before the last line of any prompt, whoever sets PS1 and whenever; what the person shows there
# stays behind it. Without readline it is put into PS1 (and looked for ever after: somebody may have kept a marked prompt).
__showhow_paint() {
  local name value line i=0
  local -a was=()
  if [[ $# == 0 ]]; then
    [[ ${PS1-} == "$__showhow_m"* ]] || PS1=$__showhow_m${PS1-}
    \builtin return 0
  fi
  PS1=${PS1//"[watched] "/} PS1=${PS1//"[paused] "/}
  __showhow_m=$1
  if [[ ! -o emacs && ! -o vi || ${BLE_VERSION-} ]] && [[ ${#__showhow_rl[@]} -lt 4 ]]; then
    __showhow_rl=ps1 __showhow_todo=2
    PS1=$1${PS1-}
    \builtin return 0
  fi
  if [[ ${#__showhow_rl[@]} -lt 4 ]]; then
    __showhow_rl=(off '' '' '')
    while IFS= \builtin read -r line; do
      line=${line#set } name=${line%% *} value=${line#* }
      case $name in
        show-mode-in-prompt) __showhow_rl[0]=$value ;;
        emacs-mode-string) __showhow_rl[1]=$value ;;
        vi-ins-mode-string) __showhow_rl[2]=$value ;;
        vi-cmd-mode-string) __showhow_rl[3]=$value ;;
      esac
    done < <(\builtin bind -v 2>/dev/null)
  fi
  was=("${__showhow_rl[@]//\\/\\\\}")
  was=("${was[@]//\"/\\\"}")
  for name in emacs-mode vi-ins-mode vi-cmd-mode; do
    value=${was[++i]}
    if [[ $1 ]]; then
      if [[ ${was[0]} == on ]]; then value=$1$value; else value=$1; fi
    fi
    \builtin bind "set $name-string \"$value\"" 2>/dev/null
  done
  if [[ $1 ]]; then
    \builtin bind 'set show-mode-in-prompt on' 2>/dev/null
  else
    \builtin bind "set show-mode-in-prompt ${was[0]}" 2>/dev/null
    __showhow_rl=()
  fi
}

# Sends the command that has just ended; $1 is when. The line itself goes from the history straight into the pipe. What the
# history withheld, we withhold.
__showhow_report() {
  local n=$((HISTCMD - __showhow_h)) hold=''
  if [[ ! -o history || ${HISTSIZE-1} == 0 ]]; then
    hold=history_off
  elif ((n == 0)); then
    n=1
    __showhow_repeated || hold=shell_private
  elif ((n != 1)) && [[ $BASHOPTS == *cmdhist* || n -lt 0 || n -gt 999 ]]; then
    n=1 # without cmdhist there is one entry per line of the command
  fi
  if [[ $hold ]]; then
    \builtin printf '\2hold\37bash\37%s\37%s\37%s\37%s\37%s\n' \
      "$$" '' "${__showhow_lost:-0}" "$hold" "${PWD//[[:cntrl:]]/?}" >&"$__showhow_fd" 2>&1
  else
    {
      HISTTIMEFORMAT='' \builtin history "$n" &&
        \builtin printf '\2run\37bash\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\37%s\n' "$$" '' "${__showhow_lost:-0}" \
          "$((HISTCMD - n))" "$n" "${__showhow_x[-1]}" "$1" "$__showhow_st" "$__showhow_flags" "${__showhow_w//[[:cntrl:]]/?}" "${PWD//[[:cntrl:]]/?}"
    } >&"$__showhow_fd" 2>&1
  fi && __showhow_lost='' || ((++__showhow_lost))
  __showhow_x=() # should a framework call us twice
}

# Sends the commands that ran from the same prompt before the last one, each to the start of the next.
__showhow_earlier() {
  local k n next
  for ((k = 0; k + 1 < ${#__showhow_x[@]}; k++)); do
    n=${__showhow_x[k]#*+} n=${n%%+*} next=${__showhow_x[k+1]}
    if [[ ! -o history || ${HISTSIZE-1} == 0 ]] || ((n != __showhow_h + 1)); then
      \builtin printf '\2hold\37bash\37%s\37\37%s\37shell_private\37%s\n' "$$" "${__showhow_lost:-0}" "${__showhow_w//[[:cntrl:]]/?}"
    else
      HISTTIMEFORMAT='' \builtin fc -l "$__showhow_h" "$__showhow_h" &&
        \builtin printf '\2run\37bash\37%s\37\37%s\37%s\0371\37%s\37%s\37%s\37%s\37%s\37%s\n' "$$" "${__showhow_lost:-0}" \
          "$__showhow_h" "${__showhow_x[k]}" "${next%%+*}" "${next##*+}" "$__showhow_flags" "${__showhow_w//[[:cntrl:]]/?}" "${__showhow_w//[[:cntrl:]]/?}"
    fi >&"$__showhow_fd" 2>&1 && __showhow_lost='' || ((++__showhow_lost))
    __showhow_h=$n
  done
}

# The history did not grow: was its last entry run again, or was something kept out of it? Only what certainly is a repeat
# counts (decisions B7). Where nothing but repeats is kept out, there is no doubt, unless the command itself took its entry
# away; else the entry must begin with __showhow_c, the last simple command that ran, as bash prints it.
__showhow_repeated() {
  local e='' c=$__showhow_c n=${__showhow_x[-1]#*+}
  n=${n%%+*}
  case :${HISTCONTROL-}: in
    *:ignoreboth:* | *:ignorespace:*:ignoredups:* | *:ignoredups:*:ignorespace:*) ;;
    *:ignoredups:* | *:erasedups:*)
      if [[ ! ${HISTIGNORE-} && ! $__showhow_flags && $n == "$HISTCMD" && $n == "$__showhow_h" && $BASHOPTS == *promptvars* && ! ${HISTCONTROL-} =~ space ]]; then
        \builtin return 0
      fi ;;
    *) \builtin return 1 ;;
  esac
  if [[ ! $c ]]; then __showhow_todo=2; fi # noted from the next command on
  if [[ ! $__showhow_back ]]; then __showhow_open_back || \builtin return 1; fi
  { HISTTIMEFORMAT='' \builtin history 1 && \builtin printf '\0'; } >&"$__showhow_back" 2>/dev/null || \builtin return 1
  IFS= \builtin read -r -d '' -u "$__showhow_back" e 2>/dev/null || \builtin return 1
  [[ $e =~ ^[[:space:]]*[0-9]+[*\ ]\ (.*)$ ]] || \builtin return 1
  e=${BASH_REMATCH[1]//[[:space:]]/}
  c=${c//[[:space:]]/}
  [[ $c ]] || \builtin return 1
  if ((__showhow_k > 1)); then
    [[ $e == *"|$c" || $e == *"|&$c" ]]
  else
    [[ $e == "$c" || $e == "$c"[\;\&\|\#\<\>\)]* ]]
  fi
}

# A pipe of this shell alone, without a name, to read its own history back: the one of a here-string, opened once more.
__showhow_open_back() {
  local a=''
  { \exec {a}<<<''; } 2>/dev/null || \builtin return 1
  if [[ -p /dev/fd/$a ]] && __showhow_open "/dev/fd/$a" "$a"; then
    __showhow_back=$__showhow_new
    \builtin read -r -u "$__showhow_back" 2>/dev/null # the here-string's own line
  fi
  \exec {a}<&-
  [[ $__showhow_back ]]
}

# Puts us first, and last if there are others: as an array, so that every part sees the command's own $? and PIPESTATUS. A
# DEBUG trap takes whatever runs after the last of the others for the person's command, so nothing may; bash-preexec wants
# to be first and last itself, and starts the person's commands from its last.
__showhow_hook() {
  local p f pre=__showhow_pre
  local -a all=() end=()
  for p in "${PROMPT_COMMAND[@]}"; do
    p=${p//"$__showhow_look"/__showhow_end}
    for f in __showhow_pre __showhow_rec __showhow_end; do # whatever was put around ours goes on without
      p=${p//"for __showhow_c in \"\$BASH_COMMAND\";do $f;done"/"$f"}
      p=${p//"$f"[;$'\n']/} p=${p//[;$'\n']"$f"/} p=${p//"$f"/:}
    done
    [[ $p =~ ^[[:space:]\;:]*$ ]] || all+=("$p")
  done
  if [[ $__showhow_fd ]]; then pre=__showhow_rec; fi
  if [[ ${all[*]: -1} == __bp_interactive_mode ]]; then
    \builtin unset 'all[-1]'
    PROMPT_COMMAND=("${all[@]}" "$pre" __bp_interactive_mode)
    [[ ${precmd_functions[0]-} == __showhow_ended ]] || precmd_functions=(__showhow_ended "${precmd_functions[@]}")
  else
    case :${HISTCONTROL-}:${HISTIGNORE+:ignorespace}: in
      *:ignoreboth:* | *:ignorespace:*dups:* | *dups:*:ignorespace:*) pre="for __showhow_c in \"\$BASH_COMMAND\";do $pre;done" ;; # a function does not see what ran before
    esac
    if [[ $__showhow_debug && $__showhow_nested ]]; then # whoever has it calls us
      PROMPT_COMMAND=("${all[@]}")
      \builtin return 0
    fi
    if [[ $__showhow_debug && ${#all[@]} -gt 0 ]]; then
      end=("${all[@]: -1}")
      \builtin unset 'all[-1]'
    fi
    if [[ ${#all[@]} -gt 0 || ${__showhow_rl-} == ps1 ]]; then
      all+=(__showhow_end)
    fi
    PROMPT_COMMAND=("$pre" "${all[@]}" "${end[@]}")
  fi
}

# A function does not see the DEBUG trap: look once from the first prompt itself. As an element of its own it is still there
# when the start-up file sets PROMPT_COMMAND after us, which replaces the first element.
__showhow_look='[[ ! $__showhow_todo ]] || __showhow_debug+=$(\builtin trap -p DEBUG);__showhow_end'

if [[ $__showhow_tty && $__showhow_tty != *[!a-z0-9-]* ]]; then
  __showhow_hook
  PROMPT_COMMAND=("${PROMPT_COMMAND[0]}" "$__showhow_look" "${PROMPT_COMMAND[@]:1}")
  __showhow_hook_ps0
  if [[ -d $__showhow_dir && -O $__showhow_dir ]]; then
    { \builtin printf 'bash\n' >|"$__showhow_dir/$__showhow_tty.$$.shell"; } 2>/dev/null
  fi
fi

fi
