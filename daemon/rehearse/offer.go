package rehearse

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A value that was picked from a list on a page has others beside it. Where nobody's things are changed, or the site was named
// as safe to write to, another row than the one that was shown is tried, as another option is (decisions C12).

const fromRow = "another row that the page shows"

// maxRows is how many other rows are tried: not every one has the control that the step is about.
const maxRows = 5

// rowsOffered reports whether a run may choose the thing that it is about by itself.
func (e *exam) rowsOffered() bool {
	switch p := e.performing(); {
	case p.Mode == ReadOnly || p.Mode == SafeTargetOnly:
		return true
	case p.Mode == RedirectSend:
		return false // what is sent would be about somebody else's thing
	}
	return !slices.ContainsFunc(e.req.Draft.Graph.Steps, func(s workflow.Step) bool { return s.Effect && s.Verb != capture.Download })
}

// pickedFirst reports whether the first that the steps do with a parameter is to pick it from a page's rows, so that the page
// can say which others there are.
func (e *exam) pickedFirst(q workflow.Param) bool {
	if q.Loop || q.List {
		return false
	}
	names := []string{q.Name}
	for _, o := range e.req.Draft.Graph.Params {
		if id, _, ok := strings.Cut(o.ParamID, "."); ok && id == q.ParamID {
			names = append(names, o.Name)
		}
	}
	holds := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(t string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(t, "{"+n+"}") })
		})
	}
	for _, s := range e.req.Draft.Graph.Steps {
		if s.Page != nil && holds(s.Page.URL) || s.When != nil && (s.When.Name == q.Name || holds(s.When.Expect)) {
			return false
		}
		if slices.ContainsFunc(namesIn(s), func(n string) bool { return slices.Contains(names, n) }) {
			return s.Surface == onBrowser && operates(s.Verb) && !holds(s.Value) && inRow(s.Target)
		}
	}
	return false
}

// inRow reports whether a target is a row, or in one.
func inRow(t *capture.Target) bool {
	row := func(role string) bool {
		return role == "row" || role == "listitem" || role == "cell" || role == "gridcell" || role == "link" || role == "article"
	}
	return t != nil && (row(t.Role) || t.Landmark != nil && row(t.Landmark.Role))
}

// offer gives the inputs that a step picks, and that are left to the page, one of its other rows: one with which the step's target
// is there. Else the demonstrated value stands in, where the policy allows that.
func (p *play) offer(ctx context.Context, s workflow.Step) error {
	for _, name := range namesIn(s) {
		shown, open := p.supply.offered[name]
		if _, bound := p.supply.bindings[name]; bound || !open {
			continue
		}
		rows, err := p.browser.Rows(ctx)
		if err != nil {
			return err
		}
		if !p.choose(ctx, s, name, otherRows(rows, shown)) {
			if !sealedAllowed(p.policy) {
				return &halt{StepSkipped, CodeNeedsValue, "the page shows no other row to use: name one with --set " + name + "=VALUE"}
			}
			p.bindName(name, shown)
			p.pass("value."+name, "another "+strings.ReplaceAll(name, "_", " ")+" to use", "the page shows none: "+fromVault)
		}
		if why := p.refuses(s); why != "" { // now that its words are known
			return &halt{StepSkipped, CodePolicyViolation, "it was not done: " + why}
		}
	}
	return nil
}

func (p *play) choose(ctx context.Context, s workflow.Step, name string, values []string) bool {
	for _, v := range values[:min(len(values), maxRows)] {
		p.bindName(name, v)
		if has, err := p.browser.Has(ctx, p.aim(s.Target)); err == nil && has {
			return true
		}
	}
	return false
}

func (p *play) bindName(name, v string) {
	p.supply.bindings[name] = v
	p.supply.derive()
}

// otherRows are what stands in other rows where the shown value stands in its own. When that is not there any more, it is what has
// the same form, if that form is a number's or an identifier's. What stands twice names no row.
func otherRows(rows []Row, shown string) []string {
	shown = strings.TrimSpace(shown)
	for at, r := range rows {
		for _, spot := range spots(r) {
			if !strings.EqualFold(spot(r), shown) {
				continue
			}
			return once(slices.Concat(rows[at+1:], rows[:at]), shown, func(o Row) string {
				if o.List != r.List || len(o.Cells) != len(r.Cells) {
					return ""
				}
				return spot(o)
			})
		}
	}
	form := formOf(shown)
	if !strings.ContainsRune(form, '9') {
		return nil
	}
	for _, r := range rows {
		for _, spot := range spots(r) {
			if formOf(spot(r)) == form {
				return once(rows, shown, func(o Row) string {
					if v := spot(o); o.List == r.List && formOf(v) == form {
						return v
					}
					return ""
				})
			}
		}
	}
	return nil
}

// spots are the places of a row that can hold its name: its cells, its links.
func spots(r Row) (out []func(Row) string) {
	for i := range r.Cells {
		out = append(out, func(o Row) string {
			if i < len(o.Cells) {
				return strings.TrimSpace(o.Cells[i])
			}
			return ""
		})
	}
	for i := range r.Links {
		out = append(out, func(o Row) string {
			if i < len(o.Links) {
				return strings.TrimSpace(o.Links[i].Name)
			}
			return ""
		})
	}
	return out
}

func once(rows []Row, but string, of func(Row) string) (out []string) {
	count := map[string]int{}
	for _, r := range rows {
		count[strings.ToLower(of(r))]++
	}
	for _, r := range rows {
		if v := of(r); v != "" && count[strings.ToLower(v)] == 1 && !strings.EqualFold(v, but) {
			out = append(out, v)
		}
	}
	return out
}

// formOf is a text with its letters and digits made alike: A-1042 and B-7 have one form.
func formOf(s string) string {
	var out []rune
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			r = '9'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if n := len(out); n == 0 || out[n-1] != r || r != '9' && r != 'a' {
			out = append(out, r)
		}
	}
	return string(out)
}
