package values

import (
	"regexp"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/template"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// known returns the parameter whose value in the base trace is text, or nil.
func (s *Study) known(text string) *Param {
	for _, p := range s.Params {
		if len(p.Texts) > 0 && p.Texts[0] != "" && strings.EqualFold(p.Texts[0], text) && !trivial(p) && len(p.Rounds) == 0 {
			return p
		}
	}
	return nil
}

// isMade reports whether a template is the name of a file that a step makes; such a name is shown in the step, so it is
// not secret elsewhere.
func (s *Study) isMade(tmpl string) bool {
	for _, t := range s.Files {
		if t == tmpl {
			return true
		}
	}
	return false
}

// ListRefs returns the references to list parameters.
func (s *Study) ListRefs() map[string]bool {
	if s.lists == nil {
		s.lists = map[string]bool{}
		for _, p := range s.Params {
			if p.List {
				s.lists[page.Ref(p.ParamID)] = true
			}
		}
	}
	return s.lists
}

// Binding holds the templates of what a column uses.
type Binding struct {
	Value     string        // what it enters or chooses
	Args      []string      // of a call: the template of each argument, in order; page.AnyRef for an unknown one
	Pick      string        // the object that it picked on the page
	Owner     string        // of a box that every row has: the row
	Head      string        // of what stands in a table: the head of its column, if that differed between demonstrations
	Drop      string        // of a drag: the place that it ended on, if that differed between demonstrations
	completed *align.Column // the column that picked the object whose name was partly typed here
	brief     []briefWord   // arguments of its command that are too short to search for everywhere
}

// Study is what the traces say about values: the parameters, and what every column uses of them.
type Study struct {
	align.Table
	In        draft.Input
	Params    []*Param
	Bindings  []Binding               // by Column.ID
	Gens      []*template.Generaliser // one per trace
	Files     map[string]string       // name of a file produced in the base trace -> template
	IDs       *decision.IDs
	lists     map[string]bool
	frags     []*fragment
	fixed     map[string]bool // folders that are the same every time
	rowWords  map[string]bool // links of the names of row controls that are the same in every row
	lineWords map[string]bool // links of what the lines of forms and the headings are called in every demonstration
	said      map[string]bool // words that are readable in the goal and in command lines

	PageWords map[string]bool // links of words that only pages contain

	linksOf  map[string][]string // lower-cased value -> link ids
	readers  []reader
	days     []time.Time // the date of each demonstration
	today    *Param
	hasToday bool
}

// inRounds adds the values of a loop's further rounds to p.
func (s *Study) inRounds(c *align.Column, p *Param, f func(*align.Cell) string) {
	for _, r := range c.Rounds {
		text := ""
		if r.Act != nil {
			text = f(r.Act)
		}
		p.Rounds, p.RoundOf = append(p.Rounds, text), append(p.RoundOf, r.Trace)
	}
}

func (s *Study) each(c *align.Column, f func(*align.Cell) string) []string {
	out := make([]string, len(c.Acts))
	for t, a := range c.Acts {
		if a != nil {
			out[t] = f(a)
		}
	}
	return out
}

// settle links a value to an earlier parameter, derives it from one, or makes it a parameter of its own. It returns its
// template.
func (s *Study) settle(c *align.Column, p *Param) string {
	if q := s.equal(p); q != nil {
		s.relearn(q, p)
		for t, text := range p.Texts {
			if text != "" {
				return template.InCase(page.Ref(q.ParamID), q.textIn(t, text), text)
			}
		}
		return page.Ref(q.ParamID)
	}
	if t := s.derived(p); t != "" {
		return t
	}
	return s.adopt(c, p)
}

// equal returns the earlier parameter with the same value in every demonstration and round, or nil.
func (s *Study) equal(p *Param) *Param {
	for _, q := range s.Params {
		if q.Label != p.Label && (trivial(p) || trivial(q)) {
			continue
		}
		if sameTexts(q, p) {
			return q
		}
	}
	return nil
}

// derived returns the template of a composed value that contains earlier ones, such as a file name with an order's
// number; "" for none.
func (s *Study) derived(p *Param) string {
	got := ""
	for t, text := range p.Texts {
		if text == "" {
			continue
		}
		tmpl := s.Gens[t].Text(text)
		if p.Kind == capture.KindFile {
			tmpl = s.monthNumbers(tmpl, t)
		}
		if len(page.RefsOf(tmpl)) == 0 || strings.Contains(tmpl, page.AnyRef) || got != "" && tmpl != got {
			return ""
		}
		got = tmpl
	}
	rest := page.RefForm.ReplaceAllString(got, "")
	if p.Source == "file" && len(s.In.Traces) == 1 && plain.Digits(rest) > 0 {
		return "" // an unexplained number in it may differ next time
	}
	if got == "" || strings.ContainsAny(rest, " \n") {
		return "" // a sentence that mentions a value is a value of its own
	}
	if p.Kind == capture.KindDate && plain.Digits(rest) > 0 {
		return "" // another day of the same month
	}
	if p.Source == "typed" && p.Kind == capture.KindFile || p.Source == "chosen" {
		return "" // the person's own file, or a choice: a shared part may be chance
	}
	if p.Kind != capture.KindFile && p.Kind != capture.KindURL && p.Kind != capture.KindID && p.Source != "argument" && p.Source != "file" &&
		plain.Letters(rest) > 0 {
		return ""
	}
	return got
}

// monthNumbers replaces the number of a month that was chosen by name, where a file name has it beside another value:
// "statement-2026-03" for March and 2026.
func (s *Study) monthNumbers(tmpl string, t int) string {
	for _, q := range s.Params {
		if t >= len(q.Texts) || !strings.ContainsRune(tmpl, page.RefOpen) {
			continue
		}
		for _, part := range []string{workflow.PartMonth, workflow.PartMonthDigit} {
			num, ok := workflow.Part(capture.KindChoice, q.Texts[t], part)
			if !ok {
				continue
			}
			form := regexp.MustCompile(`(^|[^\p{L}\p{N}])` + num + `($|[^\p{L}\p{N}])`)
			if got := form.ReplaceAllString(tmpl, "${1}"+page.JoinRef(q.ParamID, part)+"${2}"); got != tmpl {
				return got
			}
		}
	}
	return tmpl
}

// adopt makes p a parameter and teaches the generalisers its texts.
func (s *Study) adopt(c *align.Column, p *Param) string {
	t := s.add(c, p)
	s.relearn(p, p)
	return t
}

// add makes p a parameter.
func (s *Study) add(c *align.Column, p *Param) string {
	p.Act, _ = c.Base()
	p.ParamID = s.IDs.Of(paramPrefix(c, p), slot(c, p)...)
	p.Role = workflow.RoleUndecided
	for t, text := range p.Texts {
		if text != "" && p.Template == "" {
			p.Template = s.Gens[t].Text(text)
		}
	}
	s.Params = append(s.Params, p)
	s.judge(p)
	return page.Ref(p.ParamID)
}

// paramPrefix returns the prefix of a parameter's id. Values that only a later demonstration has use another prefix, so
// that those of the first are numbered as if it were alone; so do texts of picked items, which nobody supplied.
func paramPrefix(c *align.Column, p *Param) string {
	if p.Source == sourceItem {
		return "pt"
	}
	if _, t := c.Base(); t > 0 {
		return "pb"
	}
	return "p"
}

// slot returns the evidence that identifies a value: the events that gave it, and which of an event's values it is.
func slot(c *align.Column, p *Param) []string {
	var out []string
	for _, a := range c.Anchors() {
		out = append(out, a+"/"+p.Source+"/"+p.where)
	}
	return out
}

// relearn teaches the generalisers the texts and links of p as those of q.
func (s *Study) relearn(q, p *Param) {
	for t, text := range p.Texts {
		s.Gens[t].Learn(q.Param, text)
	}
	for k, text := range p.Rounds {
		s.Gens[p.RoundOf[k]].Learn(q.Param, text)
	}
	for t := range s.Gens {
		if p.LinkID != "" {
			s.Gens[t].Links[p.LinkID] = page.Ref(q.ParamID)
		}
	}
	for t, text := range p.Texts {
		for _, link := range s.linksOf[strings.ToLower(text)] {
			s.Gens[t].Links[link] = template.InCase(page.Ref(q.ParamID), q.textIn(t, text), plain.Squeeze(s.In.Values[link]))
		}
	}
	for k, text := range p.Rounds {
		for _, link := range s.linksOf[strings.ToLower(text)] {
			s.Gens[p.RoundOf[k]].Links[link] = page.Ref(q.ParamID)
		}
	}
}

// judge derives a parameter's role from the demonstrations: a value that varied is an input, one that never varied is
// offered as a constant.
func (s *Study) judge(p *Param) {
	first, seen := "", 0
	for _, text := range p.Texts {
		if text == "" {
			continue
		}
		seen++
		if seen == 1 {
			first = text
		} else if !strings.EqualFold(text, first) {
			p.Varied = true
		}
	}
	if p.differsInRounds() {
		p.Varied, p.InLoop = true, true
	}
	p.Steady = seen > 1 && !p.Varied
	p.Settled = p.Varied
	if p.Varied {
		p.Role = workflow.RoleInput
	}
}
