package flow

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/trace"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// Effective reports whether a step has a lasting effect: a form that was sent and is not a search, a file, a command
// that writes, an accepted native dialog. Opening pages and dialogs has none.
func Effective(st *Step) bool {
	a := st.Act
	switch {
	case page.Turns(st.Step):
		return false
	case a.Verb == capture.Download:
		return true
	case a.Command != nil:
		return writes(st)
	case a.IsCall():
		return !a.OnlyReads()
	case a.Verb == capture.Submit:
		return !Searches(st) && !Prepares(st) && !st.Asks
	case a.Dialog != nil && a.Dialog.Accepted:
		return true
	}
	if announcesAction(a.Act) {
		return true
	}
	if a.After == nil || a.Fills() {
		return false
	}
	if AnsweredInItsRow(a.Act) {
		return true
	}
	if a.Verb == capture.Drag {
		return len(trace.ChangeKinds(a.Act)) > 0
	}
	if !actsOn(st) || trace.Opened(a.Act) {
		return false
	}
	samePage := page.PathOf(a.URLBefore()) == page.PathOf(a.URL())
	followed := leadsOn(a.Act)
	for _, rc := range page.RowChanges(a.StateBefore(), a.After) {
		if !rc.IsNew && samePage && (!followed || len(rc.Table.Columns) > 1 || page.TableName(rc.Table) != "") {
			return true
		}
	}
	if len(page.Fresh(a.StateBefore().Alerts, a.After.Alerts)) > 0 || len(page.Fresh(a.After.Dialogs, a.StateBefore().Dialogs)) > 0 {
		return true
	}
	if len(trace.DetailChanges(a.Act)) > 0 && len(page.FreshHeadings(a.StateBefore().Headings, a.After.Headings)) == 0 {
		return true // what the page says about the object changed, not the object
	}
	return (a.Role() == "button" || a.Role() == "") && a.Moved && Finishes(st) // imported recordings do not always contain the role
}

// announcesAction reports whether the page confirmed at once that it saved a choice from a list, a switch, or a button
// such as "OK".
func announcesAction(a *trace.Act) bool {
	if a.After == nil || a.Surface != workflow.OnBrowser || trace.Opened(a) {
		return false
	}
	switch a.Verb {
	case capture.Check, capture.Uncheck, capture.Select:
	default:
		if !page.IsClick(a.Verb) {
			return false
		}
		switch a.Role() {
		case "option", "button":
		case "link":
			return returnsToOwnPage(a) && len(page.Fresh(a.StateBefore().Alerts, a.After.Alerts)) > 0
		default:
			return false
		}
	}
	return page.SaysDone(a.StateBefore(), a.After)
}

// returnsToOwnPage reports whether a link to another page showed its own page again: something was asked on the way.
func returnsToOwnPage(a *trace.Act) bool {
	to, at := page.Unrouted(a.Target.Href), page.Unrouted(a.URL())
	return to != "" && to != at && page.PathOf(a.URLBefore()) == page.PathOf(at)
}

// AnsweredInItsRow reports whether a link in a row led elsewhere, or a button there sent a form that asks nothing, and the site answered
// with the page that it stood on: it did what was asked for, and there was nothing to open.
func AnsweredInItsRow(a *trace.Act) bool {
	t := a.Target
	if t == nil || !page.IsClick(a.Verb) && a.Verb != capture.Submit || t.Landmark == nil || !capture.IsRow(t.Landmark.Role) {
		return false
	}
	if t.Sends == capture.SendsForm {
		return (a.Changed || a.Moved) && page.PathOf(a.URLBefore()) == page.PathOf(a.URL())
	}
	return a.Role() == "link" && page.IsClick(a.Verb) && !strings.HasPrefix(t.Href, "#") &&
		page.Unrouted(t.Href) != page.Unrouted(a.URLBefore()) && returnsToOwnPage(a)
}

