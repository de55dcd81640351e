package flow

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Step is a graph's step with what later stages need of its evidence. Texts in front are templates.
type Step struct {
	workflow.Step
	Act             *align.Cell
	Trace           int
	Col             *align.Column
	ValueTemplate   string   // template of what it enters or picks
	CommandTemplate string   // template of the line
	Program         string   // its first program, in prose
	Runs            []string // all its programs that hold no value
	FileTemplate    string   // template of the file's name
	Owner           string   // template of the row whose box it sets
	Disputed        bool     // demonstrations disagree about it, and no value that varied explains why
	SameValues      bool     // they disagree although all their values were seen to be the same
	until           string   // what it turns pages for, in prose
	Loop            int      // index of its loop, -1 outside
}

// Label is the target's name in people's words.
func (st *Step) Label() string {
	if st.Target == nil {
		return ""
	}
	return strings.ReplaceAll(page.Clean(page.TargetName(st.Target)), "{*}", "...")
}

// called says what the step's control is called now, as a rehearsal found it. What told it by its old words is no way to find it
// any more.
func (st *Step) called(role, name string) {
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

// stands says where the step's control is now: "none" is in no named place.
func (st *Step) stands(role, name string) {
	switch {
	case st.Target == nil || role == "":
	case role == "none":
		st.Target.Landmark = nil
	default:
		st.Target.Landmark = &capture.Landmark{Role: role, Name: name}
	}
}

// JustLooks reports whether a step is a command that shows what is there and changes nothing.
func (s *Step) JustLooks() bool {
	return s.Act.Command != nil && !s.Effect && shell.Read(s.Act.Command).OnlyLooks()
}
