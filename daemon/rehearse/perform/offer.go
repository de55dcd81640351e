package perform

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// A value that was picked from a list on a page has alternatives in other rows. If nobody's data is changed, or the
// site was named as safe to write to, another row than the demonstrated one is tried, as another option is (decisions
// C12).

// maxRows is how many other rows are tried: not every one has the step's control.
const maxRows = 5

// offer fills the inputs that a step picks, and that the request leaves to the page, from another row of the page: one
// in which the step's target exists. Otherwise the demonstrated value is used, where the policy allows that.
func (p *tab) offer(ctx context.Context, s workflow.Step) error {
	if err := p.readOff(ctx, s); err != nil {
		return err
	}
	for _, name := range supply.NamesIn(s) {
		shown, open := p.supply.Offered[name]
		if _, bound := p.supply.Bindings[name]; bound || !open {
			continue
		}
		rows, err := p.browser.Rows(ctx)
		if err != nil {
			return err
		}
		if !p.choose(ctx, s, name, otherRows(rows, shown)) {
			if !supply.SealedAllowed(p.policy) {
				return &halt{record.StepSkipped, record.CodeNeedsValue, "the page shows no other row to use: name one with --set " + name + "=VALUE"}
			}
			p.bindName(name, shown)
			p.Pass("value."+name, "another "+strings.ReplaceAll(name, "_", " ")+" to use", "the page shows none: "+supply.FromVault)
		}
		if why := p.refuses(s); why != "" { // now that its words are known
			return &halt{record.StepSkipped, record.CodePolicyViolation, "it was not done: " + why}
		}
	}
	return nil
}

func (p *tab) choose(ctx context.Context, s workflow.Step, name string, values []string) bool {
	for _, v := range values[:min(len(values), maxRows)] {
		p.bindName(name, v)
		if has, err := p.browser.Has(ctx, p.aim(s.Target)); err == nil && has {
			return true
		}
	}
	return false
}

// otherRows lists what other rows show in the place of the demonstrated value. If that value is gone, it lists texts
// of the same form, if the form is a number's or an identifier's. A text that occurs twice names no row.
func otherRows(rows []port.Row, shown string) []string {
	shown = strings.TrimSpace(shown)
	for at, r := range rows {
		for _, spot := range spots(r) {
			if !strings.EqualFold(spot(r), shown) {
				continue
			}
			return once(slices.Concat(rows[at+1:], rows[:at]), shown, func(o port.Row) string {
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
				return once(rows, shown, func(o port.Row) string {
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
func spots(r port.Row) (out []func(port.Row) string) {
	for i := range r.Cells {
		out = append(out, func(o port.Row) string {
			if i < len(o.Cells) {
				return strings.TrimSpace(o.Cells[i])
			}
			return ""
		})
	}
	for i := range r.Links {
		out = append(out, func(o port.Row) string {
			if i < len(o.Links) {
				return strings.TrimSpace(o.Links[i].Name)
			}
			return ""
		})
	}
	return out
}

func once(rows []port.Row, but string, of func(port.Row) string) (out []string) {
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
