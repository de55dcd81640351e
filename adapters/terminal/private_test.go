//go:build unix

package terminal

import (
	"strings"
	"testing"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// What the shell keeps out of its history is withheld (decisions B7). One table per shell: lines typed, lines
// captured.
func TestPrivateLines(t *testing.T) {
	t.Parallel()
	const canary = "canary-8c41"
	type row struct {
		name, shell, rc string
		typed           []string
		want            []string
		private, off    int64
	}
	rows := []row{
		{name: "ignoreboth", rc: "HISTCONTROL=ignoreboth",
			typed: []string{"echo one", " echo " + canary, "echo one", "echo two | cat", "echo two | cat", " cat /dev/null", "echo  3  >f  2>&1",
				"echo  3  >f  2>&1", " ech"},
			want:    []string{"echo one", "echo one", "echo two | cat", "echo two | cat", "echo  3  >f  2>&1", "echo  3  >f  2>&1"},
			private: 3},
		{name: "a list is not told from a private line", rc: "HISTCONTROL=ignoreboth",
			typed: []string{"true && echo b", "true && echo b", " echo b"}, want: []string{"true && echo b"}, private: 2},
		{name: "ignorespace", rc: "HISTCONTROL=ignorespace",
			typed: []string{"echo one", "echo one", " echo " + canary}, want: []string{"echo one", "echo one"}, private: 1},
		{name: "ignoredups", rc: "HISTCONTROL=ignoredups",
			typed: []string{"echo one", "echo one", " echo space"}, want: []string{"echo one", "echo one", " echo space"}},
		{name: "histignore", rc: "HISTIGNORE='*canary*:ls'",
			typed: []string{"echo one", "echo " + canary, "ls /", "echo two"}, want: []string{"echo one", "ls /", "echo two"}, private: 1},
		{name: "history deleted", rc: "HISTCONTROL=ignoreboth",
			typed: []string{"echo one", "true " + canary + "; history -d -1"}, want: []string{"echo one"}, private: 1},
		{name: "history off", rc: "",
			typed: []string{"echo one", "set +o history", "echo " + canary, "set -o history", "echo two"},
			want:  []string{"echo one", "set +o history", "echo two"}, off: 2},
		{name: "no history at all", rc: "HISTSIZE=0", typed: []string{"echo " + canary}, off: 1},
		{name: "times in the history", rc: "HISTTIMEFORMAT='%F %T '", typed: []string{"echo one", "echo two"},
			want: []string{"echo one", "echo two"}},
		{name: "one entry per line", rc: "shopt -u cmdhist", typed: []string{"for i in 1 2\ndo\necho $i\ndone"},
			want: []string{"for i in 1 2\ndo\necho $i\ndone"}},
		{name: "history shared between shells", rc: `HISTFILE=$HOME/hist; PROMPT_COMMAND='history -a; history -c; history -r'`,
			typed: []string{"echo one", "echo two", "echo two"}, want: []string{"echo one", "echo two", "echo two"}},
		{name: "a full history", rc: "HISTSIZE=2", typed: []string{"echo 1", "echo 2", "echo 3", "echo 4"},
			want: []string{"echo 1", "echo 2", "echo 3", "echo 4"}},

		{name: "zsh", shell: "zsh", rc: "setopt hist_ignore_space hist_ignore_dups",
			typed: []string{"echo one", " echo " + canary, "echo one", "echo one", "true && true", "true && true"},
			want:  []string{"echo one", "echo one", "echo one", "true && true", "true && true"}, private: 1},
		{name: "zsh keeps spaces", shell: "zsh", rc: "", typed: []string{" echo one"}, want: []string{" echo one"}},
		{name: "a list is a repeat where nothing else is kept out", rc: "HISTCONTROL=ignoredups",
			typed: []string{"true && echo b", "true && echo b", "history -d -1; true", "true && echo b"},
			want:  []string{"true && echo b", "true && echo b", "true && echo b"}, private: 1},
		{name: "duplicates erased", rc: "HISTCONTROL=erasedups",
			typed: []string{"echo one", "echo two", "echo one", "echo one"}, want: []string{"echo one", "echo two", "echo one", "echo one"}},
		{name: "both named apart", rc: "HISTCONTROL=ignorespace:ignoredups",
			typed: []string{"echo one", "echo one", " echo " + canary, "echo one"}, want: []string{"echo one", "echo one", "echo one"}, private: 1},
		{name: "a rule that comes later", rc: "",
			typed: []string{"echo one", "HISTCONTROL=ignoreboth", " echo " + canary, "echo two", "echo two", "echo two"},
			want:  []string{"echo one", "HISTCONTROL=ignoreboth", "echo two", "echo two", "echo two"}, private: 1},
		{name: "run again with fc", rc: "HISTCONTROL=ignoreboth",
			typed: []string{"echo one", "fc -s one=two", "fc -l", "echo three"}, want: []string{"echo one", "echo two", "fc -l", "echo three"}},
		{name: "history expansion", rc: "",
			typed: []string{"echo one", "!!", "^one^two"}, want: []string{"echo one", "echo one", "echo two"}},
		{name: "a history file", rc: "HISTFILE=$HOME/h; shopt -s histappend; PROMPT_COMMAND='history -a'",
			typed: []string{"echo one", "echo two"}, want: []string{"echo one", "echo two"}},

		{name: "fish", shell: "fish", typed: []string{"echo one", " echo " + canary, "echo one", "echo one; and true"},
			want: []string{"echo one", "echo one", "echo one; and true"}, private: 1},
		{name: "fish in private", shell: "fish", rc: "set -g fish_private_mode 1", typed: []string{"echo " + canary, "true"}, off: 2},
		{name: "fish without a history", shell: "fish", rc: "",
			typed: []string{"echo one", "set -g fish_history ''", "echo " + canary, "set -e fish_history", "echo two"},
			want:  []string{"echo one", "set -e fish_history", "echo two"}, off: 2},
		{name: "fish that asks", shell: "fish", rc: "function fish_should_add_to_history\nnot string match -q '*canary*' -- $argv\nend",
			typed: []string{"echo one", "echo " + canary, "echo two"}, want: []string{"echo one", "echo two"}, private: 1},

		{name: "zsh asks a function", shell: "zsh", rc: "zshaddhistory() { [[ $1 != *canary* ]] }",
			typed: []string{"echo one", "echo " + canary, "echo two"}, want: []string{"echo one", "echo two"}, private: 1},
		{name: "zsh asks several functions", shell: "zsh",
			rc:    "a() { return 0 }; b() { [[ $1 != *canary* ]] || return 2 }; zshaddhistory_functions=(a b)",
			typed: []string{"echo one", "echo " + canary, "echo two"}, want: []string{"echo one", "echo two"}, private: 1},
		{name: "zsh asks a function that comes later", shell: "zsh", rc: "",
			typed: []string{"echo one", "zshaddhistory() { [[ $1 != *canary* ]] }", "echo " + canary, "echo two"},
			want:  []string{"echo one", "zshaddhistory() { [[ $1 != *canary* ]] }", "echo two"}, private: 1},
		{name: "zsh function that keeps histories apart", shell: "zsh", rc: "zshaddhistory() { print -sr -- ${1%%$'\\n'}; fc -p $HOME/local }",
			typed: []string{"echo one", "echo two"}, want: []string{"echo one", "echo two"}},
		{name: "zsh leaves out", shell: "zsh", rc: "setopt hist_no_store hist_no_functions hist_ignore_space; alias hush=' true'",
			typed: []string{"echo one", "fc -l", "f() { : " + canary + " }", "hush " + canary, "echo two"}, want: []string{"echo one", "echo two"},
			private: 3},
		{name: "zsh runs again", shell: "zsh", rc: "setopt bang_hist",
			typed: []string{"echo one", "!!", "r one=two"}, want: []string{"echo one", "echo one", "r one=two"}},
		{name: "zsh HISTORY_IGNORE", shell: "zsh", rc: "HISTORY_IGNORE='(*canary*|ls)'",
			typed: []string{"echo " + canary, "ls", "echo two"}, want: []string{"echo two"}, private: 2},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			dir := newRuntime(t)
			tm := newTerm(t, dir, termOpts{shell: r.shell, before: r.rc})
			o := observe(t, dir, tm.tty)
			for _, line := range r.typed {
				tm.run(line)
			}
			o.expect(r.want...)
			until(t, "the withheld lines", func() bool {
				return o.Withheld(capture.ShellPrivate) >= r.private && o.Withheld(capture.HistoryOff) >= r.off
			})
			o.stop() // reads what there is
			o.expect(r.want...)
			if got := o.Withheld(capture.ShellPrivate); got != r.private {
				t.Errorf("%d withheld as private, want %d", got, r.private)
			}
			if got := o.Withheld(capture.HistoryOff); got != r.off {
				t.Errorf("%d withheld as history off, want %d", got, r.off)
			}
			if strings.Contains(adaptertest.Everything(o.Seen()), canary) {
				t.Error("a private line was described")
			}
		})
	}
}

func TestBashPreexecKeepsIgnoredLinesInTheHistory(t *testing.T) {
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{before: "bash_preexec_imported=defined; HISTCONTROL=ignoredups"})
	o := observe(t, dir, tm.tty)
	tm.run(" echo secret")
	tm.run("echo one")
	o.expect("echo one")
	if n := o.Withheld(capture.ShellPrivate); n != 1 {
		t.Errorf("%d withheld", n)
	}
}

// The person's functions are restored when capture ends.
func TestHistoryFunctionsAreGivenBack(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{shell: "zsh", before: "zshaddhistory() { : mine }; a() { : }; zshaddhistory_functions=(a)"})
	o := observe(t, dir, tm.tty)
	tm.run("echo one")
	tm.run("echo two")
	o.stop()
	tm.run("true")
	if got := tm.ask("$zshaddhistory_functions. $functions[zshaddhistory] ${+functions[__showhow_zshaddhistory]}"); !strings.HasPrefix(got,
		"a. ") || !strings.Contains(got, ": mine") || !strings.HasSuffix(got, " 0") {
		t.Errorf("%q", got)
	}
}
