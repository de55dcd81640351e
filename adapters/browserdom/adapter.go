package browserdom

import (
	"context"
	"sync"
	"time"

	"showhow/adapters"
	"showhow/browser"
	"showhow/capture"
	"showhow/internal/fault"
)

// Source is where the browser comes from; *browser.Manager is one.
type Source interface {
	Probe() error
	// Browser returns the running browser or starts one.
	Browser(context.Context) (*browser.Browser, error)
	// Running is the browser if there is one that lives, else nil.
	Running() *browser.Browser
}

// Options of New.
type Options struct {
	Browser Source
	// Own says that a site (host:port) is Showhow's own; nil means none is.
	Own func(site string) bool
	// NoBadge leaves the badge out. The tab then indicates nothing.
	NoBadge bool
}

// Adapter is the browser_dom adapter.
type Adapter struct {
	o Options
	// arrived, for the benchmark, hears when an act reached this side and when it had happened.
	arrived func(occurred, now time.Time)
}

// New makes the adapter.
func New(o Options) *Adapter {
	if o.Own == nil {
		o.Own = func(string) bool { return false }
	}
	return &Adapter{o: o}
}

var _ adapters.Adapter = (*Adapter)(nil)

// Info implements adapters.Adapter.
func (a *Adapter) Info() adapters.Info {
	return adapters.Info{
		Kind:  capture.BrowserDOM,
		ID:    "browser_dom",
		Title: "Browser pages",
		Sees: []string{
			"clicks, choices, ticked boxes, submitted forms, keys like Enter and shortcuts, on the sites you name",
			"what you enter into fields, once per visit of a field; sealed unless you decide otherwise",
			"what the control was called and where it stood on the page",
			"title, address, headings, messages, field labels and the shape of tables before and after each act",
			"tabs opened, closed and switched, pages visited, dialogs answered, files downloaded or chosen (names and sizes)",
		},
		NeverSees: []string{
			"any other site, except that something happened there",
			"private windows",
			"passwords, one-time codes and card numbers, and anything typed on a login form",
			"the text of lists and tables, unless you act on an item; pictures; what files contain",
			"scrolling and mouse movement",
		},
		DataClasses:  []string{"page_actions", "typed_values", "chosen_values", "page_structure", "urls", "file_names"},
		Platforms:    []string{"linux", "darwin", "windows"},
		Permissions:  []string{},
		Phase:        "phase_1",
		Alternatives: []capture.Kind{capture.MCPReceipt, capture.WrapperReceipt},
	}
}

// Probe implements adapters.Adapter.
func (a *Adapter) Probe(context.Context) adapters.Health {
	err := a.o.Browser.Probe()
	if err == nil {
		return adapters.Health{State: adapters.Ready}
	}
	f := fault.From(err)
	return adapters.Health{State: adapters.Unavailable, Code: "browser_missing", Reason: f.Message, Fix: f.Hint}
}

// again is how often to look whether a browser that ended runs again.
const again = 500 * time.Millisecond

// Run implements adapters.Adapter. When the browser ends it reports itself degraded and goes on with the next one.
func (a *Adapter) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	b, err := a.o.Browser.Browser(ctx)
	if err != nil {
		return err
	}
	c := &control{scope: normal(s.Scope)}
	told := false
	for {
		r, err := a.attach(ctx, b, c, sink)
		if err == nil {
			if !told {
				ready(c)
				told = true
			}
			sink.Health(adapters.Health{State: adapters.Ready})
			select {
			case <-ctx.Done():
			case <-r.client.Done():
			}
			c.set(nil)
			r.end()
		} else if !told {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		sink.Health(adapters.Health{State: adapters.Degraded, Code: "browser_gone", Reason: "the watched browser was closed",
			Fix: "open it again: showhow browser"})
		if b = a.wait(ctx); b == nil {
			return nil
		}
	}
}

// wait returns the next running browser, nil when ctx ends before.
func (a *Adapter) wait(ctx context.Context) *browser.Browser {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if b := a.o.Browser.Running(); b != nil {
				return b
			}
		}
	}
}

// normal is the scope in the form that capture compares; one that is not valid admits nothing.
func normal(s capture.Scope) capture.Scope {
	n, err := s.Normalise()
	if err != nil {
		return capture.Scope{}
	}
	return n
}

// control implements adapters.Control over whichever recorder runs.
type control struct {
	mu     sync.Mutex
	scope  capture.Scope
	paused bool
	epoch  int
	at     time.Time // of the last change
	r      *recorder
}

func (c *control) set(r *recorder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.r = r
}

// gate is what the recorder judges by.
type gate struct {
	scope  capture.Scope
	paused bool
	epoch  int
	at     time.Time
}

func (c *control) gate() gate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return gate{c.scope, c.paused, c.epoch, c.at}
}

func (c *control) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	c.epoch++
	c.at = time.Now()
	if r := c.r; r != nil {
		r.client.Do(r.reconfigure)
	}
}

// Pause implements adapters.Control.
func (c *control) Pause() { c.change(func() { c.paused = true }) }

// Resume implements adapters.Control.
func (c *control) Resume() { c.change(func() { c.paused = false }) }

// Rescope implements adapters.Control.
func (c *control) Rescope(s capture.Scope) {
	n := normal(s)
	c.change(func() { c.scope = n })
}
