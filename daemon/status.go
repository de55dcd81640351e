package daemon

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"showhow/adapters"
	"showhow/adapters/terminal"
	"showhow/browser"
	"showhow/daemon/wire"
	"showhow/internal/version"
)

// adapterStatus is every kind with its health: as it runs now, else as it would.
func (d *Daemon) adapterStatus(ctx context.Context) []wire.AdapterStatus {
	active := d.capture.active()
	var out []wire.AdapterStatus
	for _, s := range d.adapters.List(ctx) {
		st := wire.AdapterStatus{Info: s.Info, Health: s.Health}
		if h, ok := active[s.Info.Kind]; ok {
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
		Warnings: []string{}, SchemaVersion: 1}
	if os.Getuid() == 0 {
		st.Warnings = append(st.Warnings, "running as root: fine for containers and tests, not for daily use")
	}
	if s, ok, err := d.learn.ActiveSession(ctx); err == nil && ok {
		st.ActiveSession, st.State = s.LearnSessionID, string(s.State)
		if s.PauseReason != "" {
			st.Warnings = append(st.Warnings, "capture is paused: "+string(s.PauseReason))
		}
	}
	return st
}

// targets is what could be put into a scope right now. It is looked at when asked for and kept nowhere.
func (d *Daemon) targets(ctx context.Context) wire.Targets {
	t := wire.Targets{Targets: []wire.Target{}, SchemaVersion: 1}
	for _, sh := range terminal.Live(d.o.Roots.Runtime) {
		t.Targets = append(t.Targets, wire.Target{Kind: "shell", Value: sh.TTY, Title: sh.Shell})
	}
	if d.browsers.Running() != nil {
		t.Targets = append(t.Targets, wire.Target{Kind: "app", Value: "chromium", Title: "Showhow's browser"})
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
		add("adapter "+string(a.Kind), state, detail, a.Health.Fix)
		out.Checks[len(out.Checks)-1].Code = a.Health.Code
	}
	d.doctorFolders(add)
	switch d.keys.Kind() {
	case "file":
		add("keys", "ok", "sealed values' keys are in files that only you can read (no keychain found)", "")
	default:
		add("keys", "ok", "sealed values' keys are in the system keychain", "")
	}
	if os.Getuid() == 0 {
		add("user", "warning", "running as root", "run Showhow as the user whose work it should learn; Chromium does not start as root")
	}
	if runtime.GOOS != "linux" {
		add("platform", "warning", "builds here but was never run here", "")
	}
	return out
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
