# Showhow's shell hook (zsh 5.3 or newer). Loaded by:  eval "$(showhow shell-init zsh)"
#
# While nothing is captured it looks once per prompt whether a pipe for this terminal exists. While this terminal is
# captured, the prompt says so and each finished command goes into that pipe. Nothing here can wait: the pipe refuses
# what does not fit. Nothing is printed, no process is started, and $? stays as it is.
if [[ -o interactive && -n ${TTY-} ]] && \builtin zmodload zsh/system zsh/datetime 2>/dev/null; then

typeset -g __showhow_dir=@DIR@
typeset -g __showhow_tty=${${TTY#/dev/}//\//-}
typeset -g __showhow_fifo=$__showhow_dir/$__showhow_tty.fifo
typeset -g __showhow_m='[watched] '
typeset -g __showhow_fd=${__showhow_fd-} __showhow_who=${__showhow_who-} __showhow_bad=${__showhow_bad-} __showhow_shown=${__showhow_shown-}
typeset -g __showhow_proc=${__showhow_proc-} __showhow_here=${__showhow_here-}
typeset -g __showhow_t= __showhow_t1= __showhow_st=0 __showhow_w= __showhow_cw= __showhow_line= __showhow_hold= __showhow_new= __showhow_over= __showhow_first=
typeset -gi __showhow_s=${__showhow_s:-0} __showhow_lost=${__showhow_lost:-0}

# Before a command runs. What the person keeps out of the history is not even remembered here.
__showhow_preexec() {
  __showhow_t=$EPOCHREALTIME __showhow_hold=
  if [[ -z $1 ]]; then
    __showhow_hold=history_off
  elif [[ -o hist_ignore_space && $1 == [[:space:]]* ]]; then
    __showhow_hold=shell_private
  elif [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ]]; then
    __showhow_hold=shell_private
  fi
  if [[ -n $__showhow_hold ]]; then __showhow_line=; else __showhow_line=$1; fi
  (( ++__showhow_s ))
  # Did the prompt that was shown still have the mark?
  if [[ -n $__showhow_fd && $PROMPT != *"$__showhow_m"* ]]; then __showhow_over=1; else __showhow_over=; fi
}

# The long condition is the ordinary case in one test, because every command costs microseconds; all else goes the long way.
# Whatever options the person has set hold here, hence the quotes. A character has at most four bytes.
__showhow_precmd() {
  __showhow_st=$? __showhow_t1=$EPOCHREALTIME
  if [[ -n $__showhow_fd && -n $__showhow_t && -z $__showhow_hold && $PWD == "$__showhow_w" && ${#__showhow_line} -lt 800 &&
    $__showhow_lost == 0 && -e $__showhow_here && -e $__showhow_proc ]]; then
    \builtin syswrite -o "$__showhow_fd" -- $'\1'"$__showhow_s"$'\37'"$__showhow_line"$'\n\2run\37zsh\37'"$$"$'\37'"$__showhow_s"$'\0370\37\0370\37'"$__showhow_t"$'\37'"$__showhow_t1"$'\37'"$__showhow_st"$'\37\37'"$__showhow_cw"$'\37'"$__showhow_cw"$'\n' || __showhow_lost=1
  elif [[ -n $__showhow_fd || -p $__showhow_fifo ]]; then
    __showhow_watched
  fi
  __showhow_t= __showhow_line= __showhow_hold=
}

# After whoever sets the prompt. Notes where the next command starts from.
__showhow_mark() {
  if [[ -z $__showhow_first ]]; then
    __showhow_first=1
    __showhow_hook # the start-up files are through: now the mark can go last
  fi
  if [[ -n $__showhow_fd || -n $__showhow_shown ]]; then __showhow_paint; fi
  if [[ $PWD != "$__showhow_w" ]]; then __showhow_w=$PWD __showhow_cw=${PWD//[[:cntrl:]]/?}; fi
}

# There is or was a pipe: leave it when it is gone or nobody reads it, join it, report the command.
__showhow_watched() {
  \builtin emulate -L zsh
  \builtin setopt no_multibyte # a length is in bytes
  if [[ -n $__showhow_fd ]]; then
    [[ -e $__showhow_here ]] && __showhow_reader ${__showhow_who%% *} || __showhow_leave
  fi
  if [[ -z $__showhow_fd ]]; then
    [[ -p $__showhow_fifo ]] && __showhow_join
    [[ -n $__showhow_fd ]] || return 0
  fi
  [[ -n $__showhow_t ]] || return 0
  local s=$'\37' r to=$__showhow_cw
  [[ $PWD == $__showhow_w ]] || to=${PWD//[[:cntrl:]]/?}
  if [[ -z $__showhow_hold && ${#__showhow_line} -gt 3500 ]]; then __showhow_hold=too_long; fi
  if [[ -n $__showhow_hold ]]; then
    r=$'\2hold\37zsh'$s$$$s$__showhow_s$s$__showhow_lost$s$__showhow_hold$s$to$'\n'
  else
    r=$'\1'$__showhow_s$s$__showhow_line$'\n\2run\37zsh'$s$$$s$__showhow_s$s$__showhow_lost$s${s}0$s$__showhow_t$s$__showhow_t1$s$__showhow_st$s$s$__showhow_cw$s$to$'\n'
  fi
  if \builtin syswrite -o $__showhow_fd -- $r; then __showhow_lost=0; else (( ++__showhow_lost )); fi
}

# Does the process $1 still exist?
__showhow_reader() { [[ -e /proc/$1 ]] || \builtin kill -0 $1 2>/dev/null }

# Keeps the mark where the person sees it, and only while it is true. __showhow_shown is whose pipe was told of it.
# A prompt framework that paints over it gets it as a line above its prompt.
__showhow_paint() {
  if [[ -n $__showhow_fd ]]; then
    [[ -z $__showhow_over ]] || \builtin print -r -- "$__showhow_m"
    [[ ${PROMPT-} == *"$__showhow_m"* ]] || PROMPT="$__showhow_m${PROMPT-}"
    if [[ "$__showhow_shown" != "$__showhow_who" ]]; then
      \builtin syswrite -o "$__showhow_fd" -- $'\2mark\37zsh\37'"$$"$'\37'"${PWD//[[:cntrl:]]/?}"$'\n' && __showhow_shown=$__showhow_who
    fi
  elif [[ ${PROMPT-} == *"$__showhow_m"* ]]; then # looked for ever after: somebody may have kept a marked prompt
    PROMPT="${PROMPT//"$__showhow_m"/}"
  fi
}

# Opens the pipe of this terminal once a session names it. It must be ours, and somebody must be there to read it.
__showhow_join() {
  local who=
  [[ -O $__showhow_dir && -O $__showhow_fifo && -f $__showhow_dir/$__showhow_tty.who ]] || return 0
  { IFS= \builtin read -r who <$__showhow_dir/$__showhow_tty.who } 2>/dev/null
  [[ -n $who && $who != $__showhow_bad ]] && __showhow_reader ${who%% *} || return 0
  if ! \builtin sysopen -rw -o nonblock,cloexec -u __showhow_new $__showhow_fifo 2>/dev/null; then
    __showhow_bad=$who
    return 0
  fi
  __showhow_fd=$__showhow_new __showhow_who=$who __showhow_shown= __showhow_lost=0
  __showhow_proc=/proc/${who%% *} __showhow_here=$__showhow_dir/$__showhow_tty.${who##* }
  (( ! $+functions[p10k] )) || __showhow_over=1 # known to paint last
  __showhow_hook # the mark goes last, so that no other prompt function paints over it
}

__showhow_leave() {
  \exec {__showhow_fd}>&-
  __showhow_fd= __showhow_who=
}

__showhow_hook() {
  \builtin emulate -L zsh
  typeset -ga precmd_functions preexec_functions
  preexec_functions=(${preexec_functions:#__showhow_preexec} __showhow_preexec)
  precmd_functions=(__showhow_precmd ${${precmd_functions:#__showhow_precmd}:#__showhow_mark} __showhow_mark)
}

if [[ -n $__showhow_tty && $__showhow_tty != *[^a-z0-9-]* ]]; then
  __showhow_hook
  if [[ -d $__showhow_dir && -O $__showhow_dir ]]; then
    { \builtin print zsh >|$__showhow_dir/$__showhow_tty.$$.shell } 2>/dev/null
  fi
fi

fi
