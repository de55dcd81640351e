package checkup

import (
	"runtime"

	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// doctorSandbox checks whether agents' runs and rehearsed commands have a sandbox here, and its limits.
func (c *Checkup) doctorSandbox(add func(name, state, detail, fix string)) {
	if err := sandbox.Probe(); err != nil {
		f := fault.From(err)
		add("sandbox", "warning", f.Message, f.Hint)
		return
	}
	if runtime.GOOS == "darwin" {
		add("sandbox", "warning", "sandbox-exec, "+sandbox.Untried+": each run's evidence says which limits are kept and how", "")
		return
	}
	detail := "memory and processes of a run are bounded by the kernel's control groups"
	if ok, why := sandbox.LimitsBy(); !ok {
		detail = "memory of a run is looked at ten times a second, its processes are bounded by RLIMIT_NPROC: " + why
	}
	add("sandbox", "ok", detail, "")
}
