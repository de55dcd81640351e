package compile

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// param is a value that the demonstrator supplied, or picked from the page, with all that is known of it.
type param struct {
	workflow.Param
	texts    []string // by trace; "" where it was not given or is not known
	rounds   []string // in a loop: the value in every further round, "" where that did without
	roundOf  []int    // which trace each of rounds is of
	renamed  bool     // by the person: its name says more than its label
	sealed   bool     // its text stood in no readable place
	act      *act     // that gave it first
	where    string   // which of an act's values it is, where that has several
	source   string   // typed, chosen, picked, argument, file
	template string   // the base trace's text with other values as references; for a constant
	literal  bool     // its policy let it be kept as text
	settled  bool     // the demonstrations themselves decide its role
	answered bool
	varied   bool // it differed between demonstrations or rounds
	steady   bool // it was the same in two or more demonstrations
	inLoop   bool

	ask       bool   // it is a constant for now, and a question
	program   string // whose argument it is
	beside    bool   // it stands in a command line beside a value that was known before
	untouched string // of a box: how it is when nobody sets it, where a demonstration left it alone
}

// study is what the traces say about values: the parameters, and for every column which template its value, its picked
// thing and its command line are.
type study struct {
	in     Input
	cols   []*column
	loops  []rounds
	params []*param
	gens   []*generaliser // one for each trace
	value  map[*column]string
	pick   map[*column]string
	owner  map[*column]string  // of a box that every row has: the row
	files  map[string]string   // name of a file produced in the base trace -> template
	roundN map[*column][]again // the same step in a loop's further rounds
	found  map[*column]*column // a column in which part of a thing's name was typed -> the one in which it was picked
	ids    *ids
	here   *column // the column at hand
	lists  map[string]bool
	frags  []*fragment
	brief  map[*column][]briefWord
	fixed  map[string]bool // folders that are the same every time
	said   map[string]bool // words that stand readable in the goal and in command lines

	pageWords map[string]bool // links of words that only pages say

	linksOf  map[string][]string // lower-cased value -> link ids
	makes    map[string]bool     // names of the files that the command at hand made
	days     []time.Time         // of each demonstration
	today    *param
	hasToday bool
}

// findParams goes through the columns in order and makes a parameter of every supplied value that is not a form of an
// earlier one.
func findParams(in Input, traces []normalised, cols []*column, loops []rounds) *study {
	s := &study{in: in, cols: cols, loops: loops, value: map[*column]string{}, pick: map[*column]string{}, owner: map[*column]string{}, files: map[string]string{}, roundN: map[*column][]again{},
		found: map[*column]*column{}, ids: newIDs(in.Anchors), linksOf: map[string][]string{}, brief: map[*column][]briefWord{}, makes: map[string]bool{}}
	for t := range traces {
		var day time.Time
		if acts := traces[t].acts; len(acts) > 0 {
			day = acts[0].at
		}
		s.days = append(s.days, day)
	}
	for _, link := range slices.Sorted(maps.Keys(in.Values)) {
		text := in.Values[link]
		if text = strings.ToLower(plain.Squeeze(text)); text != "" {
			s.linksOf[text] = append(s.linksOf[text], link)
		}
	}
	vocab := vocabulary(traces)
	for range traces {
		s.gens = append(s.gens, newGeneraliser(vocab))
	}
	for _, l := range loops {
		for _, c := range cols[l.start:l.end] {
			s.roundN[c] = furtherRounds(c)
		}
	}
	s.whenGiven()
	s.suggestions()
	s.fragments()
	for _, c := range cols {
		s.column(c)
	}
	s.minted()
	s.pageWords = s.wordsOfDetails()
	s.hideTheRest()
	for _, p := range s.params {
		if p.source == "picked" && strings.ContainsRune(s.gens[0].text(p.Label), refOpen) {
			p.Label = "item" // the word beside it was itself a value
		}
	}
	return s
}

