package trace

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
)

// PlainAddresses restores page addresses that were masked only because a word in them was entered later; masked, they
// would look like the addresses of other pages. Records belong to the caller and are not changed.
func PlainAddresses(records []capture.Record, values map[string]string) []capture.Record {
	plain := map[string]bool{}
	masked := false
	for i := range records {
		for _, u := range addressesOf(&records[i]) {
			if page.MaskForm.MatchString(*u) {
				masked = true
			} else {
				plain[page.PathOf(*u)] = true
			}
		}
	}
	if !masked {
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
				value := values[page.MaskForm.FindStringSubmatch(m)[1]]
				own = own && page.PageWord(strings.ToLower(value))
				return value
			})
			if own && plain[page.PathOf(open)] {
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
