package perform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/danger"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// keeping are the words of controls that store what was chosen before.
var keeping = lang.Of("deed.save", "deed.apply", "deed.submit", "deed.ok", "deed.done", "deed.assign", "deed.select", "deed.update")

func (p *reviewer) review(s workflow.Step) *proof.Review {
	r := &proof.Review{Pages: map[string]port.Page{}}
	says := ""
	if s.Target != nil {
		says = cmp.Or(s.Target.Name, s.Target.Text)
	}
	keeps := s.Target != nil && keeping.In(says)
	// In words that nobody here knows it may keep a choice of a form. An entry of a list it may as well pause, pin or print: that its name is
	// shown afterwards, as the thing that is picked now, proves nothing.
	unknown := s.Target != nil && danger.Control(roleOf(s), says, "").Class == danger.Unknown
	for _, e := range p.trail.entered {
		if e.Chosen && !keeps && (e.Object || !unknown) {
			continue
		}
		if !e.Picks && strings.TrimSpace(e.Value) != "" && !strings.EqualFold(strings.TrimSpace(e.Was), strings.TrimSpace(e.Value)) {
			r.Entries = append(r.Entries, proof.Found{Entry: e})
		}
	}
	r.Choice = p.trail.chosenFor(s, r.Entries)
	return r
}

// reviewChecks judges again the checks that are more than a message: rows and fields.
func (p *reviewer) reviewChecks(cp workflow.Checkpoint, page port.Page, sc *check.Scene, r *proof.Review) {
	for _, c := range cp.Checks() {
		switch {
		case c.Kind == "row_count" && c.Delta != 0:
			was, known := p.check.Baseline(c, p.tab.state, sc)
			now, _ := p.check.Table(c, page.State)
			switch p.check.Rows(c, page.State, sc) {
			case check.Holds:
				r.Counted = fmt.Sprintf("the list %q still has %+d rows", c.Name, c.Delta*sc.Each(c))
			case check.Fails: // another filter or page of the list would show another number; only the old one speaks against it
				if known && now.Rows == was.Rows && now.Total == was.Total && !(c.Delta < 0 && p.trail.noneOf(page.Rows)) {
					r.Contradict("the list %q has as many rows as before when it is opened again", c.Name)
				}
			}
		case c.Kind == "detail":
			p.reviewDetail(c, page, sc, r)
		case c.Kind == "field_value":
			there := slices.ContainsFunc(page.State.Fields, func(f capture.Field) bool { return p.supply.Pattern(c.Name).Is(f.Label) })
			if p.check.Field(c, page.State) == check.Holds {
				r.Facts = append(r.Facts, fmt.Sprintf("%q still shows %s", c.Name, c.Expect))
			} else if there {
				r.Contradict("%q does not show %s when it is opened again", c.Name, c.Expect)
			}
		}
	}
}

// reviewDetail judges again what a page shows beside a label.
func (p *reviewer) reviewDetail(c workflow.Check, page port.Page, sc *check.Scene, r *proof.Review) {
	_, there := p.check.Beside(c.Name, page.State)
	what := "as " + c.Expect
	if c.Expect == "" {
		what = "otherwise than before"
	}
	switch p.check.Detail(c, page.State, sc) {
	case check.Holds:
		r.Facts = append(r.Facts, fmt.Sprintf("the page still shows %q %s", c.Name, what))
	case check.Fails:
		if there {
			r.Contradict("the page does not show %q %s when it is opened again", c.Name, what)
		}
	}
}

