package kit

import (
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/term"

	"showhow/adapters/terminal"
	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// AsksPerson reports whether a person can be asked.
func (e *Env) AsksPerson() bool {
	in, ok := e.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd())) && e.Interactive() && !e.JSON
}

// ByAgent reports whether an agent's process called this program, as far as that can be seen.
func (e *Env) ByAgent() bool {
	return caller.NewAncestry(nil, 0).Running(os.Getpid()).Kind == access.Agent
}

// desktopProgram is the window's program beside this one.
const desktopProgram = "showhow-desktop"

// Desktop finds the window's program if a window can be shown.
func (e *Env) Desktop() (string, error) {
	if runtime.GOOS == "linux" && e.Getenv("DISPLAY") == "" && e.Getenv("WAYLAND_DISPLAY") == "" {
		return "", fault.New(fault.UnsupportedInBuild, "there is no display here").WithHint("in a browser:")
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	name := desktopProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(filepath.Dir(self), name)
	if _, err := os.Stat(path); err != nil {
		return "", fault.New(fault.UnsupportedInBuild, "this build has no window").
			WithHint("`make build` makes it where pkg-config, GTK 3 and WebKitGTK are installed. In a browser:")
	}
	return path, nil
}

// List is l, never null on the wire.
func List(l []string) []string { return append([]string{}, l...) }

// Name is what a person calls an ability: its skill's folder. Commands accept both.
func Name(slug, id string) string {
	if slug != "" {
		return slug
	}
	return id
}

// Since formats a time as status shows it.
func Since(t *clock.Time) string {
	if t == nil {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// Hook is the script for a shell; it also creates the folder in which the shell registers itself.
func (e *Env) Hook(shell string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	script, err := terminal.Script(shell, terminal.Options{Exe: self, RuntimeDir: e.Roots.Runtime})
	if err != nil {
		return "", err
	}
	return script, terminal.EnsureDir(e.Roots.Runtime)
}
