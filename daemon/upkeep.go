package daemon

import (
	"context"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/capability/binding"
	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/daemon/capability/upkeep"
	"showhow/daemon/imports"
	"showhow/daemon/inbox"
	"showhow/daemon/notes"
	"showhow/daemon/signals"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// quietBeforeCanary is how long nobody must have done anything before Showhow does something unasked.
const quietBeforeCanary = 2 * time.Minute

// keeping connects ability health, canaries and the inbox.
type keeping struct {
	d        *Daemon
	canaries *canary.Service
	projects *binding.Service
	*upkeep.Service
}

func newKeeping(d *Daemon) *keeping {
	k := &keeping{d: d}
	k.projects = &binding.Service{Store: d.store.Bindings(), Changed: func(ctx context.Context) {
		if _, err := d.abilities.Rebuild(ctx, ability.TriggerProjectBinding); err != nil && ctx.Err() == nil {
			d.log.Warn("availability could not be rebuilt after a project was bound", "code", string(fault.CodeOf(err)))
		}
		if err := d.desk.ProjectsChanged(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("approvals for a project could not follow its binding", "code", string(fault.CodeOf(err)))
		}
	}}
	connector := func(id string) string {
		why, _ := services{d}.can(id)
		return why
	}
	k.canaries = canary.New(canary.Options{Store: d.store.Canaries(),
		Perform: upkeep.Performer{Abilities: d.abilities, Shown: d.learn, Connector: connector},
		Machine: k.machine, Every: d.o.Test.Every, Now: d.now, Log: d.log})
	k.Service = upkeep.New(upkeep.Options{Abilities: d.abilities, Shown: d.learn, Canaries: k.canaries,
		Connectors: func(ctx context.Context) (wire.MCPServerListResponse, error) { return d.connectors.List(ctx) },
		Projects:   k.projects.List, Anchors: d.store.Anchors(), Connector: connector, Now: d.now, Log: d.log})
	return k
}

// machine is the state of this computer that decides whether a canary may run now.
func (k *keeping) machine(ctx context.Context) canary.Machine {
	quiet, m := quietBeforeCanary, signals.Machine(ctx)
	if k.d.o.Test.Every > 0 {
		quiet = k.d.o.Test.Every
	}
	return canary.Machine{Locked: m.Locked, Metered: m.Metered, Battery: m.Battery,
		Busy: works(k.d) || k.d.o.Test.Now().Sub(k.d.api.LastAct()) < quiet}
}

// works reports whether work is going on although nobody calls.
func works(d *Daemon) bool {
	return len(d.capture.Active()) > 0 || d.browsers.Running() != nil || d.runs.Busy() || d.runner.Busy()
}

// fared counts the outcome of a use or trial of an ability.
func (k *keeping) fared(ctx context.Context, abilityID, hash string, o health.Outcome, t *health.Trace) {
	if _, err := k.d.abilities.Report(ctx, abilityID, hash, t, o); err != nil {
		k.d.log.Warn("how an ability fared could not be counted", "code", string(fault.CodeOf(err)))
	}
}

// ran counts the outcome of a skill's run in the sandbox.
func (k *keeping) ran(ctx context.Context, r agentrun.Run) {
	if o, says := agentrun.Outcome(r); says {
		k.fared(ctx, r.AbilityID, "", o, nil)
	}
}

// inbox collects everything that waits for a person.
func (k *keeping) inbox() *inbox.Inbox {
	d := k.d
	return &inbox.Inbox{Log: d.log, Sources: []inbox.Source{
		inbox.Calls(d.desk.Pending),
		inbox.Runs(func(ctx context.Context) ([]agentrun.Run, error) {
			l, err := d.runs.Runs(ctx, 1, 1) // one runs at a time, and the newest is first
			return l.Runs, err
		}),
		inbox.Questions(d.questions.Open),
		inbox.Callers(func(ctx context.Context) (wire.RemoteStatus, error) { return d.remote.Status(ctx) }),
		inbox.Connectors(d.connectors.List),
		inbox.Abilities(d.abilities.Availability, d.abilities.StatsIndex, k.Canaries, k.Renamed),
		inbox.Mined(d.mining.Waiting),
		inbox.Notes(func(ctx context.Context) (wire.ChangeSets, error) {
			return d.notes.Changes(ctx, notes.Actor{}, "proposed")
		}),
		inbox.Imports(func(ctx context.Context) ([]imports.Record, error) {
			l, err := d.imports.List(ctx, imports.Filter{Pending: true, Page: 1, PageSize: 100})
			return l.Items, err
		}),
	}}
}
