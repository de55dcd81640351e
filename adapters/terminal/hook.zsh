# Showhow's shell hook (zsh 5.3 or newer). Loaded by:  eval "$(showhow shell-init zsh)"
#
# While nothing is captured it looks once per prompt whether a pipe for this terminal exists. While this terminal is
# captured, the prompt says so and each finished command goes into that pipe. Nothing here can wait: the pipe refuses
# what does not fit. No process is started, programs do not inherit the pipe, and $? stays as it is.
if [[ -o interactive && -n ${TTY-} ]] && \builtin zmodload zsh/system zsh/datetime zsh/parameter 2>/dev/null; then

typeset -g __showhow_dir=@DIR@
typeset -g __showhow_tty=${${TTY#/dev/}//\//-}
typeset -g __showhow_fifo=$__showhow_dir/$__showhow_tty.fifo
# Evaluated again, it goes on as it was; whatever came through the environment (set -a) is not ours.
if [[ ${__showhow_pid-} != $$ || -z ${__showhow_fd-} || ! /dev/fd/${__showhow_fd-} -ef $__showhow_fifo ]]; then
  typeset -g __showhow_fd= __showhow_here= __showhow_proc= __showhow_state= __showhow_bad= __showhow_marked= __showhow_m= __showhow_told= __showhow_was=
  typeset -g __showhow_filter= __showhow_lost=
  typeset -gi __showhow_main=0
  typeset -ga __showhow_filters
  __showhow_filters=()
fi
typeset -g __showhow_pid=$$ __showhow_run=$'\n\2run\37zsh\37'$$$'\37\0370\37\0370\37' __showhow_t= __showhow_t1= __showhow_st=0 __showhow_w=$PWD __showhow_cwcw= __showhow_line= __showhow_hold=
typeset -g __showhow_new= __showhow_over= __showhow_tail= __showhow_tailed= __showhow_todo=1 __showhow_private= __showhow_spaced=

# Before a command runs. What the person keeps out of the history is not even remembered here.
__showhow_preexec() {
  __showhow_t=$EPOCHREALTIME __showhow_line=$1
  if [[ -z $1 || -n $__showhow_private$__showhow_spaced${HISTORY_IGNORE-} || -o hist_ignore_space && $1 == [[:space:]]* || -o hist_no_store || -o hist_no_functions ]]; then
    __showhow_keep "$1"
  fi
  # Did the prompt that was shown still have the mark?
  if [[ -n $__showhow_tailed && -n $__showhow_m && ${PROMPT-} != *"$__showhow_m"* ]]; then __showhow_over=1; fi
}

# Does the history keep the line $1, by every rule that zsh has?
__showhow_keep() {
  local w pattern=${HISTORY_IGNORE-} no_store= no_functions= ignore_space=
  [[ -o hist_no_store ]] && no_store=1
  [[ -o hist_no_functions ]] && no_functions=1
  [[ -o hist_ignore_space ]] && ignore_space=1
  \builtin emulate -L zsh
  w=${${(z)1}[1]-}
  __showhow_hold=
  if [[ -z $1 ]]; then
    __showhow_hold=history_off
  elif [[ -n $__showhow_private ]]; then # a zshaddhistory function said no
    __showhow_hold=shell_private
  elif [[ -n $pattern && $1 == ${~pattern} ]]; then
    __showhow_hold=shell_private
  elif [[ -n $no_store && ( $w == history || $w == fc || $w == r ) ]]; then
    __showhow_hold=shell_private
  elif [[ -n $no_functions && ( $1 == *'()'* || $w == function ) ]]; then
    __showhow_hold=shell_private
  elif [[ -n $ignore_space && $1 == [[:space:]]* ]]; then
    __showhow_hold=shell_private
  elif [[ -n $ignore_space && -n $__showhow_spaced ]]; then # an alias that begins with a space makes its line private
    for w in ${(z)1}; do
      if [[ ${aliases[$w]-} == ' '* ]]; then __showhow_hold=shell_private; fi
    done
  fi
  __showhow_private=
  if [[ -n $__showhow_hold ]]; then __showhow_line=; fi
}

# The long condition is the ordinary case in one test, because every command costs microseconds; all else goes the long way.
# Whatever options the person has set hold here, hence the quotes. A character has at most four bytes.
__showhow_precmd() {
  __showhow_st=$? __showhow_t1=$EPOCHREALTIME
  if [[ -n $__showhow_fd ]]; then
    if [[ -n $__showhow_t && -n $__showhow_line && -z $__showhow_lost$__showhow_todo$__showhow_over && $PWD == "$__showhow_w" && ${#__showhow_line} -lt 800 &&
      ${PROMPT-} == *"$__showhow_m"* && ${zshaddhistory_functions-} == "$__showhow_filter" && -e $__showhow_here && -e $__showhow_proc ]] && (( ! ${+functions[zshaddhistory]} )); then
      \builtin syswrite -o "$__showhow_fd" -- $'\1\37'"$__showhow_line$__showhow_run$__showhow_t"$'\37'"$__showhow_t1"$'\37'"$__showhow_st$__showhow_cwcw" || __showhow_lost=1
    else
      __showhow_watched
    fi
  else
    if [[ -n $__showhow_here$__showhow_todo || -p $__showhow_fifo || -n $__showhow_was && ( ${PROMPT-} == *"[watched] "* || ${PROMPT-} == *"[paused] "* ) ]]; then
      __showhow_watched
    fi
    __showhow_w=$PWD
  fi
  __showhow_t= __showhow_line=
}

# After whoever sets the prompt, while somebody sets it at every prompt.
__showhow_mark() {
  __showhow_tailed=1
  if [[ -n $__showhow_m && ${PROMPT-} != *"$__showhow_m"* ]]; then
    __showhow_tail=1
    PROMPT="$__showhow_m${PROMPT-}"
  elif [[ -n $__showhow_tail ]] && (( ++__showhow_tail > 3 )); then
    __showhow_tail= __showhow_tailed=
    __showhow_hook
  fi
}

# The long way: leave the pipe when it is gone or nobody reads it, join it, report the command, look after the mark.
__showhow_watched() {
  \builtin emulate -L zsh
  \builtin setopt no_multibyte no_local_traps # a length is in bytes; TRAPWINCH stays
  if [[ -n $__showhow_here ]]; then
    [[ -e $__showhow_here ]] && __showhow_reader || __showhow_leave
  fi
  if [[ -z $__showhow_here && -p $__showhow_fifo ]]; then __showhow_join; fi
  if [[ -n $__showhow_fd ]]; then
    if [[ -n $__showhow_t ]]; then __showhow_report; fi
    local w=${PWD//[[:cntrl:]]/?}
    __showhow_w=$PWD __showhow_cwcw=$'\37\37'$w$'\37'$w$'\n'
    __showhow_catch
    __showhow_spaced=${(M)aliases:# *}
  fi
  if [[ -n $__showhow_todo ]]; then
    __showhow_todo=
    __showhow_hook
  fi
  __showhow_show
}

__showhow_report() {
  local s=$'\37' r to=${PWD//[[:cntrl:]]/?}
  if [[ -n $__showhow_line ]]; then
    __showhow_hold=
    if (( ${#__showhow_line} > 3500 )); then __showhow_hold=too_long; fi
  fi
  if [[ -n $__showhow_hold ]]; then
    r=$'\2hold\37zsh'$s$$$s$s${__showhow_lost:-0}$s$__showhow_hold$s$to$'\n'
  else
    r=$'\1\37'$__showhow_line$'\n\2run\37zsh'$s$$$s$s${__showhow_lost:-0}$s${s}0$s$__showhow_t$s$__showhow_t1$s$__showhow_st$s$s${__showhow_w//[[:cntrl:]]/?}$s$to$'\n'
  fi
  if \builtin syswrite -o $__showhow_fd -- $r; then __showhow_lost=; else (( ++__showhow_lost )); fi
}

# Does the process that reads the pipe still exist?
__showhow_reader() { [[ -e $__showhow_proc ]] || \builtin kill -0 ${__showhow_proc:t} 2>/dev/null; }

# Keeps the mark true, says once what it means, and tells the pipe that it is shown. A prompt framework that paints over it
# gets it as a line above its prompt.
__showhow_show() {
  local m=
  case $__showhow_state in (on) m='[watched] ' ;; (paused) m='[paused] ' ;; esac
  if [[ $m != "$__showhow_m" ]]; then
    if [[ -z $m ]]; then
      __showhow_told=
    elif [[ -z $__showhow_told ]]; then
      __showhow_told=1
      \builtin print -ru2 -- @LINE@
    fi
    __showhow_m=$m
  fi
  if [[ ${PROMPT-} != *"$m"* || -z $m || ${PROMPT-} == *"[watched] "*"[paused] "* || ${PROMPT-} == *"[paused] "*"[watched] "* ]]; then
    PROMPT=${${${PROMPT-}//"[watched] "/}//"[paused] "/}
    PROMPT=$m${PROMPT-}
  fi
  if [[ -n $m && -n $__showhow_over ]]; then \builtin print -r -- "$m"; fi
  if [[ -n $__showhow_fd && -z $__showhow_marked ]]; then
    \builtin syswrite -o "$__showhow_fd" -- $'\2mark\37zsh\37'"$$"$'\37'"${PWD//[[:cntrl:]]/?}"$'\n' && __showhow_marked=1
  fi
}

# Joins what a session does with this terminal: the file beside the pipe says who reads it ("PID NONCE on ...", or "paused",
# when there is nothing to open). Both must be ours, and somebody must be there to read.
__showhow_join() {
  local pid= nonce= state= rest IFS=$' \t\n'
  [[ -O $__showhow_dir && -O $__showhow_fifo && -f $__showhow_dir/$__showhow_tty.who ]] || return 0
  { \builtin read -r pid nonce state rest <$__showhow_dir/$__showhow_tty.who; } 2>/dev/null
  [[ -n $nonce && $nonce != $__showhow_bad && -e $__showhow_dir/$__showhow_tty.$nonce ]] || return 0
  __showhow_proc=/proc/$pid
  __showhow_reader || return 0
  if [[ $state == on ]]; then
    if ! \builtin sysopen -rw -o nonblock,cloexec -u __showhow_new $__showhow_fifo 2>/dev/null; then
      __showhow_bad=$nonce
      return 0
    fi
    __showhow_fd=$__showhow_new __showhow_lost=
  fi
  __showhow_state=$state __showhow_here=$__showhow_dir/$__showhow_tty.$nonce __showhow_todo=1 __showhow_was=1 __showhow_tail=1
  (( ! $+functions[p10k] )) || __showhow_over=1 # known to paint last
  __showhow_hear
}

# The daemon says with the signal for a resized window that capture has changed: then the prompt that waits is drawn anew.
__showhow_hear() {
  if (( ${+functions[TRAPWINCH]} )); then
    [[ ${functions[TRAPWINCH]} != *__showhow_here* ]] || return 0
    functions[__showhow_winch]=$functions[TRAPWINCH]
  fi
  TRAPWINCH() {
    local __showhow_r=0
    if (( ${+functions[__showhow_winch]} )); then
      __showhow_winch "$@"
      __showhow_r=$?
    fi
    if [[ -n $__showhow_here && ! -e $__showhow_here ]] && zle; then
      __showhow_watched
      zle .reset-prompt
    fi
    return $__showhow_r
  }
}

__showhow_leave() {
  if [[ -n $__showhow_fd ]]; then \builtin eval '\exec {__showhow_fd}>&-'; fi # read now, whatever braces meant at first
  __showhow_fd= __showhow_here= __showhow_state= __showhow_marked= __showhow_tail= __showhow_tailed= __showhow_over= __showhow_todo=1
  __showhow_release
}

# A zshaddhistory function may keep a line out of the history, and zsh tells nobody: while captured, they are asked through us.
__showhow_catch() {
  local -a f
  f=(${zshaddhistory_functions:#__showhow_addhistory})
  if (( $+functions[zshaddhistory] )); then
    functions[__showhow_zshaddhistory]=$functions[zshaddhistory]
    unfunction zshaddhistory
    __showhow_main=1
    __showhow_filters=(__showhow_zshaddhistory ${__showhow_filters:#__showhow_zshaddhistory})
  fi
  __showhow_filters+=($f)
  if (( $#__showhow_filters )); then
    typeset -ga zshaddhistory_functions
    zshaddhistory_functions=(__showhow_addhistory) __showhow_filter=__showhow_addhistory
  fi
}

__showhow_release() {
  if [[ -n $__showhow_filter ]]; then
    zshaddhistory_functions=(${__showhow_filters:#__showhow_zshaddhistory} ${zshaddhistory_functions:#__showhow_addhistory})
    if (( __showhow_main )); then
      (( $+functions[zshaddhistory] )) || functions[zshaddhistory]=$functions[__showhow_zshaddhistory]
      unfunction __showhow_zshaddhistory
    fi
    __showhow_filter= __showhow_filters=() __showhow_main=0
  fi
}

# Asks the person's own functions, as zsh does: all of them, and the first that does not agree decides.
__showhow_addhistory() {
  local __showhow_f
  local -i __showhow_r=0 __showhow_one
  for __showhow_f in "${__showhow_filters[@]}"; do
    (( $+functions[$__showhow_f] )) || continue
    "$__showhow_f" "$@"
    __showhow_one=$?
    if (( ! __showhow_r )); then __showhow_r=$__showhow_one; fi
  done
  if (( __showhow_r )); then __showhow_private=1; fi
  return $__showhow_r
}

__showhow_hook() {
  \builtin emulate -L zsh
  typeset -ga precmd_functions preexec_functions
  local -a tail
  if [[ -n $__showhow_tail ]]; then tail=(__showhow_mark); fi
  preexec_functions=(${preexec_functions:#__showhow_preexec} __showhow_preexec)
  precmd_functions=(__showhow_precmd ${${precmd_functions:#__showhow_precmd}:#__showhow_mark} $tail)
}

if [[ -n $__showhow_tty && $__showhow_tty != *[!a-z0-9-]* ]]; then
  __showhow_hook
  if [[ -d $__showhow_dir && -O $__showhow_dir ]]; then
    { \builtin print zsh >|$__showhow_dir/$__showhow_tty.$$.shell; } 2>/dev/null
  fi
fi

fi