// reviewPage examines a page that was opened afresh: what became of the object, and which entries it shows.
func (p *reviewer) reviewPage(address string, opened port.Page, r *proof.Review) {
	r.Visited, r.At = append(r.Visited, address), address
	load := address
	if r.Closer {
		load += closer
	}
	c := p.trail.since(address, opened.Rows, p.trail.loads[load])
	about := false
	if c.Crowded(p.trail.things) {
		r.Crowded = address
	}
	if c.Loses(p.trail.entered, p.trail.things) {
		r.More = "another one is gone as well"
	}
	if c.Twice(p.trail.entered, p.trail.things) {
		r.More = "what should have come once is there twice"
	}
	named := []string{opened.State.Title}
	if h := opened.State.Headings; len(h) < 3 { // of more, one may be the head of a part that is one of several things
		named = append(named, h...)
	} else {
		named = append(named, h[0])
	}
	calls := func(t proof.Thing) bool {
		return (supply.Bindings{"v": t.Value}).Pattern("{v}").Any(named, supply.Pattern.In)
	}
	idle := r.Choice != nil && !calls(r.Choice.For) && !c.PartsOf(address, r.Choice.For.Value) && c.Idle(*r.Choice)
	changed, left := map[string]bool{}, map[string]bool{} // by input: of several things all must have changed
	for _, t := range p.trail.things {
		was, closed := c.FateOf(t, p.trail.things, p.trail.entered), false
		own := c.PartsOf(address, t.Value)
		if own && was == proof.Spared {
			was = proof.Unseen // what changed is no other thing
		}
		if t.Way && was != proof.Spared {
			continue
		}
		if idle && was == proof.Altered {
			was = proof.Unseen // another one may have come to what was chosen, or gone from where the thing stands
		}
		if was == proof.Altered && page.PathOf(address) == page.PathOf(p.tab.state.URL) && c.Reverted(t, r.Claimed) {
			was, r.Doubt = proof.Unseen, fmt.Sprintf("the row of {%s} does not show any more what it showed right after the step", t.Name)
		}
		counts := was == proof.Unseen && !own && c.CountsElsewhere(t, p.trail.things)
		switch {
		case counts:
			r.Doubt = fmt.Sprintf("the row of {%s} is as it was, and a number of another one has changed", t.Name)
		case was == proof.Unseen && !own && c.HidBeside(t):
			r.Doubt = fmt.Sprintf("the row of {%s} is as it was, and several other ones have changed", t.Name)
		}
		if was == proof.Altered {
			closed = vanished(c, t, p.trail.things) || c.OnlyOpened(t.Value)
		}
		if was == proof.Altered && !closed && c.Besides(t, p.trail.things) {
			r.More = fmt.Sprintf("another one has changed as {%s} has", t.Name)
		}
		changed[t.Name] = changed[t.Name] || was == proof.Altered && !closed
		left[t.Name] = left[t.Name] || was == proof.Unseen && len(proof.Having(c.Was, t.Value)) > 0
		switch {
		case was == proof.Spared:
			r.Contradict("the row of {%s} is as it was when it is looked up again, and another one has changed instead", t.Name)
		case was == proof.Altered && !closed:
			r.Altered, r.Firm, r.Own = fmt.Sprintf("the row of {%s} has changed", t.Name), r.Firm || !c.Slight(t.Value), ""
			if len(proof.Having(c.Now, t.Value)) == 0 && !slices.ContainsFunc(proof.Having(c.Gone, t.Value), func(g port.Row) bool {
				return slices.ContainsFunc(c.New, func(n port.Row) bool { return proof.Alike(g.Text, n.Text) })
			}) {
				r.Removed, r.Altered = true, fmt.Sprintf("the row of {%s} is gone", t.Name)
			}
		}
		called := calls(t)
		if own || called {
			about = true
			its := (called || c.Among(t.Value) || len(proof.Having(c.Was, t.Value)) == 0) && !(counts && c.Slight("")) && !idle
			if its && c.Known && !closed && len(c.New)+len(c.Gone) > 0 {
				if r.Altered == "" {
					r.Own = address
				}
				r.Altered, r.Firm = fmt.Sprintf("the page of {%s} has changed", t.Name), r.Firm || !c.Slight("")
			}
		}
	}
	for name := range changed {
		if changed[name] && left[name] {
			r.Contradict("not every {%s} has changed when it is looked up again", name)
		}
	}
	if len(p.trail.things) == 0 && creates(p.Req.Goal) && c.Overwritten() {
		r.Contradict("what was entered took the place of another row")
	}
	if s := p.trail.sights[address]; s != nil && s.Text != "" {
		for _, t := range p.trail.things {
			for _, e := range r.Entries {
				if e.InOther(s.Text, r.Live.Text, opened.Text, t, p.trail.things) {
					r.Contradict("{%s} is as it was when it is looked up again, and another one has become what was entered", t.Name)
				}
			}
		}
	}
	rows := p.relevant(c, about)
	for _, e := range r.Entries { // a form may be called by what is written in it
		r.Told = r.Told || e.Shown && !e.Chosen && e.Address != address && !about && proof.Long(e.Value) && p.trail.sights[address] == nil &&
			(supply.Bindings{"v": e.Value}).Pattern("{v}").Any(named, supply.Pattern.Is)
	}
	for i := range r.Entries {
		if r.Entries[i].Chosen && idle {
			continue
		}
		p.reviewEntry(&r.Entries[i], address, rows, c, opened, r)
		if e := &r.Entries[i]; !e.Shown && proof.Long(e.Value) && page.PathOf(address) == page.PathOf(p.tab.state.URL) &&
			len(proof.Showing(r.Claimed, e.Value)) > 0 {
			e.Placed = true // the row showed it right away, and no longer does
		}
	}
	r.Lead(address, rows, p.trail.things)
	p.trail.remember(address, opened.Rows)
}

