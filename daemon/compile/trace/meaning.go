package trace

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/workflow"
)

// meaning returns what two acts of different demonstrations, or of different rounds of a loop, have in common when they
// are the same step: the verb, the kind of target and its words, without anything that names one thing among many.
func meaning(a *Act) string {
	return MeaningOf(a, IsPick(a) && (NamedByData(a) || a.TicksItem()))
}

// MeaningOf is meaning for callers that know whether the target's name only names one thing among many (data).
func MeaningOf(a *Act, data bool) string {
	switch {
	case a.Command != nil:
		return shell.Skeleton(a.Command)
	case a.IsCall():
		return callMeaning(a)
	case a.Verb == capture.Navigate:
		at := a.URL()
		if a.Page != nil && page.Unrouted(a.Page.URL) == page.Unrouted(at) {
			at = a.Page.URL // the route may be the page's own
		}
		return "navigate|" + SiteOf(a) + page.PathPattern(at)
	}
	if a.MIDI != nil {
		if a.Passage != nil {
			return "passage|" + strings.ToLower(a.Device)
		}
		return control(a.Device, a.MIDI)
	}
	name := strings.ToLower(page.Clean(a.Name()))
	if data {
		name = "#"
	}
	where := ""
	if a.Target != nil && a.Target.Landmark != nil {
		if l := a.Target.Landmark; page.ItemRoles[l.Role] || page.MaskForm.MatchString(l.Name) || page.IDLike(l.Name) {
			where = l.Role
		} else {
			where = l.Role + ":" + strings.ToLower(l.Name)
		}
	}
	keys := ""
	if a.Verb == capture.Press {
		keys = a.Keys
	}
	verb := a.Verb
	if verb == capture.Uncheck && !a.ManyBoxes() {
		verb = capture.Check // the same box
	}
	return strings.Join([]string{a.Surface, string(verb), a.Role(), name, where, keys}, "|")
}

// IsPick reports whether an act picked one thing among many rather than used a control.
func IsPick(a *Act) bool {
	if !IsOperated(a) || a.Role() == "tab" {
		return false // a tab is a view in which the work is done
	}
	if a.TicksItem() || NamedByData(a) || page.IsClick(a.Verb) && a.Value != nil && a.Value.Chosen {
		return true
	}
	l := a.Target.Landmark
	return l != nil && page.ItemRoles[l.Role] && l.Name != ""
}

// IsOperated reports whether an act used something on a page other than by filling it in.
func IsOperated(a *Act) bool {
	return a.Target != nil && a.Surface == workflow.OnBrowser && (!a.Fills() || a.TicksItem())
}

// NamedByData reports whether the target's own name names one thing among many.
func NamedByData(a *Act) bool {
	t := a.Target
	if t == nil || a.Fills() && !a.TicksItem() {
		return false
	}
	if t.Role == "tab" {
		return false
	}
	name := page.TargetName(t)
	if page.ItemRoles[t.Role] && t.Role != "option" && t.Name+t.Text != "" || page.MaskForm.MatchString(name) {
		return true
	}
	if _, ok := workflow.ParseDate(name); ok {
		return true
	}
	return page.IDLike(page.CountForm.ReplaceAllString(name, ""))
}

// SiteOf returns the host of the page on which an act was done.
func SiteOf(a *Act) string {
	if a.Page == nil {
		return ""
	}
	return page.HostOf(a.Page.URL)
}
