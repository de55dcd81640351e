package perform

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/capability/health"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// pagesBeyond bounds how many pages a look opens for what comes after the part that it performs.
const pagesBeyond = 3

// glimpseTime is how long a page that rests may take to show a control: it would only be glimpsed.
const glimpseTime = 500 * time.Millisecond

// beyond looks for the targets of steps that come after what a look performs or has in sight, without doing what leads to them: on the
// page that is open, on the pages that the demonstration showed them on, and where such a page is that of a thing which is not there
// any more, or not yet, on that of another thing of its kind. It may be another state of the page than the step will find, so this
// is only glimpsed: what is missing is no failure of the look.
func (p *Performance) beyond(ctx context.Context, seen []workflow.Step) {
	pages := policy.Beyond(p.Req.Draft.Graph, seen)
	opened, links := 0, p.things(ctx, nil)
	come := func(steps []workflow.Step, address string) bool {
		switch {
		case p.showing(ctx, steps[0]):
			return true
		case address == "" || opened == pagesBeyond || ctx.Err() != nil:
			return false
		}
		opened++
		if !p.visit(ctx, address, steps[0]) {
			return false
		}
		links = p.things(ctx, links)
		return true
	}
	for _, shown := range []bool{true, false} { // the addresses that were shown first, then those of other things of their kind
		pages = slices.DeleteFunc(pages, func(steps []workflow.Step) bool {
			address := steps[0].Before.URL
			if !shown {
				address = sameKind(p.sites.Address(address), links)
			}
			if !come(steps, address) {
				return false
			}
			for _, s := range steps {
				p.glimpse(ctx, s)
			}
			return true
		})
	}
}

// showing reports whether the open page is the one on which a step was demonstrated, whatever thing it is of: by its address, its title
// and a heading.
func (p *Performance) showing(ctx context.Context, s workflow.Step) bool {
	was, now := s.Before, p.tab.state
	like := func(text string) supply.Pattern {
		return supply.CompilePattern(supply.HoleForm.ReplaceAllString(text, supply.Unknown), nil, func(s string) string { return s })
	}
	headed := len(was.Headings) == 0
	for _, h := range was.Headings {
		headed = headed || like(h).Any(now.Headings, supply.Pattern.Is)
	}
	return was.URL != "" && p.tab.browser.Status(ctx) < http.StatusBadRequest && headed && like(was.Title).Is(now.Title) &&
		p.arrival.likeShown(workflow.Step{After: was}, now.URL)
}

// visit opens a page that may have a step's target; false if another page comes, or none.
func (p *Performance) visit(ctx context.Context, address string, s workflow.Step) bool {
	if p.tab.open(ctx, address, s.Before) != nil {
		return false
	}
	wall, err := p.tab.browser.SignIn(ctx)
	return err == nil && !wall && p.showing(ctx, s)
}

// glimpse looks for a step's target, and keeps whether it is there.
func (p *Performance) glimpse(ctx context.Context, s workflow.Step) {
	if s.Target = ofAnyThing(s.Target); s.Target == nil {
		return
	}
	found, _, err := p.waitFor(ctx, s, glimpseTime)
	if err != nil {
		return
	}
	p.Glimpsed = append(p.Glimpsed, health.Glimpse{Step: s.StepID, There: found != nil})
	if found != nil {
		p.Pass("beyond."+s.StepID, "what comes later: "+s.Title, "seen without doing what leads to it")
	}
}

// ofAnyThing is a target as it stands on the page of whatever thing: its place may be called by the thing. nil if the target is one.
func ofAnyThing(t *capture.Target) *capture.Target {
	own := *t
	own.Landmark = nil
	named := len(supply.NamesIn(workflow.Step{Target: &own})) > 0
	if l := t.Landmark; l != nil {
		place := *l
		place.Name = supply.HoleForm.ReplaceAllString(l.Name, supply.Unknown)
		named = named || capture.IsRow(l.Role) && place.Name != l.Name
		own.Landmark = &place
	}
	if named {
		return nil
	}
	return &own
}

// things adds the links of the rows on the open page, which lead to things.
func (p *Performance) things(ctx context.Context, links []string) []string {
	rows, err := p.tab.browser.Rows(ctx)
	if err != nil {
		return links
	}
	for _, r := range rows {
		for _, l := range r.Links {
			links = append(links, l.Href)
		}
	}
	return links
}

// sameKind is the first of the links that leads to a thing as the address does: to the thing itself, not to something of it, which
// may be a deed. "" if none does.
func sameKind(address string, links []string) string {
	shape := page.PathShape(page.PathOf(address))
	if !strings.HasSuffix(shape, "/{*}") {
		return ""
	}
	i := slices.IndexFunc(links, func(l string) bool {
		return page.HostOf(l) == page.HostOf(address) && page.PathShape(page.PathOf(l)) == shape && page.QueryOf(l) == ""
	})
	if i < 0 {
		return ""
	}
	return links[i]
}
