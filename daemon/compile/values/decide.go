package values

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Decide settles every parameter's role and name: by the demonstrations, then by answers, then by edits; the last one
// wins.
func Decide(in draft.Input, params []*Param) {
	nameByGoal(in, params)
	labelMentions(params)
	Name(params)
	answers := valueAnswers(in, params)
	for _, p := range params {
		if p.Steady && p.readable() {
			p.fix("", false)
		}
		if a, ok := answers[p.ParamID]; ok && p.Derived == "" {
			p.apply(a)
		}
	}
	editParams(decision.Edits(in.Edits), params)
	goal := plain.Words(draft.GoalOf(in))
	for _, p := range params {
		besides := p.beside || slices.ContainsFunc(params, func(o *Param) bool {
			return o != p && o.Act == p.Act && o.Derived == "" && o.Role != workflow.RoleConstant
		})
		if p.Role == workflow.RoleUndecided && besides && p.namedIn(goal) {
			p.fix("", false) // the goal names this file; something else in the command varies
			p.Ask = true
		}
		if p.Role == workflow.RoleUndecided && p.Ask {
			p.fix("", false)
		}
		if p.Source == "ticked" && p.Role == workflow.RoleUndecided { // until a person decides, the box is set as demonstrated
			p.fix("", false)
			p.Ask = true
		} else if p.Source == "ticked" && p.Role == workflow.RoleInput && p.Default == "" && p.untouched != "" {
			p.Default, p.Required = p.untouched, false
		}
		if p.where == "entry" && p.Role == workflow.RoleInput && p.Default == "" {
			p.Default, p.Required = p.Template, false
		}
	}
	settleMentions(params)
}

// namedIn reports whether a file that a command line names in clear text is also named by the goal: "the sales" are
// sales.csv.
func (p *Param) namedIn(goal []string) bool {
	if p.Source != "argument" || p.Kind != capture.KindFile || p.List || !p.readable() || len(p.Texts) == 0 {
		return false
	}
	ws := plain.Words(strings.TrimSuffix(path.Base(p.Texts[0]), path.Ext(p.Texts[0])))
	return len(ws) > 0 && len(ws) <= 3 &&
		!slices.ContainsFunc(ws, func(w string) bool { return !slices.ContainsFunc(goal, func(g string) bool { return SameWord(g, w) }) })
}

// readable reports whether a value's text is not secret: it was literal, stood in clear text in a command line, is the
// state of a box, or is one of the page's own options. If it was the same every time, it becomes a constant without a
// question.
func (p *Param) readable() bool {
	switch p.Source {
	case "ticked":
		return true
	case "picked":
		return p.Literal
	case "argument":
		return p.LinkID == "" && !strings.ContainsRune(p.Template, page.RefOpen) && !p.sealed
	case "chosen":
		return p.Literal || p.List || slices.ContainsFunc(p.Options, func(o string) bool { return strings.EqualFold(o, p.Template) })
	}
	return p.Literal
}

// Name derives every parameter's unique name from its label. What was the same every time and will not be asked for
// leaves the bare name to the others.
func Name(params []*Param) {
	taken := map[string]bool{}
	for _, fixed := range []bool{false, true} {
		for _, p := range params {
			if (p.Steady && p.readable()) != fixed {
				continue
			}
			if strings.TrimSpace(p.Label) == "" {
				p.Label = cmp.Or(kindWords[p.Kind], "value")
			}
			p.Name = page.Unique(page.Snake(inputName(p)), "_", taken)
		}
	}
}

// kindWords name a value of which only its kind is known.
var kindWords = map[capture.ValueKind]string{capture.KindDate: "date", capture.KindNumber: "number", capture.KindEmail: "email",
	capture.KindURL: "address", capture.KindText: "text", capture.KindChoice: "choice"}

var leadWords = lazyre.New(`(?i)^(?:please\s+)?(?:enter|type|choose|select|pick|write|leave|your|the)\s+(?:(?:a|an|the|your)\s+)?`)

// inputName returns the words for a parameter's name: its label without "Enter your"; a search field is just "search".
func inputName(p *Param) string {
	if p.Source == "typed" && page.SearchLabel(p.Label) {
		return "search"
	}
	label := p.Label
	if i := strings.IndexAny(label, ":.(?"); i > 0 && len(plain.Words(label)) > 5 && strings.ContainsFunc(label[:i], unicode.IsLetter) {
		label = label[:i] // the rest explains the label
	}
	return shortName(cmp.Or(leadWords.ReplaceAllString(label, ""), label))
}

// maxNameWords bounds a parameter's name; a longer label is a sentence or an explanation.
const maxNameWords = 3

// shortName returns a label in at most three words: stop words are left out of a longer one, then the first words count.
func shortName(label string) string {
	ws := strings.Fields(label)
	if len(ws) <= maxNameWords || len(plain.Words(label)) <= maxNameWords {
		return label
	}
	telling := slices.DeleteFunc(slices.Clone(ws), func(w string) bool {
		return intent.StopWords.Has(strings.ToLower(strings.Trim(w, ".,:;!?()\"'“”„«»")))
	})
	if len(telling) == 0 {
		telling = ws
	}
	return strings.Join(telling[:min(maxNameWords, len(telling))], " ")
}

func editParams(e decision.Edits, params []*Param) {
	each := func(key string, f func(*Param)) {
		l, _ := e.List(key)
		for _, who := range l {
			if p := FindParam(params, who); p != nil {
				f(p)
			}
		}
	}
	pairs := func(key string, f func(*Param, string)) {
		keys, m := e.Pairs(key)
		for _, who := range keys {
			if p := FindParam(params, who); p != nil {
				f(p, strings.TrimSpace(m[who]))
			}
		}
	}
	pairs(decision.EditConstants, func(p *Param, s string) { p.answered = true; p.fix(s, true) })
	each(decision.EditInputs, func(p *Param) { p.answered, p.Role, p.Default = true, workflow.RoleInput, "" })
	each(decision.EditDropInputs, func(p *Param) { p.answered, p.Role = true, workflow.RoleDropped })
	pairs(decision.EditExamples, func(p *Param, s string) { p.Example = s })
	pairs(decision.EditDefaults, func(p *Param, s string) {
		p.answered, p.Role, p.Default, p.Required = true, workflow.RoleInput, s, s == ""
	})
	pairs(decision.EditDescriptions, func(p *Param, s string) { p.Description = s })
	pairs(decision.EditKinds, func(p *Param, s string) { p.Kind = capture.ValueKind(s) })
	each(decision.EditOptional, func(p *Param) { p.Required = false })
	each(decision.EditRequired, func(p *Param) { p.Required = true })
	taken := map[string]bool{}
	for _, p := range params {
		taken[p.Name] = true
	}
	renamed := map[*Param]string{}
	pairs(decision.EditRename, func(p *Param, s string) { renamed[p] = s })
	for _, p := range params {
		if s := renamed[p]; s != "" && page.Snake(s) != p.Name {
			delete(taken, p.Name)
			p.Name = page.Unique(page.Snake(s), "_", taken)
			p.Renamed = true
		}
	}
}

// FindParam returns the parameter with this id, name or label, or nil.
func FindParam(params []*Param, who string) *Param {
	id := paramID(params, who)
	for _, p := range params {
		if p.ParamID == id {
			return p
		}
	}
	return nil
}

// SameWord reports whether two words are forms of one word: export, exported, exports.
func SameWord(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.HasPrefix(b, a) && len(b)-len(a) <= 3
}