// leadsOn reports whether a link only opened the page that it leads to: that page does not say that anything was done. A
// table without columns or a name is ignored, because it need not be the table of the page before, unless it lost the link's own row.
func leadsOn(a *trace.Act) bool {
	to, at, was := page.Unrouted(a.Target.Href), page.Unrouted(a.URL()), page.Unrouted(a.URLBefore())
	return a.Role() == "link" && to != "" && to == at && at != was && len(page.Fresh(a.StateBefore().Alerts, a.State().Alerts)) == 0 &&
		!takesItsRow(a)
}

// takesItsRow reports whether a link in a row brought the same page with one row less.
func takesItsRow(a *trace.Act) bool {
	l, was, is := a.Target.Landmark, a.StateBefore(), a.State()
	labels := func(st *capture.State) (out []string) {
		for _, f := range st.Fields {
			out = append(out, f.Label)
		}
		return out
	}
	return l != nil && capture.IsRow(l.Role) && page.PathOf(a.URLBefore()) == page.PathOf(a.URL()) && was.Title == is.Title &&
		slices.Equal(was.Headings, is.Headings) && slices.Equal(labels(was), labels(is)) &&
		slices.ContainsFunc(page.RowChanges(was, is), func(rc page.RowChange) bool { return !rc.IsNew && rc.Table.Rows == rc.Before-1 })
}

// askOn marks the forms that ask something on the way to an action: the new address contains what was entered, nothing
// says that anything was done, and the next form is sent from that very page. The recording does not tell how a form was sent: one that
// would be grave counts as an action.
func askOn(steps []*Step) {
	deed, next := false, "" // the page from which the next form is sent
	for _, st := range slices.Backward(steps) {
		if st.Loop >= 0 || !st.Effect || st.Act.Verb != capture.Submit {
			continue
		}
		if deed && !st.Grave && page.Unrouted(st.Act.URL()) == next && asks(st.Act.Act) {
			st.Asks, st.Effect = true, false
		}
		deed, next = true, page.Unrouted(st.Act.URLBefore())
	}
}

// asks reports whether a form's new address contains all that was written in the fields, as a form sent by GET does.
func asks(a *trace.Act) bool {
	_, query, ok := strings.Cut(a.URL(), "?")
	if said, err := url.QueryUnescape(query); err == nil {
		query = said
	}
	_, before, _ := strings.Cut(a.URLBefore(), "?")
	if !ok || before == query || page.SaysDone(a.StateBefore(), a.State()) {
		return false
	}
	some := false
	for _, f := range a.StateBefore().Fields {
		v := f.Value
		switch {
		case v == nil || v.LinkID == "" && len(v.Text) < 3:
		case v.LinkID != "" && strings.Contains(query, v.LinkID) || len(v.Text) > 2 && strings.Contains(query, v.Text):
			some = true
		case f.Role == "textbox":
			return false
		}
	}
	return some
}

// Prepares reports whether a form's button only leads to the form's next page.
func Prepares(st *Step) bool {
	ws := page.LabelWords(st.Label())
	return len(ws) > 0 && preparing.Has(ws[0]) && len(page.Fresh(st.Act.StateBefore().Alerts, st.Act.State().Alerts)) == 0
}

var preparing = lang.English("controls.preparing")

// Finishes reports whether a button's label promises that it completes something, not that it shows a form.
func Finishes(st *Step) bool { return trace.Finishing(st.Label()) }

// actsOn reports whether the control's label promises a change rather than a view.
func actsOn(st *Step) bool {
	for _, w := range page.LabelWords(st.Label()) {
		if intent.IsActionWord(w) {
			return true
		}
	}
	return false
}

var writers = plain.Set("rm mv cp mkdir rmdir touch tee dd ln chmod chown tar zip unzip gzip gunzip rsync scp git make npm pip go " +
	"docker kubectl curl wget install truncate split convert ffmpeg pandoc sed crontab systemctl apt apt-get brew")

