package rehearse

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
)

// review is what second looks found about an effect: against it, or what of it can be seen again.
type review struct {
	against string
	entries []found
	counted string // a list has the rows more or fewer that it should
	altered string // the thing that the work was about has changed
	removed bool   // its row or page is gone, and nothing came in its stead
	facts   []string
	claimed []Row           // of the things, as the page at hand shows them since the act
	inRow   bool            // a new or changed row shows something of what was entered
	visited []string        // addresses
	pages   map[string]Page // that were opened afresh, by address
	leads   []string        // addresses of pages about the rows in question
	closer  bool            // the page was worked on: it shows what was searched for
}

// found is whether what was entered was found again.
type found struct {
	entry
	shown  bool
	placed bool // a page has a place that is called like the field
}

func (p *play) review() *review {
	r := &review{pages: map[string]Page{}}
	for _, e := range p.entered {
		if !e.picks && strings.TrimSpace(e.value) != "" && !strings.EqualFold(strings.TrimSpace(e.was), strings.TrimSpace(e.value)) {
			r.entries = append(r.entries, found{entry: e})
		}
	}
	return r
}

func (r *review) no(s string, args ...any) {
	if r.against == "" {
		r.against = fmt.Sprintf(s, args...)
	}
}

func (r *review) seen(address string) bool { return slices.Contains(r.visited, address) }

// settled reports whether there is nothing more to find out.
func (r *review) settled() bool { return r.against != "" || r.proof() != "" }

// whole reports whether everything that was entered was found, so that no other page need be asked.
func (r *review) whole() bool {
	return r.against != "" || r.removed || !slices.ContainsFunc(r.entries, func(e found) bool { return !e.shown && !e.file && long(e.value) })
}

// long reports whether finding a value in a page's text means something: a shorter one may stand there anyway.
func long(value string) bool { return utf8.RuneCountInString(strings.TrimSpace(value)) >= 4 }

func shown(_ *review, e found) bool { return e.shown }

// lacking reports whether a value should have been found and was not: the page has a place for it, or shows nothing at all of
// what was entered. One value must not vouch for the others.
func lacking(r *review, e found) bool {
	return !e.shown && !e.file && (e.placed || long(e.value) && !r.inRow)
}

// labels are those of the entries for which something holds.
func (r *review) labels(is func(*review, found) bool) string {
	var out []string
	for _, e := range r.entries {
		if is(r, e) && !slices.Contains(out, e.label) {
			out = append(out, e.label)
		}
	}
	return strings.Join(out, ", ")
}

// proof says what shows the effect, "" when nothing does.
func (r *review) proof() string {
	there := r.labels(shown)
	switch {
	case r.removed:
		return r.altered
	case r.labels(lacking) != "":
		return ""
	case there != "":
		return fmt.Sprintf("it shows what was entered as %q", there)
	case r.altered != "":
		return r.altered
	case r.counted != "":
		return r.counted
	}
	return strings.Join(r.facts, "; ")
}

// reviewChecks judges again what is more than a message: rows and fields.
func (p *play) reviewChecks(cp workflow.Checkpoint, page Page, sc *scene, r *review) {
	if cp.Check == nil {
		return
	}
	for _, c := range append([]workflow.Check{*cp.Check}, cp.MoreChecks...) {
		switch {
		case c.Kind == "row_count" && c.Delta != 0:
			was, known := p.supply.baseline(c, p.state, sc)
			now, _ := p.supply.table(c, page.State)
			switch p.supply.rows(c, page.State, sc) {
			case holds:
				r.counted = fmt.Sprintf("the list %q still has %+d rows", c.Name, c.Delta*sc.each(c))
			case fails: // another filter or page of the list would show another number; only the old one speaks against it
				if known && now.Rows == was.Rows && now.Total == was.Total && !(c.Delta < 0 && p.noneOf(page.Rows)) {
					r.no("the list %q has as many rows as before when it is opened again", c.Name)
				}
			}
		case c.Kind == "detail":
			p.reviewDetail(c, page, sc, r)
		case c.Kind == "field_value":
			there := slices.ContainsFunc(page.State.Fields, func(f capture.Field) bool { return p.supply.pattern(c.Name).is(f.Label) })
			if p.supply.field(c, page.State) == holds {
				r.facts = append(r.facts, fmt.Sprintf("%q still shows %s", c.Name, c.Expect))
			} else if there {
				r.no("%q does not show %s when it is opened again", c.Name, c.Expect)
			}
		}
	}
}

// reviewDetail judges again what a page says beside a label.
func (p *play) reviewDetail(c workflow.Check, page Page, sc *scene, r *review) {
	_, there := p.supply.beside(c.Name, page.State)
	what := "as " + c.Expect
	if c.Expect == "" {
		what = "otherwise than before"
	}
	switch p.supply.detail(c, page.State, sc) {
	case holds:
		r.facts = append(r.facts, fmt.Sprintf("the page still shows %q %s", c.Name, what))
	case fails:
		if there {
			r.no("the page does not show %q %s when it is opened again", c.Name, what)
		}
	}
}

