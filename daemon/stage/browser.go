package stage

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"sync"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/browser/player"
	"showhow/capture"
	"showhow/daemon/rehearse/port"
	"showhow/internal/fault"
)

// Browser implements port.Room.
func (r *room) Browser(ctx context.Context, s port.BrowserSpec) (port.Browser, error) {
	g, err := openGate(s.Hosts)
	if err != nil {
		return nil, err
	}
	out := &roomBrowser{gate: g}
	o := player.Options{Downloads: r.Downloads(), Guard: func(q player.Request) string { return s.Guard(outgoing(q)) },
		Answered: func(q player.Request, status int) {
			if s.Answered != nil {
				s.Answered(outgoing(q), status)
			}
		}}
	if !s.Managed && !s.Headed {
		out.loan = r.stage.shared.lend(ctx, g.address)
	}
	if l := out.loan; l != nil {
		o.Browser, o.Context, out.end = l.of.browser, l.context, l.dispose
	} else if o.Browser, err = r.launch(ctx, s, g); err != nil {
		g.Close()
		return nil, err
	} else if out.end = o.Browser.Kill; s.Managed { // its profile stays, and must be written
		out.end = o.Browser.Close
	}
	if !r.keep(out) {
		_ = out.Close()
		return nil, context.Canceled
	}
	out.player, err = player.New(ctx, o)
	return out, err
}

// launch starts a browser for this run alone.
func (r *room) launch(ctx context.Context, s port.BrowserSpec, g *gate) (*browser.Browser, error) {
	o := r.stage.browser
	o.DownloadDir, o.Headless = r.Downloads(), new(!s.Headed)
	o.Name = filepath.Base(r.dir)
	if !browser.InMemory() {
		o.Profile, o.CacheDir = r.profile(), filepath.Join(r.profile(), "cache")
	}
	if s.Managed {
		if r.stage.profile == "" || r.stage.managed.Running() != nil {
			return nil, fault.New(fault.AdapterUnavailable,
				"Showhow's browser is open, so its profile cannot be rehearsed in").WithHint(
				"`showhow browser --close` ends it, or --detach leaves an attached one alone; then try again")
		}
		o.Profile = r.stage.profile
	}
	o.ExtraArgs = slices.Concat(o.ExtraArgs, player.Flags(s.Hosts), player.ProxyFlags(g.address))
	return browser.Launch(ctx, o)
}

func outgoing(q player.Request) port.Outgoing {
	return port.Outgoing{Method: q.Method, URL: q.URL, Type: q.ResourceType, Navigation: q.Navigation, Main: q.Main, Frame: q.Frame,
		Body: q.Body, Form: q.Form, Cut: len(q.Body) >= maxBody, Aside: q.Aside}
}

// maxBody is where the player truncates a request's body, in bytes.
const maxBody = 64 << 10

// roomBrowser adapts a player to package rehearse.
type roomBrowser struct {
	player *player.Player
	gate   *gate
	end    func() error // of the browser, or of what it has of this run
	loan   *loan        // nil: the browser is the run's own

	closing sync.Once
	closed  error
}

func (b *roomBrowser) Open(ctx context.Context, url string) error {
	return unready(b.player.Open(ctx, url))
}

func (b *roomBrowser) Do(ctx context.Context, a port.Act) (port.Outcome, error) {
	act := player.Act{Verb: a.Verb, Target: a.Target, Value: a.Value, Keys: a.Keys, Files: a.Files, Dialog: a.Dialog, NewTab: a.NewTab,
		URL: a.URL, Tab: a.Tab, To: a.Drop, Leave: a.Leave, Held: a.Held, Found: a.Found, Further: a.Further, ItemPaths: a.ItemPaths,
		OnItem: a.OnItem}
	if a.Holds != nil {
		act.Holds = func(q player.Request) bool { return a.Holds(outgoing(q)) }
	}
	out, err := b.player.Do(ctx, act)
	return outcomeOf(out), unready(err)
}

func outcomeOf(o player.Outcome) port.Outcome {
	out := port.Outcome{Dialogs: o.Dialogs}
	if o.Found != nil {
		out.Role, out.Name, out.Drift, out.Moved = o.Found.Role, o.Found.Name, o.Found.Drift, o.Found.Moved
		out.Beside = controls(o.Found.Beside())
	}
	for _, x := range o.Blocked {
		host := ""
		if u, err := url.Parse(x.URL); err == nil {
			host = u.Host
		}
		out.Blocked = append(out.Blocked, port.Blocked{Method: x.Method, Host: host, Navigation: x.Navigation, Main: x.Main, Frame: x.Frame,
			Why: x.Why})
	}
	for _, f := range o.Downloads {
		out.Downloads = append(out.Downloads, port.Download{Name: f.Name, Path: f.Path, Size: f.Size})
	}
	return out
}

