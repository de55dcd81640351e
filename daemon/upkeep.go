package daemon

import (
	"context"
	"time"

	"showhow/daemon/agentrun"
	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/upkeep"
	"showhow/daemon/imports"
	"showhow/daemon/inbox"
	"showhow/daemon/signals"
)

// quietBeforeCanary is how long nobody has called before Showhow does something unasked.
const quietBeforeCanary = 2 * time.Minute

// newUpkeep makes what says how abilities fare, and looks by itself.
func (d *Daemon) newUpkeep() {
	d.canaries = canary.New(canary.Options{Store: d.store.Canaries(), Perform: upkeep.Performer{Abilities: d.abilities, Shown: d.learn},
		Machine: d.machine, Every: d.o.Test.Every, Now: d.now, Log: d.log})
	d.upkeep = upkeep.New(upkeep.Options{Abilities: d.abilities, Shown: d.learn, Canaries: d.canaries})
}

// machine is what of this computer decides whether it may be looked by itself now.
func (d *Daemon) machine(ctx context.Context) canary.Machine {
	m := signals.Machine(ctx)
	return canary.Machine{Locked: m.Locked, Metered: m.Metered, Battery: m.Battery, Busy: d.works() ||
		d.o.Test.Now().Sub(d.api.LastCall()) < d.quietTime()}
}

func (d *Daemon) quietTime() time.Duration {
	if d.o.Test.Every > 0 {
		return d.o.Test.Every
	}
	return quietBeforeCanary
}

// works reports whether something is done although nobody calls.
func (d *Daemon) works() bool {
	return len(d.capture.Active()) > 0 || d.browsers.Running() != nil || d.runs.Busy()
}

// newInbox is everything that waits for a person.
func (d *Daemon) newInbox() *inbox.Inbox {
	return &inbox.Inbox{Log: d.log, Sources: []inbox.Source{
		inbox.Calls(d.desk.Pending),
		inbox.Runs(func(ctx context.Context) ([]agentrun.Run, error) {
			l, err := d.runs.Runs(ctx, 1, 1) // one runs at a time, and the newest is first
			return l.Runs, err
		}),
		inbox.Connectors(d.connectors.List),
		inbox.Abilities(d.abilities.Availability, d.abilities.StatsIndex, d.upkeep.Canaries),
		inbox.Imports(func(ctx context.Context) ([]imports.Record, error) {
			l, err := d.imports.List(ctx, imports.Filter{Page: 1, PageSize: 100})
			return l.Items, err
		}),
	}}
}
