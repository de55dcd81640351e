package terminal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"showhow/internal/fault"
)

// Shell is a living interactive shell that has the hook.
type Shell struct {
	TTY   string    `json:"tty"` // as a scope names it: "pts/3"
	PID   int       `json:"pid"`
	Shell string    `json:"shell"` // bash, zsh
	Since time.Time `json:"since"` // when it loaded the hook
}

// CurrentTTY is the terminal of this process, whatever its standard streams are.
func CurrentTTY() (string, error) { return TTYOf(os.Getpid()) }

// TTYOf is the terminal of a process of this user (`--shell PID`).
func TTYOf(pid int) (string, error) {
	p, ok := look(pid)
	if !ok {
		return "", fault.New(fault.NotFound, "there is no such process of yours").WithHint("name a shell by its pid, or use --shell current")
	}
	if p.tty == "" {
		return "", fault.New(fault.Usage, "this process has no terminal").WithHint(
			"run it in the shell you want to show, or name one with --shell PID")
	}
	return p.tty, nil
}

// Live lists the running shells that loaded the hook, by terminal, newest last. It removes entries of shells that are
// gone.
func Live(runtimeDir string) []Shell {
	dir := dirIn(runtimeDir)
	files, err := filepath.Glob(filepath.Join(dir, "*.shell"))
	if err != nil {
		return nil
	}
	var out []Shell
	for _, file := range files {
		switch s, err := registered(file); {
		case err == nil:
			out = append(out, s)
		case !errors.Is(err, errUnwritten):
			_ = os.Remove(file)
		}
	}
	slices.SortFunc(out, func(a, b Shell) int {
		if c := strings.Compare(a.TTY, b.TTY); c != 0 {
			return c
		}
		return a.Since.Compare(b.Since)
	})
	return out
}

// A shell creates its file and then writes its name: in between the file is empty, and removing it would hide a
// running shell.
var (
	errUnwritten = errors.New("the shell is still writing its name")
	errNoShell   = errors.New("not the file of a living shell")
)

// registered reads pts-3.1234.shell. A pid that was reused since belongs to another terminal or another program.
func registered(file string) (Shell, error) {
	name, rest, ok := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".shell"), ".")
	pid, err := strconv.Atoi(rest)
	if !ok || err != nil {
		return Shell{}, errNoShell
	}
	fi, err := os.Lstat(file)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > 16 || !ownedByUs(fi) {
		return Shell{}, errNoShell
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return Shell{}, errNoShell
	}
	s := Shell{TTY: ttyOfFile(name), PID: pid, Shell: strings.TrimSpace(string(data)), Since: fi.ModTime()}
	p, ok := look(pid)
	if !ok || !ValidTTY(s.TTY) || (p.tty != "" && p.tty != s.TTY) {
		return Shell{}, errNoShell
	}
	if len(data) == 0 {
		return Shell{}, errUnwritten
	}
	if !slices.Contains(Shells, s.Shell) || (p.name != "" && !strings.Contains(p.name, s.Shell)) {
		return Shell{}, errNoShell
	}
	return s, nil
}