// unready converts the player's errors into words that are safe to show.
func unready(err error) error {
	var nf *find.NotFound
	var un *player.Unready
	switch {
	case errors.As(err, &nf):
		return &port.NotFound{Ambiguous: nf.Reason == find.Ambiguous, Wanted: nf.Wanted, Seen: nf.Seen, Beside: controls(nf.Beside())}
	case errors.As(err, &un):
		return fault.Wrap(err, fault.NotFound, unreadyWords(un))
	}
	return err
}

func controls(all []find.Control) (out []port.Control) {
	for _, c := range all {
		out = append(out, port.Control(c))
	}
	return out
}

func unreadyWords(u *player.Unready) string {
	say := map[player.Reason]string{
		player.Covered: "something else lies over it", player.Disabled: "it cannot be operated", player.Hidden: "it has no place on the page",
		player.Moving: "it does not stand still", player.Replaced: "the page draws it anew again and again",
		player.NotTaken: "it did not take the value",
		player.NoOption: "it does not offer the value", player.NoField: "it holds no value", player.NoTarget: "it is not known what to use",
		player.NoTab: "the tab is not there", player.NoDialog: "no dialog is open", player.NoHistory: "there is no such page to go back to",
		player.Unanswered: "the page does not take input", player.Refused: "the page was refused or cannot be reached",
		player.Endless: "the page asks for ever",
	}[u.Reason]
	if say == "" {
		say = "nobody can do that"
	}
	return say
}

func (b *roomBrowser) Settle(ctx context.Context, wanted func(capture.State) bool) (capture.State, bool, error) {
	st, err := b.player.Settle(ctx, wanted)
	switch {
	case err == nil:
		return st, true, nil
	case errors.Is(err, player.ErrUnsettled), errors.Is(err, context.DeadlineExceeded):
		return st, false, nil
	}
	return st, false, err
}

func (b *roomBrowser) Read(ctx context.Context) (port.Page, error) {
	st, err := b.player.State(ctx)
	if err != nil {
		return port.Page{}, err
	}
	text, err := b.player.Text(ctx)
	if err != nil {
		return port.Page{}, err
	}
	rows, err := b.Rows(ctx)
	return port.Page{State: st, Text: text, Rows: rows, Status: b.player.Status(ctx)}, err
}

func (b *roomBrowser) Rows(ctx context.Context) ([]port.Row, error) {
	rows, err := b.player.Rows(ctx)
	out := make([]port.Row, len(rows))
	for i, r := range rows {
		out[i] = port.Row{List: r.List, Text: r.Text, Columns: r.Columns, Cells: r.Cells, Deeds: r.Deeds}
		for _, l := range r.Links {
			out[i].Links = append(out[i].Links, port.Link(l))
		}
	}
	return out, err
}

func (b *roomBrowser) Frames(ctx context.Context) []string { return b.player.Frames(ctx) }

func (b *roomBrowser) Status(ctx context.Context) int { return b.player.Status(ctx) }

// Peek opens the address in a separate tab, under the same guard.
func (b *roomBrowser) Peek(ctx context.Context, address string) (port.Page, error) {
	if err := b.player.Aside(ctx, address); err != nil {
		return port.Page{}, unready(err)
	}
	page, err := b.Read(ctx)
	return page, unready(err)
}

func (b *roomBrowser) Return(context.Context) error {
	b.player.Return()
	return nil
}

// Stored implements port.Forgetful.
func (b *roomBrowser) Stored(ctx context.Context) (port.Stored, error) {
	s, err := b.player.Stored(ctx)
	if s == nil || err != nil {
		return nil, unready(err)
	}
	return s, nil
}

// Forget implements port.Forgetful.
func (b *roomBrowser) Forget(ctx context.Context, was port.Stored, anyway bool) (bool, error) {
	s, _ := was.(*player.Stored)
	ok, err := b.player.Forget(ctx, s, anyway)
	return ok, unready(err)
}

func (b *roomBrowser) Has(ctx context.Context, t *capture.Target) (bool, error) {
	return b.player.Has(ctx, *t)
}

// Sight implements port.Sighted.
func (b *roomBrowser) Sight(ctx context.Context, t *capture.Target) (has bool, out port.Outcome, err error) {
	has, f, err := b.player.Sight(ctx, *t)
	if f != nil {
		out = port.Outcome{Role: f.Role, Name: f.Name, Drift: f.Drift, Moved: f.Moved, Beside: controls(f.Beside())}
	}
	return has, out, unready(err)
}

func (b *roomBrowser) Explore(ctx context.Context, there func(context.Context) bool) (where string, whole bool) {
	return b.player.Explore(ctx, there)
}

func (b *roomBrowser) SignIn(ctx context.Context) (bool, error) {
	return b.player.AsksPassword(ctx), ctx.Err()
}

// Close ends the browser first: while it lives, its requests are judged.
func (b *roomBrowser) Close() error {
	b.closing.Do(func() {
		b.closed = b.end()
		if b.player != nil {
			b.player.Close()
		}
		b.gate.Close()
		if b.loan != nil {
			b.loan.back()
		}
	})
	return b.closed
}
