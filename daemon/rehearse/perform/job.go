package perform

import (
	"cmp"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// Options are the machine's services that performances need.
type Options struct {
	Stage  port.Stage
	Door   port.Connectors     // nil: no connector can be called
	Reader port.Documents      // nil: no document can be read
	Home   string              // the person's
	Redact func(string) string // redacts every stored text of a page; nil means unchanged
	Log    *slog.Logger
}

// job is shared by all parts of a performance: the request, the policy, the values and the report.
type job struct {
	*report.Report
	Options
	policy record.TestPolicy
	supply *supply.Supply
	check  check.Judge
	sites  policy.Sites
	guard  *policy.Guard
	room   port.Room

	acts      int
	uncounted []uncounted // checkpoints that prove nothing, since the last one that did
	counted   bool        // a checkpoint of the step at hand did not hold before it
	kept      bool        // a checkpoint of an effect held, or a second look confirmed one
	deeds     int         // steps that change something and were done
	stopped   string      // why the run stopped, "" while it continues
	marked    []string    // words of the boxes that are ticked in the form at hand
}

// judged lists a step's checkpoints that a machine can tell.
func (p *job) judged(s workflow.Step) (out []workflow.Checkpoint) {
	for _, cp := range p.Req.Draft.Interpretation.Checkpoints {
		if cp.StepID == s.StepID && cp.Check != nil {
			out = append(out, cp)
		}
	}
	return out
}

// checksOf lists the checks of a step's checkpoints.
func (p *job) checksOf(s workflow.Step) (out []workflow.Check) {
	for _, cp := range p.judged(s) {
		out = append(out, cp.Checks()...)
	}
	return out
}

func (p *job) param(name string) *workflow.Param {
	for i, q := range p.supply.Params {
		if q.Name == name {
			return &p.supply.Params[i]
		}
	}
	return nil
}

func (p *job) bindName(name, v string) {
	p.supply.Bindings[name] = v
	p.supply.Derive()
}

// named sets the parameter that stands for a file to the name of the file that arrived.
func (p *job) named(s workflow.Step, name string) {
	if s.File == nil {
		return
	}
	for _, q := range p.supply.Params {
		if q.Derived != "" && !strings.Contains(q.ParamID, ".") && s.File.Name == "{"+q.Name+"}" {
			p.supply.Bindings[q.Name] = path.Base(name)
			p.supply.Derive()
		}
	}
}

// inputs reports the values that the steps need; false when one is missing.
func (p *job) inputs(steps []workflow.Step) bool {
	used := map[string]bool{}
	for _, s := range steps {
		for _, name := range supply.NamesIn(s) {
			used[name] = true
			for _, q := range p.supply.Params {
				if id, _, ok := strings.Cut(q.ParamID, "."); ok && q.Name == name {
					used[p.supply.Name(id)] = true
				}
			}
		}
	}
	whole := true
	for _, q := range p.supply.Params {
		if !supply.Asked(q) || !used[q.Name] {
			continue
		}
		label := fmt.Sprintf("a value for %q is there", cmp.Or(q.Label, q.Name))
		if slices.Contains(p.supply.Missing, q.Name) {
			whole = false
			p.Add("input."+q.Name, label, record.StepSkipped, record.CodeNeedsValue, "name one with --set "+q.Name+"=VALUE")
			continue
		}
		code := ""
		if p.supply.Sources[q.Name] == supply.FromRequest {
			code = record.CodeGiven
		}
		p.Add("input."+q.Name, label, record.StepPassed, code, p.supply.Sources[q.Name])
	}
	return whole
}

func (p *job) loopOf(id string) *workflow.Loop {
	for i, l := range p.Req.Draft.Graph.Loops {
		if slices.Contains(l.Steps, id) {
			return &p.Req.Draft.Graph.Loops[i]
		}
	}
	return nil
}

// stop records why the run ends here.
func (p *job) stop(id, label, result, code, details string) {
	p.Add(id, label, result, code, p.clean(details))
	if p.stopped == "" {
		p.stopped = label
	}
}

// clean makes a text fit to be shown and stored: values become names, and what the redactor knows is masked.
func (p *job) clean(s string) string {
	s = p.supply.Hide(s)
	if p.Redact != nil {
		s = p.Redact(s)
	}
	return s
}

// halt is an error that ends a run with its own result and code.
type halt struct{ result, code, why string }

func (h *halt) Error() string { return h.code }

// month is the month, in a calendar's words, of the date whose day a step picks; "" for any other step.
func (p *job) month(s workflow.Step) string {
	for _, q := range p.supply.Params {
		base, part, _ := strings.Cut(q.ParamID, ".")
		if part != "day" || s.Value != "{"+q.Name+"}" {
			continue
		}
		long, _ := workflow.Part(capture.KindDate, p.supply.Bindings[p.supply.Name(base)], "month_long")
		return long
	}
	return ""
}

// isFromItem reports whether a value is a text of an item that another value picks.
func (p *job) isFromItem(name string) bool {
	in := p.param(name)
	return in != nil && in.FromItem()
}

// lacksItemText returns the first value in these texts that was to be read in an item and was not found there, in words; "" for
// none.
func (p *job) lacksItemText(texts ...string) string {
	for _, in := range p.supply.Params {
		if _, bound := p.supply.Bindings[in.Name]; bound || !in.FromItem() {
			continue
		}
		for _, text := range texts {
			if strings.Contains(text, "{"+in.Name+"}") {
				return "the " + strings.ReplaceAll(in.Name, "_", " ")
			}
		}
	}
	return ""
}
