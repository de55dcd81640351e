package tell

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Told is a part of a demonstration in a person's words, with the observations behind it. Its texts are those of the
// observations: redacted, with sealed values masked.
type Told struct {
	Title    string         `json:"title" maxLength:"400" doc:"what was done: \"Filled in 3 fields and clicked the button 'Save'\""`
	Where    string         `json:"where,omitempty" maxLength:"240" doc:"\"on 'Orders'\", \"in ~/reports\""`
	Became   string         `json:"became,omitempty" maxLength:"240" doc:"what the world looked like after it, when that changed"`
	Adapters []capture.Kind `json:"adapters" doc:"what saw it"`
	Events   []string       `json:"events" doc:"ids of the observations, in order of occurrence"`
}

// Parts describes a demonstration in the parts into which a draft of it would be cut. Every observation is in one of
// them, including what a draft leaves out, because a person must see everything that was kept. The last part may still
// grow.
func Parts(t draft.Trace) []Told {
	ordered := trace.Order(t.Records)
	acts := trace.Fold(ordered)
	for _, a := range acts {
		a.ChooseOne()
		a.AcceptSuggestion()
	}
	trace.NameSections(acts, t)
	steps := make([]*flow.Step, len(acts))
	for i, a := range acts {
		steps[i] = &flow.Step{Step: workflow.Step{Section: a.Section, Surface: a.Surface}, Act: &align.Cell{Act: a}, Loop: -1}
	}
	parts := joinLikes(flow.CutSegments(steps))
	out := make([]Told, len(parts))
	for i, p := range parts {
		out[i] = tell(p)
	}
	return withAll(out, parts, ordered)
}

// mostAlike bounds how many commands are described together.
const mostAlike = 20

// joinLikes joins parts that a person would describe together: commands in one folder, tools that one agent used.
func joinLikes(segs []*flow.Segment) []*flow.Segment {
	var out []*flow.Segment
	for _, s := range segs {
		if n := len(out); n > 0 && len(out[n-1].Steps) < mostAlike && sortOf(s) != "" && sortOf(out[n-1]) == sortOf(s) {
			out[n-1].Steps = append(out[n-1].Steps, s.Steps...)
			out[n-1].Outcome = s.Outcome
			continue
		}
		out = append(out, s)
	}
	return out
}

// sortOf returns a key for a part that can be described together with parts of the same key, or "".
func sortOf(s *flow.Segment) string {
	sort := func(a *trace.Act) string {
		switch r := a.Recs[0]; {
		case a.Command != nil:
			return strings.Join([]string{"command", r.Action.Shell, a.Command.CwdFrom, a.Section}, "\x00")
		case a.Call != nil:
			return strings.Join([]string{"call", a.Call.Agent, a.Call.RunID, a.Section}, "\x00")
		}
		return ""
	}
	first := sort(s.Steps[0].Act.Act)
	if slices.ContainsFunc(s.Steps, func(st *flow.Step) bool { return sort(st.Act.Act) != first }) {
		return ""
	}
	return first
}

func tell(s *flow.Segment) Told {
	return Told{Title: page.Cut(titleOfPart(s), 400), Where: page.Cut(whereOf(s), 240), Became: page.Cut(becameOf(s), 240)}
}

// stretch is a run of acts that one phrase describes.
type stretch struct {
	kind string
	acts []*trace.Act
}

func titleOfPart(s *flow.Segment) string {
	var all []*stretch
	for _, st := range s.Steps {
		kind := kindOfStretch(st.Act.Act)
		if n := len(all); n > 0 && kind != "" && all[n-1].kind == kind {
			all[n-1].acts = append(all[n-1].acts, st.Act.Act)
			continue
		}
		all = append(all, &stretch{kind, []*trace.Act{st.Act.Act}})
	}
	var said []string
	for i, d := range all {
		if len(all) > 3 && i == 1 {
			said = append(said, fmt.Sprintf("did %d more things", len(all)-2))
		}
		if len(all) <= 3 || i == 0 || i == len(all)-1 {
			said = append(said, d.phrase())
		}
	}
	for i := range said {
		if i > 0 {
			said[i] = plain.LowerFirst(said[i])
		}
	}
	if n := len(said); n > 1 {
		return strings.Join(said[:n-1], ", ") + " and " + said[n-1]
	}
	return strings.Join(said, "")
}

