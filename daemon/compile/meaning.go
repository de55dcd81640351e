package compile

import (
	"net/url"
	"regexp"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// meaning is what two acts of different demonstrations, or of different rounds of a loop, have in common when they are the
// same step: verb, kind of target and its words, without anything that names one thing among many.
func meaning(a *act) string {
	switch {
	case a.command != nil:
		return skeleton(a.command)
	case a.isCall():
		return callMeaning(a)
	case a.verb == capture.Navigate:
		return "navigate|" + siteOf(a) + pathPattern(a.url())
	}
	if a.midi != nil {
		if a.passage != nil {
			return "passage|" + strings.ToLower(a.device)
		}
		return control(a.device, a.midi)
	}
	name := strings.ToLower(clean(a.name()))
	if dataLike(a) && (nameIsData(a) || a.ticksItem()) {
		name = "#"
	}
	where := ""
	if a.target != nil && a.target.Landmark != nil {
		if l := a.target.Landmark; itemRoles[l.Role] || maskForm.MatchString(l.Name) || idLike(l.Name) {
			where = l.Role
		} else {
			where = l.Role + ":" + strings.ToLower(l.Name)
		}
	}
	keys := ""
	if a.verb == capture.Press {
		keys = a.keys
	}
	verb := a.verb
	if verb == capture.Uncheck && !a.manyBoxes() {
		verb = capture.Check // the same box
	}
	return strings.Join([]string{a.surface, string(verb), a.role(), name, where, keys}, "|")
}

// itemRoles are roles of one thing among many.
var itemRoles = set("row cell gridcell listitem treeitem option article")

// dataLike reports whether an act picked one thing among many rather than used a control.
func dataLike(a *act) bool {
	if a.target == nil || a.surface != workflow.OnBrowser || a.fills() && !a.ticksItem() {
		return false
	}
	if a.role() == "tab" {
		return a.varies // else it is the view in which the work is done
	}
	if a.ticksItem() || nameIsData(a) || starts(a.verb) && a.value != nil && a.value.Chosen {
		return true
	}
	l := a.target.Landmark
	return l != nil && itemRoles[l.Role] && l.Name != ""
}

var countForm = regexp.MustCompile(`\s*[\(\[]\d+[\)\]]|\s*\d+%`)

// nameIsData reports whether the target's own name names one thing among many.
func nameIsData(a *act) bool {
	t := a.target
	if t == nil || a.fills() && !a.ticksItem() {
		return false
	}
	if t.Role == "tab" {
		return a.varies
	}
	name := targetName(t)
	if itemRoles[t.Role] && t.Role != "option" && t.Name+t.Text != "" || maskForm.MatchString(name) {
		return true
	}
	if _, ok := workflow.ParseDate(name); ok {
		return true
	}
	return idLike(countForm.ReplaceAllString(name, ""))
}

var decoration = regexp.MustCompile(`(?i)\s*(\*|:|\((required|optional|pflichtfeld)\)|\brequired\b\s*$)\s*$`)

// clean is a label without masks, stars, colons and "(required)".
func clean(label string) string {
	s := label
	if strings.Contains(s, "[[") {
		s = stripMasks(s)
	}
	s = plain.Squeeze(s)
	if n := len(s); n > 0 && (strings.ContainsAny(s[n-1:], "*:)") || s[n-1] == 'd') { // a decoration ends in one of these
		for range 3 {
			s = decoration.ReplaceAllString(s, "")
		}
	}
	if strings.ContainsAny(s, "([%") {
		s = countForm.ReplaceAllString(s, "")
	}
	return strings.TrimRight(strings.TrimSpace(s), " .…>»→▾▼")
}

func siteOf(a *act) string {
	if a.page == nil {
		return ""
	}
	return hostOf(a.page.URL)
}

func hostOf(address string) string {
	u, err := url.Parse(maskForm.ReplaceAllString(address, "x"))
	if err != nil {
		return ""
	}
	return u.Host
}

// pathOf is an address without scheme, host, query and fragment; a fragment that is a route stays.
func pathOf(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if ok {
		_, rest, _ = strings.Cut(rest, "/")
		rest = "/" + rest
	} else {
		rest = address
	}
	rest, frag, _ := strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	if strings.HasPrefix(frag, "/") || strings.HasPrefix(frag, "!/") {
		frag, _, _ = strings.Cut(frag, "?")
		rest += "#" + frag
	}
	return rest
}

// queryOf is the raw query of an address, a route's own query included.
func queryOf(address string) string {
	_, q, _ := strings.Cut(address, "?")
	q, _, _ = strings.Cut(q, "#")
	return q
}

// pathPattern is a path with {*} for every part that names one thing among many.
func pathPattern(address string) string { return PathShape(pathOf(masksToRefs(address))) }

// PathShape is pathPattern of a path alone.
func PathShape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.ContainsRune(p, refOpen) || thingIn(parts, i) {
			parts[i] = "{*}"
		}
	}
	return strings.Join(parts, "/")
}