// vanished reports whether the rows of a thing are only missing together with those that stood beside them: a page that is opened afresh
// does not show a part that had been opened on it, such as a menu, which says nothing about the thing.
func vanished(c proof.Changes, t proof.Thing, things []proof.Thing) bool {
	gone := proof.Having(c.Gone, t.Value)
	if len(gone) == 0 || len(proof.Having(c.Now, t.Value)) > 0 {
		return false
	}
	if t.Popup {
		return true
	}
	count := func(rows []port.Row, list string) (n int) {
		for _, r := range rows {
			if r.List == list {
				n++
			}
		}
		return n
	}
	return !slices.ContainsFunc(gone, func(g port.Row) bool {
		return g.List != proof.Labelled && (count(c.Now, g.List) > 0 && stands(c, g, things) || count(c.Was, g.List) < 2)
	})
}

// stands reports whether the rows next to a missing one, before and after it, are still in the list: a page that has not got its rows
// yet, or was not given them, may show others of the kind, such as its tools. Rows of other things of the work may be gone as well.
func stands(c proof.Changes, g port.Row, things []proof.Thing) bool {
	var list []port.Row
	at := -1
	for _, row := range c.Was {
		switch {
		case row.List != g.List:
		case row.Key() == g.Key():
			at = len(list)
		case !slices.ContainsFunc(things, func(t proof.Thing) bool { return len(proof.Having([]port.Row{row}, t.Value)) > 0 }):
			list = append(list, row)
		}
	}
	if at < 0 {
		return true
	}
	return !slices.ContainsFunc(list[max(0, at-1):min(len(list), at+1)], func(o port.Row) bool {
		return !slices.ContainsFunc(c.Now, func(n port.Row) bool { return n.List == o.List && proof.Alike(n.Text, o.Text) })
	})
}

// relevant lists the rows that could show the entries: those of the object, or else the new ones, or else those that
// hold most of the entries. What a page shows beside labels belongs to the page's object.
func (p *reviewer) relevant(c proof.Changes, about bool) (out []port.Row) {
	if about {
		return c.Now
	}
	for _, t := range p.trail.things {
		out = append(out, proof.Having(c.Now, t.Value)...)
	}
	if len(out) == 0 && c.Known {
		out = slices.Clone(c.New)
	}
	most, own := 0, slices.Clone(out)
	for _, row := range c.Now {
		if slices.ContainsFunc(own, func(o port.Row) bool { return o.List == row.List }) {
			continue // another thing's, beside the thing's own
		}
		n := 0
		for _, e := range p.trail.entered {
			if !e.Picks && proof.Long(e.Value) && len(proof.Showing([]port.Row{row}, e.Value)) > 0 {
				n++
			}
		}
		if c.Known || n == 0 || n < most {
			continue
		}
		if n > most {
			most, out = n, slices.Clone(own)
		}
		out = append(out, row)
	}
	for _, row := range c.Now {
		if row.List == proof.Labelled {
			out = append(out, row)
		}
	}
	return out
}

