package daemon

import (
	"context"
	"net/http"
	"path/filepath"

	"showhow/adapters/receipts/report"
	"showhow/daemon/agentrun"
	"showhow/daemon/api/caller"
	"showhow/daemon/category"
	"showhow/daemon/document"
	"showhow/daemon/shelf"
	"showhow/daemon/skill/scan"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func (d *Daemon) runsOptions() agentrun.Options {
	r := d.o.Roots
	o := agentrun.Options{
		Store: d.store.AgentRuns(), Skills: d.shelf, Scan: scan.Skill, Dir: filepath.Join(r.State, "runs"), Cache: filepath.Join(r.State,
			"prepared"), Home: r.Home,
		Private: []string{r.Data, r.Runtime, r.State, d.o.Config.Memory, r.Config},
		Redact:  d.redactor.Text, Receipts: func(ctx context.Context, rs []report.Receipt) { d.intake.Take(ctx, rs) },
		Ended: func(ctx context.Context, r agentrun.Run) { d.keeping.ran(ctx, r) },
		Dial:  d.o.Test.Dial, Now: d.now, NewID: clock.NewID, Log: d.log,
	}
	o.API = func(agent, run string) (http.Handler, func()) {
		return d.api.ForRun(agent, run), func() {
			if err := d.documents.Forget(context.Background(), document.Owner{Key: caller.RunOwner(run)}); err != nil {
				d.log.Warn("documents of an agent's run could not be deleted", "code", string(fault.CodeOf(err))) // they expire
			}
		}
	}
	if d.credentials.Available() {
		o.Secrets = d.credentials
	}
	return o
}

// shelfOptions looks up proposals and imports for what a person files under a category.
func (d *Daemon) shelfOptions() shelf.Options {
	return shelf.Options{Abilities: d.abilities, Store: d.store.Abilities(), Now: d.now, Log: d.log,
		Categories: func() *category.Service { return d.categories },
		Proposal: func(ctx context.Context, id string) (string, error) {
			p, err := d.learn.Proposal(ctx, id)
			return p.Proposal.ProposalID, err
		},
		Import: func(ctx context.Context, id string) (string, error) {
			i, err := d.imports.Get(ctx, id)
			return i.ImportRecord.ImportID, err
		}}
}

func (d *Daemon) categoryOptions() category.Options {
	return category.Options{Store: d.store.Categories(), Resolve: d.shelf.Resolve, Changed: d.abilities.Wake, Now: d.now}
}