// noneOf reports whether rows name none of the things that the work was done to: a list that fills up again from what it holds back
// has as many rows as before although one was taken away.
func (p *play) noneOf(rows []Row) bool {
	return len(p.things) > 0 && !slices.ContainsFunc(p.things, func(t thing) bool { return len(having(rows, t.value)) > 0 })
}

// reviewPage looks at a page that was opened afresh: what became of the thing, and what it shows of what was entered.
func (p *play) reviewPage(address string, page Page, r *review) {
	r.visited = append(r.visited, address)
	c := p.since(address, page.Rows)
	about := false
	changed, left := map[string]bool{}, map[string]bool{} // by input: of several things all must have changed
	for _, t := range p.things {
		was := c.became(t, p.things, p.entered)
		changed[t.name] = changed[t.name] || was == altered
		left[t.name] = left[t.name] || was == unseen && len(having(c.was, t.value)) > 0
		switch was {
		case spared:
			r.no("the row of {%s} is as it was when it is looked up again, and another one has changed in its stead", t.name)
		case altered:
			r.altered = fmt.Sprintf("the row of {%s} has changed", t.name)
			if len(having(c.now, t.value)) == 0 && !slices.ContainsFunc(having(c.gone, t.value), func(g Row) bool {
				return slices.ContainsFunc(c.new, func(n Row) bool { return alike(g.Text, n.Text) })
			}) {
				r.removed, r.altered = true, fmt.Sprintf("the row of {%s} is gone", t.name)
			}
		}
		if (bindings{"v": t.value}).pattern("{v}").any(append([]string{page.State.Title}, page.State.Headings...), pattern.in) {
			if about = true; c.known && len(c.new)+len(c.gone) > 0 {
				r.altered = fmt.Sprintf("the page of {%s} has changed", t.name)
			}
		}
	}
	for name := range changed {
		if changed[name] && left[name] {
			r.no("not every {%s} has changed when it is looked up again", name)
		}
	}
	rows := p.relevant(c, about)
	for i := range r.entries {
		p.reviewEntry(&r.entries[i], rows, c, page, r)
		if e := &r.entries[i]; !e.shown && long(e.value) && routeOf(address) == routeOf(p.state.URL) && len(showing(r.claimed, e.value)) > 0 {
			e.placed = true // the row said so at once, and says it no more
		}
	}
	r.lead(address, rows, p.things)
	p.remember(address, page.Rows)
}

// relevant are the rows that could show what was entered: those of the thing, else the new ones, else those that hold most of
// it. What a page says by labels is about the thing of the page.
func (p *play) relevant(c changes, about bool) (out []Row) {
	if about {
		return c.now
	}
	for _, t := range p.things {
		out = append(out, having(c.now, t.value)...)
	}
	if len(out) == 0 && c.known {
		out = slices.Clone(c.new)
	}
	most, own := 0, slices.Clone(out)
	for _, row := range c.now {
		if slices.ContainsFunc(own, func(o Row) bool { return o.List == row.List }) {
			continue // another thing's, beside the thing's own
		}
		n := 0
		for _, e := range p.entered {
			if !e.picks && long(e.value) && len(showing([]Row{row}, e.value)) > 0 {
				n++
			}
		}
		if c.known || n == 0 || n < most {
			continue
		}
		if n > most {
			most, out = n, slices.Clone(own)
		}
		out = append(out, row)
	}
	for _, row := range c.now {
		if row.List == labelled {
			out = append(out, row)
		}
	}
	return out
}

// labelled is the List of what a page says by labels.
const labelled = "dl"

func (p *play) reviewEntry(e *found, rows []Row, c changes, page Page, r *review) {
	if e.asks && r.closer {
		return
	}
	isNew := func(row Row) bool {
		return slices.ContainsFunc(c.new, func(n Row) bool { return n.key() == row.key() })
	}
	if cells := places(rows, e.label); len(cells) > 0 {
		e.placed = true
		e.shown = len(showing(cells, e.value)) > 0
		if !e.shown && !ownPlace(rows, e.label) { // a place that is only called alike may be another thing's: a row that has come since counts as well
			e.shown = slices.ContainsFunc(showing(rows, e.value), isNew)
		}
		r.inRow = r.inRow || e.shown
		return
	}
	for _, row := range showing(rows, e.value) {
		if long(e.value) || isNew(row) {
			e.shown, r.inRow = true, true
		}
	}
	if !e.shown && !e.placed && long(e.value) && showsValue(page, e.value) {
		e.shown = len(showing(c.ever, e.value)) == 0 // else it stood there before
	}
}