// kindOfStretch returns the kind of acts that are counted rather than listed, or "" for an act that is described by
// itself.
func kindOfStretch(a *trace.Act) string {
	switch {
	case a.Fills():
		return "field"
	case a.Command != nil:
		return "command"
	case a.Call != nil:
		return "call"
	case a.MIDI != nil:
		return "gesture"
	}
	return ""
}

func (d *stretch) phrase() string {
	n := len(d.acts)
	if d.kind == "field" {
		fields := map[string]bool{}
		for _, a := range d.acts {
			fields[a.Field()] = true
		}
		n = len(fields)
	}
	switch {
	case n == 1:
		return labelOf(d.acts[len(d.acts)-1])
	case d.kind == "field":
		return fmt.Sprintf("Filled in %d fields", n)
	case d.kind == "command":
		return fmt.Sprintf("Ran %d commands", n)
	case d.kind == "call":
		return fmt.Sprintf("Used %d tools", n)
	}
	return fmt.Sprintf("Played %d gestures", n)
}

// labelOf returns the label of the act's most telling observation: the last entry, else the first observation. A file
// that resulted is named too.
func labelOf(a *trace.Act) string {
	r := a.Recs[0]
	if a.Fills() {
		for _, x := range a.Recs {
			if x.Action.Verb == a.Verb {
				r = x
			}
		}
	}
	said := r.Event.ActionLabel
	for _, x := range a.Recs[1:] {
		if x.Action.Verb == capture.Download && r.Action.Verb != capture.Download {
			return said + " and " + plain.LowerFirst(x.Event.ActionLabel)
		}
	}
	return said
}

// whereOf returns the place of a part, or "" if its sentence already names it.
func whereOf(s *flow.Segment) string {
	for _, st := range s.Steps {
		a := st.Act
		switch {
		case a.Command != nil:
			if a.Command.CwdFrom != "" {
				return "in " + a.Command.CwdFrom
			}
		case a.Page != nil && a.Page.Title != "":
			if a.Verb == capture.Navigate || a.Verb == capture.NewTab {
				return "" // the sentence is about the page itself
			}
			return "on '" + a.Page.Title + "'"
		case a.Call != nil && a.Call.Agent != "":
			return "by " + a.Call.Agent
		case a.Device != "":
			return "on " + a.Device
		}
	}
	return ""
}

// becameOf returns what is new after a part: a message, a dialog, a page, a file, or the exit code of a failed command.
func becameOf(s *flow.Segment) string {
	a := s.Steps[len(s.Steps)-1].Act.Act
	if s.Outcome != nil {
		a = s.Outcome.Act.Act
	}
	if c := a.Command; c != nil && !c.Running && c.Exit != 0 {
		return fmt.Sprintf("failed with exit code %d", c.Exit)
	}
	b, now := a.StateBefore(), a.State()
	for _, news := range [][]string{page.Fresh(b.Alerts, now.Alerts), page.Fresh(b.Dialogs, now.Dialogs),
		page.FreshHeadings(b.Headings, now.Headings)} {
		if len(news) > 0 {
			return news[0]
		}
	}
	if now.Title != b.Title {
		return now.Title
	}
	return strings.Join(trace.NewFiles(a), ", ")
}

// withAll adds every observation to a part: one that belongs to no act goes with the act before it.
func withAll(out []Told, parts []*flow.Segment, ordered []trace.Timed) []Told {
	in := map[string]int{}
	for i, p := range parts {
		for _, st := range p.Steps {
			for _, r := range st.Act.Recs {
				in[r.Event.EventID] = i
			}
		}
	}
	last := -1
	var ahead []trace.Timed // before anything was done
	put := func(i int, r trace.Timed) {
		out[i].Events = append(out[i].Events, r.Event.EventID)
		if k := r.Event.AdapterKind; !slices.Contains(out[i].Adapters, k) {
			out[i].Adapters = append(out[i].Adapters, k)
		}
	}
	for _, r := range ordered {
		i, ok := in[r.Event.EventID]
		switch {
		case ok:
			last = i
		case last < 0:
			ahead = append(ahead, r)
			continue
		default:
			i = last
		}
		put(i, r)
	}
	if len(ahead) == 0 {
		return out
	}
	first := Told{Title: ahead[0].Event.ActionLabel}
	out = append([]Told{first}, out...)
	for _, r := range ahead {
		put(0, r)
	}
	return out
}
