package flow

import (
	"cmp"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/internal/plain"
)

// callPhrase describes a tool call in words.
func callPhrase(st *Step, n *Names, past bool) string {
	if st.Act.File != nil {
		return tense(past, "write the file ", "wrote the file ") + n.Prose(st.FileTemplate)
	}
	out := tense(past, "use the tool `", "used the tool `") + trace.OwnName(st.Act.Call) + "`" + ofConnector(st)
	if st.ValueTemplate != "" {
		out += " with " + n.Prose(st.ValueTemplate)
	}
	return out
}

// ofConnector names the connector whose tool it is.
func ofConnector(st *Step) string {
	if st.Act.Call.Connector == "" {
		return ""
	}
	return " of the connector `" + st.Act.Call.Connector + "`"
}

// Searches reports whether a submit is a search.
func Searches(st *Step) bool { return page.SearchedBy(st.Label(), st.Step) }

// titleOf returns the step's title in the imperative: "Enter {delivery_date} as Delivery date".
func titleOf(st *Step, n *Names) string { return page.Cut(plain.UpperFirst(phrase(st, n, false)), 160) }

// Told returns what was done, in the past tense, for a sentence about the demonstration: "entered {delivery_date} as
// Delivery date".
func Told(st *Step, n *Names) string { return phrase(st, n, true) }

func tense(past bool, now, then string) string {
	if past {
		return then
	}
	return now
}

