package proof

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/danger"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
)

// Review collects what second looks found about an effect: evidence against it, and what confirms it.
type Review struct {
	Against string
	Entries []Found
	Choice  *Choice // what was chosen for a thing, if anything was
	Counted string  // a list has as many rows more or fewer as it should
	Altered string  // the object of the work has changed
	Firm    bool    // it changed in more than its numbers
	Own     string  // address of its page, where nothing but that page has changed
	Removed bool    // its row or page is gone, and nothing replaced it
	Facts   []string
	Doubt   string               // what makes numbers and facts of a page too little: a number of another row has changed
	Crowded string               // address at which several other rows have changed, maybe by themselves
	More    string               // what more was done than was meant: the effect is not the one that was asked for
	Here    bool                 // only the run's own browser shows the effect
	Claimed []port.Row           // rows of the objects, as the present page shows them since the act
	Live    port.Page            // the present page, since then
	InRow   bool                 // a new or changed row shows part of what was entered
	Told    bool                 // a page that is called by what was entered was opened: it tells the rest
	Visited []string             // addresses
	At      string               // the one that was looked at last
	Pages   map[string]port.Page // that were opened again, by address
	Leads   []string             // addresses of pages about the rows in question
	Closer  bool                 // the page was searched again: it shows the search's results
}

// Contradict records evidence against the effect; the first finding stays.
func (r *Review) Contradict(s string, args ...any) {
	if r.Against == "" {
		r.Against = fmt.Sprintf(s, args...)
	}
}

// Seen reports whether an address was visited.
func (r *Review) Seen(address string) bool { return slices.Contains(r.Visited, address) }

// Settled reports whether no further look is needed.
func (r *Review) Settled() bool { return r.Against != "" || r.Proof() != "" }

// Whole reports whether every entry was found, so that no other page need be asked.
func (r *Review) Whole() bool {
	return r.Against != "" || r.Removed && !r.edits() || !slices.ContainsFunc(r.Entries, func(e Found) bool {
		return !e.Shown && !e.File && !e.Chosen && Long(e.Value)
	})
}

// Long reports whether a value is long enough that finding it in a page's text means something: a shorter one may be
// there anyway.
func Long(value string) bool {
	n := 0
	for _, r := range strings.TrimSpace(value) {
		if n++; unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			n++ // such a character holds as much as a syllable or a word
		}
	}
	return n >= 4
}

// ClaimsAll reports whether the present page shows, since the act, every entry that a page opened afresh shows.
func (r *Review) ClaimsAll() bool {
	return !slices.ContainsFunc(r.Entries, func(e Found) bool {
		return e.Shown && !ShowsValue(r.Live, Entry{Value: e.Value}, func(int) bool { return patternsOf(e.Value).in(r.Live.Text) })
	})
}

// Shown reports whether an entry was found again.
func Shown(_ *Review, e Found) bool { return e.Shown }

// Lacking reports whether an entry should have been found and was not: the page has a place for it, or shows none of
// the entries, or the page of what was entered was opened. One entry must not vouch for the others.
func Lacking(r *Review, e Found) bool {
	return !e.Shown && !e.File && !e.Chosen && (e.Placed || Long(e.Value) && (!r.InRow || r.Told))
}

// Labels lists the labels of the entries that satisfy is.
func (r *Review) Labels(is func(*Review, Found) bool) string {
	var out []string
	for _, e := range r.Entries {
		if is(r, e) && !slices.Contains(out, e.Label) {
			out = append(out, e.Label)
		}
	}
	return strings.Join(out, ", ")
}

// Proof says what proves the effect, "" when nothing does.
func (r *Review) Proof() string {
	there := r.Labels(Shown)
	switch {
	case r.More != "":
		return ""
	case r.Removed && !r.edits():
		return r.Altered
	case r.Labels(Lacking) != "":
		return ""
	case there != "" && r.vouches():
		return fmt.Sprintf("it shows what was entered as %q", there)
	case r.unfounded():
	case r.Altered != "":
		return r.Altered
	case r.Doubt != "":
		return ""
	case r.Counted != "":
		return r.Counted
	}
	return strings.Join(r.Facts, "; ")
}

// edits reports whether something that a form held was given another value, which nothing shows: that the thing is gone does not keep it.
func (r *Review) edits() bool {
	return slices.ContainsFunc(r.Entries, func(e Found) bool {
		return !e.Shown && e.Filled && strings.TrimSpace(e.Was) != "" && !e.Chosen && !e.File && !e.Asks
	})
}

// unfounded reports whether something was entered, and nothing shows any of it: that something else has changed does not speak for it.
func (r *Review) unfounded() bool {
	return !slices.ContainsFunc(r.Entries, func(e Found) bool { return e.Shown }) &&
		slices.ContainsFunc(r.Entries, func(e Found) bool { return !e.Chosen && !e.File && !e.Asks })
}