// writes reports whether a command changes files or the system.
func writes(st *Step) bool {
	l := shell.Read(st.Act.Command)
	if len(l.Makes()) > 0 || len(trace.NewFiles(st.Act.Act)) > 0 {
		return true
	}
	if len(l.Calls) == 0 {
		return slices.ContainsFunc(l.Programs, func(p string) bool { return writers[p] })
	}
	return slices.ContainsFunc(l.Calls, func(c shell.Call) bool { return writers[c.Program] && !c.Looks() })
}

// PromisedOutcome returns the sentence that is true after the step's control was used, or one that fits any form. "Add task"
// promises a task.
func PromisedOutcome(st *Step) string {
	ws := page.LabelWords(st.Label())
	if slices.Contains(ws, "changes") || slices.Contains(ws, "change") {
		return "The changes are saved"
	}
	if len(ws) > 2 && (ws[0] == "mark" || ws[0] == "flag" || ws[0] == "set") && (ws[1] == "as" || ws[1] == "to") {
		return "It is " + map[bool]string{true: "marked as ", false: "set to "}[ws[1] == "as"] + strings.Join(ws[2:], " ")
	}
	for i, w := range ws {
		d := intent.OutcomeOf.Get(w)
		if d == "" {
			continue
		}
		noun := strings.Join(slices.DeleteFunc(slices.Clone(ws[i+1:]), func(w string) bool {
			return intent.StopWords.Has(w) || w == "new" ||
				w == "now"
		}), " ")
		if noun == "" || len(ws) > 4 {
			noun = map[bool]string{true: "form", false: "entry"}[w == "send" || w == "submit"]
		}
		return strings.ReplaceAll(d, "%s", noun)
	}
	for i, w := range ws {
		noun := cmp.Or(strings.Join(slices.DeleteFunc(slices.Clone(ws[i+1:]), func(w string) bool { return intent.StopWords.Has(w) }), " "),
			"entry")
		switch intent.FamilyOf.Get(w) {
		case "create":
			return "The new " + noun + " exists"
		case "change":
			return "The changes are saved"
		case "delete":
			return "The " + noun + " is gone"
		case "send":
			return "The " + noun + " has been sent"
		}
	}
	if st.Act.Role() == "link" {
		return "What the link asks for is done"
	}
	if t := st.Act.Target; t != nil && t.Sends == capture.SendsForm {
		return "What the button asks for is done"
	}
	return "The form has been accepted"
}

// isGrave reports whether a step needs care: it cannot be undone, reaches other people or acts with more rights than the
// person's own. An agent asks before it. labels are those of the fields that were filled in for it.
func isGrave(st *Step, labels []string) bool {
	if st.Act.Command != nil {
		return danger.Command(st.Act.Command.Line).Grave()
	}
	if !Effective(st) {
		return false
	}
	if st.Connector != "" {
		return st.Class == "delete" || st.Class == "send"
	}
	role := "button"
	if t := st.Act.Target; t != nil && t.Role != "" {
		role = t.Role
	}
	return danger.Form(role, st.Label(), labels).Grave()
}

// changes reports whether a step led to a state that can be observed.
func changes(st *Step) bool {
	a := st.Act
	if a.Command != nil || a.IsCall() || a.Verb == capture.Download || a.Verb == capture.Submit || a.Dialog != nil ||
		a.Verb == capture.Navigate {
		return true
	}
	if a.Role() == "combobox" && !a.Moved {
		return len(page.Fresh(a.StateBefore().Alerts, a.State().Alerts)) > 0 // the list of choices is not news
	}
	if a.Fills() {
		return a.Moved || len(page.Fresh(a.StateBefore().Alerts, a.State().Alerts)) > 0
	}
	return a.Moved || len(trace.ChangeKinds(a.Act)) > 0 || AnsweredInItsRow(a.Act)
}
