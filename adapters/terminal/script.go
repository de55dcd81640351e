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

// Options of the script.
type Options struct {
	Exe        string // absolute path of showhow; the hook calls `EXE shell-init --nonblock FD` when a shell joins
	RuntimeDir string // paths.RuntimeDir of the shell's environment
}

// Shells that have a hook.
var Shells = []string{"bash", "zsh"}

// Script is what `showhow shell-init SHELL` prints, to be evaluated by the shell's start-up file. It prints nothing itself
// and may be evaluated again at any time.
func Script(shell string, o Options) (string, error) {
	if !filepath.IsAbs(o.Exe) || !filepath.IsAbs(o.RuntimeDir) {
		return "", fault.New(fault.Internal, "the shell hook needs absolute paths")
	}
	hook := ""
	switch shell {
	case "bash":
		hook = bashHook
	case "zsh":
		hook = zshHook
	case "fish":
		return "", fault.New(fault.UnsupportedInBuild, "fish is not supported yet: it cannot write to a pipe without waiting").
			WithHint("use bash or zsh for the shell you want to show")
	default:
		return "", fault.New(fault.Usage, "no such shell").WithHint("use bash or zsh")
	}
	return strings.NewReplacer("@EXE@", quote(o.Exe), "@DIR@", quote(dirIn(o.RuntimeDir))).Replace(hook), nil
}

// quote makes one word of s for bash and zsh alike.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
