package compile

import (
	"cmp"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// titleOf is what a step is for, in the imperative: "Enter {delivery_date} as Delivery date".
func titleOf(st *step, n *names) string { return cut(plain.UpperFirst(phrase(st, n, false)), 160) }

// told is what was done, in the past tense, for a sentence about the demonstration: "entered {delivery_date} as Delivery date".
func told(st *step, n *names) string { return phrase(st, n, true) }

func tense(past bool, now, then string) string {
	if past {
		return then
	}
	return now
}

func phrase(st *step, n *names, past bool) string {
	value := n.prose(st.value)
	if value == "" || value == "..." {
		value = "a value"
	}
	label := st.label()
	switch st.Verb {
	case capture.Type:
		if st.act.secret() {
			return tense(past, "let the user enter ", "entered ") + cmp.Or(label, "a secret")
		}
		return tense(past, "enter ", "entered ") + value + as(label)
	case capture.Select:
		return tense(past, "choose ", "chose ") + value + as(label)
	case capture.Check:
		return tense(past, "tick ", "ticked ") + tickedThing(st, n)
	case capture.Uncheck:
		return tense(past, "untick ", "unticked ") + tickedThing(st, n)
	case capture.Drag:
		return tense(past, "drag ", "dragged ") + draggedThing(st, n) + dropPlace(st)
	case capture.Upload:
		return tense(past, "attach ", "attached ") + value + as(label)
	case capture.Press:
		return tense(past, "press ", "pressed ") + st.Keys
	case capture.Navigate:
		return tense(past, "open ", "opened ") + pageWords(st, n)
	case capture.NewTab:
		return tense(past, "open ", "opened ") + pageWords(st, n) + " in a new tab"
	case capture.Download:
		return tense(past, "download ", "downloaded ") + n.prose(st.file) + with(label)
	case capture.Submit:
		return submitPhrase(st, label, past)
	case capture.Run:
		return tense(past, "run ", "ran ") + "`" + commandText(st, n) + "`"
	case capture.Dialog:
		return tense(past, "answer the browser's question", "answered the browser's question")
	case capture.Play:
		if st.MIDI == nil {
			return tense(past, "play ", "played ") + cmp.Or(label, "notes")
		}
		return playPhrase(st, past)
	case capture.Call:
		if st.act.isCall() {
			return callPhrase(st, n, past)
		}
		return tense(past, "call ", "called ") + cmp.Or(label, "a tool")
	}
	return clickPhrase(st, n, label, past)
}

// tickedThing is what was ticked: the chosen row, several boxes of a group, or the box by its name.
func tickedThing(st *step, n *names) string {
	if st.ManyBoxes() {
		return cmp.Or(n.prose(st.value), "boxes") + ` under "` + st.label() + `"`
	}
	if v := n.prose(st.value); st.act.ticksItem() && v != "" && v != "..." {
		return v
	}
	if v := n.prose(st.owner); v != "" && v != "..." {
		return quoteOr(st.label(), "the box") + " for " + v
	}
	return quoteOr(st.label(), "the box")
}

// draggedThing is what was dragged: the picked thing, or the control by its name.
func draggedThing(st *step, n *names) string {
	if v := n.prose(st.value); v != "" && v != "..." {
		return v
	}
	return quoteOr(st.label(), "an entry")
}

func dropPlace(st *step) string {
	if st.Drop == nil {
		return ""
	}
	if name := strings.ReplaceAll(clean(targetName(st.Drop)), "{*}", "..."); name != "" && name != "..." {
		return ` to "` + name + `"`
	}
	if l := st.Drop.Landmark; l != nil && l.Name != "" {
		return ` to "` + strings.ReplaceAll(l.Name, "{*}", "...") + `"`
	}
	return ""
}

func clickPhrase(st *step, n *names, label string, past bool) string {
	after := ""
	if st.NewTab {
		after = " in a new tab"
	}
	if st.until != "" {
		after += " until " + st.until + " is in sight"
	} else if st.Times > 1 {
		after += " " + strconv.Itoa(st.Times) + " times"
	}
	if st.value != "" && dataLike(st.act) {
		picked := n.prose(st.value)
		if date := dayOf(st.value, n); date != nil {
			return tense(past, "choose ", "chose ") + "the day of {" + date.Name + "}" + after
		}
		if picked == "..." {
			picked = "an entry"
		}
		if st.act.role() == "option" {
			return tense(past, "choose ", "chose ") + picked + " from the list" + after
		}
		if !nameIsData(st.act) && label != "" {
			return tense(past, "choose ", "chose ") + `"` + label + `" for ` + picked + after
		}
		return tense(past, "open ", "opened ") + picked + after
	}
	if opened(st.act) {
		return tense(past, "open ", "opened ") + `the dialog "` + n.prose(generalDialog(st)) + `"`
	}
	if st.Verb == capture.RightClick {
		return tense(past, "open ", "opened ") + "the context menu of " + quoteOr(label, "the entry")
	}
	if st.act.moved && st.act.role() == "link" {
		return tense(past, "go to ", "went to ") + quoteOr(label, "the next page") + after
	}
	if st.act.role() == "checkbox" || st.act.role() == "switch" {
		return tense(past, "switch ", "switched ") + quoteOr(label, "the box")
	}
	return tense(past, "choose ", "chose ") + quoteOr(label, "the control") + after
}

func generalDialog(st *step) string {
	if st.After == nil || len(st.After.Dialogs) == 0 {
		return ""
	}
	before := []string{}
	if st.Before != nil {
		before = st.Before.Dialogs
	}
	if f := fresh(before, st.After.Dialogs); len(f) > 0 {
		return strings.ReplaceAll(f[0], "{*}", "...")
	}
	return st.After.Dialogs[0]
}

func submitPhrase(st *step, label string, past bool) string {
	if searches(st) {
		return tense(past, "search", "searched")
	}
	r := st.act.role()
	if fieldRoles[r] || label == "" {
		return tense(past, "send the form", "sent the form")
	}
	if r == "form" {
		return tense(past, "send the form ", "sent the form ") + `"` + label + `"`
	}
	return tense(past, "choose ", "chose ") + `"` + label + `"`
}

// label is the target's name in people's words.
func (st *step) label() string {
	if st.Target == nil {
		return ""
	}
	return strings.ReplaceAll(clean(targetName(st.Target)), "{*}", "...")
}

func as(label string) string {
	if label == "" {
		return ""
	}
	return ` as "` + label + `"`
}

func with(label string) string {
	if label == "" {
		return ""
	}
	return ` with "` + label + `"`
}

func quoteOr(label, other string) string {
	if label == "" {
		return other
	}
	return `"` + label + `"`
}

func pageWords(st *step, n *names) string {
	if st.After != nil {
		if h := ownHeading(st); h != "" {
			return `the page "` + strings.ReplaceAll(h, "{*}", "...") + `"`
		}
		if st.After.Title != "" {
			return `the page "` + strings.ReplaceAll(ownTitle(st.After.Title), "{*}", "...") + `"`
		}
	}
	if st.Page != nil {
		return strings.ReplaceAll(pathOf(st.Page.URL), "{*}", "...")
	}
	return "the page"
}

// ownTitle is a page's title without the name of its site.
func ownTitle(title string) string {
	for _, sep := range []string{" - ", " | ", " · ", " – ", " — "} {
		if own, _, ok := strings.Cut(title, sep); ok && own != "" {
			return own
		}
	}
	return title
}

// ownHeading is the heading that tells the page after the step from the one before.
func ownHeading(st *step) string {
	if st.After == nil || len(st.After.Headings) == 0 {
		return ""
	}
	if st.Before != nil {
		if f := fresh(st.Before.Headings, st.After.Headings); len(f) > 0 {
			return f[0]
		}
	}
	return st.After.Headings[0]
}

// commandText is a command on one line, short enough for a sentence.
func commandText(st *step, n *names) string {
	return cut(strings.ReplaceAll(n.prose(st.command), "`", "'"), 200)
}

// story tells steps in one sentence without a full stop: forms are told as a whole, not field by field.
func story(steps []*step, n *names) string {
	var parts []string
	searched, dir := "", n.folder
	for i := 0; i < len(steps); {
		j := i
		for j < len(steps) && steps[j].act.fills() {
			j++
		}
		if j > i {
			sends := j < len(steps) && steps[j].Verb == capture.Submit
			if sends && j-i == 1 && searches(steps[j]) {
				parts = append(parts, "searched for "+n.prose(steps[i].value))
				searched = steps[i].value
				i = j + 1
				continue
			}
			parts = append(parts, filled(steps[i:j], n)...)
			i = j
			continue
		}
		if dataLike(steps[i].act) && nameIsData(steps[i].act) && steps[i].value == searched && searched != "" {
			parts = append(parts, "opened it from the list")
		} else {
			where := ""
			if st := steps[i]; st.act.command != nil && st.Dir != "" && st.Dir != dir {
				where = " in `" + strings.ReplaceAll(st.Dir, "{*}", "...") + "`"
			}
			parts = append(parts, told(steps[i], n)+where+notAlways(steps[i]))
		}
		i++
	}
	return andThen(shorten(parts))
}

// searches reports whether a submit is a search.
func searches(st *step) bool { return searchedBy(st.label(), st.Step) }

// Searches reports whether a step of a graph only looks for something.
func Searches(s workflow.Step) bool {
	if s.Target == nil {
		return false
	}
	return searchedBy(cmp.Or(s.Target.Name, s.Target.Label), s)
}

func searchedBy(label string, st workflow.Step) bool {
	text := strings.ToLower(label)
	if st.Target != nil && st.Target.Landmark != nil {
		text += " " + st.Target.Landmark.Role + " " + strings.ToLower(st.Target.Landmark.Name)
	}
	for _, w := range plain.Words(text) {
		switch w {
		case "search", "find", "searchbox", "look", "filter", "suchen":
			return true
		case "go": // it sends whatever stands beside it
			return st.Before == nil || st.After == nil || !saysDone(st.Before, st.After)
		}
	}
	return st.Target != nil && st.Target.Role == "searchbox"
}

// filled tells the filling of a form: up to four fields by name and value, more by name alone.
func filled(steps []*step, n *names) []string {
	if len(steps) == 1 {
		return []string{told(steps[0], n) + notAlways(steps[0])}
	}
	var sets, names, other []string
	for _, st := range steps {
		if !st.act.supplies() || st.act.secret() || st.ManyBoxes() {
			other = append(other, told(st, n)+notAlways(st))
			continue
		}
		label := cmp.Or(st.label(), "a field")
		names = append(names, `"`+label+`"`)
		sets = append(sets, `"`+label+`" to `+n.prose(st.value)+notAlways(st))
	}
	var out []string
	switch {
	case len(sets) > 4:
		out = append(out, "filled in "+andList(names))
	case len(sets) > 0:
		out = append(out, "set "+andList(sets))
	}
	return append(out, other...)
}

// notAlways says of a step that only some demonstrations took it.
func notAlways(st *step) string {
	if st.Optional && st.Condition == "" {
		return " (not every time)"
	}
	return ""
}

// shorten keeps a long story short: its beginning and its end.
func shorten(parts []string) []string {
	if len(parts) <= 9 {
		return parts
	}
	out := append([]string{}, parts[:6]...)
	out = append(out, "took "+strconv.Itoa(len(parts)-8)+" more steps")
	return append(out, parts[len(parts)-2:]...)
}

// andThen joins what was done: a, b, then c.
func andThen(parts []string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + ", then " + parts[len(parts)-1]
}
