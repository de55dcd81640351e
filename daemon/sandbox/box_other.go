//go:build !linux && !darwin

package sandbox

import (
	"context"
	"os"
	"runtime"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Box exists on Linux and macOS only.
type Box struct{}

// Probe reports whether boxes can be made here.
func Probe() error {
	return fault.Newf(fault.UnsupportedInBuild, "commands cannot be rehearsed on %s: there is no sandbox for them", runtime.GOOS).
		WithHint("rehearse the browser steps, or rehearse on Linux")
}

// HomeIn is where programs in a box find the scratch folder dir.
func HomeIn(string) string { return Home }

// Program is where programs in a box find this program.
func Program() string { return "" }

// LimitsBy says what enforces the limits of memory and processes.
func LimitsBy() (cgroup bool, why string) { return false, "there are no boxes here" }

// Open makes a box.
func Open(context.Context, Spec) (*Box, error) { return nil, Probe() }

func (*Box) Run(context.Context, string, string, map[string]string) (Result, error) {
	return Result{}, Probe()
}

// RunUntil runs a line until programs run.
func (*Box) RunUntil(context.Context, string, string, map[string]string, []string) (Result, error) {
	return Result{}, Probe()
}

// Exec runs a program.
func (*Box) Exec(context.Context, Command) (Result, error) { return Result{}, Probe() }

// Files is the scratch folder.
func (*Box) Files() (*os.Root, error) { return nil, Probe() }

// ServiceSocket is where programs in the box find the service.
func (*Box) ServiceSocket() string { return "" }

func (*Box) Allow(...string)   {}
func (*Box) Freeze() bool      { return false }
func (*Box) Thaw()             {}
func (*Box) Reached() []string { return nil }
func (*Box) Dir() string       { return "" }
func (*Box) Refused() []string { return nil }
func (*Box) Limits() []string  { return nil }

// Bounds returns nothing: there is no box.
func (*Box) Bounds() []wire.SandboxBound { return nil }
func (*Box) Close() error                { return nil }