func (s *study) column(c *column) {
	a, _ := c.base()
	s.here = c
	switch {
	case a.secret():
		return
	case a.manyBoxes():
		s.value[c] = s.ticksMany(c, a)
	case a.ticks():
		if a.ofItem() {
			s.owner[c] = s.picked(c, a)
		}
		s.value[c] = s.ticked(c, a)
	case s.found[c] != nil:
		s.value[c] = s.begun(c, s.found[c])
	case a.supplies():
		s.value[c] = s.supplied(c, a)
	case a.command != nil:
		s.arguments(c, a)
	case a.isCall():
		s.value[c] = s.callArguments(c, a)
	case a.ticksItem():
		s.pick[c] = s.tickedItem(c, a)
	case dataLike(a):
		s.pick[c] = s.picked(c, a)
	}
	s.produced(c, a)
}

// supplied is the template of a typed or chosen value.
func (s *study) supplied(c *column, a *act) string {
	kind := a.value.Kind
	source := "typed"
	if a.verb == capture.Select || a.value.Chosen {
		source = "chosen"
		kind = capture.KindChoice
	}
	if a.verb == capture.Upload {
		kind, source = capture.KindFile, "typed"
	}
	p := &param{Param: workflow.Param{Label: clean(a.name()), Kind: kind, LinkID: a.value.LinkID}, source: source}
	if a.target != nil && plain.Letters(p.Label) < 2 && a.target.Placeholder != "" {
		p.Label = clean(a.target.Placeholder) // "[F]" is the key that leads to the field
	}
	if p.Label == "" && kind == capture.KindFile {
		p.Label = "file" // a hidden field that a button or a box opens
	}
	if source == "chosen" {
		p.Options = options(a.target)
	}
	p.Required = !strings.Contains(strings.ToLower(a.name()), "optional")
	p.texts = s.each(c, func(a *act) string { return s.open(a.value) })
	s.leftAsItCame(c, p.texts)
	s.inRounds(c, p, func(a *act) string { return s.open(a.value) })
	p.literal = a.value.Policy == capture.Literal
	if t, ok := s.files[p.texts[0]]; ok && a.verb == capture.Upload {
		return t // a file that an earlier step made
	}
	return s.settle(c, p)
}

// maxOptions: a longer list is data rather than a choice, and other people's at that.
const maxOptions = 20

func options(t *capture.Target) []string {
	if t == nil || len(t.Options) > maxOptions {
		return nil
	}
	var out []string
	for _, o := range t.Options {
		if o = plain.Squeeze(o); o != "" && !maskForm.MatchString(o) {
			out = append(out, o)
		}
	}
	return out
}

// open is a value's text: its own when it was literal, else the vault's.
func (s *study) open(v *capture.Value) string {
	if v == nil {
		return ""
	}
	if v.Text != "" {
		return plain.Squeeze(v.Text)
	}
	return plain.Squeeze(s.in.Values[v.LinkID])
}

// openText is a text of the trace with its masks opened, for comparing only.
func (s *study) openText(text string) string {
	return plain.Squeeze(maskForm.ReplaceAllStringFunc(text, func(m string) string {
		return s.in.Values[maskForm.FindStringSubmatch(m)[1]]
	}))
}

// openOnly opens the masks that hide exactly this value and hides everything else that is known.
func (s *study) openOnly(text, value string) string {
	text = maskForm.ReplaceAllStringFunc(text, func(m string) string {
		if v := s.in.Values[maskForm.FindStringSubmatch(m)[1]]; strings.EqualFold(plain.Squeeze(v), value) {
			return v
		}
		return m
	})
	return s.gens[0].text(text)
}

// inRounds are the values of a loop's further rounds.
func (s *study) inRounds(c *column, p *param, f func(*act) string) {
	for _, r := range s.roundN[c] {
		text := ""
		if r.act != nil {
			text = f(r.act)
		}
		p.rounds, p.roundOf = append(p.rounds, text), append(p.roundOf, r.trace)
	}
}