func phrase(st *Step, n *Names, past bool) string {
	value := n.Prose(st.ValueTemplate)
	if value == "" || value == "..." {
		value = "a value"
	}
	label := st.Label()
	switch st.Verb {
	case capture.Type:
		if st.Act.Secret() {
			return tense(past, "let the user enter ", "entered ") + cmp.Or(label, "a secret")
		}
		if v := n.Prose(st.Owner); label == "" && v != "" && v != "..." {
			return tense(past, "enter ", "entered ") + value + " for " + v
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
		return tense(past, "download ", "downloaded ") + n.Prose(st.FileTemplate) + with(label)
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
		if st.Act.IsCall() {
			return callPhrase(st, n, past)
		}
		return tense(past, "call ", "called ") + cmp.Or(label, "a tool")
	}
	return clickPhrase(st, n, label, past)
}

// tickedThing names what was ticked: the selected row, several boxes of a group, or the box by its name.
func tickedThing(st *Step, n *Names) string {
	if st.ManyBoxes() {
		return cmp.Or(n.Prose(st.ValueTemplate), "boxes") + ` under "` + st.Label() + `"`
	}
	if v := n.Prose(st.ValueTemplate); st.Act.TicksItem() && v != "" && v != "..." {
		return v + ofOwner(st, n, v)
	}
	if v := n.Prose(st.Owner); v != "" && v != "..." {
		return page.QuoteOr(st.Label(), "the box") + " for " + v
	}
	return page.QuoteOr(st.Label(), "the box")
}

// ofOwner names the row in which a thing was picked that every row has.
func ofOwner(st *Step, n *Names, picked string) string {
	if owner := n.Prose(st.Owner); owner != "" && owner != "..." && owner != picked {
		return " for " + owner
	}
	return ""
}

// draggedThing names what was dragged: the picked object, or the control by its name.
func draggedThing(st *Step, n *Names) string {
	if v := n.Prose(st.ValueTemplate); v != "" && v != "..." {
		return v
	}
	return page.QuoteOr(st.Label(), "an entry")
}

func dropPlace(st *Step) string {
	if st.Drop == nil {
		return ""
	}
	if name := strings.ReplaceAll(page.Clean(page.TargetName(st.Drop)), "{*}", "..."); name != "" && name != "..." {
		return ` to "` + name + `"`
	}
	if l := st.Drop.Landmark; l != nil && l.Name != "" {
		return ` to "` + strings.ReplaceAll(l.Name, "{*}", "...") + `"`
	}
	return ""
}

func clickPhrase(st *Step, n *Names, label string, past bool) string {
	after := ""
	if st.Col.Sought && !past {
		after = " (look for it on further pages and in closed sections)"
	}
	if st.NewTab {
		after += " in a new tab"
	}
	if st.until != "" {
		after += " until " + st.until + " is in sight"
	} else if st.AsNeeded {
		after += " as often as needed"
	} else if st.Times > 1 {
		after += " " + strconv.Itoa(st.Times) + " times"
	}
	if st.ValueTemplate != "" && st.Act.IsPick() {
		picked := n.Prose(st.ValueTemplate)
		if date := dayOf(st.ValueTemplate, n); date != nil {
			return tense(past, "choose ", "chose ") + "the day of {" + date.Name + "}" + after
		}
		if picked == "..." {
			picked = "an entry"
		}
		picked += ofOwner(st, n, picked)
		if head := n.Prose(st.Head); st.Head != "" && head != picked {
			picked += " in the column " + head
		}
		if st.Act.Role() == "option" {
			return tense(past, "choose ", "chose ") + picked + " from the list" + after
		}
		if st.Act.Varies() && strings.HasPrefix(st.Act.Role(), "menuitem") {
			return tense(past, "choose ", "chose ") + picked + " from the menu" + after
		}
		if !st.Act.NamedByData() && label != "" {
			return tense(past, "choose ", "chose ") + `"` + label + `" for ` + picked + after
		}
		return tense(past, "open ", "opened ") + picked + after
	}
	if trace.Opened(st.Act.Act) {
		return tense(past, "open ", "opened ") + `the dialog "` + n.Prose(generalDialog(st)) + `"`
	}
	if st.Verb == capture.RightClick {
		return tense(past, "open ", "opened ") + "the context menu of " + page.QuoteOr(label, "the entry")
	}
	if st.Act.Moved && st.Act.Role() == "link" {
		return tense(past, "go to ", "went to ") + page.QuoteOr(label, "the next page") + after
	}
	if st.Act.Role() == "checkbox" || st.Act.Role() == "switch" {
		return tense(past, "switch ", "switched ") + page.QuoteOr(label, "the box")
	}
	return tense(past, "choose ", "chose ") + page.QuoteOr(label, "the control") + after
}

func generalDialog(st *Step) string {
	if st.After == nil || len(st.After.Dialogs) == 0 {
		return ""
	}
	before := []string{}
	if st.Before != nil {
		before = st.Before.Dialogs
	}
	if f := page.Fresh(before, st.After.Dialogs); len(f) > 0 {
		return strings.ReplaceAll(f[0], "{*}", "...")
	}
	return st.After.Dialogs[0]
}

func submitPhrase(st *Step, label string, past bool) string {
	if Searches(st) {
		return tense(past, "search", "searched")
	}
	r := st.Act.Role()
	if page.FieldRoles[r] || label == "" {
		return tense(past, "send the form", "sent the form")
	}
	if r == "form" {
		return tense(past, "send the form ", "sent the form ") + `"` + label + `"`
	}
	return tense(past, "choose ", "chose ") + `"` + label + `"`
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

func pageWords(st *Step, n *Names) string {
	if st.After != nil {
		if h := ownHeading(st); h != "" {
			return `the page "` + strings.ReplaceAll(h, "{*}", "...") + `"`
		}
		if st.After.Title != "" {
			return `the page "` + strings.ReplaceAll(ownTitle(st.After.Title), "{*}", "...") + `"`
		}
	}
	if st.Page != nil {
		return strings.ReplaceAll(page.PathOf(st.Page.URL), "{*}", "...")
	}
	return "the page"
}

// ownTitle returns a page's title without the name of its site.
func ownTitle(title string) string {
	for _, sep := range []string{" - ", " | ", " · ", " – ", " — "} {
		if own, _, ok := strings.Cut(title, sep); ok && own != "" {
			return own
		}
	}
	return title
}

// ownHeading returns the heading that distinguishes the page after the step from the one before.
func ownHeading(st *Step) string {
	if st.After == nil || len(st.After.Headings) == 0 {
		return ""
	}
	if st.Before != nil {
		if f := page.Fresh(st.Before.Headings, st.After.Headings); len(f) > 0 {
			return f[0]
		}
	}
	return st.After.Headings[0]
}

// commandText returns a command on one line, short enough for a sentence.
func commandText(st *Step, n *Names) string {
	return page.Cut(strings.ReplaceAll(n.Prose(st.CommandTemplate), "`", "'"), 200)
}
