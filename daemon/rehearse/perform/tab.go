package perform

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/capability/health"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Time limits for a state to appear. The browser has already waited for a step without a checkpoint.
const (
	arrivalTime    = 3 * time.Second
	checkpointTime = 8 * time.Second
	maxPast        = 60
)

// tab is the current page and its browser: it opens pages, acts on them and remembers the states that it saw.
type tab struct {
	*job
	files   *workspace
	browser port.Browser
	begun   bool            // a page is open
	state   capture.State   // as it was seen last
	past    []capture.State // states before that, oldest first
	prev    *workflow.Step
	judged  int // blocked requests that were looked at
}

// blockedLately returns the blocked requests that have not been looked at yet.
func (p *tab) blockedLately() []port.Blocked {
	out := p.guard.BlockedSince(p.judged)
	p.judged = p.guard.BlockedCount()
	return out
}

// notNeeded is the report of a step that was omitted because its condition did not hold.
const notNeeded = "not needed this time"

// errNotThere means that the target of an optional step is missing.
var errNotThere = errors.New("it is not there")

// do performs an action. If its target is missing because the page asks to sign in, the person may do so and the
// action is retried.
func (p *tab) do(ctx context.Context, s workflow.Step, a port.Act) (port.Outcome, error) {
	if s.Verb == capture.Navigate || s.Verb == capture.NewTab && a.URL != "" {
		_, less := p.place(demonstratedIn(s))
		p.begun = true
		err := p.browser.Open(ctx, a.URL)
		if err == nil && less {
			err = p.asItWas(ctx, s.After)
		}
		return port.Outcome{}, err
	}
	out, err := p.browser.Do(ctx, a)
	var nf *port.NotFound
	if err == nil || !errors.As(err, &nf) {
		return out, err
	}
	if s.Optional {
		return out, errNotThere
	}
	if wall, serr := p.browser.SignIn(ctx); serr != nil || !wall {
		return out, err
	}
	if err := p.signIn(ctx); err != nil {
		return out, err
	}
	if s.Page != nil {
		if err := p.open(ctx, s.Page.URL, s.Before); err != nil {
			return out, err
		}
	}
	return p.browser.Do(ctx, a)
}

// What a page does not show at once: the object that an input names may be on another page of its list or in a closed
// folder. A person looks there, and so does a run; the second look goes there again.

// further is where a thing was that only scrolling its list brought into sight.
const further = "it was further down in its list"

// bring brings a step's missing target into sight and says where it was; "" if searching does not apply or fails.
func (p *tab) bring(ctx context.Context, s workflow.Step, a port.Act, err error) string {
	var nf *port.NotFound
	if !errors.As(err, &nf) || nf.Ambiguous || !page.IsAboutInput(s) || !policy.Operates(s.Verb) || a.Target == nil {
		return ""
	}
	where, _ := p.browser.Explore(ctx, func(ctx context.Context) bool {
		has, err := p.browser.Has(ctx, a.Target)
		return err == nil && has
	})
	return where
}

// signIn lets the person sign in if there is a window for it. Nothing of it is recorded.
func (p *tab) signIn(ctx context.Context) error {
	if !p.Req.Headed || p.Watch.Wait == nil {
		return &halt{record.StepSkipped, record.CodeSignIn,
			"the page asks to sign in, or for a password: use --headed to do it in the window, or --profile managed"}
	}
	return p.Watch.Wait(ctx, record.WaitingSignIn)
}

// come brings the browser to the page on which the step begins: the first one, or one that the demonstration reached
// by a path that is not part of the work.
func (p *tab) come(ctx context.Context, s workflow.Step) error {
	if s.Verb == capture.Navigate || s.Page == nil || s.Page.URL == "" {
		return nil
	}
	if !p.begun {
		return p.open(ctx, s.Page.URL, s.Before)
	}
	if p.prev == nil || p.prev.After == nil || p.prev.Page == nil || s.Page.Tab != p.prev.Page.Tab || p.prev.Surface != policy.OnBrowser {
		return nil
	}
	here, wanted := page.PathOf(p.prev.After.URL), page.PathOf(s.Page.URL)
	if here == "" || here == wanted || p.atAddress(wanted, p.state.URL) {
		return nil
	}
	soon, cancel := context.WithTimeout(ctx, arrivalTime) // a page may redirect later
	defer cancel()
	st, there, err := p.browser.Settle(soon, func(st capture.State) bool { return p.atAddress(wanted, st.URL) })
	if err != nil || there {
		p.saw(st)
		return err
	}
	return p.open(ctx, s.Page.URL, s.Before)
}

// rowsGrace is how long to wait before reading a page again whose rows have not loaded yet.
const rowsGrace = 100 * time.Millisecond

// filled reads the current page again while it lacks something, for arrivalTime at most: many a page asks for its rows a while after it
// rests. page and err are what was read first.
func (p *tab) filled(ctx context.Context, page port.Page, err error, lacks func(port.Page) bool) (port.Page, error) {
	for began := time.Now(); err == nil && lacks(page) && time.Since(began) < arrivalTime && ctx.Err() == nil; {
		select {
		case <-time.After(rowsGrace):
		case <-ctx.Done():
		}
		page, err = p.browser.Read(ctx)
	}
	return page, err
}

func (p *tab) atAddress(route, address string) bool { return p.check.AtAddress(route, address) }

// saw remembers a state of the page.
func (p *tab) saw(st capture.State) {
	if p.state.URL != "" {
		p.past = append(p.past, p.state)
		p.past = p.past[max(0, len(p.past)-maxPast):]
	}
	p.state = st
}

