package corpus

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"showhow/bench/corpus/apps"
	"showhow/bench/corpus/ledger"
	"showhow/bench/corpus/person"
	"showhow/browser"
	"showhow/demo/driver"
)

// Seed is the seed of the data that the demonstrations see.
const Seed = 11

// World are the applications, each served at its own address on this machine while the World is open.
type World struct {
	Apps map[string]*apps.App

	addresses map[string]string
	servers   []*http.Server
	serving   sync.WaitGroup
}

// NewWorld serves every application.
func NewWorld() (*World, error) {
	w := &World{Apps: map[string]*apps.App{}, addresses: map[string]string{}}
	for _, name := range apps.Names {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			w.Close()
			return nil, err
		}
		a := apps.New(name, Seed)
		s := &http.Server{Handler: a.Handler, ReadHeaderTimeout: 5 * time.Second}
		w.Apps[name], w.addresses[name] = a, l.Addr().String()
		w.servers = append(w.servers, s)
		w.serving.Go(func() { _ = s.Serve(l) })
	}
	return w, nil
}

// Close ends the servers and waits for them.
func (w *World) Close() {
	for _, s := range w.servers {
		_ = s.Close()
	}
	w.serving.Wait()
}

// Site is an application's host and port, "" if there is none.
func (w *World) Site(app string) string { return w.addresses[app] }

// URL is an application's address without a slash at the end.
func (w *World) URL(app string) string {
	if w.addresses[app] == "" {
		return ""
	}
	return "http://" + w.addresses[app]
}

// Ready resets an application's data and the workflow's files, and returns the application in that state.
func (w *World) Ready(f *Workflow, home string, seed uint64) (before *apps.App, err error) {
	if f.App != "" {
		w.Apps[f.App].Reset(seed)
		before = apps.New(f.App, seed)
	}
	return before, f.Lay(home)
}

// Fail injects a fault of the application or of the files.
func (w *World) Fail(f *Workflow, home string, fault ledger.Fault, v Values) error {
	if f.OfFiles(fault) {
		return f.Spoil(home, fault, v)
	}
	w.Apps[f.App].Ledger.Fail(fault)
	return nil
}

// Stage is where a person demonstrates: a browser and a shell in a home.
type Stage struct {
	World     *World
	Home      string
	Downloads string
	Hands     *driver.Hands // nil: no browser
	Shell     *driver.Shell // nil: no shell
}

// Perform demonstrates a workflow once, in a tab of its own, and returns whether it reached its effect, and why not.
// begin is called when everything is prepared, end when the work is done and the tab still open; both may be nil.
func (s *Stage) Perform(ctx context.Context, f *Workflow, n int, begin, end func() error) error {
	before, err := s.World.Ready(f, s.Home, Seed)
	if err == nil && begin != nil {
		err = begin()
	}
	if err != nil {
		return err
	}
	v := f.Values(before, n)
	p := person.New(ctx)
	p.Base, p.Downloads, p.Work, p.Shell = s.World.URL(f.App), s.Downloads, filepath.Join(s.Home, f.Folder), s.Shell
	if f.App != "" && s.Hands != nil {
		if p.Tab, err = s.Hands.NewTab(ctx, "about:blank"); err != nil {
			return err
		}
		defer p.AnswerDialogs()()
	}
	f.Demo(p, v)
	if p.Tab != nil {
		defer p.Tab.Close(context.WithoutCancel(ctx))
	}
	if p.Err != nil {
		return p.Err
	}
	if end != nil {
		if err := end(); err != nil {
			return err
		}
	}
	if ok, why := f.Succeeded(before, s.World.Apps[f.App], s.Home, v); !ok {
		return errors.New(why)
	}
	return nil
}

// OpenStage starts a browser and a shell for demonstrations that nobody records.
func OpenStage(ctx context.Context, w *World, home string, pace time.Duration) (*Stage, func(), error) {
	s := &Stage{World: w, Home: home, Downloads: filepath.Join(home, "Downloads")}
	if err := os.MkdirAll(s.Downloads, 0o700); err != nil {
		return nil, nil, err
	}
	c := driver.Config{Home: home, Pace: pace, Patience: 40 * time.Second}
	b, err := browser.Launch(ctx, browser.Options{Headless: new(true), NoSandbox: true, Port: true, DownloadDir: s.Downloads})
	if err != nil {
		return nil, nil, err
	}
	if s.Hands, err = driver.Sit(ctx, b.DebugURL(), c); err == nil {
		s.Shell, err = driver.StartShell(ctx, c)
	}
	end := func() {
		if s.Shell != nil {
			s.Shell.Close()
		}
		if s.Hands != nil {
			s.Hands.Leave()
		}
		_ = b.Close()
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return s, end, nil
}
