package midi

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/capture"
	"showhow/internal/fault"
)

// Options locate the devices; the zero value means those of the system.
type Options struct {
	// Root replaces / in front of /dev/snd and /proc/asound (Linux): tests put FIFOs there.
	Root string
}

// Adapter observes MIDI devices. The zero value is not usable: see New.
type Adapter struct {
	sources func() []source // fresh ones: each user has and closes its own
	now     func() time.Time
	look    time.Duration // how often devices are polled without notifications
}

// New returns the adapter.
func New(o Options) *Adapter {
	a := &Adapter{sources: systemSources, now: time.Now, look: 2 * time.Second}
	if o.Root != "" {
		a.sources = func() []source { return rawSources(o.Root) }
	}
	return a
}

// Devices names the connected devices without opening any.
func Devices() []string { return New(Options{}).Devices() }

// Devices names the connected devices without opening any.
func (a *Adapter) Devices() []string {
	var out []string
	for _, s := range a.sources() {
		ports, _ := s.ports()
		for _, p := range ports {
			if !slices.Contains(out, p.names[0]) {
				out = append(out, p.names[0])
			}
		}
		s.close()
	}
	slices.Sort(out)
	return out
}

// Info implements adapters.Adapter.
func (a *Adapter) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.MIDI,
		ID:    "midi",
		Title: "MIDI controllers",
		Sees: []string{"on the devices you name: notes and chords, knobs, faders and buttons, programs, pitch bend and transport buttons",
			"for each: channel, number, first and last value, how long it took"},
		NeverSees: []string{"devices that you do not name: they are not even opened", "sound, and what a device is told to play",
			"clock, active sensing and system exclusive data"},
		DataClasses: []string{"midi_messages"},
		Platforms:   []string{"linux", "darwin", "windows"},
		Permissions: []string{"on Linux: your user in the group audio, where the system does not grant it by itself",
			"on Linux, for devices behind JACK: a build with cgo and the tag midi_jack",
			"on macOS and Windows: a build with cgo and the tag midi_rtmidi"},
		Phase:        "phase_2",
		Alternatives: []capture.Kind{capture.TerminalCommand},
	}
}

// Probe implements adapters.Adapter. That nothing is connected is only a remark: a device may be plugged in while a
// session runs.
func (a *Adapter) Probe(context.Context) adapters.Health {
	sources := a.sources()
	if len(sources) == 0 {
		return adapters.Health{State: adapters.Unavailable, Code: adapters.NotInBuild,
			Reason: "this build has no way to MIDI devices on this operating system",
			Fix:    "build Showhow with cgo: CGO_ENABLED=1 go build -tags midi_rtmidi"}
	}
	found, problem := false, error(nil)
	for _, s := range sources {
		ports, err := s.ports()
		found = found || len(ports) > 0
		if err != nil && (problem == nil || errors.Is(err, errDenied)) {
			problem = err
		}
		s.close()
	}
	switch {
	case found:
		return adapters.Health{State: adapters.Ready}
	case errors.Is(problem, errDenied):
		return denied
	}
	return adapters.Health{State: adapters.Degraded, Code: "no_device", Reason: "no MIDI device is connected",
		Fix: "plug one in; a session may name it before it is connected"}
}

var denied = adapters.Health{State: adapters.Degraded, Code: "no_permission", Reason: "your user may not read MIDI devices",
	Fix: "join the group audio (sudo usermod -aG audio $USER) and log in again"}

// Run implements adapters.Adapter.
func (a *Adapter) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	w := newWatch(a, sink)
	var watching sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		watching.Wait()
		w.end()
	}()
	for _, src := range w.sources {
		watching.Go(func() { w.guard(func() { src.watch(ctx, w.poke) }) })
	}
	w.Rescope(s.Scope)
	ready(w)
	ticker := time.NewTicker(a.look)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.broken:
			return fault.New(fault.AdapterUnavailable, "reading MIDI failed unexpectedly")
		case <-ticker.C:
		case <-w.changed:
		}
		w.settle()
	}
}
