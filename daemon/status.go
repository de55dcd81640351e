package daemon

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"showhow/adapters"
	"showhow/adapters/midi"
	"showhow/adapters/terminal"
	"showhow/browser"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/version"
)

// adapterStatus is every kind with its health: as it runs now, else as it would.
func (d *Daemon) adapterStatus(ctx context.Context) []wire.AdapterStatus {
	active := d.capture.active()
	var out []wire.AdapterStatus
	for _, s := range d.adapters.List(ctx) {
		st := wire.AdapterStatus{Info: s.Info, Health: s.Health, Evidence: s.Evidence}
		if h, ok := active[s.Info.ID]; ok {
			st.Health, st.Active = h, true
		}
		st.Available = st.Health.State != adapters.Unavailable
		out = append(out, st)
	}
	return out
}

// status is the daemon at a glance.
func (d *Daemon) status(ctx context.Context) wire.DaemonStatus {
	st := wire.DaemonStatus{Version: version.Get(), PID: os.Getpid(), StartedAt: d.started, Memory: d.o.Config.Memory,
		Warnings: []string{}, Places: d.places(), SchemaVersion: 1}
	if os.Getuid() == 0 {
		st.Warnings = append(st.Warnings, "running as root: fine for containers and tests, not for daily use")
	}
	if wt := d.abilities.Watching(); wt.Polling {
		st.Warnings = append(st.Warnings, "changes of skills are looked for every two seconds only: "+wt.Reason)
	}
	st.Warnings = append(st.Warnings, d.misplaced()...)
	st.Previewing = d.capture.previewing()
	if as, err := d.intake.Agents(ctx); err == nil {
		st.Agents, st.RunJournal = as, len(d.intake.Kept()) > 0
	}
	if s, ok, err := d.learn.ActiveSession(ctx); err == nil && ok {
		st.ActiveSession, st.State = s.LearnSessionID, string(s.State)
		if s.PauseReason != "" {
			st.Warnings = append(st.Warnings, "capture is paused: "+string(s.PauseReason))
		}
	}
	return st
}

func (d *Daemon) places() wire.Places {
	r := d.o.Roots
	p := wire.Places{Data: r.Data, Logs: r.LogDir(), BrowserProfile: r.BrowserProfile(), Config: r.Config, Keys: filepath.Join(r.Data, "keys")}
	if d.keys.Kind() == "keychain" {
		p.Keys = "keychain"
	}
	return p
}

// targets is what could be put into a scope right now. It is looked at when asked for and kept nowhere.
func (d *Daemon) targets(ctx context.Context) wire.Targets {
	t := wire.Targets{Targets: []wire.Target{}, SchemaVersion: 1}
	for _, sh := range terminal.Live(d.o.Roots.Runtime) {
		t.Targets = append(t.Targets, wire.Target{Kind: "shell", Value: sh.TTY, Title: sh.Shell})
	}
	// Showhow's own browser is no place by itself: it is watched through the sites that are allowed.
	if b := d.browsers.Running(); b != nil && b.Attached() {
		t.Targets = append(t.Targets, wire.Target{Kind: "app", Value: "chromium", Title: "the browser that you attached"})
	}
	for _, name := range midi.Devices() {
		t.Targets = append(t.Targets, wire.Target{Kind: "device", Value: name, Title: "MIDI"})
	}
	return t
}

// doctor looks at everything a session needs and says what would fix what is missing.
func (d *Daemon) doctor(ctx context.Context) wire.Doctor {
	out := wire.Doctor{OK: true, At: d.now(), SchemaVersion: 1}
	add := func(name, state, detail, fix string) {
		out.Checks = append(out.Checks, wire.Check{Name: name, State: state, Detail: detail, Fix: fix})
		out.OK = out.OK && state != "failed"
	}
	for _, a := range d.adapterStatus(ctx) {
		state := map[adapters.HealthState]string{adapters.Ready: "ok", adapters.Degraded: "warning", adapters.Unavailable: "unavailable"}[a.Health.State]
		detail := a.Health.Reason
		if detail == "" {
			detail = a.Title + ": can be watched here"
		}
		name := "adapter " + string(a.Kind)
		if a.Evidence {
			name = "evidence " + a.ID
		}
		add(name, state, detail, a.Health.Fix)
		out.Checks[len(out.Checks)-1].Code = a.Health.Code
	}
	if path, err := browser.Find(); err == nil {
		add("browser", "ok", "Showhow's own browser is "+path, "")
	} else {
		f := fault.From(err)
		add("browser", "warning", f.Message, f.Hint)
	}
	d.doctorHooks(ctx, add)
	d.doctorShells(ctx, func(code, name, state, detail, fix string) {
		add(name, state, detail, fix)
		out.Checks[len(out.Checks)-1].Code = code
	})
	d.doctorIndicators(ctx, add)
	d.doctorFolders(add)
	switch d.keys.Kind() {
	case "file":
		add("keys", "ok", "sealed values' keys are in files that only you can read (no keychain found)", "")
	default:
		add("keys", "ok", "sealed values' keys are in the system keychain", "")
	}
	d.doctorSandbox(add)
	if os.Getuid() == 0 {
		add("user", "warning", "running as root", "run Showhow as the user whose work it should learn; Chromium does not start as root")
	}
	if runtime.GOOS != "linux" {
		add("platform", "warning", "builds here but was never run here", "")
	}
	return out
}

// doctorSandbox says whether agents' runs and rehearsed commands have a sandbox here, and what bounds them in it.
func (d *Daemon) doctorSandbox(add func(name, state, detail, fix string)) {
	if err := sandboxReady(); err != nil {
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

// doctorShells proves that shells can be watched, by watching a hidden one of each kind; not while a session watches, which
// would be shown programs that nobody started.
func (d *Daemon) doctorShells(ctx context.Context, add func(code, name, state, detail, fix string)) {
	if len(d.capture.active()) > 0 {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	login := filepath.Base(os.Getenv("SHELL"))
	for _, p := range terminal.Prove(ctx, terminal.ProofOptions{Home: d.o.Roots.Home, Getenv: os.Getenv,
		Options: terminal.Options{Exe: self, RuntimeDir: d.o.Roots.Runtime}}) {
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

func (d *Daemon) doctorFolders(add func(name, state, detail, fix string)) {
	for _, t := range d.o.Config.Targets {
		name := "target " + t.Name
		parent := nearestExisting(t.Dir)
		if err := writable(parent); err != nil {
			add(name, "warning", "skills cannot be written there", "check the folder's permissions, or change config.toml")
			continue
		}
		add(name, "ok", d.o.Roots.Tilde(t.Dir), "")
	}
	for _, folder := range []struct{ name, dir string }{{"data", d.o.Roots.Data}, {"runtime", d.o.Roots.Runtime}} {
		name, dir := folder.name, folder.dir
		st, err := os.Stat(dir)
		switch {
		case err != nil:
			add(name, "failed", "the folder is gone", "restart the daemon: showhow daemon restart")
		case runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0:
			add(name, "warning", "others can look into the folder", fmt.Sprintf("chmod 700 %s", d.o.Roots.Tilde(dir)))
		default:
			add(name, "ok", d.o.Roots.Tilde(dir), "")
		}
	}
	if p := d.o.Roots.BrowserProfile(); p == browser.ManagedProfile() {
		add("browser profile", "ok", d.o.Roots.Tilde(p)+" is Chromium's own data and not covered by purge", "")
	}
}

// browseDefault starts the person's default browser on a URL.
func browseDefault(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // its end is nobody's business; it only must not stay a zombie
	return nil
}
