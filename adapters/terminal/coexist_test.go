//go:build unix

package terminal

import (
	"regexp"
	"strings"
	"testing"
)

// setups are start-up files of people who customise their shell. Each must keep working, show each command's own
// status where it did before, and have all its commands captured, once each.
var setups = []struct {
	name, shell, before, after string
	shows                      string // in the prompt or above it, after a command that ended with 3
}{
	{name: "prompt command before", before: `PROMPT_COMMAND='echo "st=$?"'`, shows: "st=3"},
	{name: "prompt command after", after: `PROMPT_COMMAND="${PROMPT_COMMAND:+$PROMPT_COMMAND;}"'echo "st=$?"'`, shows: "st=3"},
	{name: "prompt command put first", after: `PROMPT_COMMAND='echo "st=$?"'"${PROMPT_COMMAND:+;$PROMPT_COMMAND}"`, shows: "st=3"},
	{name: "prompt command array", before: `PROMPT_COMMAND=(true 'echo "st=$?.${PIPESTATUS[*]}"')`, shows: "st=3.0 3"},
	{name: "array appended", after: `PROMPT_COMMAND+=('echo "st=$?.${PIPESTATUS[*]}"')`, shows: "st=3.0 3"},
	{name: "PS0 before", before: `PS0='ps0:\t '`, shows: "ps0:"},
	{name: "PS0 after", after: `PS0='ps0:\t '`, shows: "ps0:"},
	{name: "debug trap", before: `trap 'echo "dbg=$BASH_COMMAND"' DEBUG`, shows: "dbg=echo one two"},
	{name: "prompt generator before", before: generator, shows: "[3] P> "},
	{name: "prompt generator after", after: generator, shows: "[3] P> "},
	{name: "prompt generator that takes over", after: `old=("${PROMPT_COMMAND[@]}"); unset PROMPT_COMMAND; take() { local s=$? c; for c in ` +
		`"${old[@]}"; do (exit $s); eval "$c"; done; PS1="[$s] P> "; }; PROMPT_COMMAND=take`, shows: "[3] P> "},
	{name: "unset variables are errors", before: "set -u"},
	{name: "no globbing, no clobbering", before: "set -f -C; shopt -s nullglob failglob 2>/dev/null"},
	{name: "posix mode", before: "set -o posix"},
	{name: "prompts are not expanded", after: "shopt -u promptvars"},
	{name: "another IFS", before: "IFS=1te"},
	{name: "aliases",
		before: `alias history='echo wrong' printf='echo wrong' ` +
			`kill='echo wrong' read='echo wrong' exec='echo wrong' return='echo wrong' true=:`},
	{name: "functions",
		before: `history() { echo wrong; }; printf() { echo wrong; }; kill() { echo wrong; }; read() { echo wrong; }; set() { echo wrong; }`},
	{name: "virtual environment", after: `PS1="(env) $PS1"`, shows: "(env) P> "},
	{name: "evaluated again and again", after: `eval "$(cat "$HOME/hook")"; eval "$(cat "$HOME/hook")"`},
	{name: "preexec before", before: preexec, shows: "pre=true | (exit 3)"},
	{name: "preexec after", after: preexec, shows: "st=3"},
	{name: "a trap that arms itself, before", before: ". $DATA/neighbours.bash; armed; trap 'armed_take \"$_\"' DEBUG", shows: "[3] P> "},
	{name: "a trap that arms itself, after", after: ". $DATA/neighbours.bash; armed; trap 'armed_take \"$_\"' DEBUG", shows: "[3] P> "},
	{name: "a terminal that wraps the prompt", after: ". $DATA/neighbours.bash; wrapping; trap wrap_take DEBUG", shows: "[3] P> "},
	{name: "everything is exported", before: "set -a", after: "export PS1 PS0"},
	{name: "vi keys", before: "set -o vi; bind 'set show-mode-in-prompt on'", shows: "(ins)"},
	{name: "no line editing", after: "set +o emacs"},
	{name: "bytes that are not text", before: "LC_ALL=C"},
	{name: "errors end lists", before: "set -o pipefail; shopt -s inherit_errexit"},
	{name: "shell functions see traps", before: "set -T; set -E; trap : ERR; trap : RETURN"},
	{name: "comma as radix", after: "LC_ALL=de_DE.UTF-8 2>/dev/null"},

	{name: "zsh hooks", shell: "zsh", before: "autoload -Uz add-zsh-hook; mine() { print st=$?.$pipestatus }; add-zsh-hook precmd mine",
		shows: "st=3.0 3"},
	{name: "zsh hooks after", shell: "zsh", after: "autoload -Uz add-zsh-hook; mine() { print st=$?.$pipestatus }; add-zsh-hook precmd mine",
		shows: "st=3.0 3"},
	{name: "zsh precmd function", shell: "zsh", after: "precmd() { PROMPT=\"[$?] P> \" }", shows: "[3] P> "},
	{name: "zsh prompt generator", shell: "zsh", after: "gen() { PROMPT=\"[$?] P> \" }; precmd_functions+=(gen)", shows: "[3] P> "},
	{name: "zsh options", shell: "zsh",
		before: "setopt ksh_arrays sh_word_split no_unset warn_create_global no_clobber prompt_subst glob_subst"},
	{name: "zsh posix", shell: "zsh", before: "setopt posix_builtins posix_identifiers rc_expand_param"},
	{name: "zsh aliases", shell: "zsh",
		before: "alias kill='print wrong' syswrite='print wrong' exec='print wrong' emulate='print wrong' read='print wrong'"},
	{name: "zsh instant prompt", shell: "zsh", before: instant, shows: "[3] P> "},
	{name: "zsh null command, noexec globs", shell: "zsh",
		before: "setopt null_glob extended_glob glob_dots rc_quotes csh_junkie_quotes 2>/dev/null; NULLCMD=:"},
	{name: "zsh sh emulation", shell: "zsh", before: "emulate sh; PS1='P> '"},
	{name: "zsh braces are words", shell: "zsh", before: "setopt ignore_braces ignore_close_braces no_short_loops sh_glob posix_strings"},
	{name: "zsh everything is exported", shell: "zsh", before: "setopt all_export"},
	{name: "zsh errors return", shell: "zsh", before: "setopt err_return pipe_fail"},
	{name: "zsh bytes that are not text", shell: "zsh", before: "LC_ALL=C"},
	{name: "zsh evaluated again", shell: "zsh", after: `eval "$(cat "$HOME/hook")"; eval "$(cat "$HOME/hook")"`},

	{name: "fish", shell: "fish"},
	{name: "fish handlers", shell: "fish", before: "function mine --on-event fish_postexec\necho st=$status.$pipestatus\nend",
		shows: "st=3.3"},
	{name: "fish handlers after", shell: "fish", after: "function mine --on-event fish_postexec\necho st=$status.$pipestatus\nend",
		shows: "st=3.3"},
	{name: "fish prompt overridden", shell: "fish",
		after: "functions -e fish_mode_prompt; function fish_prompt\nset -l s $status\necho -n \"[$s] P> \"\nend", shows: "[3] P> "},
	{name: "fish mode prompt", shell: "fish", before: "function fish_mode_prompt\necho -n '(x) '\nend", shows: "(x) P> "},
	{name: "fish evaluated again", shell: "fish", after: "source $HOME/hook; source $HOME/hook"},
	{name: "fish functions", shell: "fish", before: "function test\necho wrong\nend\nfunction echo_\nend\nalias string='echo wrong'"},
}

