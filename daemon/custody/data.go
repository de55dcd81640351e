// Package custody gives a person control over everything that Showhow stores: purge observations, export all readable
// data, remove what lies outside Showhow's own folders, erase the rest. It stores nothing itself; each owner removes
// its own data.
//
// Guaranteed: an export that could not be finished leaves no file; an erasure that failed half way can be repeated;
// only names that Showhow made are removed.
//
// Only package daemon imports it. The acceptance tests test it as a whole (daemon/acceptance/data_test.go,
// leak_linux_test.go).
package custody

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"showhow/daemon/ability"
	"showhow/daemon/category"
	"showhow/daemon/credential"
	"showhow/daemon/imports"
	"showhow/daemon/intake"
	"showhow/daemon/learn"
	"showhow/daemon/learn/state"
	"showhow/daemon/observe"
	"showhow/daemon/settings"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/paths"
	"showhow/store"
	"showhow/store/keys"
)

// Mined deletes what was noticed in work; *mining.Service implements it.
type Mined interface {
	ForgetAll(ctx context.Context) error
	List(ctx context.Context) ([]wire.MinedRoutine, error)
}

// Options is what a custody acts on.
type Options struct {
	Roots            paths.Roots
	Memory           string
	Notes            string // the folder with the person's notes
	Learn            *learn.Service
	Intake           *intake.Intake
	Abilities        *ability.Service
	Imports          *imports.Service
	Categories       *category.Service
	Credentials      *credential.Service
	Tokens           func(ctx context.Context) ([]string, error) // the connectors' sign-ins with tokens in the keychain
	Signs            func(ctx context.Context) bool              // whether a key that signs skills is there
	Originals        func(ctx context.Context) (int, error)      // purges the sealed originals of runtime events
	Documents        func(ctx context.Context) (int, error)      // purges the documents that are kept for a day
	Settings         *settings.Keeper
	Mining           Mined
	Store            *store.Store
	Keys             *keys.Ring
	ForgetTokens     func(ctx context.Context) (left []string, err error) // deletes them from the keychain
	ForgetSigningKey func(ctx context.Context) (left []string)            // deletes it from the keychain
	End              func()                                               // asks the daemon to end after this answer; RemoveAll follows
	Now              func() clock.Time
}

// Custody implements api.Data and api.Leaving.
type Custody struct{ o Options }

// New makes a custody.
func New(o Options) *Custody { return &Custody{o} }

// Purge removes observations, as the housekeeping does after seven days, the kept runs of agents, what was mined from
// either, the originals of agents' runtime events, and the documents that are kept for a day.
func (c *Custody) Purge(ctx context.Context, m state.Meta) (wire.DataPurged, error) {
	if err := c.o.Mining.ForgetAll(ctx); err != nil { // first, so that the purge leaves no byte of it
		return wire.DataPurged{}, err
	}
	sessions, kept, err := c.o.Learn.PurgeEnded(ctx, m)
	if err != nil {
		return wire.DataPurged{}, err
	}
	runs, err := c.o.Intake.DeleteRuns(ctx, observe.Meta{CorrelationID: m.CorrelationID}, "")
	if err == nil && sessions == 0 && runs == 0 { // nothing else caused a rewrite of the database
		err = c.o.Store.Purge(ctx, nil, []string{"mining"})
	}
	if err != nil {
		return wire.DataPurged{}, err
	}
	originals, err := c.o.Originals(ctx)
	if err != nil {
		return wire.DataPurged{}, err
	}
	documents, err := c.o.Documents(ctx)
	return wire.DataPurged{Sessions: sessions, Kept: kept, Runs: runs, Originals: originals, Documents: documents, SchemaVersion: 1}, err
}