// vouches reports whether what is shown of the entries speaks for all of them: of things that were only chosen each must be shown, and
// where something else was entered, too, a choice may be the thing at hand, which is shown whatever came of the rest.
func (r *Review) vouches() bool {
	lacks, others := false, false
	for _, e := range r.Entries {
		switch {
		case !e.Chosen && e.Shown:
			return true
		case e.Chosen:
			lacks = lacks || !e.Shown
		case !e.File:
			others = true
		}
	}
	return !lacks && !others
}

// Slightly reports whether only numbers of a row prove the effect: many a page counts by itself.
func (r *Review) Slightly() bool {
	return !r.Removed && r.Altered != "" && !r.Firm && r.Proof() == r.Altered
}

// Unsaid is a page without its messages: what one of them says is a claim, or a refusal, wherever it is read.
func Unsaid(page port.Page) port.Page {
	one := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	said := func(text string, is func(alert, text string) bool) bool {
		return one(text) != "" && slices.ContainsFunc(page.State.Alerts, func(a string) bool { return is(one(a), one(text)) })
	}
	var kept strings.Builder
	for line := range strings.Lines(page.Text) {
		if !said(line, strings.Contains) {
			kept.WriteString(line)
		}
	}
	page.Text = kept.String()
	page.Rows = slices.DeleteFunc(slices.Clone(page.Rows), func(r port.Row) bool {
		return said(r.Text, func(alert, text string) bool { return alert == text })
	})
	return page
}

// Labelled is the List of rows made of a page's labels and values.
const Labelled = "dl"

// ShowsValue looks for a value in a page's fields, in any form in which a page may write it, or in its text, if come
// confirms that it is new there. A choice among several boxes is always present: it counts as shown when its box is
// ticked. What a field shows in which something new was written is what it was left with.
func ShowsValue(page port.Page, e Entry, come func(boxes int) bool) bool {
	value := e.Value
	boxes := BoxesCalled(page.State, value)
	if slices.ContainsFunc(boxes, On) {
		return true
	}
	for _, f := range forms(value) {
		b := supply.Bindings{"v": f}
		if slices.ContainsFunc(page.State.Fields, func(x capture.Field) bool {
			return !(e.Anew && strings.EqualFold(x.Label, e.Label)) && b.Pattern("{v}").Is(check.ValueOf(x))
		}) {
			return true
		}
	}
	return come(len(boxes))
}

// Lead records where the rows in question lead: the pages of the objects named in them.
func (r *Review) Lead(from string, rows []port.Row, things []Thing) {
	var values []string
	for _, t := range things {
		values = append(values, t.Value)
	}
	for _, e := range r.Entries {
		values = append(values, e.Value)
	}
	named := func(l port.Link) bool {
		return slices.ContainsFunc(values, func(v string) bool {
			return Long(v) && (supply.Bindings{"v": v}).Pattern("{v}").In(l.Name) && looksOnly(strings.ReplaceAll(l.Name, v, ""))
		})
	}
	for _, row := range rows {
		for _, l := range row.Links {
			l.Href = strings.TrimSuffix(l.Href, "#") // a link that only the page's script follows
			if !r.Seen(l.Href) && !slices.Contains(r.Leads, l.Href) && SameSite(from, l.Href) && named(l) {
				r.Leads = append(r.Leads, l.Href)
			}
		}
	}
}

// looksOnly reports whether a link's wording, apart from the object's name, promises that following it changes
// nothing.
func looksOnly(wording string) bool {
	f := danger.Control("link", wording, "")
	return !f.Has(danger.Destroys) && !f.Has(danger.Sends) && !f.Has(danger.Installs) && !f.Has(danger.Escalates)
}

// SameSite reports whether two addresses have the same scheme and host.
func SameSite(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.Host == y.Host && x.Scheme == y.Scheme
}

// Form compares a reopened form with what was entered in it. A form for a new object is empty, or as it always starts:
// only one that came with earlier content can show that its content is still there.
func (r *Review) Form(page port.Page, address string) {
	r.At = address
	var old []string
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Address != address || e.Shown || e.Placed {
			continue // the object's own page counts for more than an unsent draft in a form
		}
		for _, f := range page.State.Fields {
			if e.Anew {
				break
			}
			v := strings.TrimSpace(check.ValueOf(f))
			switch {
			case !strings.EqualFold(f.Label, e.Label) || v == "":
			case strings.EqualFold(v, strings.TrimSpace(e.Value)):
				e.Shown = true
			case !e.Filled:
			case e.Was != "" && strings.EqualFold(v, strings.TrimSpace(e.Was)):
				if Repeats(address, e.Was) {
					continue // it may only repeat what it is asked with
				}
				old = append(old, e.Label)
			default:
				e.Placed = true
			}
		}
	}
	if len(old) > 0 {
		r.Contradict("%q is as it was before when the form is opened again", strings.Join(old, ", "))
	}
}
