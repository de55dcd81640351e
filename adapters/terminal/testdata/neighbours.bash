# Two ways in which prompts notice commands with a DEBUG trap.

# One that arms itself at the end of its prompt function and takes the next command for the person's.
armed() {
  armed_take() { if [[ $armed_on == 1 ]]; then armed_on=0; echo pre; fi; }
  armed_prompt() { local s=$?; PS1="[$s] P> "; armed_on=1; }
  trap 'armed_take "$_"' DEBUG
  PROMPT_COMMAND=armed_prompt
}

# One that runs what stood in PROMPT_COMMAND inside its own function, as an editor's terminal does.
wrapping() {
  wrapped=("${PROMPT_COMMAND[@]}")
  wrap_status() { return "$1"; }
  wrap_prompt() {
    local s=$? c
    for c in "${wrapped[@]}"; do wrap_status "$s"; eval "${c:-:}"; done
    PS1="[$s] P> "
    wrap_running=0
  }
  wrap_take() {
    if [[ $wrap_running == 0 ]]; then
      wrap_running=1
      [[ $BASH_COMMAND == wrap_prompt* ]] || echo "run=$BASH_COMMAND"
    fi
  }
  trap wrap_take DEBUG
  PROMPT_COMMAND=wrap_prompt
}