// Export writes the file; exporter decides its content.
func (c *Custody) Export(ctx context.Context, folder string) (wire.DataExported, error) {
	if folder == "" {
		folder = filepath.Join(c.o.Roots.Home, "Downloads")
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			folder = c.o.Roots.Home
		}
	}
	if !filepath.IsAbs(folder) {
		return wire.DataExported{}, fault.New(fault.InvalidRequest, "the folder must be an absolute path")
	}
	return c.export(ctx, filepath.Join(folder, "showhow-"+c.o.Now().Format("20060102-150405")+".zip"))
}

// Erase ends what is watched and removes the hooks from agents' settings. The rest is removed after the daemon has
// ended: the skills' copies, which it would restore while it runs, and all files (RemoveAll). It can be repeated when
// it failed half way.
func (c *Custody) Erase(ctx context.Context, m state.Meta) (wire.DataErased, error) {
	ctx = context.WithoutCancel(ctx)
	if err := c.o.Learn.PurgeAll(ctx, m); err != nil {
		return wire.DataErased{}, err
	}
	if _, err := c.o.Originals(ctx); err != nil { // their key may be in the keychain
		return wire.DataErased{}, err
	}
	if _, err := c.o.Documents(ctx); err != nil {
		return wire.DataErased{}, err
	}
	agents, err := c.o.Intake.Agents(ctx)
	if err != nil {
		return wire.DataErased{}, err
	}
	for _, a := range agents {
		if a.Hook == nil {
			continue
		}
		if err := c.o.Intake.RemoveHook(ctx, observe.Meta{CorrelationID: m.CorrelationID}, a.Agent); err != nil {
			return wire.DataErased{}, err
		}
	}
	waiting, err := c.o.Credentials.DropAll(ctx)
	if err != nil {
		return wire.DataErased{}, err
	}
	left := c.staying()
	for _, name := range waiting {
		left = append(left, "the keychain's entry "+credential.KeychainService+", "+name)
	}
	tokens, err := c.o.ForgetTokens(ctx)
	if err != nil {
		return wire.DataErased{}, err
	}
	for _, name := range tokens {
		left = append(left, "the keychain's entry of a connector, "+name)
	}
	for _, name := range c.o.ForgetSigningKey(ctx) {
		left = append(left, "the keychain's entry "+name)
	}
	c.o.End()
	return wire.DataErased{Erasing: true, Left: left, SchemaVersion: 1}, nil
}

// staying lists what an erasure leaves: the configuration, a memory root that the person moved elsewhere, where others
// may write as well, and the notes, which are the person's own files.
func (c *Custody) staying() []string {
	left := []string{}
	if _, err := os.Stat(c.o.Roots.Config); err == nil {
		left = append(left, c.o.Roots.Config)
	}
	if !c.ownMemory() {
		left = append(left, c.o.Memory)
	}
	if _, err := os.Stat(c.o.Notes); err == nil {
		left = append(left, c.o.Notes)
	}
	return left
}

func (c *Custody) ownMemory() bool {
	return c.o.Memory == filepath.Join(c.o.Roots.Data, "memory")
}

// RemoveAll deletes what the daemon stored, once it has ended. It removes only names that Showhow made: the data
// directory may be one that a person chose.
func (c *Custody) RemoveAll() error {
	data := c.o.Roots.Data
	errs := []error{store.Erase(data)}
	for _, name := range []string{"keys", "imports", "documents", "logs"} {
		errs = append(errs, os.RemoveAll(filepath.Join(data, name)))
	}
	if c.ownMemory() {
		errs = append(errs, os.RemoveAll(c.o.Memory))
	}
	for _, name := range []string{"browser", "rehearsals", "documents", "receipts", "runs"} {
		errs = append(errs, os.RemoveAll(filepath.Join(c.o.Roots.State, name)))
	}
	os.Remove(data) // when nothing else is in it
	os.Remove(c.o.Roots.State)
	if err := errors.Join(errs...); err != nil {
		return fault.Wrap(err, fault.Internal, "not everything could be deleted").WithHint(
			"delete the rest by hand: it lies in " + c.o.Roots.Tilde(data))
	}
	return nil
}
