# Showhow's shell hook (fish 3.4 or newer). Loaded by:  showhow shell-init fish | source
#
# While nothing is captured it looks at each prompt whether a pipe for this terminal exists. While this terminal is captured,
# the prompt says so and each finished command is appended to a file in memory: fish cannot write to a pipe without waiting.
# No process is started, not even at the beginning, and $status and $pipestatus stay as they are.
if status is-interactive; and builtin read -l __showhow_stat </proc/self/stat 2>/dev/null

set -g __showhow_dir @DIR@
set -g __showhow_u \x1f
set -g __showhow_a \x01\x1f
set -g __showhow_b \x02run\x1ffish\x1f$fish_pid\x1f\x1f0\x1f\x1f0\x1f
set -g __showhow_w $PWD
if test "$__showhow_pid" != $fish_pid # else it is evaluated again and goes on as it was
    for v in here state m spool marked lost
        set -g __showhow_$v
    end
end
set -g __showhow_pid $fish_pid

# The terminal's number is the seventh field; the second, in parentheses, may hold anything. See proc(5), makedev(3).
set -g __showhow_tty (string split ' ' -- (string replace -r '.*\) ' '' -- $__showhow_stat))[5]
if test "$__showhow_tty" -gt 0 2>/dev/null
    set -l major (math "floor($__showhow_tty / 256) % 4096")
    set -l minor (math "$__showhow_tty % 256 + floor($__showhow_tty / 1048576) * 256")
    if test $major -ge 136 -a $major -le 143
        set -g __showhow_tty pts-(math "($major - 136) * 256 + $minor")
    else if test $major -eq 4 -a $minor -lt 64
        set -g __showhow_tty tty$minor
    else
        set -g __showhow_tty ''
    end
else
    set -g __showhow_tty ''
end
set -g __showhow_fifo $__showhow_dir/$__showhow_tty.fifo

# After each command. The long condition is the ordinary case in one test, because every command of fish's own costs
# microseconds; all else goes the long way.
function __showhow_postexec --on-event fish_postexec
    set -l st $status
    if set -q __showhow_spool[1]
        if test $status_generation -lt $__showhow_max -a $PWD = $__showhow_w -a -e $__showhow_spool -a -e $__showhow_proc
            and not string match -qr -- $__showhow_private "$argv"
            echo "$__showhow_a$argv
$__showhow_b$CMD_DURATION$__showhow_u$__showhow_u$st$__showhow_u$__showhow_u$__showhow_cw$__showhow_u$__showhow_cw" >>$__showhow_spool
            or __showhow_lose
        else
            __showhow_watched $st "$argv"
        end
    else if test -p $__showhow_fifo
        __showhow_watched $st "$argv"
    else
        set -g __showhow_w $PWD
    end
end

# Before each prompt, while nothing is captured: then the mark itself looks.
function __showhow_idle
    function __showhow_prompt --on-event fish_prompt
        if test -p $__showhow_fifo
            __showhow_watched
        end
    end
end

# The long way: leave what is gone, join what is there, report the command, look after the mark. $argv is status and line.
function __showhow_watched
    __showhow_look
    if set -q __showhow_spool[1]
        if set -q argv[1]
            __showhow_report $argv
        end
        set -g __showhow_cw (string replace -ra '[[:cntrl:]]' '?' -- $PWD)
        __showhow_rules
    end
    set -g __showhow_w $PWD
    __showhow_show
end

# The file beside the pipe says who reads ("PID NONCE on SPOOL", or "paused", when there is nothing to write to). Both must
# be ours, and somebody must be there to read.
function __showhow_look
    if set -q __showhow_here[1]
        if test -e $__showhow_here -a -e $__showhow_proc
            return 0
        end
        if test -n "$__showhow_spool" -a ! -e $__showhow_proc -a -w "$__showhow_spool"
            echo -n >$__showhow_spool # nobody will read it any more
        end
        set -g __showhow_here
        set -g __showhow_state
        set -g __showhow_spool
        set -g __showhow_marked
    end
    test -p $__showhow_fifo -a -O $__showhow_dir -a -O $__showhow_fifo -a -f $__showhow_dir/$__showhow_tty.who; or return 0
    builtin read -l pid nonce state spool <$__showhow_dir/$__showhow_tty.who; or return 0
    test -n "$nonce" -a -e "$__showhow_dir/$__showhow_tty.$nonce" -a -e /proc/"$pid"; or return 0
    if test "$state" = on
        test -n "$spool" -a -O "$spool" -a -w "$spool"; or return 0 # there is no file in memory to write to
        set -g __showhow_spool $spool
    end
    set -g __showhow_state $state
    set -g __showhow_proc /proc/$pid
    set -g __showhow_here $__showhow_dir/$__showhow_tty.$nonce
    set -g __showhow_max (math $status_generation + 512)
    set -g __showhow_grace
    set -g __showhow_lost