// Start-up code that needs more than a line. $DATA is this package's testdata.
const (
	preexec = `. $DATA/preexec.bash; p1() { echo "pre=$1"; }; p2() { echo "st=$?"; }; preexec_functions+=(p1); precmd_functions+=(p2)`
	instant = `exec {saved_out}>&1 {saved_err}>&2 >$HOME/said 2>&1
theme_end() { exec >&$saved_out 2>&$saved_err {saved_out}>&- {saved_err}>&-; precmd_functions=(${precmd_functions:#theme_end}) }
theme() { PROMPT="[$?] P> " }
precmd_functions+=(theme_end theme)`
)

const generator = `gen_old=$PROMPT_COMMAND; gen() { local s=$?; [[ -n $gen_old && $gen_old != gen ]] && eval "$gen_old"; PS1="[$s] P>` +
	` "; }; PROMPT_COMMAND=gen`

// A framework that always draws the prompt last, as some do: the mark stands above its prompt instead.
func TestPaintedOver(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{shell: "zsh",
		after: "over() { PROMPT='P> '; precmd_functions=(${precmd_functions:#over} over) }; precmd_functions+=(over)"})
	o := observe(t, dir, tm.tty)
	tm.run("echo one")
	tm.run("echo two") // here it learns that it was painted over
	for _, l := range []string{"echo three", "echo four"} {
		if out := screen(tm.run(l)); !strings.Contains(out, "[watched] \nP> ") {
			t.Errorf("no mark in %q", out)
		}
	}
	o.stop()
	tm.run("echo five")
	if out := tm.run("echo six"); strings.Contains(out, "[watched]") {
		t.Errorf("still marked: %q", out)
	}
	o.expect("echo one", "echo two", "echo three", "echo four")
}

