package trace

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/page"
)

// Plain is what stood unmasked in one of several demonstrations: the paths of pages, and what controls outside of lists are called; and the
// links of values that somebody gave, or picked in a list, in any of them.
type Plain struct{ paths, controls, given map[string]bool }

// PlainIn reads them.
func PlainIn(demonstrations []draft.Trace) Plain {
	p := Plain{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, tr := range demonstrations {
		for i := range tr.Records {
			a := &tr.Records[i].Action
			for _, u := range addressesOf(&tr.Records[i]) {
				if !page.MaskForm.MatchString(*u) {
					p.paths[page.PathOf(*u)] = true
				}
			}
			if a.Value != nil {
				p.given[a.Value.LinkID] = true
			}
			switch t := a.Target; {
			case t == nil:
			case ofList(t):
				where := t.Name + " " + t.Text
				if t.Landmark != nil {
					where += " " + t.Landmark.Name
				}
				for _, m := range page.MaskForm.FindAllStringSubmatch(where, -1) {
					p.given[m[1]] = true
				}
			case !page.MaskForm.MatchString(t.Name):
				p.controls[t.Role+"|"+t.Name] = true
			}
		}
	}
	return p
}

func ofList(t *capture.Target) bool {
	return page.ItemRoles[t.Role] || t.Landmark != nil && page.ItemRoles[t.Landmark.Role]
}

// PlainControls restores what controls outside of lists are called that were masked only because a field held the same word by the time
// of a later demonstration. Records belong to the caller and are not changed.
func PlainControls(records []capture.Record, values map[string]string, plain Plain) []capture.Record {
	cloned := false
	for i := range records {
		t := records[i].Action.Target
		if t == nil || ofList(t) {
			continue
		}
		m := page.MaskForm.FindStringSubmatch(t.Name)
		if m == nil || m[0] != t.Name || plain.given[m[1]] || !plain.controls[t.Role+"|"+values[m[1]]] {
			continue
		}
		if !cloned {
			records, cloned = slices.Clone(records), true
		}
		open := func(text string) string { return strings.ReplaceAll(text, m[0], values[m[1]]) }
		own := *t
		own.Name, own.Text, own.Label = open(t.Name), open(t.Text), open(t.Label)
		own.Locators = slices.Clone(t.Locators)
		for k := range own.Locators {
			own.Locators[k].Value = open(own.Locators[k].Value)
		}
		records[i].Action.Target = &own
	}
	return records
}

// PlainAddresses restores page addresses that were masked only because a word in them was entered later, or because a field held it that
// nobody touched; masked, they would look like the addresses of other pages. Records belong to the caller and are not changed.
func PlainAddresses(records []capture.Record, values map[string]string, plain Plain) []capture.Record {
	if !slices.ContainsFunc(records, func(r capture.Record) bool {
		return slices.ContainsFunc(addressesOf(&r), func(u *string) bool { return page.MaskForm.MatchString(*u) })
	}) {
		return records
	}
	out := slices.Clone(records)
	for i := range out {
		r := &out[i]
		if !slices.ContainsFunc(addressesOf(r), func(u *string) bool { return page.MaskForm.MatchString(*u) }) {
			continue
		}
		r.Action.Page, r.Before, r.After = copied(r.Action.Page), copied(r.Before), copied(r.After)
		for _, u := range addressesOf(r) {
			path, rest, cut := strings.Cut(*u, "?")
			own := true
			open := page.MaskForm.ReplaceAllStringFunc(path, func(m string) string {
				link := page.MaskForm.FindStringSubmatch(m)[1]
				own = own && (!plain.given[link] || page.PageWord(strings.ToLower(values[link])))
				return values[link]
			})
			if own && plain.paths[page.PathOf(open)] {
				if *u = open; cut {
					*u += "?" + rest
				}
			}
		}
	}
	return out
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// addressesOf returns pointers to the page addresses in a record.
func addressesOf(r *capture.Record) (out []*string) {
	if r.Action.Page != nil {
		out = append(out, &r.Action.Page.URL)
	}
	for _, s := range []*capture.State{r.Before, r.After} {
		if s != nil {
			out = append(out, &s.URL)
		}
	}
	return out
}
