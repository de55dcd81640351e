package compile

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Told is a part of a demonstration as a person would tell it, and the observations that it tells. Its texts are those of the
// observations: redacted, and sealed values are masks.
type Told struct {
	Title    string         `json:"title" maxLength:"400" doc:"what was done: \"Filled in 3 fields and clicked the button 'Save'\""`
	Where    string         `json:"where,omitempty" maxLength:"240" doc:"\"on 'Orders'\", \"in ~/reports\""`
	Became   string         `json:"became,omitempty" maxLength:"240" doc:"what the world looked like after it, when that changed"`
	Adapters []capture.Kind `json:"adapters" doc:"what saw it"`
	Events   []string       `json:"events" doc:"ids of the observations, in order of occurrence"`
}

// Tell tells what was done, in the parts that a draft of it would be cut into. Every observation is in one of them, also what a
// draft leaves out: a person has to see all that was kept. The last part may still grow.
func Tell(t Trace) []Told {
	ordered := order(t.Records)
	acts := fold(ordered)
	for _, a := range acts {
		a.radio()
		a.marked()
	}
	nameSections(acts, t)
	steps := make([]*step, len(acts))
	for i, a := range acts {
		steps[i] = &step{Step: workflow.Step{Section: a.section, Surface: a.surface}, act: a, loop: -1}
	}
	parts := joinLikes(cutSegments(steps))
	out := make([]Told, len(parts))
	for i, p := range parts {
		out[i] = tell(p)
	}
	return withAll(out, parts, ordered)
}

// mostAlike bounds how many commands are told as one.
const mostAlike = 20

// joinLikes joins what a person tells in one go: commands in one folder, tools that one agent used.
func joinLikes(segs []*segment) []*segment {
	var out []*segment
	for _, s := range segs {
		if n := len(out); n > 0 && len(out[n-1].steps) < mostAlike && sortOf(s) != "" && sortOf(out[n-1]) == sortOf(s) {
			out[n-1].steps = append(out[n-1].steps, s.steps...)
			out[n-1].outcome = s.outcome
			continue
		}
		out = append(out, s)
	}
	return out
}

// sortOf says what a part that can be told together with its like consists of; "" when it cannot.
func sortOf(s *segment) string {
	sort := func(a *act) string {
		switch r := a.recs[0]; {
		case a.command != nil:
			return strings.Join([]string{"command", r.Action.Shell, a.command.CwdFrom, a.section}, "\x00")
		case a.call != nil:
			return strings.Join([]string{"call", a.call.Agent, a.call.RunID, a.section}, "\x00")
		}
		return ""
	}
	first := sort(s.steps[0].act)
	if slices.ContainsFunc(s.steps, func(st *step) bool { return sort(st.act) != first }) {
		return ""
	}
	return first
}

func tell(s *segment) Told {
	return Told{Title: cut(titleOfPart(s), 400), Where: cut(whereOf(s), 240), Became: cut(becameOf(s), 240)}
}

// stretch is a run of acts that one phrase tells.
type stretch struct {
	kind string
	acts []*act
}

func titleOfPart(s *segment) string {
	var all []*stretch
	for _, st := range s.steps {
		kind := kindOfStretch(st.act)
		if n := len(all); n > 0 && kind != "" && all[n-1].kind == kind {
			all[n-1].acts = append(all[n-1].acts, st.act)
			continue
		}
		all = append(all, &stretch{kind, []*act{st.act}})
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

// kindOfStretch names acts that are counted rather than listed; "" for what is told by itself.
func kindOfStretch(a *act) string {
	switch {
	case a.fills():
		return "field"
	case a.command != nil:
		return "command"
	case a.call != nil:
		return "call"
	case a.midi != nil:
		return "gesture"
	}
	return ""
}

func (d *stretch) phrase() string {
	n := len(d.acts)
	if d.kind == "field" {
		fields := map[string]bool{}
		for _, a := range d.acts {
			fields[a.field()] = true
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

// labelOf is an act in the words of the observation that tells most: what was entered last, else what began it; a file that came
// of it is named too.
func labelOf(a *act) string {
	r := a.recs[0]
	if a.fills() {
		for _, x := range a.recs {
			if x.Action.Verb == a.verb {
				r = x
			}
		}
	}
	said := r.Event.ActionLabel
	for _, x := range a.recs[1:] {
		if x.Action.Verb == capture.Download && r.Action.Verb != capture.Download {
			return said + " and " + plain.LowerFirst(x.Event.ActionLabel)
		}
	}
	return said
}

// whereOf is the place of a part, unless its sentence names it already.
func whereOf(s *segment) string {
	for _, st := range s.steps {
		a := st.act
		switch {
		case a.command != nil:
			if a.command.CwdFrom != "" {
				return "in " + a.command.CwdFrom
			}
		case a.page != nil && a.page.Title != "":
			if a.verb == capture.Navigate || a.verb == capture.NewTab {
				return "" // the page is what the sentence is about
			}
			return "on '" + a.page.Title + "'"
		case a.call != nil && a.call.Agent != "":
			return "by " + a.call.Agent
		case a.device != "":
			return "on " + a.device
		}
	}
	return ""
}

// becameOf is what is new in the world after a part: a message, a dialog, a page, a file, a command that failed.
func becameOf(s *segment) string {
	a := s.steps[len(s.steps)-1].act
	if s.outcome != nil {
		a = s.outcome.act
	}
	if c := a.command; c != nil && !c.Running && c.Exit != 0 {
		return fmt.Sprintf("ended with %d", c.Exit)
	}
	b, now := a.stateBefore(), a.state()
	for _, news := range [][]string{fresh(b.Alerts, now.Alerts), fresh(b.Dialogs, now.Dialogs), freshHeadings(b.Headings, now.Headings)} {
		if len(news) > 0 {
			return news[0]
		}
	}
	if now.Title != b.Title {
		return now.Title
	}
	return strings.Join(newFiles(a), ", ")
}

// withAll puts every observation into a part: what belongs to no act goes with what was done before it.
func withAll(out []Told, parts []*segment, ordered []timed) []Told {
	in := map[string]int{}
	for i, p := range parts {
		for _, st := range p.steps {
			for _, r := range st.act.recs {
				in[r.Event.EventID] = i
			}
		}
	}
	last := -1
	var ahead []timed // before anything was done
	put := func(i int, r timed) {
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
