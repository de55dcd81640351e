package compile

import (
	"slices"
	"strings"

	"showhow/capture"
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
	return out
}

// changes reports whether a step led to a state that can be observed.
func changes(st *step) bool {
	a := st.act
	if a.command != nil || a.verb == capture.Download || a.verb == capture.Submit || a.dialog != nil || a.verb == capture.Navigate {
		return true
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
	note("heading", a.before != nil && len(fresh(b.Headings, s.Headings)) > 0)
	note("row_count", len(rowChanges(b, s)) > 0)
	note("file", len(newFiles(a)) > 0)
	return out
}

// newFiles are the files that an act made or changed, hidden ones left out.
func newFiles(a *act) []string {
	var out []string
	for _, f := range a.state().Files {
		if f.Size > 0 && f.Name != "" && !strings.HasPrefix(f.Name, ".") && !slices.Contains(out, f.Name) {
			out = append(out, f.Name)
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
		j := slices.IndexFunc(b.Tables, func(o capture.Table) bool { return sameTable(o, t) })
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
	if digits(t.Name) > 0 {
		return ""
	}
	return squeeze(stripMasks(t.Name))
}

// effective reports whether a step changed something that stays: a form sent other than a search, a file, a command that
// writes, a native dialog accepted. Opening pages and dialogs leaves no trace in the world.
func effective(st *step) bool {
	a := st.act
	switch {
	case a.verb == capture.Download:
		return true
	case a.command != nil:
		return writes(st)
	case a.verb == capture.Submit:
		return !searches(st) && !prepares(st)
	case a.dialog != nil && a.dialog.Accepted:
		return true
	}
	if a.after == nil || a.fills() {
		return false
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
	return a.role() == "button" && a.moved && finishes(st)
}

// prepares reports whether a form's button only leads to the next page of it.
func prepares(st *step) bool {
	ws := words(st.label())
	return len(ws) > 0 && preparing[ws[0]] && len(fresh(st.act.stateBefore().Alerts, st.act.state().Alerts)) == 0
}

var preparing = set("review preview continue next back previous proceed weiter edit check calculate show view open select choose")

// finishes reports whether a button's words promise that something is done now, not that a form will be shown.
func finishes(st *step) bool {
	for _, w := range words(st.label()) {
		if deedOf[w] != "" && !beginning[w] {
			return true
		}
	}
	return false
}

var beginning = set("create add new edit set start run order book change rename move copy import upload print duplicate assign invite reply register share cancel close")

// actsOn reports whether the control's words promise a change rather than a look.
func actsOn(st *step) bool {
	for _, w := range words(st.label()) {
		if deedOf[w] != "" {
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
