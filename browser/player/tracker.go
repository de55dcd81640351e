package player

import (
	"context"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
)

// tracker records what the browser reports: its tabs, what they show and load, dialogs, downloads,
// refused requests. It judges every request. It sends pages no questions.
type tracker struct {
	o      Options
	client *browser.Client

	mu      sync.Mutex
	wake    chan struct{} // closed at the next change, and replaced
	views   map[*browser.Session]*view
	tabs    []*tab // in the order they were opened
	count   int
	front   *tab
	names   map[string]*tab // the demonstration's names
	aside   *tab            // for looks beside the work, while there is one
	at      *tab            // in front when the look began
	forgets *forgetful      // nil: looks are those of the same browser
	answers answers         // to requests that may have changed something
	dropped map[target.ID]bool
	act     *doing          // what is being done, or was done last
	blocked []Blocked       // since New
	passed  map[passing]int // allowed in a page's session and not yet at the browser; the handler's own
	saves   map[string]*save
	lingers map[string]bool // requests that were not over in time: a page that polls is not waited for twice
	typed   []string        // what acts entered: not to be shown in evidence

	stop []func()
}

func newTracker(o Options) *tracker {
	return &tracker{o: o, wake: make(chan struct{}), views: map[*browser.Session]*view{}, names: map[string]*tab{},
		saves: map[string]*save{}, passed: map[passing]int{}, dropped: map[target.ID]bool{}, lingers: map[string]bool{},
		act: &doing{since: time.Now()}, answers: answers{tell: o.Answered}}
}

// doing records what happens during an act.
type doing struct {
	since    time.Time
	answer   string // for native dialogs
	text     string // for a prompt
	dialogs  []string
	answered int
	blocked  int // length of tracker.blocked when it began
	opened   *tab
	saves    []*save
	saving   time.Time       // when something was heard of that makes a download begin
	chooser  *chooser        // a file chooser that a page opened
	carried  *input.DragData // what a drag of the browser's own carries
	delay    *delay          // nil: every request goes on at once
	further  func(context.Context)
	looking  bool // for a thing that is not in sight: nothing may be changed
	missed   bool // an answer that a page asked for while it was looked through: it may show less than there is
}

// holding is the delay that currently holds requests back, or nil. The caller holds mu.
func (d *doing) holding() *delay {
	if h := d.delay; h != nil && len(h.waiting) > 0 {
		return h
	}
	return nil
}

// start takes the browser over: from now on every request in it is judged.
func (p *tracker) start(ctx context.Context) (err error) {
	if p.client, err = p.o.Browser.NewClient(ctx, p); err != nil {
		return err
	}
	if err := p.catchDownloads(ctx); err != nil {
		return err
	}
	if err := p.guardBrowser(ctx); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, p.client.Root(), target.SetAutoAttach, attachAll()); err != nil {
		return err
	}
	if p.o.Context != nil {
		if _, err := newTab(ctx, p.client.Root(), p.o.Context.id); err != nil {
			return err
		}
	}
	return p.until(ctx, startTime, func() bool { return p.front != nil })
}

// close releases the browser. The guard ends with it.
func (p *tracker) close() {
	if p.client == nil {
		return
	}
	for _, f := range p.stop {
		f()
	}
	p.stop = nil
	p.client.Close()
}

// changed wakes all waiters. The caller holds mu.
func (p *tracker) changed() {
	close(p.wake)
	p.wake = make(chan struct{})
}

// locked runs f between two events.
func (p *tracker) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *tracker) current() (t *tab) {
	p.locked(func() { t = p.front })
	return t
}

// until waits until ok returns true. ok is called with mu held at each change and, since it may
// depend on the time, periodically.
func (p *tracker) until(ctx context.Context, most time.Duration, ok func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	again := time.NewTicker(4 * tick)
	defer again.Stop()
	for {
		p.mu.Lock()
		done, wake := ok(), p.wake
		p.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-wake:
		case <-again.C:
		case <-p.client.Done():
			return browser.ErrGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pause waits for d. It fails early if ctx ends or the browser is gone.
func (p *tracker) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.client.Done():
		return browser.ErrGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// catchDownloads sends downloads to the scratch folder, or refuses them if there is none.
func (p *tracker) catchDownloads(ctx context.Context) error {
	events, cancel := p.o.Browser.Root().Events(cdpbrowser.DownloadWillBegin.Method, cdpbrowser.DownloadProgress.Method)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range events {
			p.download(e)
		}
	}()
	p.stop = append(p.stop, func() {
		cancel()
		<-done
	})
	if p.o.Downloads != "" && p.o.Context == nil {
		return p.o.Browser.DownloadTo(ctx, p.o.Downloads)
	}
	return downloadTo(ctx, p.o.Browser.Root(), p.o.Context.of(), p.o.Downloads)
}

// bring brings a tab to the front.
func (p *tracker) bring(t *tab) {
	p.locked(func() { p.front = t })
	t.s.Send(page.CommandBringToFront, nil, nil)
}

// Blocked returns all requests that the guard has refused so far.
func (p *tracker) Blocked() []Blocked {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Blocked(nil), p.blocked...)
}

// startTime bounds how long a launched browser may take to show its first tab.
const startTime = 30 * time.Second

func (p *tracker) idle(t *tab, since time.Time) (ok bool) {
	p.locked(func() { ok = t.idle(p, since) })
	return ok
}

func (p *tracker) alive(t *tab) (err error) {
	p.locked(func() {
		if t.gone || t.dead {
			err = browser.ErrGone
		}
	})
	select {
	case <-p.client.Done():
		return browser.ErrGone
	default:
		return err
	}
}

// idle reports whether nothing that the act started is in progress. The caller holds Player.mu.
func (t *tab) idle(p *tracker, since time.Time) bool {
	if t.gone || t.dead || t.dialog != nil {
		return true
	}
	for frame, at := range t.asked {
		if time.Since(at) < loadTime || string(frame) == string(t.id) && time.Since(at) < navigationTime {
			return false
		}
	}
	late := time.Since(since) > loadTime
	if len(t.busy) > 0 && !late {
		return false
	}
	over := time.Since(since) > requestTime
	for _, v := range p.views {
		if v.tab != t {
			continue
		}
		for _, f := range v.flights {
			switch {
			case f.since.Before(since) || p.lingers[f.what] || f.unread():
			case over:
				p.lingers[f.what] = true
			default:
				return false
			}
		}
	}
	return true
}

// leastHidden is the minimum length of an entered value that is blotted out of evidence; a shorter
// one is part of ordinary words.
const leastHidden = 3
