package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"showhow/daemon/learn"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/store"
)

// everything is what a person may do with all that is kept; it implements api.Data.
type everything struct{ d *Daemon }

// Purge removes what was observed, as the housekeeping does after seven days, and the kept runs of agents.
func (e everything) Purge(ctx context.Context, m learn.Meta) (wire.DataPurged, error) {
	sessions, kept, err := e.d.learn.PurgeEnded(ctx, m)
	if err != nil {
		return wire.DataPurged{}, err
	}
	runs, err := e.d.intake.DeleteRuns(ctx, observe.Meta{CorrelationID: m.CorrelationID}, "")
	return wire.DataPurged{Sessions: sessions, Kept: kept, Runs: runs, SchemaVersion: 1}, err
}

// Export writes the file; what is in it is exporter's business.
func (e everything) Export(ctx context.Context, folder string) (wire.DataExported, error) {
	if folder == "" {
		folder = filepath.Join(e.d.o.Roots.Home, "Downloads")
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			folder = e.d.o.Roots.Home
		}
	}
	if !filepath.IsAbs(folder) {
		return wire.DataExported{}, fault.New(fault.InvalidRequest, "the folder must be an absolute path")
	}
	return e.d.export(ctx, filepath.Join(folder, "showhow-"+e.d.now().Format("20060102-150405")+".zip"))
}

// Erase ends what is watched and takes the hooks out of agents' settings. The rest goes when the daemon has ended: the skills'
// copies (leave), which it would put back while it runs, and all files (removeAll). It can be repeated when it failed half way.
func (e everything) Erase(ctx context.Context, m learn.Meta) (wire.DataErased, error) {
	d, ctx := e.d, context.WithoutCancel(ctx)
	if err := d.learn.PurgeAll(ctx, m); err != nil {
		return wire.DataErased{}, err
	}
	agents, err := d.intake.Agents(ctx)
	if err != nil {
		return wire.DataErased{}, err
	}
	for _, a := range agents {
		if a.Hook == nil {
			continue
		}
		if err := d.intake.RemoveHook(ctx, observe.Meta{CorrelationID: m.CorrelationID}, a.Agent); err != nil {
			return wire.DataErased{}, err
		}
	}
	d.erase = true
	d.stopFor(false)
	return wire.DataErased{Erasing: true, Left: d.staying(), SchemaVersion: 1}, nil
}

// staying is what an erasure leaves: the configuration, and a memory root that the person put somewhere else, which others may
// write to as well.
func (d *Daemon) staying() []string {
	left := []string{}
	if _, err := os.Stat(d.o.Roots.Config); err == nil {
		left = append(left, d.o.Roots.Config)
	}
	if !d.ownMemory() {
		left = append(left, d.o.Config.Memory)
	}
	return left
}

func (d *Daemon) ownMemory() bool {
	return d.o.Config.Memory == filepath.Join(d.o.Roots.Data, "memory")
}

// leave takes the skills out of the agents' folders once nothing puts them back any more.
func (d *Daemon) leave() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return d.abilities.Leave(ctx)
}

// removeAll deletes what the daemon kept. Only names that it made itself: the data directory may be one that a person chose.
func (d *Daemon) removeAll() error {
	data := d.o.Roots.Data
	errs := []error{store.Erase(data)}
	for _, name := range []string{"keys", "imports", "logs"} {
		errs = append(errs, os.RemoveAll(filepath.Join(data, name)))
	}
	if d.ownMemory() {
		errs = append(errs, os.RemoveAll(d.o.Config.Memory))
	}
	for _, name := range []string{"browser", "rehearsals", "receipts", "runs"} {
		errs = append(errs, os.RemoveAll(filepath.Join(d.o.Roots.State, name)))
	}
	os.Remove(data) // when nothing else is in it
	os.Remove(d.o.Roots.State)
	if err := errors.Join(errs...); err != nil {
		return fault.Wrap(err, fault.Internal, "not everything could be deleted").WithHint("delete the rest by hand: it lies in " + d.o.Roots.Tilde(data))
	}
	return nil
}