// linesOf returns the same four acts in each shell's syntax.
func linesOf(shell string) []string {
	if shell == "fish" {
		return []string{"echo one two", "sh -c 'exit 3'", "if true; echo x; end", "echo (math 40 + 2)"}
	}
	return lines
}

var lines = []string{"echo one two", "true | (exit 3)", "if true; then echo x; fi", "echo $((40 + 2))"}

func TestCoexists(t *testing.T) {
	t.Parallel()
	for _, s := range setups {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := newRuntime(t)
			tm := newTerm(t, dir, termOpts{shell: s.shell, before: s.before, after: s.after})
			bare := newTerm(t, dir, termOpts{shell: s.shell, before: s.before, after: s.after, bare: true})
			if strings.Contains(s.after, "hook") {
				write(t, bare.home+"/hook", "")
			}
			lines := linesOf(s.shell)
			show := func(tm *term) string {
				out := ""
				for _, l := range lines {
					out += tm.run(l)
				}
				tm.run("echo the end") // a prompt that is still being drawn belongs to the lines above
				return screen(out)
			}
			bare.run(lines[0]) // neighbours find each other at the first prompts
			tm.run(lines[0])
			want := show(bare)
			if got := show(tm); got != want {
				t.Errorf("with the hook, not captured, the terminal shows\n%s\nwithout it\n%s", got, want)
			}
			o := observe(t, dir, tm.tty)
			got := show(tm)
			if plain := strings.Replace(strings.ReplaceAll(got, "[watched] ", ""), watchedLine+"\n", "", 1); plain != want {
				t.Errorf("captured, the terminal shows\n%s\nwithout the hook\n%s", plain, want)
			}
			if n := strings.Count(got, "[watched] "); n < len(lines)-1 {
				t.Errorf("the mark is shown %d times in\n%s", n, got)
			}
			if !strings.Contains(got, s.shows) {
				t.Errorf("no %q in\n%s", s.shows, got)
			}
			o.expect(append(append([]string{}, lines...), "echo the end")...)
			o.stop()
			tm.run(lines[0]) // the prompt that was there is drawn anew where that can be
			if got := show(tm); got != want {
				t.Errorf("after the end, the terminal shows\n%s\nbefore\n%s", got, want)
			}
		})
	}
}

var (
	hooks   = regexp.MustCompile(`dbg=.*__showhow.*\r\n`) // a DEBUG trap sees whatever PROMPT_COMMAND holds
	control = regexp.MustCompile(`\x1b\][^\a]*\a|\x1b\[[0-9;?]*[a-zA-Z]|\r`)
	clock   = regexp.MustCompile(`\d\d:\d\d:\d\d`)
)

// screen is what a person would read: without control sequences and without what changes from run to run.
func screen(s string) string {
	s = hooks.ReplaceAllString(s, "")
	return clock.ReplaceAllString(control.ReplaceAllString(s, ""), "hh:mm:ss")
}

func TestScriptIsQuoted(t *testing.T) {
	for _, shell := range Shells {
		s, err := Script(shell, Options{Exe: "/opt/it's here/showhow", RuntimeDir: "/run/a b/showhow"})
		if err != nil || !strings.Contains(s, `'/run/a b/showhow/shell'`) {
			t.Errorf("%s: %v", shell, err)
		}
	}
	for _, shell := range []string{"tcsh", ""} {
		if _, err := Script(shell, Options{Exe: "/showhow", RuntimeDir: "/run"}); err == nil {
			t.Errorf("%q has a script", shell)
		}
	}
	if _, err := Script("bash", Options{Exe: "showhow", RuntimeDir: "/run"}); err == nil {
		t.Error("a relative path was accepted")
	}
	for tty, ok := range map[string]bool{"pts/3": true, "tty1": true, "ttys003": true, "pts/": false, "pts/3/../4": false,
		"../pts/3": false, "pts-3": false, "": false, "pts/12345678": false} {
		if ValidTTY(tty) != ok {
			t.Errorf("ValidTTY(%q) is %v", tty, !ok)
		}
	}
}
