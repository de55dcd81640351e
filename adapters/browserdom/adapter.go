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

// Source provides the browser; *browser.Manager is one.
type Source interface {
	Probe() error
	// Browser returns the running browser or starts one.
	Browser(context.Context) (*browser.Browser, error)
	// Running returns the live browser, or nil.
	Running() *browser.Browser
}

// Options of New.
type Options struct {
	Browser Source
	// Own reports whether a site (host:port) is Showhow's own; nil means none is.
	Own func(site string) bool
	// NoBadge omits the badge. The tab then indicates nothing.
	NoBadge bool

	late time.Duration // lateness where nothing else is said; a test on a busy machine has time
}

// Adapter is the browser_dom adapter.
type Adapter struct {
	o    Options
	mu   sync.Mutex
	hubs []*hub // that somebody takes part in
	// arrived, for the benchmark, is told when an act reached this side and when it had happened.
	arrived func(occurred, now time.Time)
}

// New makes the adapter.
func New(o Options) *Adapter {
	if o.Own == nil {
		o.Own = func(string) bool { return false }
	}
	if o.late == 0 {
		o.late = lateness
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
			"clicks, choices, ticked boxes, submitted forms, things dragged, keys like Enter and shortcuts, on the sites you name",
			"what you enter into fields, once per visit of a field; sealed unless you decide otherwise",
			"what the control was called and where it stood on the page",
			"the page's title and address before and after each act",
			"tabs opened, closed and switched, pages visited, dialogs answered, files downloaded, chosen or dropped (names and sizes), pages " +
				"that crash",
		},
		NeverSees: []string{
			"any other site, except that something happened there",
			"private windows",
			"passwords, one-time codes and card numbers, and anything typed on a login form",
			"the text of a page, unless you act on it; pictures; what files contain",
			"scrolling, and mouse movement other than a drag",
		},
		DataClasses:  []string{"page_actions", "typed_values", "chosen_values", "urls", "file_names"},
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

// Run implements adapters.Adapter. If the browser ends, Run reports itself degraded and continues with the next one.
func (a *Adapter) Run(ctx context.Context, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	return a.observe(ctx, capture.BrowserDOM, s, sink, ready)
}