func (s *study) each(c *column, f func(*act) string) []string {
	out := make([]string, len(c.acts))
	for t, a := range c.acts {
		if a != nil {
			out[t] = f(a)
		}
	}
	return out
}

// settle links a value to an earlier parameter, derives it from one, or makes it a parameter of its own; the result is its
// template.
func (s *study) settle(c *column, p *param) string {
	if q := s.equal(p); q != nil {
		s.relearn(q, p)
		for t, text := range p.texts {
			if text != "" {
				return inCase(ref(q.ParamID), q.textIn(t, text), text)
			}
		}
		return ref(q.ParamID)
	}
	if t := s.derived(c, p); t != "" {
		return t
	}
	return s.adopt(p)
}

// equal is the earlier parameter with the same value in every demonstration and every round.
func (s *study) equal(p *param) *param {
	for _, q := range s.params {
		if q.Label != p.Label && (trivial(p) || trivial(q)) {
			continue
		}
		if sameTexts(q, p) {
			return q
		}
	}
	return nil
}

// trivial values are equal by chance: "1", "no", a choice like "Yes".
func trivial(p *param) bool {
	text := ""
	for _, t := range p.texts {
		text = max(text, t)
	}
	return text != "" && (utf8.RuneCountInString(text) < 3 || p.Kind == capture.KindNumber && len(text) < 4 || p.Kind == capture.KindBoolean ||
		p.source == "chosen" && plain.Digits(text) == 0 && utf8.RuneCountInString(text) < 5)
}

func sameTexts(q, p *param) bool {
	both := false
	for t := range p.texts {
		if t >= len(q.texts) || p.texts[t] == "" || q.texts[t] == "" {
			continue
		}
		if !strings.EqualFold(p.texts[t], q.texts[t]) {
			return false
		}
		both = true
	}
	if len(p.rounds) > 0 && len(q.rounds) > 0 && !slices.EqualFunc(p.rounds, q.rounds, func(a, b string) bool { return a == "" || b == "" || strings.EqualFold(a, b) }) {
		return false
	}
	if len(q.rounds) == 0 && p.differsInRounds() || len(p.rounds) == 0 && q.differsInRounds() {
		return false
	}
	return both || q.LinkID != "" && q.LinkID == p.LinkID
}

func (p *param) differsInRounds() bool {
	for k, r := range p.rounds {
		if first := p.texts[p.roundOf[k]]; r != "" && first != "" && !strings.EqualFold(r, first) {
			return true
		}
	}
	return false
}

// derived is the template of a machine-like value that contains earlier ones: a file's name with an order's number in it.
func (s *study) derived(c *column, p *param) string {
	got := ""
	for t, text := range p.texts {
		if text == "" {
			continue
		}
		tmpl := s.gens[t].text(text)
		if p.Kind == capture.KindFile {
			tmpl = s.monthNumbers(tmpl, t)
		}
		if len(refsOf(tmpl)) == 0 || strings.Contains(tmpl, anyRef) || got != "" && tmpl != got {
			return ""
		}
		got = tmpl
	}
	rest := refForm.ReplaceAllString(got, "")
	if p.source == "file" && len(s.in.Traces) == 1 && plain.Digits(rest) > 0 {
		return "" // a number in it that nothing explains may be another one next time
	}
	if got == "" || strings.ContainsAny(rest, " \n") {
		return "" // a sentence that mentions a value is a value of its own
	}
	if p.Kind == capture.KindDate && plain.Digits(rest) > 0 {
		return "" // another day of the same month
	}
	if p.source == "typed" && p.Kind == capture.KindFile || p.source == "chosen" {
		return "" // the person's own file, or a choice: what it shares with another value may be chance
	}
	if p.Kind != capture.KindFile && p.Kind != capture.KindURL && p.Kind != capture.KindID && p.source != "argument" && p.source != "file" && plain.Letters(rest) > 0 {
		return ""
	}
	return got
}

