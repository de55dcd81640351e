package checkup

import (
	"context"
	"os"
	"path/filepath"

	"showhow/adapters/terminal"
)

// doctorShells proves that shells can be watched, by watching a hidden one of each kind; not while a session watches,
// which would see programs that nobody started.
func (c *Checkup) doctorShells(ctx context.Context, add func(code, name, state, detail, fix string)) {
	if c.o.Watching() {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	login := filepath.Base(os.Getenv("SHELL"))
	for _, p := range terminal.Prove(ctx, terminal.ProofOptions{Home: c.o.Roots.Home, Getenv: os.Getenv,
		Options: terminal.Options{Exe: self, RuntimeDir: c.o.Roots.Runtime}}) {
		state := "warning"
		switch {
		case p.State == terminal.Proven:
			state = "ok"
		case p.State != terminal.NotProven && p.Shell != login: // a shell that the person may not care for
			state = "unavailable"
		}
		add(string(p.State), "shell "+p.Shell, state, p.Detail, p.Fix)
	}
}
