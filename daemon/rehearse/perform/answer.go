package perform

import (
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/compile/shell"
	"showhow/daemon/danger"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// sending is a command that changed something over the network and whose exit code does not tell whether that was
// accepted.
type sending struct {
	step  workflow.Step
	names []string // inputs that a later look must show
	shown []string
	asked bool // a later command looked
}

// mute are the programs that exit with 0 whatever the server answers, unless one of these flags is given.
var mute = map[string][]string{"curl": {"-f", "--fail", "--fail-with-body", "--fail-early"}, "http": {"--check-status"},
	"https": {"--check-status"}, "xh": {"--check-status"}}

// heard searches a command's output for the results of earlier sendings.
func (p *terminal) heard(s workflow.Step, line string, res port.CommandResult) {
	if res.ExitCode != 0 || res.Killed != "" {
		return
	}
	names := supply.NamesIn(workflow.Step{Command: s.Command})
	for i := range p.sent {
		at := &p.sent[i]
		about := slices.ContainsFunc(names, func(n string) bool {
			return slices.Contains(supply.NamesIn(workflow.Step{Command: at.step.Command}), n)
		})
		at.asked = at.asked || about
		for _, n := range at.names {
			// A value in the line itself proves nothing: programs repeat it.
			if v := p.supply.Bindings[n]; v != "" && !slices.Contains(names, n) && (supply.Bindings{"v": v}).Pattern("{v}").In(string(res.Output)) &&
				!slices.Contains(at.shown, n) {
				at.shown = append(at.shown, n)
			}
		}
	}
	if silent(line) {
		p.sent = append(p.sent, sending{step: s, names: names})
	}
}

// silent reports whether a line sends something with a program that does not report whether it was accepted.
func silent(line string) bool {
	if !danger.Command(line).Has(danger.Sends) {
		return false
	}
	words := strings.Fields(line)
	for _, prog := range shell.ProgramsOf(line) {
		if flags, ok := mute[prog]; ok && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(flags, w) || failsBrief(w) }) {
			return true
		}
	}
	return false
}

// failsBrief recognises curl's -f among combined flags: -sf, -fsSL.
func failsBrief(w string) bool {
	return len(w) > 2 && len(w) < 8 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "f")
}

// answers judges at the end what was sent: it counts when a later command shows all of its values that the command did
// not itself contain.
func (p *terminal) answers() {
	if p.stopped != "" {
		return
	}
	for i, at := range p.sent {
		id, label := "effect."+at.step.StepID, "it is so when it is looked up again: "+at.step.Title
		if i > 0 && p.sent[i-1].step.StepID == at.step.StepID {
			continue // in a loop the first is enough
		}
		switch {
		case at.asked && len(at.shown) > 0:
			p.Pass(id, label, p.clean(fmt.Sprintf("a later command shows {%s}", strings.Join(at.shown, "}, {"))))
		case at.asked:
			p.Add(id, label, record.StepSkipped, record.CodeUnverified,
				"no later command shows what was sent; the exit code does not tell whether it was accepted")
		default:
			p.Add(id, label, record.StepSkipped, record.CodeUnverified,
				"the exit code does not tell whether what was sent was accepted, and no later command looks")
		}
	}
}
