package daemon

import (
	"context"

	"showhow/adapters"
	"showhow/app/web"
	"showhow/capture"
	"showhow/daemon/a2a"
	"showhow/daemon/ability"
	"showhow/daemon/api"
	"showhow/daemon/capability/health"
	"showhow/daemon/compile"
	"showhow/daemon/contract"
	"showhow/daemon/learn"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/remote"
	"showhow/daemon/shelf"
	"showhow/daemon/signals"
	"showhow/families"
	"showhow/internal/clock"
	"showhow/internal/config"
	"showhow/internal/version"
)

func (d *Daemon) abilityOptions() ability.Options {
	targets := make([]ability.Target, 0, len(d.o.Config.Targets))
	for _, t := range d.o.Config.Targets {
		targets = append(targets, ability.Target{Name: t.Name, Dir: t.Dir, OverMCP: t.Skills == config.SkillMCP})
	}
	return ability.Options{
		Store: d.store.Abilities(), MemoryRoot: d.o.Config.Memory, Targets: targets,
		Env: ability.Environment{Adapter: d.canAdapter, Connector: services{d}.can, Provider: services{d}.connected},
		Named: func(ctx context.Context, a ability.Ability, control string) ([]string, error) {
			return d.keeping.StepsNamed(ctx, a, control)
		},
		Fared: func(id string) {
			d.keeping.canaries.Fared(id)
			d.keeping.Touch(id)
		},
		BuiltIns: families.All,
		KnownSession: func(ctx context.Context, id string) (known bool, err error) {
			err = d.store.Learn().View(ctx, func(tx state.Tx) error {
				_, known, err = tx.Session(id)
				return err
			})
			return known, err
		},
		Scan:       shelf.Scan,
		Categories: func(ctx context.Context) (map[string][]string, error) { return d.categories.Of(ctx) },
		Project:    func(ctx context.Context, name string) string { return d.keeping.projects.Named(ctx, name) },
		Redact:     d.redactor.Text, Now: d.now, Log: d.log, Secret: d.redactor.Secret,
	}
}

// canAdapter reports whether this machine has what an ability needs ("browser", "pdf", "outlook" or an observation kind), and why not.
func (d *Daemon) canAdapter(kind string) (bool, string) {
	switch kind {
	case "browser":
		kind = string(capture.BrowserDOM)
	case "pdf":
		return d.pdf.Ready()
	case "outlook":
		return d.outlook.Ready()
	}
	a := d.adapters.Get(capture.Kind(kind))
	if a == nil {
		return false, "unknown kind"
	}
	h := a.Probe(context.Background())
	return h.State != adapters.Unavailable, h.Reason
}

func (d *Daemon) runnerOptions() rehearse.Options {
	return rehearse.Options{
		Store: d.store.Runs(), Env: ability.Environment{Adapter: d.canAdapter}, Now: d.now, Log: d.log,
		Stage: d.stage, Door: services{d}, Reader: documentsOf{d.pdf}, Home: d.o.Roots.Home, Redact: d.redactor.Text,
		SupportPack: d.abilities.SupportPack,
		OnOutcome: func(ctx context.Context, id, hash string, o health.Outcome, t *health.Trace) {
			d.keeping.fared(ctx, id, hash, o, t)
		},
		Installed: func(ctx context.Context) ([]ability.AvailabilityEntry, error) {
			s, err := d.abilities.Availability(ctx)
			return s.Abilities, err
		},
	}
}

func (d *Daemon) learnDeps(ctx context.Context) learn.Deps {
	return learn.Deps{
		Store: d.store.Learn(), Capturer: d.capture, Observations: d.store.LearnObservations(d.keys), Purger: d.store, Runs: d.intake,
		Recordings: d.capture, Redact: d.redactor.Text,
		Compile: compile.Compile, Validator: d.runner, Installer: d.shelf.Sorter(),
		Writer: d.writer(), MemoryRoot: d.o.Config.Memory, Signals: signals.Watch(ctx),
		Now: d.o.Test.Now, Every: d.o.Test.Every, Grace: d.o.Test.Grace, NewID: clock.NewID, Logger: d.log,
		DataClasses: d.capture.DataClasses,
	}
}

func (d *Daemon) apiDeps() api.Deps {
	speak := newContract(contract.Options{Abilities: d.abilities, Record: d.learn, Connectors: d.connectors, Notes: d.notes},
		d.redactor.Find, d.now)
	d.remote, d.tasks = newRemote(remote.Options{Store: d.store.Remote(), Keys: d.keys, Forget: d.abilities.CloseTo, Now: d.now, Log: d.log},
		d.door, speak, a2a.Options{Abilities: d.abilities, Runs: d.runs})
	return api.Deps{
		Learn: d.learn, Abilities: d.abilities, Imports: d.imports, Registries: d.registries,
		Contract: speak, Remote: d.remote, Tasks: d.tasks,
		Categories: d.categories, Credentials: d.credentials,
		Connectors: d.connectors, AskFirst: d.desk, SignIns: d.signins, Takeover: takeoverOf(d), Offered: services{d}.offered(),
		Door:   d.door,
		Access: d.store, Events: d.store, Live: d.live, Records: d.store, Observed: d.intake, AgentRuns: d.runs,
		Health: d.keeping, Canaries: d.keeping, Inbox: d.keeping.inbox(), Questions: d.questions, Projects: d.keeping.projects,
		Practices: d.practices, Mining: d.mining, Notes: d.notes, Documents: d.documents, PDF: d.pdf,
		Runtime: d.events, Leaving: d.custody, Data: d.custody,
		Version: version.Get(), Settings: d.settings,
		Adapters: d.adapterStatus, Doctor: d.checkup.Doctor, Targets: d.targets, Status: d.status,
		Stop: d.stopFor, Browse: browseDefault, OpenBrowser: d.openBrowser, UI: web.Handler(), LoginFile: d.o.Roots.LoginFile(),
		Screen: d.screen.Set, DemoGrant: d.o.DemoGrant,
		AncestryUntil: d.o.Test.AncestryUntil, Now: d.now, NewID: clock.NewID, Log: d.log,
	}
}

// ownSite reports whether a page is Showhow's own.
func (d *Daemon) ownSite(site string) bool { return d.api != nil && d.api.OwnSite(site) }