// monthNumbers puts the number of a month that was chosen by its name where a file's name has it beside another value:
// "statement-2026-03" of March and 2026.
func (s *study) monthNumbers(tmpl string, t int) string {
	for _, q := range s.params {
		if t >= len(q.texts) || !strings.ContainsRune(tmpl, refOpen) {
			continue
		}
		for _, part := range []string{workflow.PartMonth, workflow.PartMonthDigit} {
			num, ok := workflow.Part(capture.KindChoice, q.texts[t], part)
			if !ok {
				continue
			}
			form := regexp.MustCompile(`(^|[^\p{L}\p{N}])` + num + `($|[^\p{L}\p{N}])`)
			if got := form.ReplaceAllString(tmpl, "${1}"+joinRef(q.ParamID, part)+"${2}"); got != tmpl {
				return got
			}
		}
	}
	return tmpl
}

// adopt makes p a parameter whose value is known again wherever it stands.
func (s *study) adopt(p *param) string {
	t := s.add(p)
	s.relearn(p, p)
	return t
}

// add makes p a parameter.
func (s *study) add(p *param) string {
	p.act, _ = s.here.base()
	p.ParamID = s.ids.of(s.paramPrefix(), s.slot(p)...)
	p.Role = workflow.RoleUndecided
	for t, text := range p.texts {
		if text != "" && p.template == "" {
			p.template = s.gens[t].text(text)
		}
	}
	s.params = append(s.params, p)
	s.judge(p)
	return ref(p.ParamID)
}

// paramPrefix keeps apart what only a later demonstration gave: the first one's values are numbered as if they were alone.
func (s *study) paramPrefix() string {
	if _, t := s.here.base(); t > 0 {
		return "pb"
	}
	return "p"
}

// slot is the evidence that stands for a value: the events that gave it, and which of an event's values it is.
func (s *study) slot(p *param) []string {
	var out []string
	for _, a := range s.here.anchors() {
		out = append(out, a+"/"+p.source+"/"+p.where)
	}
	return out
}

// relearn teaches the generalisers the texts and links of p as q's.
func (s *study) relearn(q, p *param) {
	for t, text := range p.texts {
		s.gens[t].learn(q, text)
	}
	for k, text := range p.rounds {
		s.gens[p.roundOf[k]].learn(q, text)
	}
	for t := range s.gens {
		if p.LinkID != "" {
			s.gens[t].links[p.LinkID] = ref(q.ParamID)
		}
	}
	for t, text := range p.texts {
		for _, link := range s.linksOf[strings.ToLower(text)] {
			s.gens[t].links[link] = inCase(ref(q.ParamID), q.textIn(t, text), plain.Squeeze(s.in.Values[link]))
		}
	}
	for k, text := range p.rounds {
		for _, link := range s.linksOf[strings.ToLower(text)] {
			s.gens[p.roundOf[k]].links[link] = ref(q.ParamID)
		}
	}
}

// textIn is the value as it was first given in a trace.
func (p *param) textIn(t int, other string) string {
	if t < len(p.texts) && p.texts[t] != "" {
		return p.texts[t]
	}
	return other
}

// judge lets the demonstrations decide: what varied is an input, what never varied is offered as a constant.
func (s *study) judge(p *param) {
	first, seen := "", 0
	for _, text := range p.texts {
		if text == "" {
			continue
		}
		seen++
		if seen == 1 {
			first = text
		} else if !strings.EqualFold(text, first) {
			p.varied = true
		}
	}
	if p.differsInRounds() {
		p.varied, p.inLoop = true, true
	}
	p.steady = seen > 1 && !p.varied
	p.settled = p.varied
	if p.varied {
		p.Role = workflow.RoleInput
	}
}

