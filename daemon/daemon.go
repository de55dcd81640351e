package daemon

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/browser"
	"showhow/capture/live"
	"showhow/daemon/a2a"
	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/api"
	"showhow/daemon/capturing"
	"showhow/daemon/category"
	"showhow/daemon/checkup"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/door"
	"showhow/daemon/connector/registry"
	"showhow/daemon/connector/signin"
	"showhow/daemon/credential"
	"showhow/daemon/custody"
	"showhow/daemon/document"
	"showhow/daemon/events"
	"showhow/daemon/imports"
	"showhow/daemon/intake"
	"showhow/daemon/learn"
	"showhow/daemon/mcp/question"
	"showhow/daemon/mining"
	"showhow/daemon/model"
	"showhow/daemon/notes"
	"showhow/daemon/oci"
	"showhow/daemon/outlook"
	"showhow/daemon/pdf"
	"showhow/daemon/practice"
	"showhow/daemon/rehearse"
	"showhow/daemon/remote"
	"showhow/daemon/screen"
	"showhow/daemon/settings"
	"showhow/daemon/shelf"
	"showhow/daemon/skill/scan"
	"showhow/daemon/stage"
	"showhow/internal/clock"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/footprint"
	"showhow/internal/paths"
	"showhow/store"
	"showhow/store/keys"
)

// Options configures a daemon.
type Options struct {
	Roots  paths.Roots
	Config config.Config
	Logger *slog.Logger

	// DemoGrant is a secret of the parent process, which confirms in the person's place in its own demo. It is
	// honoured only when this start creates the data directory (decisions D2).
	DemoGrant string
	// ThrowAway starts the browser in a temporary profile, with a debugging port and, as root, without its sandbox:
	// demo and tests only.
	ThrowAway bool
	// Program is the path of this executable, which shows the overlay when capture begins; "" shows none.
	Program string
	// DownloadDir is where the managed browser saves files; "" keeps the browser's own setting.
	DownloadDir string

	Test Test
}