func (p *reviewer) reviewEntry(e *proof.Found, address string, rows []port.Row, c proof.Changes, page port.Page, r *proof.Review) {
	if e.Asks && r.Closer {
		return
	}
	if e.Misses(page) {
		r.More = "what was to be renamed still has its name"
	}
	isNew := func(row port.Row) bool { return proof.Contain(c.New, row) }
	prior := e.Prior
	if e.Chosen {
		prior = prior.With(address, p.trail.sights[address], e.Value)
	}
	fresh := slices.DeleteFunc(prior.Since(rows), func(row port.Row) bool { return !c.Loads.Always(row, e.Value) })
	if e.Chosen {
		fresh = proof.NotOffering(fresh, e.Value)
	}
	if proof.Repeats(address, e.Value) { // it may only repeat what it is asked with
		e.Shown = e.Shown || slices.ContainsFunc(proof.Showing(fresh, e.Value), func(row port.Row) bool { return c.Known && isNew(row) })
		r.InRow = r.InRow || e.Shown && !e.Chosen
		return
	}
	if cells := proof.Places(rows, e.Label); len(cells) > 0 {
		e.Placed = true
		e.Shown = len(proof.Showing(proof.Places(fresh, e.Label), e.Value)) > 0
		// A place that only has the same label may be another object's: a row that has come since counts as well.
		if !e.Shown && !proof.OwnPlace(rows, e.Label) {
			e.Shown = slices.ContainsFunc(proof.Showing(fresh, e.Value), isNew)
		}
		r.InRow = r.InRow || e.Shown && !e.Chosen
		return
	}
	for _, row := range proof.Showing(fresh, e.Value) {
		if proof.Long(e.Value) || isNew(row) {
			e.Shown, r.InRow = true, r.InRow || !e.Chosen // what was chosen may be the thing at hand, which its rows show anyway
		}
	}
	if !e.Shown && !e.Placed && proof.Long(e.Value) && (e.Chosen || len(proof.Showing(c.Ever, e.Value)) == 0) {
		e.Shown = proof.ShowsValue(page, e.Entry, func(boxes int) bool {
			return prior.Come(address, page.Text, e.Value, e.Label, boxes)
		})
	}
}

// lookBack looks again at the page where a thing was picked, when the page that it led to is open and something may be done there: many a
// list shows that one of its things was opened, and that is nothing of what is done to it then.
func (p *reviewer) lookBack(ctx context.Context, s workflow.Step) {
	if len(p.trail.things) == 0 || p.policy.Mode == policy.ReadOnly || !p.mayChange(s) {
		return
	}
	t, at := p.trail.things[len(p.trail.things)-1], p.tab.state.URL
	seen := p.trail.sights[t.Address]
	if t.Address == at || !proof.SameSite(t.Address, at) || slices.Contains(p.trail.brought, t) || seen == nil ||
		len(proof.Having(seen.Came, t.Value)) == 0 {
		return
	}
	if now, ok := p.peek(ctx, t.Address); ok && now.Status < 400 && page.PathOf(now.State.URL) == page.PathOf(t.Address) {
		p.trail.remember(t.Address, now.Rows)
	}
	_ = p.tab.browser.Return(ctx) // the step tells when the page is gone
}

// mayChange reports whether a step, or one after it, may change something: it does, or operates what is no link.
func (p *reviewer) mayChange(s workflow.Step) bool {
	steps := p.Req.Draft.Graph.Steps
	i := max(0, slices.IndexFunc(steps, func(o workflow.Step) bool { return o.StepID == s.StepID }))
	return slices.ContainsFunc(steps[i:], func(o workflow.Step) bool {
		return o.Surface == policy.OnBrowser && (!policy.Reads(o) || policy.Operates(o.Verb) && roleOf(o) != "link")
	})
}

