package daemon

import (
	"context"
	"path/filepath"

	"showhow/adapters"
	"showhow/adapters/browserdom"
	"showhow/adapters/files"
	"showhow/adapters/midi"
	"showhow/adapters/process"
	"showhow/adapters/terminal"
	"showhow/browser"
	"showhow/capture"
	"showhow/daemon/capturing"
	"showhow/daemon/checkup"
	"showhow/daemon/custody"
	"showhow/daemon/intake"
	"showhow/daemon/learn/state"
	"showhow/daemon/screen"
	"showhow/daemon/stage"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

func (d *Daemon) browserOptions() browser.Options {
	o := browser.Options{Path: d.o.Config.Browser.Path, Profile: d.o.Roots.BrowserProfile(), DownloadDir: d.o.DownloadDir}
	if d.o.Config.Browser.Headless {
		o.Headless = new(true)
	}
	if d.o.ThrowAway {
		o.Profile, o.Port, o.NoSandbox = "", true, true
	}
	return o
}

// newAdapters makes every observation adapter, and removes from running shells the hooks that a killed daemon left
// there.
func (d *Daemon) newAdapters() *adapters.Registry {
	o := d.o
	pages := browserdom.New(browserdom.Options{Browser: d.browsers, Own: d.ownSite})
	terminal.Sweep(o.Roots.Runtime)
	return adapters.NewRegistry(
		pages,
		pages.Snapshot(),
		terminal.New(o.Roots.Runtime),
		process.New(),
		d.intake.Desk().Tools(),
		d.intake.Desk().Wrapped(),
		midi.New(midi.Options{Root: o.Test.Sound}),
		files.New(o.Roots.Data, o.Config.Memory, o.Roots.Runtime, o.Roots.State),
	)
}

func (d *Daemon) capturingOptions() capturing.Options {
	return capturing.Options{
		Adapters: d.adapters, Log: d.store, Keys: d.keys, Sealed: d.store, Live: d.live.Publish, Home: d.o.Roots.Home,
		Logger: d.log, Now: d.o.Test.Now, NewID: clock.NewID,
		Document: func(ctx context.Context, path string) (capture.Document, error) {
			return documentsOf{d.pdf}.open(ctx, path)
		},
		Indicate: func(indicator string) { d.learn.RenewIndicator(indicator) },
		Standby:  func(string) { d.learn.CouldIndicate() },
		Failed: func(id string, why state.PauseReason) {
			if err := d.learn.CaptureFailed(context.Background(), id, why); err != nil {
				d.log.Error("a failed capture could not be paused", "code", string(fault.CodeOf(err)))
			}
		},
	}
}

func (d *Daemon) intakeOptions() intake.Options {
	return intake.Options{Roots: d.o.Roots, Hooks: d.store, Runs: d.store.Observed(), Keys: d.keys, Every: d.o.Test.Every, Now: d.o.Test.Now,
		Log:     d.log,
		NoteUse: func(ctx context.Context, skill string) error { return d.abilities.NoteUse(ctx, skill) }}
}

func (d *Daemon) stageOptions() stage.Options {
	return stage.Options{Dir: filepath.Join(d.o.Roots.State, "rehearsals"), Browser: d.browserOptions(), Managed: d.browsers,
		Profile: d.o.Roots.BrowserProfile()}
}

func (d *Daemon) screenOptions() screen.Options {
	return screen.Options{Roots: d.o.Roots, Program: d.o.Program, Changed: d.store.Watch, Log: d.log,
		Capturing: func(ctx context.Context) (bool, error) {
			s, ok, err := d.learn.ActiveSession(ctx)
			return ok && s.State == state.Capturing, err
		}}
}

func (d *Daemon) checkupOptions() checkup.Options {
	return checkup.Options{Roots: d.o.Roots, Config: d.o.Config, Current: d.settings.Current, KeysKind: d.keys.Kind(),
		Adapters: d.adapterStatus,
		Watching: func() bool { return len(d.capture.Active()) > 0 }, Agents: d.intake.Agents,
		Documents: d.pdf.Health, Now: d.now}
}

// notesDir is the folder with the person's notes.
func notesDir(r paths.Roots) string { return filepath.Join(r.Data, "notes") }

func (d *Daemon) custodyOptions() custody.Options {
	return custody.Options{Roots: d.o.Roots, Memory: d.o.Config.Memory, Notes: notesDir(d.o.Roots), Learn: d.learn,
		Intake: d.intake, Abilities: d.abilities, Imports: d.imports,
		Categories: d.categories, Credentials: d.credentials, Mining: d.mining, Tokens: d.signins.Signed, ForgetTokens: d.signins.Forget,
		Signs: d.registries.Signs, ForgetSigningKey: d.registries.Forget, Originals: d.events.PurgeOriginals, Documents: d.documents.Purge,
		Settings: d.settings, Store: d.store, Keys: d.keys,
		Now: d.now,
		End: func() {
			d.erase = true
			d.stopFor(false)
		}}
}