// showsValue looks for a value in a page's text, in any form in which a page may write it, or in a field. What is one of several to tick
// always stands there: it is shown when it is ticked.
func showsValue(page Page, value string) bool {
	if boxes := boxesCalled(page.State, value); len(boxes) > 0 {
		return slices.ContainsFunc(boxes, on)
	}
	for _, f := range forms(value) {
		b := bindings{"v": f}
		if b.pattern("{v}").in(page.Text) {
			return true
		}
		if slices.ContainsFunc(page.State.Fields, func(x capture.Field) bool { return b.pattern("{v}").is(valueOf(x)) }) {
			return true
		}
	}
	return false
}

// lead notes where the rows in question lead: the pages of the things themselves, named in their rows.
func (r *review) lead(from string, rows []Row, things []thing) {
	var values []string
	for _, t := range things {
		values = append(values, t.value)
	}
	for _, e := range r.entries {
		values = append(values, e.value)
	}
	named := func(l Link) bool {
		return slices.ContainsFunc(values, func(v string) bool {
			return long(v) && (bindings{"v": v}).pattern("{v}").in(l.Name) && looksOnly(strings.ReplaceAll(l.Name, v, ""))
		})
	}
	for _, row := range rows {
		for _, l := range row.Links {
			l.Href = strings.TrimSuffix(l.Href, "#") // a link that only the page's script follows
			if !r.seen(l.Href) && !slices.Contains(r.leads, l.Href) && sameSite(from, l.Href) && named(l) {
				r.leads = append(r.leads, l.Href)
			}
		}
	}
}

// looksOnly reports whether a link's wording, besides the name of a thing, promises that following it changes nothing.
func looksOnly(wording string) bool {
	f := danger.Control("link", wording, "")
	return !f.Has(danger.Destroys) && !f.Has(danger.Sends) && !f.Has(danger.Installs) && !f.Has(danger.Escalates)
}

func sameSite(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.Host == y.Host && x.Scheme == y.Scheme
}

// reviewGone opens what was to be removed.
func (p *play) reviewGone(ctx context.Context, s workflow.Step, sc *scene, r *review) {
	if sc.before.URL == "" || routeOf(sc.before.URL) == routeOf(p.state.URL) {
		return
	}
	page, ok := p.afresh(ctx, sc.before.URL, r)
	switch {
	case ok && (page.Status == 404 || page.Status == 410):
		r.removed, r.altered = true, fmt.Sprintf("its page is gone (HTTP %d)", page.Status)
	case ok && page.Status < 300 && routeOf(page.State.URL) == routeOf(sc.before.URL) && len(sc.before.Headings) > 0 && slices.Equal(page.State.Headings, sc.before.Headings):
		r.no("its page is still there")
	}
}

// reviewForms opens the forms again in which values were entered: one that came filled in shows what is kept now.
func (p *play) reviewForms(ctx context.Context, r *review) {
	var seen []string
	for _, e := range r.entries {
		if slices.Contains(seen, e.address) || r.settled() || len(seen) == 3 {
			continue
		}
		seen = append(seen, e.address)
		page, ok := p.afresh(ctx, e.address, r)
		if ok && page.Status < 400 && routeOf(page.State.URL) == routeOf(e.address) {
			r.form(page, e.address)
		}
	}
}

// reviewLists opens the lists again that were on the way, the last first: what was made may be shown there and nowhere else. Where a
// place of its own says otherwise no list vouches for a value.
func (p *play) reviewLists(ctx context.Context, r *review) {
	if slices.ContainsFunc(r.entries, func(e found) bool { return e.placed && !e.shown }) {
		return
	}
	var lists []string
	for _, st := range slices.Backward(p.past) {
		s := p.sights[st.URL]
		if s != nil && slices.ContainsFunc(s.rows, func(row Row) bool { return row.List != labelled }) && !r.seen(st.URL) &&
			!slices.Contains(lists, st.URL) && sameSite(p.state.URL, st.URL) {
			lists = append(lists, st.URL)
		}
	}
	for _, address := range lists[:min(len(lists), maxFollowed)] {
		if !r.settled() {
			p.reviewAt(ctx, address, r)
		}
	}
}

// form compares a form that is open again with what was entered in it. A form for something new is empty, or as it always
// begins: only one that came with what was there before can tell that it is there still.
func (r *review) form(page Page, address string) {
	var old []string
	for i := range r.entries {
		e := &r.entries[i]
		if e.address != address || e.shown || e.placed {
			continue // what the thing's own page says counts for more than a draft that is still in a form
		}
		for _, f := range page.State.Fields {
			v := strings.TrimSpace(valueOf(f))
			switch {
			case !strings.EqualFold(f.Label, e.label) || v == "":
			case strings.EqualFold(v, strings.TrimSpace(e.value)):
				e.shown = true
			case !e.filled:
			case e.was != "" && strings.EqualFold(v, strings.TrimSpace(e.was)):
				old = append(old, e.label)
			default:
				e.placed = true
			}
		}
	}
	if len(old) > 0 {
		r.no("%q is as it was before when the form is opened again", strings.Join(old, ", "))
	}
}