// needed reports whether a step is needed: its condition holds or, without one, its target is there.
func (p *tab) needed(ctx context.Context, s workflow.Step) (bool, string) {
	if s.ManyBoxes() && s.Optional && len(p.supply.Lacks(s.Value, p.supply.Known)) > 0 {
		return false, "none was asked for"
	}
	if s.ManyBoxes() {
		return true, ""
	}
	if s.When != nil {
		if s.When.Kind == "input" && fillsBox(s) {
			return true, "" // the box is set as the input says
		}
		if !p.holds(ctx, *s.When) {
			return false, notNeeded
		}
		return true, ""
	}
	if s.Optional && !p.there(ctx, s) {
		return false, notNeeded
	}
	return true, ""
}

// holds judges a step's condition in the current state.
func (p *tab) holds(ctx context.Context, c workflow.Check) bool {
	if c.Kind == "input" {
		return check.Gone(c, p.supply.Pattern(c.Expect).Is(p.supply.Bindings[c.Name])) == check.Holds
	}
	st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
	if err != nil {
		return false
	}
	p.state = st
	sc := &check.Scene{Before: st, Room: p.room}
	if c.Kind == "text" {
		page, err := p.browser.Read(ctx)
		if err != nil {
			return false
		}
		sc.Text = page.Text
	}
	return p.judge(ctx, c, sc) == check.Holds
}

// there reports whether an optional step can be done: its dialog or else its target is there.
func (p *tab) there(ctx context.Context, s workflow.Step) bool {
	if s.Before != nil && len(s.Before.Dialogs) > 0 {
		want := p.supply.Pattern(s.Before.Dialogs[0])
		st, _, err := p.browser.Settle(ctx, func(capture.State) bool { return true })
		return err == nil && want.Any(st.Dialogs, supply.Pattern.Is)
	}
	if s.Target == nil {
		return true
	}
	has, err := p.browser.Has(ctx, p.supply.Target(s.Target))
	return err == nil && has
}

// because replaces an action's error with the policy's reason when the policy caused it.
func (p *tab) because(err error, blocked []port.Blocked, s workflow.Step) error {
	i := slices.IndexFunc(blocked, func(b port.Blocked) bool { return b.Navigation })
	var nf *port.NotFound
	if i < 0 || errors.As(err, &nf) {
		return err
	}
	return withheld(blocked[i])
}

// withheld ends a run because the policy did not let a request leave.
func withheld(b port.Blocked) error {
	return &halt{record.StepSkipped, record.CodePolicyViolation,
		fmt.Sprintf("its %s request to %s was blocked: %s", b.Method, b.Host, b.Why)}
}

// unsent ends a run whose step went or sent a form somewhere and did not get there: the step was pressed, and nothing was done. What a page
// sends into another site's frame is not of the step, unless the step was done in a frame; that is told and ends nothing. What a script
// sends to a site of the workflow is of the step if the step changes something: nobody knows that it was not the deed.
func (p *tab) unsent(s workflow.Step, blocked []port.Blocked) error {
	inFrame := s.Target != nil && s.Target.Frame != ""
	u, err := url.Parse(p.state.URL)
	i := slices.IndexFunc(blocked, func(b port.Blocked) bool {
		sends := b.Navigation && b.Method != "GET" && b.Method != "HEAD"
		own := err == nil && b.Host == u.Host
		return b.Main || sends && (!b.Frame || inFrame || own) || b.Script && s.Effect && (own || policy.Allows(p.sites.Hosts, b.Host))
	})
	if i < 0 {
		return nil
	}
	return withheld(blocked[i])
}

// told is the report of a step that was done.
func (p *tab) told(s workflow.Step, sc *check.Scene, blocked []port.Blocked) string {
	var parts []string
	for _, d := range sc.Out.Drift {
		parts = append(parts, "changed since it was shown: "+p.clean(d))
	}
	if sc.Behind != "" {
		parts = append(parts, sc.Behind)
	}
	if len(blocked) > 0 {
		parts = append(parts, fmt.Sprintf("%d of its requests did not leave: %s", len(blocked), blocked[0].Why))
	}
	return strings.Join(parts, "; ")
}

// drifted proposes a repair for a later revision. It is never applied by itself.
func (p *tab) drifted(s workflow.Step, out port.Outcome) {
	r := record.Repair{StepID: s.StepID, Role: out.Role, Name: plain.Clip(p.clean(out.Name), 240)}
	for _, d := range out.Drift {
		r.Changes = append(r.Changes, p.clean(d))
	}
	if out.Moved != nil {
		r.Place = &wire.ObservedLandmark{Role: out.Moved.Role, Name: plain.Clip(p.clean(out.Moved.Name), 240)}
	}
	p.Repairs = append(p.Repairs, r)
}

// beside keeps what stands beside a step's control, or in its place: by it a later look tells what is new there.
func (p *tab) beside(s workflow.Step, all []port.Control) {
	if s.Target == nil || len(all) == 0 {
		return
	}
	b := health.Beside{Step: s.StepID, Role: s.Target.Role, Name: plain.Clip(p.clean(s.Target.Name), 240)}
	for _, c := range all {
		b.Controls = append(b.Controls, health.Control{Role: c.Role, Name: plain.Clip(p.clean(c.Name), 240), There: c.There, Other: c.Other})
	}
	p.Beside = append(p.Beside, b)
}

// broken is the HTTP status of a page that its site failed to make, 0 when there is none. Such a page has the address,
// and sometimes the words, of the expected one.
func (p *tab) broken(ctx context.Context, s workflow.Step) int {
	if s.Surface != policy.OnBrowser || p.browser == nil || policy.Fills(s.Verb) {
		return 0
	}
	if code := p.browser.Status(ctx); code >= 500 {
		return code
	}
	return 0
}
