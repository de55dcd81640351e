package player

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"showhow/browser/find"
	"showhow/capture"
	"showhow/internal/lang"
)

// Bounds of the search for something out of sight.
const (
	mostWays    = 120
	lookingTime = 60 * time.Second
)

// way is a control that may make a page show more.
type way struct {
	Kind string `json:"kind"` // section, page, turn or tab
	Name string `json:"name"`
	Key  string `json:"key"` // by which it is known again
	at   int
}

// Explore looks where a person would look for something not visible: in collapsed sections and
// folders, on further pages of its list, in other tabs, until there returns true. It returns where
// it was found; whole is true if it looked everywhere and the page got all it asked for meanwhile.
// Exploring only reads: while it lasts, no request that could change anything is sent.
func (p *Player) Explore(ctx context.Context, there func(context.Context) bool) (where string, whole bool) {
	t := p.current()
	if t == nil {
		return "", false
	}
	bound, cancel := context.WithTimeout(ctx, lookingTime)
	defer cancel()
	p.locked(func() { p.act.looking, p.act.missed = true, false })
	defer p.locked(func() { p.act.looking = false })
	found := false
	if p.scrollThrough(bound, t, func() bool { found = there(bound); return found }); found {
		return "it was further down in its list", false
	}
	s := &searching{tried: map[string]bool{}, said: map[string]bool{p.saying(bound, t): true}}
	for range mostWays {
		next, ok := s.next(p.ways(bound, t))
		if !ok {
			p.locked(func() { whole = !p.act.missed })
			return "", whole && bound.Err() == nil
		}
		if !p.goWay(bound, t, next) {
			return "", false
		}
		said := p.saying(bound, t)
		if next.Kind == "turn" && s.said[said] {
			s.ended[direction(next.Name)] = true // there is no further page
		}
		s.said[said] = true
		if there(bound) {
			return s.told(next), false
		}
	}
	return "", false
}

// searching records what has been looked at so far.
type searching struct {
	tried map[string]bool // ways already tried, by their keys
	said  map[string]bool // what the page said
	ended [2]bool         // by direction
	turns int             // pages turned by a next-page control
}

// next returns the way to try now: sections first, then numbered pages, or forward and then back,
// then tabs.
func (s *searching) next(all []way) (way, bool) {
	for _, kind := range []string{"section", "page", "turn", "tab"} {
		var here []way
		for _, x := range all {
			if x.Kind == kind && !s.tried[x.Key] {
				here = append(here, x)
			}
		}
		switch kind {
		case "page":
			slices.SortStableFunc(here, func(a, b way) int { return pageNumber(a) - pageNumber(b) })
		case "turn":
			if slices.ContainsFunc(all, func(x way) bool { return x.Kind == "page" }) {
				continue // the numbers say it all
			}
			if x, ok := s.turn(here); ok {
				s.turns++
				return x, true
			}
			continue
		}
		if len(here) > 0 {
			s.tried[here[0].Key] = true
			return here[0], true
		}
	}
	return way{}, false
}

func pageNumber(x way) int { n, _ := strconv.Atoi(x.Name); return n }

// turn returns the control for the next page as long as there is one, then the control for the
// previous page.
func (s *searching) turn(all []way) (way, bool) {
	for d := range s.ended {
		if s.ended[d] {
			continue
		}
		if i := slices.IndexFunc(all, func(x way) bool { return direction(x.Name) == d }); i >= 0 {
			return all[i], true
		}
		s.ended[d] = true
	}
	return way{}, false
}

// The directions of paging through a list.
const (
	neither = iota - 1
	forward
	back
)

// direction returns the direction of a control by its name.
func direction(name string) int {
	switch {
	case lang.LeadsOn(name):
		return forward
	case lang.Turns(name):
		return back
	}
	return neither
}

func (s *searching) told(x way) string {
	switch x.Kind {
	case "section":
		return "it was in a closed section"
	case "page":
		return "it was on page " + x.Name
	case "turn":
		return fmt.Sprintf("it was %d pages away", s.turns)
	}
	return "it was behind the tab " + x.Name
}

// ways returns the ways of the tab's own document.
func (p *operator) ways(ctx context.Context, t *tab) (out []way) {
	if json.Unmarshal([]byte(p.ask(ctx, t, "globalThis.showhow.ways()")[0]), &out) != nil {
		return nil
	}
	for i := range out {
		out[i].at = i
	}
	return out
}

func (p *operator) saying(ctx context.Context, t *tab) string {
	return p.ask(ctx, t, "globalThis.showhow.saying()")[0]
}

// goWay presses the control and waits for what it shows.
func (p *operator) goWay(ctx context.Context, t *tab, x way) bool {
	f, err := p.hold(ctx, t, fmt.Sprintf("globalThis.showhow.way(%d)", x.at))
	if err != nil {
		return true // it has gone: the next look tells what there is
	}
	began := time.Now()
	p.locked(func() { p.act.since = began })
	if err := p.click(ctx, &hand{p: p, t: t, f: f, a: Act{Verb: capture.Click}}); err != nil {
		return ctx.Err() == nil && p.alive(t) == nil
	}
	p.drain(ctx, t)
	return p.rest(ctx) == nil && p.alive(t) == nil
}

// drain lets the page run what a press has queued (a section tells its script later that it was opened), so that the
// requests of it are known as pending.
func (p *operator) drain(ctx context.Context, t *tab) {
	ctx, cancel := context.WithTimeout(ctx, time.Second) // a dialog holds the page
	defer cancel()
	params := runtime.EvaluateParams{Expression: "new Promise((done) => setTimeout(() => setTimeout(done)))", AwaitPromise: new(true),
		Silent: new(true)}
	_ = p.send(ctx, t, t.s, runtime.CommandEvaluate, params, nil)
}

// hold resolves an expression to an element of the tab's own document.
func (p *operator) hold(ctx context.Context, t *tab, expression string) (*find.Found, error) {
	world := ""
	p.locked(func() {
		for _, v := range p.viewsOf(t) {
			if v.s == t.s {
				world = v.worlds[frameOf(v)]
			}
		}
	})
	var r runtime.EvaluateResult
	params := runtime.EvaluateParams{Expression: expression, UniqueContextID: world, Silent: new(true)}
	if err := p.send(ctx, t, t.s, runtime.CommandEvaluate, params, &r); err != nil {
		return nil, err
	}
	if r.Result == nil || r.Result.ObjectID == "" {
		return nil, &Unready{Reason: Replaced, passing: true}
	}
	return &find.Found{Session: t.s, ObjectID: r.Result.ObjectID, Role: "button", Score: 1}, nil
}
