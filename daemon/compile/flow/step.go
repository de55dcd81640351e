package flow

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Step is a step of the graph with the evidence that later stages need.
type Step struct {
	workflow.Step
	Act             *align.Cell
	Trace           int
	Col             *align.Column
	ValueTemplate   string   // template of what it enters or picks
	CommandTemplate string   // template of the line
	Program         string   // its first program, in prose
	Runs            []string // all its programs whose names contain no value
	FileTemplate    string   // template of the file name
	Owner           string   // template of the row whose box it sets
	Head            string   // template of the head of the column that it picks in, if that varied
	Disputed        bool     // demonstrations disagree about it, and no varying value explains why
	SameValues      bool     // they disagree although all their values were the same
	until           string   // what it turns pages for, in prose
	Loop            int      // index of its loop, -1 outside
	Asks            bool     // it sends a form that only asks something on the way to an action
}

// Label returns the target's name as a person sees it.
func (st *Step) Label() string {
	if st.Target == nil {
		return ""
	}
	return strings.ReplaceAll(page.Clean(page.TargetName(st.Target)), "{*}", "...")
}

// applyName applies the control's present name, as a rehearsal found it. Locators that depend on the old name are dropped.
func (st *Step) applyName(role, name string) {
	if st.Target == nil {
		return
	}
	old := *st.Target
	if role != "" {
		st.Target.Role = role
	}
	if name == "" || name == page.TargetName(&old) {
		return
	}
	for _, text := range []*string{&st.Target.Name, &st.Target.Label, &st.Target.Placeholder, &st.Target.Text} {
		if plain.Squeeze(*text) == page.TargetName(&old) {
			*text = name
		}
	}
	st.Target.Name = name
	st.Target.Locators = slices.DeleteFunc(slices.Clone(st.Target.Locators),
		func(l capture.Locator) bool { return plain.Squeeze(l.Value) == page.TargetName(&old) })
}

// gravelyNamed reports whether the words of a control's present name say that it destroys or sends, whatever the demonstration's did.
func (st *Step) gravelyNamed(role, name string) bool {
	return name != "" && st.Target != nil && !st.Act.Fills() && danger.Control(cmp.Or(role, st.Target.Role), name, "").Grave()
}

// applyPlace applies the control's present place; the role "none" means no named place.
func (st *Step) applyPlace(role, name string) {
	switch {
	case st.Target == nil || role == "":
	case role == "none":
		st.Target.Landmark = nil
	default:
		st.Target.Landmark = &capture.Landmark{Role: role, Name: name}
	}
}

// JustLooks reports whether a step is a command that only shows something and changes nothing.
func (s *Step) JustLooks() bool {
	return s.Act.Command != nil && !s.Effect && shell.Read(s.Act.Command).OnlyLooks()
}