// Test holds what tests replace; the zero value is the real environment.
type Test struct {
	Now           func() time.Time    // wall clock of everything that is recorded or judged
	Every         time.Duration       // how often due work is done
	Grace         time.Duration       // how long a capture that has just begun may take to be shown
	AncestryUntil int                 // see api.Deps: tests run below whatever started them
	Sound         string              // a folder in place of the system's MIDI devices
	Secrets       credential.Keychain // where runs' credentials are; nil: the system's
	IdleLook      func()              // called after each check whether the daemon is idle and may end; may be nil

	// Dial is how the proxy of agents' runs connects; nil means over the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Daemon holds the parts of a running daemon.
type Daemon struct {
	o       Options
	log     *slog.Logger
	started clock.Time

	store       *store.Store
	keys        *keys.Ring
	browsers    *browser.Manager
	adapters    *adapters.Registry
	live        *live.Stream
	capture     *capturing.Capturer
	learn       *learn.Service
	abilities   *ability.Service
	imports     *imports.Service
	registries  *oci.Service
	categories  *category.Service
	credentials *credential.Service
	runner      *rehearse.Runner
	model       *model.Writer // nil: none is configured
	stage       *stage.Stage
	redactor    redactor
	intake      *intake.Intake
	runs        *agentrun.Service
	practices   *practice.Service
	events      *events.Service
	keeping     *keeping
	mining      *mining.Service
	notes       *notes.Service
	documents   *document.Service
	pdf         *pdf.Service
	outlook     *outlook.Service
	connectors  *registry.Registry
	signins     *signin.Service
	desk        *desk.Desk
	door        *door.Door
	fares       chan struct{} // a connector's health has changed
	calls       chan ability.Called
	questions   *question.Desk  // what agents ask at the door
	remote      *remote.Service // callers from elsewhere
	tasks       *a2a.Service    // that they ask for
	api         *api.Server

	settings *settings.Keeper

	shelf   shelf.Shelf
	custody *custody.Custody
	checkup *checkup.Checkup
	screen  *screen.Screen
	stop    context.CancelFunc
	restart bool
	erase   bool // a person wants everything deleted once nothing writes any more
}

// ErrRestart is returned by Run when the daemon should be started again.
var ErrRestart = errors.New("restart")

// gcPercent trades a little CPU for memory: a daemon idles for hours and makes little garbage when it works.
const gcPercent = 40

// Run starts the daemon, serves until ctx ends or a client stops it, and shuts down in order. ready is called once the
// socket answers.
func Run(ctx context.Context, o Options, ready func()) error {
	debug.SetGCPercent(gcPercent)
	slog.SetDefault(slog.New(slog.DiscardHandler)) // libraries that log by it do so with addresses and errors that nobody redacted
	harden()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Test.Now == nil {
		o.Test.Now = time.Now
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := &Daemon{o: o, log: o.Logger, stop: stop, settings: settings.New(o.Roots, o.Config)}
	d.started = d.now()
	if err := d.open(ctx); err != nil {
		return err
	}
	err := d.serve(ctx, ready)
	if err == nil && d.erase {
		err = d.leave(ctx)
	}
	if cerr := d.close(); err == nil {
		err = cerr
	}
	if err == nil && d.erase {
		err = d.custody.RemoveAll()
	}
	if err == nil && d.restart {
		err = ErrRestart
	}
	return err
}

// open makes every part and recovers from a crash. Nothing is served before it returns.
func (d *Daemon) open(ctx context.Context) (err error) {
	o := d.o
	if os.Getuid() == 0 && !o.ThrowAway {
		d.log.Warn("running as root: fine for containers and tests, not for daily use")
	}
	fresh := isFresh(o.Roots.Data)
	if o.DemoGrant != "" && !fresh {
		return fault.New(fault.Usage, "a demo needs a data directory of its own, and this one exists already")
	}
	d.keys = keys.Open(filepath.Join(o.Roots.Data, "keys"))
	d.store, err = store.Open(ctx, store.Options{Dir: o.Roots.Data, Memory: o.Config.Memory, Keys: d.keys, Now: d.now, Logger: o.Logger})
	if err != nil {
		return err
	}
	d.browsers = browser.NewManager(d.browserOptions())
	d.intake = intake.New(d.intakeOptions())
	d.adapters = d.newAdapters()
	d.live = live.New(1024)
	d.capture = capturing.New(d.capturingOptions())
	d.screen = screen.New(d.screenOptions())
	if err := d.capabilities(ctx); err != nil {
		d.close()
		return err
	}
	d.custody = custody.New(d.custodyOptions())
	d.checkup = checkup.New(d.checkupOptions())
	d.api = api.New(d.apiDeps())
	if err := d.remote.Open(ctx); err != nil {
		d.close()
		return err
	}
	return nil
}

// now is the wall clock in the format that is stored.
func (d *Daemon) now() clock.Time { return clock.At(d.o.Test.Now()) }

// capabilities makes the services in dependency order and lets each recover.
func (d *Daemon) capabilities(ctx context.Context) (err error) {
	d.fares, d.calls = make(chan struct{}, 1), make(chan ability.Called, 64)
	d.documents = document.NewService(documentOptions(d.o.Roots.Data, d.keys, d.now))
	d.pdf = pdf.New(pdfOptions(d.documents, d.store, d.redactor, filepath.Join(d.o.Roots.State, "documents"), d.now))
	if err := d.pdf.Sweep(); err != nil {
		d.log.Warn("documents that were being read could not be removed", "code", string(fault.CodeOf(err)))
	}
	d.outlook = outlook.Here(d.o.Roots, scan.Instructs)
	d.abilities = ability.New(d.abilityOptions())
	d.shelf = shelf.New(d.shelfOptions())
	d.categories = category.New(d.categoryOptions())
	d.credentials = credential.New(d.credentialOptions())
	d.stage = stage.New(d.stageOptions())
	if err := d.stage.Sweep(); err != nil {
		d.log.Warn("what an earlier rehearsal left could not be removed", "code", string(fault.CodeOf(err)))
	}
	d.runner = rehearse.New(d.runnerOptions())
	if d.model, err = newWriter(d.o.Config.Model, d.redactor.Text); err != nil {
		return err
	}
	d.runs = agentrun.New(d.runsOptions())
	d.learn = learn.New(d.learnDeps(ctx))
	d.practices = practice.New(practice.Options{Store: d.store.Practices(), Redact: d.redactor.Text, Log: d.log, Learn: d.learn, Runs: d.runs,
		Command: func() []string { return d.settings.Current().AgentCommand }, Now: d.now, NewID: clock.NewID})
	d.keeping = newKeeping(d)
	d.mining = newMining(minedWork{store: d.store, abilities: d.abilities, now: d.now}, d.learn, d.log)
	// The folder is the person's: erasing Showhow's data leaves it where it is.
	d.notes = notes.New(notes.Options{Dir: notesDir(d.o.Roots), Store: d.store.Notes(), Redact: d.redactor.secrets,
		Now: d.now, NewID: clock.NewID})
	d.registries = oci.New(registryOptions(d))
	d.imports = imports.New(d.importOptions())
	if err := d.connect(ctx); err != nil {
		return err
	}
	if err := d.intake.Open(ctx); err != nil {
		return err
	}
	if _, err := d.abilities.Recover(ctx); err != nil {
		return err
	}
	if _, err := d.runner.Recover(ctx); err != nil {
		return err
	}
	if err := d.runs.Recover(ctx); err != nil {
		return err
	}
	if err := d.practices.Recover(ctx); err != nil {
		return err
	}
	if err := d.imports.Recover(ctx); err != nil {
		return err
	}
	if err := d.learn.Recover(ctx); err != nil {
		return err
	}
	d.events = events.New(eventOptions(d))
	if err := d.events.Recover(ctx); err != nil {
		d.log.Warn("feedback could not be handed on yet", "code", string(fault.CodeOf(err)))
	}
	return nil
}

// serve runs everything that lives as long as the daemon and returns when all of it has ended.
func (d *Daemon) serve(ctx context.Context, ready func()) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	errs := make(chan error, 16)
	run := func(what string, f func(context.Context) error) {
		wg.Go(func() {
			defer stop() // none of them may end by itself
			if err := f(ctx); err != nil && ctx.Err() == nil {
				d.log.Error("a part of the daemon ended", "part", what, "code", string(fault.CodeOf(err)))
				errs <- err
			}
		})
	}
	run("store", d.store.Run)
	run("learn", d.learn.Run)
	run("abilities", d.followAbilities)
	run("skills", d.abilities.Run)
	run("imports", d.tidyImports)
	run("socket", func(ctx context.Context) error { return d.api.ServeUnix(ctx, d.o.Roots.Socket()) })
	run("tcp", d.api.ServeTCP)
	run("door", d.door.Run)
	run("nightly", d.nightly)
	run("putback", singleWriter{d.o.Config.Memory, d.store, d.log}.run)
	run("canaries", d.keeping.canaries.Run)
	run("anchors", d.keeping.Run)
	run("idle", d.exitWhenIdle)
	run("rest", restOf(d).run)
	run("journal", d.intake.Journal.Run)
	run("uses", d.intake.FollowUses)
	run("connectors", services{d}.follow)
	run("probes", d.connectors.Run)
	run("overlay", d.screen.Run)
	run("mining", d.mining.Run)
	if ready != nil {
		wg.Go(func() { d.announce(ctx, ready) })
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// announce calls ready once the socket answers.
func (d *Daemon) announce(ctx context.Context, ready func()) {
	for ctx.Err() == nil {
		if dialSocket(d.o.Roots.Socket()) {
			ready()
			footprint.Shrink() // what starting took is not needed again
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// closeTime bounds shutdown: a capture must be flushed and a browser closed.
const closeTime = 15 * time.Second

// close shuts the parts down in reverse order of creation.
func (d *Daemon) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var errs []error
	if d.remote != nil {
		d.remote.Close()
		d.tasks.Close()
	}
	if d.signins != nil {
		d.signins.Close()
	}
	if d.door != nil {
		d.door.Close()
	}
	if d.connectors != nil {
		d.connectors.Close()
		errs = append(errs, d.store.Connectors().Flush(ctx))
	}
	if d.practices != nil {
		errs = append(errs, d.practices.Close())
	}
	if d.runs != nil {
		errs = append(errs, d.runs.Close())
	}
	if d.learn != nil {
		errs = append(errs, d.learn.Close(ctx))
	}
	if d.runner != nil {
		errs = append(errs, d.runner.Close())
	}
	if d.stage != nil {
		errs = append(errs, d.stage.Close())
	}
	if d.capture != nil {
		d.capture.Close()
	}
	if d.browsers != nil {
		errs = append(errs, d.browsers.Close())
	}
	if d.notes != nil {
		d.notes.Close()
	}
	if d.store != nil {
		errs = append(errs, d.store.Close())
	}
	return errors.Join(errs...)
}

// stopFor ends the daemon after the response to the stop request has been written.
func (d *Daemon) stopFor(restart bool) {
	d.restart = restart
	if !restart {
		d.intake.Stopping()
	}
	time.AfterFunc(50*time.Millisecond, d.stop)
}

// isFresh reports whether the data directory holds only the log of this start.
func isFresh(dir string) bool {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return true
	}
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != "logs" })
}

// leave removes the skills from the agents' folders once nothing restores them any more.
func (d *Daemon) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	return d.abilities.Leave(ctx)
}
