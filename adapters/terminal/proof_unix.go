//go:build unix

package terminal

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"

	"showhow/adapters"
	"showhow/capture"
	"showhow/internal/fault"
)

// patience is how long a hidden shell may take to start and to report its command.
const patience = 8 * time.Second

// Prove tries every shell that has a hook: a hidden interactive shell in its own terminal, with the hook and without
// the person's start-up files, runs a command that must arrive. Nothing of it is kept, and no session sees it. It
// also reports whether the person's start-up files load the hook. It takes a fraction of a second, at most patience.
func Prove(ctx context.Context, o ProofOptions) []Proof {
	out := make([]Proof, len(Shells))
	var all sync.WaitGroup
	for i, shell := range Shells {
		all.Go(func() { out[i] = prove(ctx, shell, o) })
	}
	all.Wait()
	return out
}

func prove(ctx context.Context, shell string, o ProofOptions) Proof {
	program, p, ok := supported(ctx, shell, o.RuntimeDir)
	if !ok {
		return p
	}
	if !try(ctx, shell, program, o) {
		p.State, p.Detail = NotProven, "a hidden shell with the hook ran a command, and it did not arrive"
		p.Fix = "run  showhow shell-init " + shell + "  and see whether it prints a script; `showhow logs` may say more"
		return p
	}
	files := startFiles(shell, o.Home, o.Getenv)
	if !loads(shell, files) && !running(o.RuntimeDir, shell) {
		p.State, p.Detail = NoHookLine, "the hook would work; no start-up file of yours loads it yet"
		p.Fix = addLine(shell, o.Home, files)
		return p
	}
	p.State, p.Detail = Proven, "works: a hidden shell ran a command and it arrived"
	return p
}

// CheckShell returns nil if shells of this kind can be captured on this machine; the error says what is missing.
func CheckShell(ctx context.Context, shell, runtimeDir string) error {
	if _, p, ok := supported(ctx, shell, runtimeDir); !ok {
		return fault.New(fault.AdapterUnavailable, shell+" cannot be watched here: "+p.Detail).WithHint(p.Fix)
	}
	return nil
}

func supported(ctx context.Context, shell, runtimeDir string) (program string, p Proof, ok bool) {
	p.Shell = shell
	program, err := exec.LookPath(shell)
	if err != nil {
		p.State, p.Detail, p.Fix = NotInstalled, "it is not installed", "use another shell for what you want to show"
		return "", p, false
	}
	says, _ := exec.CommandContext(ctx, program, "--version").Output()
	if v, old := tooOld(shell, string(says)); old {
		p.State, p.Detail = TooOld, fmt.Sprintf("version %s is too old, and its hook stays off", v)
		p.Fix = fmt.Sprintf("install %s %d.%d or newer, or use another shell", shell, oldest[shell][0], oldest[shell][1])
		return "", p, false
	}
	if shell == "fish" && spoolBase(runtimeDir) == "" {
		p.State, p.Detail = NoMemoryFile, "there is no folder in memory (tmpfs) to which it could write"
		p.Fix = "set XDG_RUNTIME_DIR to a tmpfs, or use bash or zsh for what you want to show"
		return "", p, false
	}
	return program, p, true
}

// running reports whether one of the person's running shells has the hook, however loaded.
func running(runtimeDir, shell string) bool {
	for _, s := range Live(runtimeDir) {
		if s.Shell == shell {
			return true
		}
	}
	return false
}

// try captures one command of a hidden shell.
func try(ctx context.Context, shell, program string, o ProofOptions) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if EnsureDir(o.RuntimeDir) != nil {
		return false
	}
	dir, err := os.MkdirTemp(o.RuntimeDir, "proof-") // pipes and start-up files of its own
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	ptmx, tty, err := pty.Open()
	if err != nil {
		return false
	}
	shown := make(chan struct{})
	go func() { defer close(shown); _, _ = io.Copy(io.Discard, ptmx) }()
	defer func() { _ = tty.Close(); _ = ptmx.Close(); <-shown }()

	sink := &proofSink{line: "true proof-" + rand.Text(), arrived: make(chan struct{})}
	ready, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		scope := capture.Scope{Shells: []string{strings.TrimPrefix(tty.Name(), "/dev/")}}
		_ = New(dir).Run(ctx, adapters.Session{Scope: scope}, sink, func(adapters.Control) { close(ready) })
	}()
	defer func() { cancel(); <-ended }()
	select {
	case <-ready:
	case <-ended:
		return false
	}
	cmd, err := hidden(shell, program, dir, o.Exe)
	if err != nil {
		return false
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if cmd.Start() != nil {
		return false
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for again := time.NewTicker(time.Second); ; { // a shell that starts may drop what is typed
		_, _ = ptmx.WriteString(sink.line + "\n")
		select {
		case <-sink.arrived:
			again.Stop()
			return true
		case <-ctx.Done():
			again.Stop()
			return false
		case <-again.C:
		}
	}
}

// hidden is a shell with the hook as its only start-up file.
func hidden(shell, program, dir, exe string) (*exec.Cmd, error) {
	hook, err := Script(shell, Options{Exe: exe, RuntimeDir: dir})
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, "home")
	rc, args := "", []string{"-i"}
	switch shell {
	case "bash":
		rc = filepath.Join(home, "rc")
		args = []string{"--noprofile", "--rcfile", rc, "-i"}
	case "zsh":
		rc = filepath.Join(home, ".zshrc")
		args = []string{"-d", "-i"}
	case "fish":
		rc = filepath.Join(home, "fish", "config.fish")
		// without this folder it would generate completions in the background with a program of its own
		if err := os.MkdirAll(filepath.Join(home, "fish", "generated_completions"), 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(rc), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(rc, []byte(hook), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = home
	for _, v := range os.Environ() { // what a person's own shell would keep in or take from files of theirs is elsewhere
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "HOME", "ZDOTDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HISTFILE", "PROMPT_COMMAND", "BASH_ENV", "ENV", "TERM", "SHELLOPTS",
			"BASHOPTS", "INPUTRC":
		default:
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+home, "ZDOTDIR="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "HISTFILE=", "TERM=dumb",
		"INPUTRC=/dev/null")
	return cmd, nil
}

// proofSink waits for one line and ignores everything else.
type proofSink struct {
	line    string
	once    sync.Once
	arrived chan struct{}
}

func (s *proofSink) Emit(o capture.Observation) {
	if o.Command != nil && o.Command.Line == s.line {
		s.once.Do(func() { close(s.arrived) })
	}
}
func (s *proofSink) Withhold(capture.Kind, capture.WithheldReason, int64) {}
func (s *proofSink) Indicate(string)                                      {}
func (s *proofSink) Health(adapters.Health)                               {}
