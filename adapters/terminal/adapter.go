package terminal

import (
	"context"
	"runtime"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// Indicator is the name under which a marked prompt renews the capture's lease.
const Indicator = "shell_mark"

// Adapter observes shells. The zero value is not usable: see New.
type Adapter struct {
	runtimeDir string
	now        func() time.Time
	tick       time.Duration // how often living, marked shells are looked for; the lease wants less than 2 s
}

// New returns the adapter; it meets shells below runtimeDir (paths.RuntimeDir).
func New(runtimeDir string) *Adapter {
	return &Adapter{runtimeDir: runtimeDir, now: time.Now, tick: time.Second}
}

// Info implements adapters.Adapter.
func (a *Adapter) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.TerminalCommand,
		ID:    "terminal",
		Title: "Terminal",
		Sees: []string{"each command line in the terminals you name (bash, zsh, fish), with folder, exit code and duration",
			"names and sizes of files that a command made or changed in its folder"},
		NeverSees: []string{"what a command prints", "what you type into a program", "other terminals",
			"lines that your shell keeps out of its history"},
		DataClasses:  []string{"commands", "file_names"},
		Platforms:    []string{"linux", "darwin"},
		Permissions:  []string{`the line  eval "$(showhow shell-init bash)"  in your shell's start-up file`},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.ProcessLaunch, capture.WrapperReceipt},
	}
}

// Probe implements adapters.Adapter. That no shell has the hook is only a remark: one may start later.
func (a *Adapter) Probe(context.Context) adapters.Health {
	if runtime.GOOS == "windows" {
		return adapters.Health{State: adapters.Unavailable, Code: "wrong_platform",
			Reason: "shells cannot be captured on this operating system", Fix: "use the browser adapter"}
	}
	if !usable(a.runtimeDir) {
		return adapters.Health{State: adapters.Unavailable, Code: "runtime_dir_unusable",
			Reason: "the runtime folder is not a private, writable folder of yours",
			Fix:    "set XDG_RUNTIME_DIR to a folder that only you can enter"}
	}
	if len(Live(a.runtimeDir)) == 0 {
		return adapters.Health{State: adapters.Degraded, Code: "no_hooked_shell", Reason: "no running shell has the hook",
			Fix: "add `eval \"$(showhow shell-init bash)\"` to ~/.bashrc (zsh: ~/.zshrc; fish: `showhow shell-init fish | source` in " +
				"config.fish) and open a new shell"}
	}
	return adapters.Health{State: adapters.Ready}
}

// Run implements adapters.Adapter.
func (a *Adapter) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	if err := EnsureDir(a.runtimeDir); err != nil {
		return err
	}
	Sweep(a.runtimeDir)
	w := newWatch(a, dirIn(a.runtimeDir), sink)
	w.spools = spoolBase(a.runtimeDir)
	defer w.end()
	if err := w.want(s.Scope.Shells); err != nil {
		return err
	}
	ready(w)
	ticker := time.NewTicker(a.tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			w.check()
		}
	}
}
