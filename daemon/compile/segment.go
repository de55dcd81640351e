package compile

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// segment is a part of the work that ends in a state of its own: a page is open, a form is saved, a file is there.
type segment struct {
	title   string // the person's own name for it, if any
	steps   []*step
	outcome *step // the step whose effect ends it; nil when nothing was observed
}

// cutSegments cuts the steps where the state of the world changed, and where the person marked a step.
func cutSegments(steps []*step) []*segment {
	var out []*segment
	var cur *segment
	for _, st := range steps {
		if cur != nil && cur.outcome == nil && (cur.title != st.Section || cur.steps[0].loop != st.loop || cur.steps[0].Surface != st.Surface) {
			cur = nil // an unfinished part does not reach over a mark, into a loop or into another program
		}
		if cur == nil || cur.outcome != nil {
			cur = &segment{title: st.Section}
			out = append(out, cur)
		}
		cur.steps = append(cur.steps, st)
		if changes(st) {
			cur.outcome = st
		}
	}
	if cur != nil && !slices.ContainsFunc(steps, func(st *step) bool { return st.act.midi == nil }) {
		cur.outcome = cur.steps[len(cur.steps)-1] // nothing but playing: what came of it only a person can tell
	}
	return out
}

// changes reports whether a step led to a state that can be observed.
func changes(st *step) bool {
	a := st.act
	if a.command != nil || a.isCall() || a.verb == capture.Download || a.verb == capture.Submit || a.dialog != nil || a.verb == capture.Navigate {
		return true
	}
	if a.role() == "combobox" && !a.moved {
		return len(fresh(a.stateBefore().Alerts, a.state().Alerts)) > 0 // the list of what could be chosen is no news
	}
	if a.fills() {
		return a.moved || len(fresh(a.stateBefore().Alerts, a.state().Alerts)) > 0
	}
	return a.moved || len(newsOf(a)) > 0
}

// newsOf lists what an act changed on the page, in the words of the checks' kinds.
func newsOf(a *act) []string {
	if a.after == nil {
		return nil
	}
	b, s := a.stateBefore(), a.after
	var out []string
	note := func(kind string, yes bool) {
		if yes {
			out = append(out, kind)
		}
	}
	note("url", b.URL != "" && s.URL != "" && pathOf(b.URL) != pathOf(s.URL))
	note("dialog", a.before != nil && !slices.Equal(b.Dialogs, s.Dialogs))
	note("alert", len(fresh(b.Alerts, s.Alerts)) > 0)
	note("heading", a.before != nil && len(freshHeadings(b.Headings, s.Headings)) > 0)
	note("row_count", len(rowChanges(b, s)) > 0)
	note("detail", len(detailChanges(a)) > 0)
	note("file", len(newFiles(a)) > 0)
	return out
}