// produced remembers a file that came out of an act, so that a later command that names it is linked to it.
func (s *study) produced(c *column, a *act) {
	if a.file == nil || a.verb == capture.Upload || a.file.Name == "" {
		return
	}
	name := s.openText(a.file.Name)
	p := &param{Param: workflow.Param{Label: "file", Kind: capture.KindFile}, source: "file",
		texts: s.each(c, func(a *act) string {
			if a.file == nil {
				return ""
			}
			return s.openText(a.file.Name)
		})}
	if t := s.derived(c, p); t != "" {
		s.files[name] = t
		return
	}
	s.judge(p)
	if !p.varied && !idLike(strings.TrimSuffix(name, path.Ext(name))) {
		s.files[name] = a.file.Name // a fixed name: orders.csv
		return
	}
	p.Label = "downloaded file"
	p.Derived = "the name of the file that was downloaded"
	p.settled = true
	t := s.adopt(p)
	p.Role = workflow.RoleInput
	s.files[name] = t
}

func kindOf(text string) capture.ValueKind {
	switch _, isDate := workflow.ParseDate(text); {
	case isDate:
		return capture.KindDate
	case strings.Contains(text, "@") && !strings.Contains(text, " ") && strings.Contains(text, "."):
		return capture.KindEmail
	case strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://"):
		return capture.KindURL
	case plain.Digits(text) == len(text) && len(text) < 4:
		return capture.KindNumber
	case idLike(text):
		return capture.KindID
	}
	return capture.KindText
}

// hideTheRest makes everything in the vault that no parameter took stand for "something": entries that were corrected,
// cells of tables, what was typed where nothing came of it.
func (s *study) hideTheRest() {
	links := slices.Sorted(maps.Keys(s.in.Values))
	for _, link := range links {
		text := s.in.Values[link]
		if saysNothing[strings.ToLower(plain.Squeeze(text))] {
			continue
		}
		for _, g := range s.gens {
			if _, ok := g.links[link]; ok {
				continue
			}
			if t := g.literal(plain.Squeeze(text)); len(refsOf(t)) > 0 && (plain.Letters(refForm.ReplaceAllString(t, "")) == 0 || s.isMade(t)) {
				g.links[link] = t // a form of a known value
			}
		}
	}
	said := s.messages()
	for _, g := range s.gens {
		for _, link := range links {
			text := s.in.Values[link]
			if saysNothing[strings.ToLower(plain.Squeeze(text))] || said[strings.ToLower(plain.Squeeze(text))] || s.pageWords[link] {
				continue // the state of a box: nobody's data, and a word of many texts; or the page's own words, in its address as well
			}
			t := g.literal(plain.Squeeze(text))
			if rest := refForm.ReplaceAllString(t, ""); plain.Letters(rest)+plain.Digits(rest) == 0 || s.isMade(t) {
				continue // it is found already
			}
			g.add(text, cmp.Or(g.links[link], anyRef))
		}
	}
	s.lookAgain()
}

// messages are what pages said as a whole. One that an application carries in its address ("?ok=Saved") is in the vault, too,
// although nobody entered it.
func (s *study) messages() map[string]bool {
	out, given := map[string]bool{}, map[string]bool{}
	for _, c := range s.cols {
		for _, a := range c.acts {
			if a == nil {
				continue
			}
			if a.value != nil {
				given[strings.ToLower(s.open(a.value))] = true
			}
			for _, told := range a.state().Alerts {
				if !maskForm.MatchString(told) {
					out[strings.ToLower(plain.Squeeze(told))] = true
				}
			}
		}
	}
	for text := range given {
		delete(out, text)
	}
	return out
}

// isMade reports whether a template is the name of a file that a step makes: told there, it is no secret elsewhere.
func (s *study) isMade(tmpl string) bool {
	for _, t := range s.files {
		if t == tmpl {
			return true
		}
	}
	return false
}

// saysNothing are the states of a box as pages write them.
var saysNothing = set("on off true false yes no mixed")

// lookAgain goes over the templates that were made before everything was known.
func (s *study) lookAgain() {
	for _, m := range []map[*column]string{s.value, s.pick} {
		for c, tmpl := range m {
			_, t := c.base()
			m[c] = s.gens[t].again(tmpl)
		}
	}
	for name, tmpl := range s.files {
		s.files[name] = s.gens[0].again(tmpl)
	}
}