end

# What the history withholds, we withhold: __showhow_private matches such lines, __showhow_hold says why.
function __showhow_rules --on-variable fish_private_mode --on-variable fish_history
    set -g __showhow_private '^\s'
    set -g __showhow_hold shell_private
    if set -q fish_private_mode; and test -n "$fish_private_mode"
        set -g __showhow_private ''
        set -g __showhow_hold history_off
    else if set -q fish_history; and test -z "$fish_history"
        set -g __showhow_private ''
        set -g __showhow_hold history_off
    else if functions -q fish_should_add_to_history
        set -g __showhow_private ''
    end
end

function __showhow_report -a st line
    if test $status_generation -ge $__showhow_max # does the reader still empty the file?
        if not test -s $__showhow_spool
            set -g __showhow_max (math $status_generation + 512)
            set -g __showhow_grace
        else if set -q __showhow_grace[512]
            __showhow_lose
            return 0
        else
            set -ga __showhow_grace 1
        end
    end
    set -l to (string replace -ra '[[:cntrl:]]' '?' -- $PWD)
    set -l hold
    if string match -qr -- $__showhow_private $line
        set hold $__showhow_hold
        if test $hold = shell_private; and functions -q fish_should_add_to_history; and not string match -qr '^\s' -- $line
            fish_should_add_to_history $line >/dev/null
            and set hold
        end
    end
    if test -n "$hold"
        builtin printf '\002hold\037fish\037%s\037\037%s\037%s\037%s\n' $fish_pid (count $__showhow_lost) $hold $to >>$__showhow_spool
    else
        builtin printf '\001\037%s\n\002run\037fish\037%s\037\037%s\037\0370\037%s\037\037%s\037\037%s\037%s\n' $line \
            $fish_pid (count $__showhow_lost) $CMD_DURATION $st (string replace -ra '[[:cntrl:]]' '?' -- $__showhow_w) $to >>$__showhow_spool
    end
    if test $status != 0
        __showhow_lose
    else if set -q __showhow_lost[1]
        set -g __showhow_lost
        set -g __showhow_max (math $status_generation + 512)
    end
end

# A record was refused: the next one goes the long way and says so.
function __showhow_lose
    set -ga __showhow_lost 1
    set -g __showhow_max 0
end

# Keeps the mark true, says once what it means, and tells the daemon that it is shown. It stands where fish shows the mode
# of its key bindings, before any prompt, whoever sets it and whenever; what the person shows there stays behind it.
function __showhow_show
    set -l m ''
    switch "$__showhow_state"
        case on
            set m '[watched] '
        case paused
            set m '[paused] '
    end
    if test -n "$m" -a -z "$__showhow_m"
        echo @LINE@ >&2
        functions -e __showhow_prompt __showhow_mode
        functions -q fish_mode_prompt
        and functions -c fish_mode_prompt __showhow_mode
        or function __showhow_mode
        end
        function fish_mode_prompt
            if not test -e $__showhow_here
                __showhow_watched
            end
            echo -n $__showhow_m
            __showhow_mode
        end
    else if test -z "$m" -a -n "$__showhow_m"
        __showhow_idle
        functions -e fish_mode_prompt
        functions -c __showhow_mode fish_mode_prompt
    end
    set -g __showhow_m $m
    if test -n "$__showhow_spool" -a -z "$__showhow_marked"
        builtin printf '\002mark\037fish\037%s\037%s\n' $fish_pid (string replace -ra '[[:cntrl:]]' '?' -- $PWD) >>$__showhow_spool
        and set -g __showhow_marked 1
    end
end

__showhow_idle
__showhow_rules

if test -n "$__showhow_tty"
    if test -d $__showhow_dir -a -O $__showhow_dir
        echo fish >$__showhow_dir/$__showhow_tty.$fish_pid.shell
    end
else
    functions -e __showhow_postexec __showhow_prompt
end

end