// freshHeadings are the headings that are new, whatever they count: "Done (5)" is no other than "Done (4)".
func freshHeadings(before, after []string) []string {
	bareText := func(s string) string { return plain.Squeeze(countForm.ReplaceAllString(s, "")) }
	var old []string
	for _, h := range before {
		old = append(old, bareText(h))
	}
	var out []string
	for _, h := range after {
		if p := bareText(h); p != "" && !slices.Contains(old, p) && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// newFiles are the files that an act made or changed, by name.
func newFiles(a *act) []string {
	var out []string
	for _, f := range filesOf(a) {
		out = append(out, f.Name)
	}
	return out
}

// filesOf are the files that an act made or changed, each name once; hidden ones and folders are left out.
func filesOf(a *act) []capture.File {
	var out []capture.File
	for _, f := range a.state().Files {
		same := func(o capture.File) bool { return o.Name == f.Name }
		if f.Size > 0 && f.Name != "" && !f.Dir && !strings.HasPrefix(f.Name, ".") && !slices.ContainsFunc(out, same) {
			out = append(out, f)
		}
	}
	return out
}

// rowChange is a table whose number of rows changed.
type rowChange struct {
	table  capture.Table
	before int
	isNew  bool
}

func rowChanges(b, s *capture.State) []rowChange {
	var out []rowChange
	for _, t := range s.Tables {
		same := func(o capture.Table) bool { return sameTable(o, t) }
		if j := slices.IndexFunc(s.Tables, same); j >= 0 && slices.ContainsFunc(s.Tables[j+1:], same) {
			continue // which of them it is nobody could tell
		}
		j := slices.IndexFunc(b.Tables, same)
		switch {
		case j < 0:
			out = append(out, rowChange{t, 0, true})
		case b.Tables[j].Rows != t.Rows:
			out = append(out, rowChange{t, b.Tables[j].Rows, false})
		}
	}
	return out
}

// sameTable reports whether two tables are one: by their columns, else by a name that counts nothing ("1 to 10 of 64").
func sameTable(a, b capture.Table) bool {
	return slices.Equal(a.Columns, b.Columns) && (len(a.Columns) > 1 || tableName(a) == tableName(b))
}

// tableName is a table's name unless it is a count or somebody's data.
func tableName(t capture.Table) string {
	if plain.Digits(t.Name) > 0 {
		return ""
	}
	return plain.Squeeze(stripMasks(t.Name))
}

// effective reports whether a step changed something that stays: a form sent other than a search, a file, a command that
// writes, a native dialog accepted. Opening pages and dialogs leaves no trace in the world.
func effective(st *step) bool {
	a := st.act
	switch {
	case Turns(st.Step):
		return false
	case a.verb == capture.Download:
		return true
	case a.command != nil:
		return writes(st)
	case a.isCall():
		return !a.onlyReads()
	case a.verb == capture.Submit:
		return !searches(st) && !prepares(st)
	case a.dialog != nil && a.dialog.Accepted:
		return true
	}
	if announcesDeed(a) {
		return true
	}
	if a.after == nil || a.fills() {
		return false
	}
	if a.verb == capture.Drag {
		return len(newsOf(a)) > 0
	}
	if !actsOn(st) || opened(a) {
		return false
	}
	samePage := pathOf(a.urlBefore()) == pathOf(a.url())
	for _, rc := range rowChanges(a.stateBefore(), a.after) {
		if !rc.isNew && samePage {
			return true
		}
	}
	if len(fresh(a.stateBefore().Alerts, a.after.Alerts)) > 0 || len(fresh(a.after.Dialogs, a.stateBefore().Dialogs)) > 0 {
		return true
	}
	if len(detailChanges(a)) > 0 && len(freshHeadings(a.stateBefore().Headings, a.after.Headings)) == 0 {
		return true // what the page says of the thing at hand, and not another thing
	}
	return (a.role() == "button" || a.role() == "") && a.moved && finishes(st) // recordings made elsewhere do not always say what it was
}

// announcesDeed reports whether a choice, from a list that opens or by a switch, or a button that is called "OK" was kept at once: the
// page says that it did something.
func announcesDeed(a *act) bool {
	if a.after == nil || a.surface != workflow.OnBrowser || opened(a) {
		return false
	}
	switch a.verb {
	case capture.Check, capture.Uncheck, capture.Select:
	default:
		if a.role() != "option" && a.role() != "button" || !starts(a.verb) {
			return false
		}
	}
	return saysDone(a.stateBefore(), a.after)
}

// saysDone reports whether a page has come to say that it did something.
func saysDone(before, after *capture.State) bool {
	for _, msg := range fresh(before.Alerts, after.Alerts) {
		if failing(msg) || slices.Contains(plain.Words(msg), "not") {
			continue
		}
		for _, w := range plain.Words(msg) {
			if stem, done := strings.CutSuffix(w, "d"); done && (doesSomething(stem) || doesSomething(strings.TrimSuffix(stem, "e"))) {
				return true
			}
		}
	}
	return false
}

// prepares reports whether a form's button only leads to the next page of it.
func prepares(st *step) bool {
	ws := plain.Words(st.label())
	return len(ws) > 0 && preparing[ws[0]] && len(fresh(st.act.stateBefore().Alerts, st.act.state().Alerts)) == 0
}

var preparing = set("review preview continue next back previous proceed weiter edit check calculate show view open select choose")

// finishes reports whether a button's words promise that something is done now, not that a form will be shown.
func finishes(st *step) bool { return finishing(st.label()) }

func finishing(label string) bool {
	for _, w := range plain.Words(label) {
		if doesSomething(w) && !beginning[w] {
			return true
		}
	}
	return false
}

var beginning = set("create add new edit set start run order book change rename move copy import upload print duplicate assign invite reply register share cancel close")

// actsOn reports whether the control's words promise a change rather than a look.
func actsOn(st *step) bool {
	for _, w := range plain.Words(st.label()) {
		if doesSomething(w) {
			return true
		}
	}
	return false
}

var writers = set("rm mv cp mkdir rmdir touch tee dd ln chmod chown tar zip unzip gzip gunzip rsync scp git make npm pip go docker kubectl curl wget install truncate split convert ffmpeg pandoc sed crontab systemctl apt apt-get brew")

// writes reports whether a command changes files or the system.
func writes(st *step) bool {
	l := readLine(st.act.command)
	if len(l.makes()) > 0 || len(newFiles(st.act)) > 0 {
		return true
	}
	if len(l.calls) == 0 {
		return slices.ContainsFunc(l.programs, func(p string) bool { return writers[p] })
	}
	return slices.ContainsFunc(l.calls, func(c shellCall) bool { return writers[c.program] && !c.looks() })
}
