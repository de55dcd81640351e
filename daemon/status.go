package daemon

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"showhow/adapters"
	"showhow/adapters/midi"
	"showhow/adapters/terminal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/desktop"
	"showhow/internal/twin"
	"showhow/internal/version"
)

// adapterStatus lists every adapter kind with its health: as it runs now, otherwise as it would run.
func (d *Daemon) adapterStatus(ctx context.Context) []wire.ObservationAdapterStatus {
	active := d.capture.Active()
	var out []wire.ObservationAdapterStatus
	for _, s := range d.adapters.List(ctx) {
		st := wire.ObservationAdapterStatus{AdapterInfo: twin.To[wire.AdapterInfo](s.Info), Health: s.Health, Evidence: s.Evidence,
			SchemaVersion: 1}
		if h, ok := active[s.Info.ID]; ok {
			st.Health, st.Active = h, true
		}
		st.Available = st.Health.State != adapters.Unavailable
		st.Enabled, st.Healthy = st.Health.Code != adapters.NotInBuild, st.Health.State == adapters.Ready
		seen := d.capture.Seen(s.Info.ID)
		if !seen.At.IsZero() {
			st.LastSeenAt = clock.At(seen.At).Ptr()
		}
		st.LastErrorCode = seen.ErrorCode
		if st.Enabled && !st.Healthy {
			st.LastErrorCode = cmp.Or(st.Health.Code, seen.ErrorCode)
		}
		out = append(out, st)
	}
	return out
}

// status returns the daemon at a glance.
func (d *Daemon) status(ctx context.Context) wire.DaemonStatus {
	st := wire.DaemonStatus{Version: version.Get(), PID: os.Getpid(), StartedAt: d.started, Memory: d.o.Config.Memory,
		Warnings: []string{}, Places: d.places(), SchemaVersion: 1}
	if os.Getuid() == 0 {
		st.Warnings = append(st.Warnings, "running as root: fine for containers and tests, not for daily use")
	}
	if wt := d.abilities.Watching(); wt.Polling {
		st.Warnings = append(st.Warnings, "changes of skills are looked for every two seconds only: "+wt.Reason)
	}
	st.Warnings = append(st.Warnings, d.checkup.Misplaced()...)
	st.Previewing = d.capture.Previewing()
	if as, err := d.intake.Agents(ctx); err == nil {
		st.Agents, st.RunJournal = as, len(d.intake.Kept()) > 0
	}
	if looks, waiting, err := d.mining.Summary(ctx); err == nil {
		st.Mining, st.Mined = looks, waiting
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

// targets lists what could be put into a scope right now. It is computed on demand and kept nowhere.
func (d *Daemon) targets(ctx context.Context) wire.Targets {
	t := wire.Targets{Targets: []wire.ObservationTarget{}, SchemaVersion: 1}
	for _, sh := range terminal.Live(d.o.Roots.Runtime) {
		t.Targets = append(t.Targets, wire.ObservationTarget{Kind: "shell", Value: sh.TTY, Title: sh.Shell})
	}
	// Showhow's own browser is not a target by itself: it is watched through the sites that are allowed.
	if b := d.browsers.Running(); b != nil && b.Attached() {
		t.Targets = append(t.Targets, wire.ObservationTarget{Kind: "app", Value: "chromium", Title: "the browser that you attached"})
	}
	for _, name := range midi.Devices() {
		t.Targets = append(t.Targets, wire.ObservationTarget{Kind: "device", Value: name, Title: "MIDI"})
	}
	return t
}

// browseDefault opens an address in the person's default browser.
func browseDefault(ctx context.Context, url string) error { return desktop.Browse(ctx, os.Getenv, url) }
