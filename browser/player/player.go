package player

import (
	"context"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
	"showhow/internal/fault"
)

// Options say in which browser to play, and how.
type Options struct {
	Browser   *browser.Browser // launched by the caller with Flags, in a fresh profile or the managed one
	Guard     Guard            // nil lets every request pass
	Downloads string           // the scratch folder that downloads go to; "" refuses them
	Evidence  func(Evidence)   // called with how things were when an act failed; nil: nobody asks
	Pictures  bool             // evidence has a screenshot, too
	Patience  time.Duration    // how long to wait for a target or a state while nothing changes any more; 0: 3 s
}

// Act is one thing to do. Texts have their inputs filled in.
type Act struct {
	Verb   capture.Verb
	Target *capture.Target
	Value  string          // what to enter or choose; the whole content of a field afterwards
	Keys   string          // for a press: "Enter", "Control+S"; for a click, what was held: "Control", "Middle"
	Files  []string        // to upload: absolute paths
	Dialog string          // answers the native dialog that the act opens: "accepted" or "dismissed"; Value is what a prompt gets
	NewTab bool            // it opens a tab
	URL    string          // to go to, or with Keys "History" to go back or forward to
	Tab    string          // where: the demonstration's name for it; "" is the tab in front
	To     *capture.Target // of a drag
	Leave  bool            // of a text: the cursor leaves it afterwards, which is when a page may keep it
}

// Outcome is what an act did.
type Outcome struct {
	Found     *find.Found // nil for an act without a target
	Blocked   []Blocked   // requests that the guard refused meanwhile
	Downloads []File      // that the act began and that are complete
	Dialogs   []string    // native dialogs and how each was answered: `confirm "Delete it?" accepted`
	Tab       string      // the tab in front afterwards
	Took      time.Duration
}

// File is a download that is complete.
type File struct {
	Name string // as the page named it
	Path string // where it is
	Size int64
}

// Player plays in one browser. Its methods are called one after the other; Close at any time.
type Player struct {
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
	dropped map[target.ID]bool
	act     *doing          // what is being done, or was done last
	blocked []Blocked       // since New
	passed  map[passing]int // allowed in a page's session and not yet at the browser; the handler's own
	saves   map[string]*save
	lingers map[string]bool // requests that were not over in time: a page that polls is not waited for twice
	typed   []string        // what acts entered: not to be shown in evidence

	stop []func()
}

// doing collects what happens during an act.
type doing struct {
	since    time.Time
	answer   string // for native dialogs
	text     string // for a prompt
	dialogs  []string
	answered int
	blocked  int // length of Player.blocked when it began
	opened   *tab
	saves    []*save
	saving   time.Time       // when something was heard of that makes a download begin
	chooser  *chooser        // a file chooser that a page opened
	carried  *input.DragData // what a drag of the browser's own carries
}

// New takes over a browser: from now on every request in it is judged.
func New(ctx context.Context, o Options) (*Player, error) {
	if o.Patience <= 0 {
		o.Patience = 3 * time.Second
	}
	p := &Player{o: o, wake: make(chan struct{}), views: map[*browser.Session]*view{}, names: map[string]*tab{}, saves: map[string]*save{},
		passed: map[passing]int{}, dropped: map[target.ID]bool{}, lingers: map[string]bool{}, act: &doing{since: time.Now()}}
	if err := p.start(ctx); err != nil {
		p.Close()
		return nil, fault.Wrap(err, fault.AdapterUnavailable, "the browser cannot be operated")
	}
	return p, nil
}

func (p *Player) start(ctx context.Context) (err error) {
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
	if err := p.until(ctx, startTime, func() bool { return p.front != nil }); err != nil {
		return err
	}
	return p.prepared(ctx, p.current())
}

// prepared waits until a tab has taken in what was sent when it was attached: what is asked of it while it goes to another page
// might be lost with the process that is left.
func (p *Player) prepared(ctx context.Context, t *tab) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return p.send(ctx, t, t.s, runtime.CommandGetIsolateID, nil, nil)
}

// startTime bounds how long a launched browser may take to show its first tab.
const startTime = 15 * time.Second

// Close lets the browser go. The guard ends with it, so that the caller ends the browser first or at once.
func (p *Player) Close() {
	if p.client == nil {
		return
	}
	for _, f := range p.stop {
		f()
	}
	p.stop = nil
	p.client.Close()
}

// Blocked are all requests that the guard refused so far.
func (p *Player) Blocked() []Blocked {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Blocked(nil), p.blocked...)
}

// Open goes to an address in the tab in front and waits until the page rests.
func (p *Player) Open(ctx context.Context, url string) error {
	_, err := p.Do(ctx, Act{Verb: capture.Navigate, URL: url, Dialog: accepted})
	return err
}

// changed wakes everybody who waits. The caller holds mu.
func (p *Player) changed() {
	close(p.wake)
	p.wake = make(chan struct{})
}

// locked runs f between two events.
func (p *Player) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *Player) current() (t *tab) {
	p.locked(func() { t = p.front })
	return t
}

// until waits until ok, which is asked with mu held at each change and, since it may depend on the time, now and then.
func (p *Player) until(ctx context.Context, most time.Duration, ok func() bool) error {
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

// pause waits for a moment, or for a change that shortens it.
func (p *Player) pause(ctx context.Context, d time.Duration) error {
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

// catchDownloads sends downloads to the scratch folder, or nowhere.
func (p *Player) catchDownloads(ctx context.Context) error {
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
	if p.o.Downloads != "" {
		return p.o.Browser.DownloadTo(ctx, p.o.Downloads)
	}
	_, err := cdp.Call(ctx, p.o.Browser.Root(), cdpbrowser.SetDownloadBehavior,
		cdpbrowser.SetDownloadBehaviorParams{Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, EventsEnabled: new(true)})
	return err
}

// bring puts a tab in front.
func (p *Player) bring(t *tab) {
	p.locked(func() { p.front = t })
	t.s.Send(page.CommandBringToFront, nil, nil)
}
