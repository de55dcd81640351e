package terminal

import (
	_ "embed"
	"path/filepath"
	"strings"

	"showhow/internal/fault"
)

//go:embed hook.bash
var bashHook string

//go:embed hook.zsh
var zshHook string

//go:embed hook.fish
var fishHook string

// Options of the script.
type Options struct {
	Exe        string // absolute path of showhow; the hook calls `EXE shell-init --nonblock FD` when a bash joins
	RuntimeDir string // paths.RuntimeDir of the shell's environment
}

// Shells are the shells that have a hook.
var Shells = []string{"bash", "zsh", "fish"}

// Script is the output of `showhow shell-init SHELL`, to be evaluated by the shell's start-up file. The script prints
// nothing itself and may be evaluated again at any time.
func Script(shell string, o Options) (string, error) {
	if !filepath.IsAbs(o.Exe) || !filepath.IsAbs(o.RuntimeDir) {
		return "", fault.New(fault.Internal, "the shell hook needs absolute paths")
	}
	hook, quote := "", quotePOSIX
	switch shell {
	case "bash":
		hook = bashHook
	case "zsh":
		hook = zshHook
	case "fish":
		hook, quote = fishHook, quoteFish
	default:
		return "", fault.New(fault.Usage, "no such shell").WithHint("use bash, zsh or fish")
	}
	return strings.NewReplacer("@EXE@", quote(o.Exe), "@DIR@", quote(dirIn(o.RuntimeDir)), "@LINE@", quote(watchedLine)).Replace(hook), nil
}

// watchedLine is printed once when a shell joins, above the first prompt with the mark.
const watchedLine = "showhow: this terminal is watched while its prompt is marked (interrupt: showhow learn pause, end: showhow learn stop)"

// quotePOSIX quotes s as one word for bash and zsh.
func quotePOSIX(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quoteFish quotes s as one word for fish, where a backslash is special within quotes too.
func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

// Line is the line for the shell's start-up file; "" for a shell without a hook.
func Line(shell string) string {
	switch shell {
	case "bash", "zsh":
		return `eval "$(showhow shell-init ` + shell + `)"`
	case "fish":
		return "showhow shell-init fish | source"
	}
	return ""
}
