# Showhow's shell hook (zsh 5.3 or newer). Loaded by:  eval "$(showhow shell-init zsh)"
#
# While nothing is captured it looks once per prompt whether a pipe for this terminal exists. While this terminal is
# captured, the prompt says so and each finished command goes into that pipe. Nothing here can wait: the pipe refuses
# what does not fit. Nothing is printed, no process is started, and $? stays as it is.
if [[ -o interactive && -n ${TTY-} ]] && zmodload zsh/system zsh/datetime 2>/dev/null; then

typeset -g __showhow_dir=@DIR@
typeset -g __showhow_tty=${${TTY#/dev/}//\//-}
typeset -g __showhow_fifo=$__showhow_dir/$__showhow_tty.fifo
typeset -g __showhow_m='[watched] '
typeset -g __showhow_fd=${__showhow_fd-} __showhow_who=${__showhow_who-} __showhow_bad=${__showhow_bad-} __showhow_shown=${__showhow_shown-}
typeset -g __showhow_t= __showhow_w= __showhow_line= __showhow_hold= __showhow_new=
typeset -gi __showhow_seq=${__showhow_seq:-0} __showhow_lost=${__showhow_lost:-0}

# Before a command runs. What the person keeps out of the history is not even remembered here.
__showhow_preexec() {
  __showhow_t=$EPOCHREALTIME __showhow_w=$PWD __showhow_hold=
  if [[ -z $1 ]]; then
    __showhow_hold=history_off
  elif [[ -o hist_ignore_space && $1 == [[:space:]]* ]]; then
    __showhow_hold=shell_private
  elif [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ]]; then
    __showhow_hold=shell_private
  fi
  if [[ -n $__showhow_hold ]]; then __showhow_line=; else __showhow_line=$1; fi
}

__showhow_precmd() {
  local st=$? t1=$EPOCHREALTIME
  emulate -L zsh
  setopt no_multibyte # a length is in bytes
  if [[ -n $__showhow_fd ]]; then
    if [[ ! /dev/fd/$__showhow_fd -ef $__showhow_fifo ]] || ! kill -0 ${__showhow_who%% *} 2>&$__showhow_fd; then
      __showhow_leave
    fi
  fi
  if [[ -z $__showhow_fd && -p $__showhow_fifo ]]; then __showhow_join; fi
  if [[ -n $__showhow_fd && -n $__showhow_t ]]; then
    (( ++__showhow_seq ))
    local s=$'\37' r
    if [[ -z $__showhow_hold && ${#__showhow_line} -gt 3500 ]]; then __showhow_hold=too_long; fi
    if [[ -n $__showhow_hold ]]; then
      r=$'\2hold\37zsh'$s$$$s$__showhow_seq$s$__showhow_lost$s$__showhow_hold$s${PWD//[[:cntrl:]]/?}$'\n'
    else
      r=$'\2run\37zsh'$s$$$s$__showhow_seq$s$__showhow_lost$s$__showhow_t$s$t1$s$st$s${s}0$s${__showhow_w//[[:cntrl:]]/?}$s${PWD//[[:cntrl:]]/?}$'\n'$__showhow_line$'\n\3'$$$s$__showhow_seq$'\n'
    fi
    if syswrite -o $__showhow_fd -- $r 2>/dev/null; then __showhow_lost=0; else (( ++__showhow_lost )); fi
  fi
  __showhow_t= __showhow_line= __showhow_hold=
  return st
}

# After whoever sets the prompt: keeps the mark where the person sees it, and only while it is true.
__showhow_mark() {
  emulate -L zsh
  if [[ -n $__showhow_fd ]]; then
    [[ ${PROMPT-} == *"$__showhow_m"* ]] || PROMPT=$__showhow_m${PROMPT-}
    if [[ -z $__showhow_shown ]]; then
      syswrite -o $__showhow_fd -- $'\2mark\37zsh\37'$$$'\37'${PWD//[[:cntrl:]]/?}$'\n' 2>/dev/null && __showhow_shown=1
    fi
  elif [[ ${PROMPT-} == *"$__showhow_m"* ]]; then
    PROMPT=${PROMPT//"$__showhow_m"/}
  fi
}

# Opens the pipe of this terminal once a session names it. It must be ours, and somebody must be there to read it.
__showhow_join() {
  local who=
  [[ -O $__showhow_dir && -O $__showhow_fifo && -f $__showhow_dir/$__showhow_tty.who ]] || return 0
  { IFS= read -r who <$__showhow_dir/$__showhow_tty.who } 2>/dev/null
  [[ -n $who && $who != $__showhow_bad ]] && kill -0 ${who%% *} 2>/dev/null || return 0
  if ! sysopen -rw -o nonblock,cloexec -u __showhow_new $__showhow_fifo 2>/dev/null; then
    __showhow_bad=$who
    return 0
  fi
  __showhow_fd=$__showhow_new __showhow_who=$who __showhow_shown= __showhow_lost=0
  __showhow_hook # the mark goes last, so that no other prompt function paints over it
}

__showhow_leave() {
  exec {__showhow_fd}>&-
  __showhow_fd= __showhow_who= __showhow_shown=
}

__showhow_hook() {
  typeset -ga precmd_functions preexec_functions
  preexec_functions=(${preexec_functions:#__showhow_preexec} __showhow_preexec)
  precmd_functions=(__showhow_precmd ${${precmd_functions:#__showhow_precmd}:#__showhow_mark} __showhow_mark)
}

if [[ -n $__showhow_tty && $__showhow_tty != *[^a-z0-9-]* ]]; then
  __showhow_hook
  if [[ -d $__showhow_dir && -O $__showhow_dir ]]; then
    { print zsh >|$__showhow_dir/$__showhow_tty.$$.shell } 2>/dev/null
  fi
fi

fi
