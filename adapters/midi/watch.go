package midi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// watch is one Run: the ports of the devices in scope. It is the adapter's Control.
type watch struct {
	sources []source
	now     func() time.Time
	sink    adapters.Sink
	changed chan struct{} // ports may have come or gone
	broken  chan struct{} // something panicked: Run ends, and is started again
	keys    atomic.Int64  // observations so far
	retry   time.Duration // how long a port that was lost and is still listed is left alone

	mu      sync.Mutex
	devices []string // of the scope
	paused  bool
	ended   bool
	open    map[string]*reader   // by source and port
	lost    map[string]time.Time // ports that broke off, and are still there
	health  adapters.Health      // as last reported
}

func newWatch(a *Adapter, sink adapters.Sink) *watch {
	return &watch{sources: a.sources(), now: a.now, sink: sink, changed: make(chan struct{}, 1), broken: make(chan struct{}, 1),
		retry: a.look, open: map[string]*reader{}, lost: map[string]time.Time{}, health: adapters.Health{State: adapters.Ready}}
}

// guard runs f; a panic ends Run instead of the daemon.
func (w *watch) guard(f func()) {
	defer func() {
		if recover() != nil {
			select {
			case w.broken <- struct{}{}:
			default:
			}
		}
	}()
	f()
}

// poke makes Run look for ports soon.
func (w *watch) poke() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// Pause emits gestures in progress and ignores what the devices send from now on.
func (w *watch) Pause() { w.pause(true) }

// Resume listens again.
func (w *watch) Resume() { w.pause(false) }

func (w *watch) pause(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = on
	for _, r := range w.open {
		r.pause(on)
	}
}

// Rescope replaces the devices that are observed.
func (w *watch) Rescope(s capture.Scope) {
	w.mu.Lock()
	w.devices = slices.Clone(s.Devices)
	w.mu.Unlock()
	w.settle()
}

// end closes every port and returns when every reader has ended.
func (w *watch) end() {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.settle()
	for _, s := range w.sources {
		s.close()
	}
}

// settle opens and closes ports to match the devices in scope, and reports the health.
func (w *watch) settle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	wanted, problem := w.wanted()
	for id, r := range w.open {
		p, ok := wanted[id]
		if ok && r.lost() {
			w.lost[id] = w.now()
		}
		if !ok || r.lost() || r.device != p.device {
			r.end()
			delete(w.open, id)
		}
	}
	maps.DeleteFunc(w.lost, func(id string, at time.Time) bool {
		_, ok := wanted[id]
		return !ok || w.now().Sub(at) >= w.retry
	})
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		p := wanted[id]
		if _, lost := w.lost[id]; lost || w.open[id] != nil {
			continue
		}
		in, err := p.from.open(p.port)
		if err != nil {
			problem = worse(problem, err)
			continue
		}
		w.open[id] = startReader(in, p, w)
	}
	if !w.ended {
		w.tell(w.state(problem))
	}
}

// wantedPort is a port of a device in scope.
type wantedPort struct {
	port
	from   source
	device string // the name that the scope gives it
}

// wanted lists the ports of the devices in scope. A device that several sources provide is read through the first of
// them.
func (w *watch) wanted() (map[string]wantedPort, error) {
	out := map[string]wantedPort{}
	if w.ended || len(w.devices) == 0 {
		return out, nil
	}
	var problem error
	taken := map[string]int{} // device -> its source
	for i, s := range w.sources {
		ports, err := s.ports()
		if err != nil {
			problem = worse(problem, err)
		}
		for _, p := range ports {
			device := named(p.names, w.devices)
			if device == "" {
				continue
			}
			if by, ok := taken[device]; ok && by != i {
				continue
			}
			taken[device] = i
			out[strconv.Itoa(i)+" "+p.id] = wantedPort{p, s, device}
		}
	}
	return out, problem
}

// worse returns the more important of two errors.
func worse(a, b error) error {
	for _, e := range []error{errBusy, errDenied} {
		if errors.Is(a, e) {
			return a
		}
		if errors.Is(b, e) {
			return b
		}
	}
	if a != nil {
		return a
	}
	return b
}

// state is the health, with the problem if a device of the scope is not being read.
func (w *watch) state(problem error) adapters.Health {
	missing := 0
	for _, d := range w.devices {
		if !slices.ContainsFunc(slices.Collect(maps.Values(w.open)), func(r *reader) bool { return named(r.names, []string{d}) != "" }) {
			missing++
		}
	}
	switch {
	case missing == 0:
		return adapters.Health{State: adapters.Ready}
	case errors.Is(problem, errBusy):
		return adapters.Health{State: adapters.Degraded, Code: "device_busy", Reason: "another program holds a device that the session names",
			Fix: "close that program, or let it use ALSA's sequencer or JACK, which share devices"}
	case errors.Is(problem, errDenied):
		return denied
	}
	return adapters.Health{State: adapters.Degraded, Code: "device_missing",
		Reason: fmt.Sprintf("%d of %d named devices cannot be read: not connected, or under another name", missing, len(w.devices)),
		Fix:    "plug it in and switch it on; it is found by itself, by the exact name that the system gives it"}
}

func (w *watch) tell(h adapters.Health) {
	if h != w.health {
		w.health = h
		w.sink.Health(h)
	}
}

// emit emits a gesture. Readers call it.
func (w *watch) emit(device string, g gesture) {
	w.sink.Emit(capture.Observation{
		Key: "midi" + strconv.FormatInt(w.keys.Add(1), 10), Kind: capture.MIDI, Verb: capture.Play, Surface: capture.SurfaceMIDI,
		Origin: capture.Origin{Device: device}, OccurredAt: g.at, MIDI: &g.MIDIGesture,
	})
}

// miss counts messages of a device in scope that were dropped. Readers call it.
func (w *watch) miss(n int64) { w.sink.Withhold(capture.MIDI, capture.Overflow, n) }