// asBrought continues a review on the page of the object that was not in sight before: its rows are those around the
// object or, if the object is gone and one that stood beside it came into sight, those that were there without it. If neither came into
// sight, the page tells nothing of what was there.
func (p *reviewer) asBrought(ctx context.Context, address string, seen port.Page) port.Page {
	s := p.trail.sights[address]
	for _, t := range p.trail.things {
		if page.PathOf(t.Address) != page.PathOf(address) || len(proof.Having(seen.Rows, t.Value)) > 0 {
			continue
		}
		if !slices.Contains(p.trail.brought, t) {
			if row, refilled := s.Refilled(t.Value, seen.Rows); refilled && p.further(ctx, row) {
				seen.Rows = append(slices.Clone(seen.Rows), row)
			}
			continue
		}
		reached := false
		where, whole := p.tab.browser.Explore(ctx, func(ctx context.Context) bool {
			rows, err := p.tab.browser.Rows(ctx)
			reached = reached || err == nil && s != nil && s.Beside(t.Value, seen.Rows, rows)
			return err == nil && len(proof.Having(rows, t.Value)) > 0
		})
		now, err := p.tab.browser.Read(ctx)
		switch {
		case err == nil && where != "":
			return now
		case whole && reached:
			seen.Rows = proof.Without(s.Rows, t.Value)
		case s != nil:
			seen.Rows = proof.Joined(s.Rows, seen.Rows)
		}
		return seen
	}
	return seen
}

// furtherTime bounds the search for a row in the rest of its list.
const furtherTime = 10 * time.Second

// further reports whether a row is in a list that goes on, as it was.
func (p *reviewer) further(ctx context.Context, row port.Row) bool {
	ctx, cancel := context.WithTimeout(ctx, furtherTime)
	defer cancel()
	where, _ := p.tab.browser.Explore(ctx, func(ctx context.Context) bool {
		rows, err := p.tab.browser.Rows(ctx)
		return err == nil && proof.Contain(rows, row)
	})
	return where != ""
}

// reviewGone opens what was to be removed.
func (p *reviewer) reviewGone(ctx context.Context, s workflow.Step, sc *check.Scene, r *proof.Review) {
	if sc.Before.URL == "" || page.PathOf(sc.Before.URL) == page.PathOf(p.tab.state.URL) {
		return
	}
	opened, ok := p.afresh(ctx, sc.Before.URL, r)
	switch {
	case ok && (opened.Status == 404 || opened.Status == 410):
		r.Removed, r.Altered = true, fmt.Sprintf("its page is gone (HTTP %d)", opened.Status)
	case ok && opened.Status < 300 && page.PathOf(opened.State.URL) == page.PathOf(sc.Before.URL) && len(sc.Before.Headings) > 0 &&
		slices.Equal(opened.State.Headings, sc.Before.Headings):
		r.Contradict("its page is still there")
	}
}

// reviewForms reopens the forms in which values were entered: one that comes filled in shows what is stored now.
func (p *reviewer) reviewForms(ctx context.Context, r *proof.Review) {
	var seen []string
	for _, e := range r.Entries {
		if slices.Contains(seen, e.Address) || r.Settled() || len(seen) == 3 {
			continue
		}
		seen = append(seen, e.Address)
		opened, ok := p.afresh(ctx, e.Address, r)
		if ok && opened.Status < 400 && page.PathOf(opened.State.URL) == page.PathOf(e.Address) {
			r.Form(opened, e.Address)
		}
	}
}

// reviewLists reopens the lists on the way, the last first: a new object may appear only there. Where a place of its
// own contradicts a value, no list vouches for it.
func (p *reviewer) reviewLists(ctx context.Context, r *proof.Review) {
	if slices.ContainsFunc(r.Entries, func(e proof.Found) bool { return e.Placed && !e.Shown }) {
		return
	}
	var lists []string
	for _, st := range slices.Backward(p.tab.past) {
		s := p.trail.sights[st.URL]
		if s != nil && slices.ContainsFunc(s.Rows, func(row port.Row) bool { return row.List != proof.Labelled }) && !r.Seen(st.URL) &&
			!slices.Contains(lists, st.URL) && proof.SameSite(p.tab.state.URL, st.URL) {
			lists = append(lists, st.URL)
		}
	}
	for _, address := range lists[:min(len(lists), maxFollowed)] {
		if !r.Settled() {
			p.reviewAt(ctx, address, r)
		}
	}
}
