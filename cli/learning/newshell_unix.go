//go:build unix

package learning

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/term"

	"showhow/adapters/terminal"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// newShellTTY is the terminal of a new shell: this one.
func (e *env) newShellTTY() (string, error) {
	if in, ok := e.In.(*os.File); !ok || !term.IsTerminal(int(in.Fd())) || !e.Interactive() {
		return "", kit.Usage("--shell new needs a terminal: a shell is started in it").WithHint("name a running shell with --shell PID instead")
	}
	return terminal.CurrentTTY()
}

// showInNewShell runs a new shell with the hook in this terminal and stops the session when the person leaves it.
func (e *env) showInNewShell(ctx context.Context, c *client.Client, id string) error {
	err := e.runShell(ctx)
	if err != nil {
		c.CancelSession(context.WithoutCancel(ctx), id, "no_shell")
		return err
	}
	return e.stopWatched(context.WithoutCancel(ctx), c, id)
}

// runShell starts the person's own shell if it can be watched, else bash, with its usual start-up files followed by
// the hook.
func (e *env) runShell(ctx context.Context) error {
	name := filepath.Base(e.Getenv("SHELL"))
	if !slices.Contains(terminal.Shells, name) {
		name = "bash"
	}
	if err := terminal.CheckShell(ctx, name, e.Roots.Runtime); err != nil {
		if name == "bash" {
			return err
		}
		e.Say("%s; this is a bash instead.", fault.From(err).Message)
		if name, err = "bash", terminal.CheckShell(ctx, "bash", e.Roots.Runtime); err != nil {
			return err
		}
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return fault.Wrap(err, fault.AdapterUnavailable,
			"there is no "+name+" here").WithHint("install bash, or name a running shell with --shell PID")
	}
	hook, err := e.Hook(name)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "showhow-shell-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd, err := startUp(program, name, dir, hook, e.Getenv("ZDOTDIR"))
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.In, e.Out, e.ErrOut
	if f, ok := kit.FileOf(e.Out); ok { // the terminal itself, not a pipe to it
		cmd.Stdout = f
	}
	// The shell's signals: the shell takes and returns the terminal, and Ctrl-C is for the programs in it.
	signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN)
	defer signal.Reset(syscall.SIGTTOU, syscall.SIGTTIN)
	e.Say("This is a new %s, watched until you leave it with: exit", name)
	err = cmd.Run()
	if _, ended := err.(*exec.ExitError); ended {
		return nil // its last command's status
	}
	return err
}

// zsh reads its start-up files from ZDOTDIR, which the person's own .zshenv may set too.
const (
	zshEnv = `[[ -f "${SHOWHOW_ZDOTDIR:-$HOME}/.zshenv" ]] && . "${SHOWHOW_ZDOTDIR:-$HOME}/.zshenv"
[[ $ZDOTDIR == "$SHOWHOW_START" ]] || SHOWHOW_ZDOTDIR=$ZDOTDIR
ZDOTDIR=$SHOWHOW_START
`
	zshRC = `if [[ $SHOWHOW_ZDOTDIR ]]; then ZDOTDIR=$SHOWHOW_ZDOTDIR; else unset ZDOTDIR; fi
unset SHOWHOW_START SHOWHOW_ZDOTDIR
[[ -f "${ZDOTDIR:-$HOME}/.zshrc" ]] && . "${ZDOTDIR:-$HOME}/.zshrc"
`
)

// startUp is the shell's command line with start-up files in dir that run the person's own first.
func startUp(program, name, dir, hook, zdotdir string) (*exec.Cmd, error) {
	cmd := exec.Command(program, "-i")
	files := map[string]string{}
	switch name {
	case "bash":
		rc := filepath.Join(dir, "bashrc")
		cmd = exec.Command(program, "--rcfile", rc, "-i")
		files[rc] = "[ -f ~/.bashrc ] && . ~/.bashrc\n" + hook
	case "fish":
		rc := filepath.Join(dir, "hook.fish")
		cmd = exec.Command(program, "-i", "-C", "source "+rc)
		files[rc] = hook
	case "zsh":
		files[filepath.Join(dir, ".zshenv")] = zshEnv
		files[filepath.Join(dir, ".zshrc")] = zshRC + hook
		cmd.Env = append(os.Environ(), "ZDOTDIR="+dir, "SHOWHOW_START="+dir, "SHOWHOW_ZDOTDIR="+zdotdir)
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return cmd, nil
}
