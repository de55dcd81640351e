package policy

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/danger"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
)

// CanaryPrefix is the smallest read-only beginning of a workflow: up to the first checkpoint, and never including a
// step that changes something.
func CanaryPrefix(d compile.Output) []workflow.Step {
	var out []workflow.Step
	for _, s := range d.Graph.Steps {
		if !Reads(s) || s.Surface != OnBrowser {
			break
		}
		out = append(out, s)
		if slices.ContainsFunc(d.Interpretation.Checkpoints, func(cp workflow.Checkpoint) bool { return cp.StepID == s.StepID }) {
			break
		}
	}
	return out
}

// ReadingPart is the read-only beginning of a workflow as far as it goes: CanaryPrefix, and the steps after its checkpoint
// that only lead on. It ends where something is entered, and where a value is needed that the run does not have (known).
// Commands between two steps on the same page are left out: the page was the same without them.
func ReadingPart(d compile.Output, known func(workflow.Step) bool) []workflow.Step {
	out := CanaryPrefix(d)
	for i := len(out); i < len(d.Graph.Steps); i++ {
		i = pastCommands(d.Graph.Steps, i)
		s := d.Graph.Steps[i]
		if !Reads(s) && !LeadsOn(d.Graph, s) || Fills(s.Verb) || s.Surface != OnBrowser || inLoop(d.Graph, s) || s.Optional || s.When != nil ||
			s.ByPerson || !known(s) {
			break
		}
		out = append(out, s)
	}
	return out
}

// pastCommands is the step after the commands that begin at i, if the page there is the one that was left for them; else i.
func pastCommands(steps []workflow.Step, i int) int {
	j := i
	for j < len(steps) && steps[j].Surface == OnShell {
		j++
	}
	if i == 0 || j == len(steps) || !samePage(steps[i-1].After, steps[j].Before) {
		return i
	}
	return j
}

// LeadsOn reports whether a step is a link to the form of a later deed: the demonstration came to another page by it, filled in
// a field there, and changed something only afterwards. What the link's words name ("Book a room") that later step does.
func LeadsOn(g workflow.Graph, s workflow.Step) bool {
	i := slices.IndexFunc(g.Steps, func(x workflow.Step) bool { return x.StepID == s.StepID })
	if i < 0 || s.Surface != OnBrowser || s.Verb != capture.Click || s.Effect || s.Grave || s.Target == nil || s.Target.Role != "link" ||
		s.Before == nil || s.After == nil || s.Before.URL == s.After.URL ||
		danger.Control(s.Target.Role, inputs.ReplaceAllString(cmp.Or(s.Target.Name, s.Target.Label), ""), "").Has(danger.Destroys) {
		return false
	}
	rest := g.Steps[i+1:]
	return len(rest) > 0 && Fills(rest[0].Verb) && samePage(s.After, rest[0].Before) &&
		slices.ContainsFunc(rest, func(x workflow.Step) bool { return x.Effect })
}

// After are the steps that come after those of a reading part.
func After(g workflow.Graph, read []workflow.Step) []workflow.Step {
	if len(read) == 0 {
		return g.Steps
	}
	last := read[len(read)-1].StepID
	i := slices.IndexFunc(g.Steps, func(x workflow.Step) bool { return x.StepID == last }) + 1
	if i < len(g.Steps) {
		i = pastCommands(g.Steps, i)
	}
	return g.Steps[i:]
}

// InSight are those of the steps whose targets are all on the page of the first of them, as it was demonstrated: only fields
// were filled in between, and nothing else came, went or opened. What a field offers while it is filled in, what is
// optional, and what nothing is aimed at is left out.
func InSight(steps []workflow.Step) (out []workflow.Step) {
	for i, s := range steps {
		if s.Surface != OnBrowser || i > 0 && !((Fills(steps[i-1].Verb) || picks(steps, i-1)) && stillShows(steps[0].Before, s)) {
			break
		}
		if s.Target != nil && !s.Optional && s.When == nil && !picks(steps, i) {
			out = append(out, s)
		}
	}
	return out
}

// Beyond are the steps after those that a look performs or has in sight, by the page on which they were demonstrated: those whose page
// has an address that can be opened although the steps before are not done, because nothing is done by opening it. What stands
// in a dialog, what a field offers, and what is not always done is left out.
func Beyond(g workflow.Graph, seen []workflow.Step) (pages [][]workflow.Step) {
	for i, s := range g.Steps {
		switch {
		case slices.ContainsFunc(seen, func(x workflow.Step) bool { return x.StepID == s.StepID }):
		case s.Surface != OnBrowser || s.Target == nil || s.Before == nil || s.Before.URL == "" || len(s.Before.Dialogs) > 0,
			s.Optional || s.When != nil || s.ByPerson || picks(g.Steps, i) || inLoop(g, s) || !opensAgain(g, i, s.Before.URL):
		default:
			at := slices.IndexFunc(pages, func(p []workflow.Step) bool { return p[0].Before.URL == s.Before.URL })
			if at < 0 {
				pages = append(pages, nil)
				at = len(pages) - 1
			}
			pages[at] = append(pages[at], s)
		}
	}
	return pages
}

// opensAgain reports whether opening the address of the i-th step's page repeats nothing that was done: a step that only reads led there,
// or a button, whose form was not sent in the address.
func opensAgain(g workflow.Graph, i int, address string) bool {
	for _, s := range slices.Backward(g.Steps[:i]) {
		if s.After == nil || s.After.URL != address || s.Before != nil && s.Before.URL == address {
			continue
		}
		return Reads(s) || LeadsOn(g, s) || s.Target != nil && s.Target.Role == "button" && !strings.Contains(address, "?")
	}
	return true
}

