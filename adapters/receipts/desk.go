package receipts

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"showhow/adapters"
	"showhow/capture"
	"showhow/capture/scope"
)

// Desk receives receipts and hands them to the session that observes them.
type Desk struct {
	o        Options
	mu       sync.Mutex
	stations map[capture.Kind]*station // of the adapters that run
	n        int64
}

// Options are a desk's dependencies; all may be zero.
type Options struct {
	// Hooked reports whether any agent's hook is installed, for Probe.
	Hooked func() bool
	// Changed is called, outside any lock, after what is wanted has changed.
	Changed func()
}

// NewDesk returns a desk. Tools and Wrapped are its adapters.
func NewDesk(o Options) *Desk { return &Desk{o: o, stations: map[capture.Kind]*station{}} }

// station is one running adapter at the desk.
type station struct {
	desk   *Desk
	kind   capture.Kind
	sink   adapters.Sink
	scope  capture.Scope
	paused bool
}

// Hand passes an observation to the adapter of its kind. It reports whether a session's scope admits it; an
// observation that none admits is counted there, if a session observes, and dropped.
func (d *Desk) Hand(o capture.Observation) bool {
	d.mu.Lock()
	defer d.mu.Unlock() // held while emitting, which never blocks: a pause that has returned means that nothing follows
	s := d.stations[o.Kind]
	if s == nil || s.paused {
		return false
	}
	if o.Call != nil && o.Call.Connector != "" && slices.Contains(s.scope.Apps, o.Call.Connector) {
		o.Origin.App = o.Call.Connector // the connector is named, whichever agent calls it
	}
	if ok, why := scope.Allows(s.scope, o.Origin); !ok {
		s.sink.Withhold(o.Kind, why, 1)
		return false
	}
	d.n++
	o.Key = "receipt-" + strconv.FormatInt(d.n, 10)
	s.sink.Emit(o)
	return true
}

// Wanted returns the apps whose receipts a session wants now, and whether it wants those of wrapped commands.
func (d *Desk) Wanted() (apps []string, wrap bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.stations {
		if s.paused {
			continue
		}
		for _, a := range s.scope.Apps {
			if !slices.Contains(apps, a) {
				apps = append(apps, a)
			}
		}
		wrap = wrap || s.kind == capture.WrapperReceipt && len(s.scope.Apps)+len(s.scope.Folders) > 0
	}
	slices.Sort(apps)
	return apps, wrap
}

func (d *Desk) change(f func()) {
	d.mu.Lock()
	f()
	d.mu.Unlock()
	if d.o.Changed != nil {
		d.o.Changed()
	}
}

func (d *Desk) run(ctx context.Context, k capture.Kind, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	st := &station{desk: d, kind: k, sink: sink, scope: s.Scope}
	d.change(func() { d.stations[k] = st })
	ready(st)
	<-ctx.Done()
	d.change(func() {
		if d.stations[k] == st {
			delete(d.stations, k)
		}
	})
	return nil
}

// Pause implements adapters.Control.
func (s *station) Pause() { s.desk.change(func() { s.paused = true }) }

// Resume implements adapters.Control.
func (s *station) Resume() { s.desk.change(func() { s.paused = false }) }

// Rescope implements adapters.Control.
func (s *station) Rescope(scope capture.Scope) { s.desk.change(func() { s.scope = scope }) }
