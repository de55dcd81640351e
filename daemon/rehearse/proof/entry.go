package proof

import (
	"net/url"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
)

// BoxesCalled lists the boxes, switches and radio buttons with a label.
func BoxesCalled(st capture.State, label string) (out []capture.Field) {
	for _, f := range st.Fields {
		if (f.Role == "checkbox" || f.Role == "switch" || f.Role == "radio") && strings.EqualFold(f.Label, strings.TrimSpace(label)) {
			out = append(out, f)
		}
	}
	return out
}

// On reports whether a box is ticked.
func On(f capture.Field) bool { return check.ValueOf(f) == "on" }

// Entry is a value that was entered into a form.
type Entry struct {
	Label, Value string
	Was          string // what the field held before
	Address      string // of the form
	Filled       bool   // the form was prefilled with earlier content
	Anew         bool   // the form was empty, for something new: what it holds later is a draft
	Picks        bool   // it names the object of the work, which existed before
	File         bool   // it names a file, which a page may show under another name
	InPlace      bool   // it belongs to a row or a text that is edited in place, so no form is sent
	Asks         bool   // it is only a search
	Chosen       bool   // it chose one of several things on the page: that it is shown proves something, that it is not proves nothing
	Object       bool   // the chosen thing is an entry of a list: what follows may act on it rather than store it
	Prior        Prior  // where its value could be read before
	Replaces     string // what the thing was called in whose text it was entered
}

// Misses reports whether a page still shows what the entry was to replace.
func (e *Entry) Misses(p port.Page) bool {
	return e.Replaces != "" && patternsOf(e.Replaces).in(strings.ReplaceAll(p.Text, e.Value, ""))
}

// InOther reports whether a text shows an entry where it showed something else, while all other lines are as they were, that of the thing
// with them, although the page showed right after the step that the thing is called so no more: what tells its things by no rows gave the
// entry to another one. Another line of the thing itself would have changed beside its name.
func (e *Entry) InOther(was, claimed, now string, t Thing, things []Thing) bool {
	a, b, c := saidLines(was), saidLines(now), saidLines(claimed)
	called, entry := patternsOf(t.Value).is, patternsOf(e.Value).is
	if e.Picks || t.Way || strings.TrimSpace(e.Value) == "" || len(a) != len(b) || !slices.ContainsFunc(b, called) ||
		slices.ContainsFunc(c, called) || !slices.ContainsFunc(c, entry) {
		return false
	}
	at := -1
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if at >= 0 {
			return false
		}
		at = i
	}
	return at >= 0 && entry(b[at]) && !names(a[at], things...)
}

// saidLines are the lines of a text that say something.
func saidLines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Found says whether an entry was found again.
type Found struct {
	Entry
	Shown  bool
	Placed bool // a page has a column or label for the field
}

// Repeats reports whether an address contains a value in its query, or after "#" where that is no route: the page may only echo it.
func Repeats(address, value string) bool {
	u, err := url.Parse(address)
	if err != nil || strings.TrimSpace(value) == "" {
		return false
	}
	v := patternsOf(value)
	asked, frag := u.Query(), u.Fragment
	if page.IsRoute(frag) {
		_, frag, _ = strings.Cut(frag, "?")
	}
	if v.in(frag) {
		return true
	}
	for name, given := range asked {
		if v.in(name) || slices.ContainsFunc(given, v.in) {
			return true
		}
	}
	return false
}