func inLoop(g workflow.Graph, s workflow.Step) bool {
	return slices.ContainsFunc(g.Loops, func(l workflow.Loop) bool { return slices.Contains(l.Steps, s.StepID) })
}

// picks reports whether a step chooses what the field that was filled in before it offers.
func picks(steps []workflow.Step, i int) bool {
	s := steps[i]
	return i > 0 && s.Verb == capture.Click && !s.Effect && s.Target != nil && s.Target.Role == "option" && Fills(steps[i-1].Verb)
}

func samePage(a, b *capture.State) bool {
	return a != nil && b != nil && slices.Equal(a.Headings, b.Headings) && sameForm(a, b)
}

func sameForm(a, b *capture.State) bool {
	return a.URL == b.URL && a.Title == b.Title && slices.Equal(a.Dialogs, b.Dialogs) &&
		slices.EqualFunc(a.Fields, b.Fields, func(x, y capture.Field) bool { return x.Label == y.Label })
}

// stillShows reports whether a step was made on the page a, at most with more headings on it, as of a message that a form has to be
// corrected, and at none of those.
func stillShows(a *capture.State, s workflow.Step) bool {
	b := s.Before
	if a == nil || b == nil || len(a.Fields) == 0 || !sameForm(a, b) {
		return samePage(a, b)
	}
	fresh := slices.Clone(b.Headings)
	for _, h := range a.Headings {
		i := slices.Index(fresh, h)
		if i < 0 {
			return false
		}
		fresh = slices.Delete(fresh, i, i+1)
	}
	return s.Target == nil || s.Target.Landmark == nil || !slices.Contains(fresh, s.Target.Landmark.Name)
}

// OpensFirst reports whether a workflow begins on a page that can be opened: a canary can look at it although its
// first step acts.
func OpensFirst(d compile.Output) bool {
	if len(d.Graph.Steps) == 0 {
		return false
	}
	s := d.Graph.Steps[0]
	return s.Surface == OnBrowser && s.Page != nil && s.Page.URL != ""
}

// Reads reports whether a step leaves everything unchanged.
func Reads(s workflow.Step) bool {
	switch {
	case s.Effect || s.Grave || s.Surface != OnBrowser && s.Surface != OnShell && s.Surface != OnConnector:
		return false
	case s.Surface == OnConnector:
		return s.Class == "read"
	case s.Surface == OnShell:
		f := danger.Command(s.Command)
		return f.Class == danger.Reads
	case s.Target != nil && Operates(s.Verb):
		f := danger.Control(s.Target.Role, inputs.ReplaceAllString(cmp.Or(s.Target.Name, s.Target.Label), ""), "")
		return !f.Has(danger.Destroys) && !f.Has(danger.Sends)
	}
	return true
}

// inputs are the names of inputs in a control's name: "{order}" is one of several orders, and orders nothing.
var inputs = lazyre.New(`\{[a-z0-9_]+\}`)

// Forbids says why the policy forbids a step, by the demonstration; "" when it does not.
func Forbids(p record.TestPolicy, s workflow.Step, req record.Request, at Sites) string {
	if host := HostOf(s); host != "" {
		if to := at.at(host); to != nil {
			host = to.Host
		}
		if !Allows(at.Hosts, host) {
			return fmt.Sprintf("the site %s is outside the sites that the policy allows", host)
		}
	}
	if !p.Mode.Performs() {
		return ""
	}
	r := Rules[p.Mode][s.Surface]
	switch {
	case (s.Effect && s.Verb != capture.Download || s.Grave) && !r.writes:
		return fmt.Sprintf("it changes something, and the mode is %s", p.Mode)
	case s.Grave && sends(s) && p.Mode != RedirectSend && forbidsClass(p, danger.Sends):
		return "it reaches other people, and the policy forbids sending" + allowedBy(danger.Sends)
	case s.Grave && !sends(s) && forbidsClass(p, danger.Destroys):
		return "it cannot be taken back, and the policy forbids destructive writes" + allowedBy(danger.Destroys)
	}
	return ""
}

// sends reports whether a grave step reaches other people rather than destroys something.
func sends(s workflow.Step) bool {
	if s.Command != "" {
		return danger.Command(s.Command).Has(danger.Sends)
	}
	if s.Surface == OnConnector {
		return s.Class == "send"
	}
	return s.Target != nil && danger.Control(s.Target.Role, cmp.Or(s.Target.Name, s.Target.Label), "").Has(danger.Sends)
}

// HostOf is the site of a step, "" for none.
func HostOf(s workflow.Step) string {
	if s.Page == nil {
		return ""
	}
	u, err := url.Parse(s.Page.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// Operates reports whether a verb triggers something, rather than filling in a form or looking.
func Operates(v capture.Verb) bool {
	switch v {
	case capture.Click, capture.DoubleClick, capture.RightClick, capture.Submit, capture.Press, capture.Drag, capture.Check, capture.Uncheck:
		return true
	}
	return false
}

// Fills reports whether a verb enters or chooses something in a form.
func Fills(v capture.Verb) bool {
	switch v {
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		return true
	}
	return false
}

// SurfacesOf lists the surfaces of a graph's steps in order of appearance.
func SurfacesOf(g workflow.Graph) []string {
	var out []string
	for _, s := range g.Steps {
		if !slices.Contains(out, s.Surface) {
			out = append(out, s.Surface)
		}
	}
	return out
}
