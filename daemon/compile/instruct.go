package compile

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Instruction is what a person's sentences mean for a draft.
type Instruction struct {
	Edits      map[string]any // for Input.Edits, together with those before (MergeEdits)
	Understood []string       // what will be done, one sentence each
}

// Instruct reads plain-language instructions about a draft: "call it customer instead of name", "always use EUR", "drop the
// second step". docs/review.md lists the sentences that are understood. Anything else is refused, with the nearest sentence
// that is understood: nothing is guessed. Several sentences stand on lines of their own or end with a full stop.
func Instruct(text string, o Output) (Instruction, error) {
	c := &hearing{o: o, edits: map[string]any{}}
	for i, s := range instructionSentences(text) {
		if err := c.sentence(i+1, s); err != nil {
			return Instruction{}, err
		}
	}
	if len(c.told) == 0 {
		return Instruction{}, fault.New(fault.InvalidRequest, "nothing was said")
	}
	return Instruction{Edits: c.edits, Understood: c.told}, nil
}

// hearing is the meaning of the sentences so far.
type hearing struct {
	o     Output
	edits map[string]any
	told  []string
}

// phrasing is one way to say something: the pattern, an example of it, and what it means. mean reports false when the words fit
// but are not about this: another pattern may fit them better.
type phrasing struct {
	example string
	re      *regexp.Regexp
	mean    func(c *hearing, m []string) (bool, error)
}

func (c *hearing) sentence(n int, s string) error {
	plain := strings.TrimSpace(courtesy.ReplaceAllString(s, ""))
	plain = strings.TrimRight(plain, ".! ")
	if err := oneWish(plain); err != nil {
		return err
	}
	var first error
	for _, p := range sayings {
		m := p.re.FindStringSubmatch(plain)
		if m == nil {
			continue
		}
		for i := range m {
			m[i] = strings.TrimSpace(m[i])
		}
		done, err := p.mean(c, m)
		if done && err == nil {
			return nil
		}
		if err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		return first
	}
	near := nearest(plain)
	return fault.Newf(fault.InvalidRequest, "sentence %d of the instructions is not understood", n).
		WithDetail("sentence", n).WithDetail("nearest", near).WithHint(fmt.Sprintf("the nearest that is understood: %q; docs/review.md lists all", near))
}

var courtesy = regexp.MustCompile(`(?i)^(?:please|and|also please|could you|can you|then)[, ]+|[, ]+please$`)

// instructionSentences takes a text apart: lines, and sentences that end with a full stop before a capital letter.
func instructionSentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		begin := 0
		for i := 0; i+2 < len(line); i++ {
			if (line[i] == '.' || line[i] == ';') && line[i+1] == ' ' && (line[i] == ';' || line[i+2] >= 'A' && line[i+2] <= 'Z') {
				out = append(out, line[begin:i])
				begin = i + 2
			}
		}
		out = append(out, line[begin:])
	}
	var full []string
	for _, s := range out {
		if s = strings.TrimLeft(plain.Squeeze(s), "-* "); s != "" {
			full = append(full, s)
		}
	}
	return full
}

// nearest is the example whose words are most like the sentence's.
func nearest(s string) string {
	mine := plain.Words(s)
	best, score := sayings[0].example, -1.0
	for _, p := range sayings {
		theirs := plain.Words(p.example)
		both := 0.0
		for i, w := range theirs {
			if slices.Contains(mine, w) && !slices.Contains(theirs[:i], w) {
				both++
				if !stopWords[w] {
					both++
				}
			}
		}
		if got := both / float64(len(mine)+len(theirs)); got > score {
			best, score = p.example, got
		}
	}
	return best
}

func (c *hearing) tell(format string, args ...any) {
	c.told = append(c.told, fmt.Sprintf(format, args...))
}

// put adds to a map of texts.
func (c *hearing) put(key, who, text string) {
	m, _ := c.edits[key].(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	m[who] = text
	c.edits[key] = m
}

// list adds to a list of texts.
func (c *hearing) list(key string, items ...string) {
	l, _ := c.edits[key].([]any)
	for _, s := range items {
		l = append(l, s)
	}
	c.edits[key] = l
}

// listOn adds to a list that replaces the one there is.
func (c *hearing) listOn(key string, have []string, item string) {
	if c.edits[key] == nil {
		c.list(key, have...)
	}
	c.list(key, item)
}

// bareValue is a value without the quotation marks around it.
func bareValue(s string) string {
	s = strings.TrimSpace(s)
	for _, q := range []string{`"`, "'", "`"} {
		if len(s) > 1 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[1 : len(s)-1]
		}
	}
	if t, ok := strings.CutPrefix(s, "“"); ok {
		return strings.TrimSuffix(t, "”")
	}
	return s
}

var inputWords = regexp.MustCompile(`(?i)^(?:(?:the|a|an|its|my)\s+)?(?:(?:input|value|field|option|box)\s+(?:called\s+)?)?(?:the\s+)?`)
var inputAfter = regexp.MustCompile(`(?i)\s+(?:input|value|field|box)$`)

// input is the input that a person means, by its name, its field's label, or words of it that no other has. ok is false when
// there is none.
func (c *hearing) input(who string) (p workflow.Param, ok bool, err error) {
	asked := bareValue(inputAfter.ReplaceAllString(inputWords.ReplaceAllString(who, ""), ""))
	var fit []workflow.Param
	for _, p := range c.o.Graph.Params {
		if p.Derived != "" {
			continue
		}
		if strings.EqualFold(p.Name, asked) || strings.EqualFold(p.Label, asked) || p.ParamID == asked || p.Name == snake(asked) && len(plain.Words(asked)) > 0 {
			return p, true, nil
		}
		if has(plain.Words(p.Label+" "+strings.ReplaceAll(p.Name, "_", " ")), plain.Words(asked)) {
			fit = append(fit, p)
		}
	}
	switch len(fit) {
	case 0:
		return workflow.Param{}, false, nil
	case 1:
		return fit[0], true, nil
	}
	var names []string
	for _, p := range fit {
		names = append(names, p.Name)
	}
	return workflow.Param{}, false, unclear(names)
}

// needInputs are inputs that are named one after the other.
func (c *hearing) needInputs(who string) (out []workflow.Param, err error) {
	if p, ok, err := c.input(who); ok && err == nil {
		return []workflow.Param{p}, nil
	}
	for _, one := range regexp.MustCompile(`(?i)\s*,\s*and\s+|\s*,\s*|\s+and\s+`).Split(who, -1) {
		p, err := c.needInput(one)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// needInput is input for a sentence that can only be about one.
func (c *hearing) needInput(who string) (workflow.Param, error) {
	p, ok, err := c.input(who)
	if err == nil && !ok {
		var names []string
		for _, p := range c.o.Graph.Params {
			if p.Derived == "" {
				names = append(names, p.Name)
			}
		}
		err = fault.New(fault.InvalidRequest, "no input is called that").WithHint("the inputs are: " + cmp.Or(andList(names), "none"))
	}
	return p, err
}

func unclear(could []string) error {
	return fault.New(fault.InvalidRequest, "several could be meant").WithHint("say which: " + orList(could))
}

// has reports whether every word asked for is among the words, or begins one of them.
func has(all, asked []string) bool {
	found := false
	for _, w := range asked {
		if stopWords[w] {
			continue
		}
		if !slices.ContainsFunc(all, func(o string) bool { return sameWord(o, w) }) {
			return false
		}
		found = true
	}
	return found
}

// sameWord reports whether two words are one in two forms: export, exported, exports.
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.HasPrefix(b, a) && len(b)-len(a) <= 3
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "last": -1}

var (
	byNumber  = regexp.MustCompile(`(?i)^(?:the\s+)?(?:step|checkpoint|part)s?\s+(?:number\s+|no\.?\s*)?#?(\d+)(?:\s*(?:to|-|through|until)\s*(\d+))?$`)
	byList    = regexp.MustCompile(`(?i)^(?:the\s+)?steps?\s+(\d+(?:(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+)\d+)+)$`)
	byOrdinal = regexp.MustCompile(`(?i)^(?:the\s+)?(?:(\d+)(?:st|nd|rd|th)|(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last))(?:\s+(two|three))?\s+(step|checkpoint|part)s?$`)
	byName    = regexp.MustCompile(`(?i)^(?:the\s+)?step\s+["'“](.+)["'”]$|^(?:the\s+)?(.+?)\s+step$|^(?:the\s+)?step\s+(?:with|for|about|that|of)\s+(.+)$`)
)

// position reads a place in a list of n: "step 3", "the second step", "steps 2 to 4"; from is 0 when it names none.
func position(who string, n int) (from, to int) {
	who = strings.TrimSpace(who)
	if m := byNumber.FindStringSubmatch(who); m != nil {
		from = atoi(m[1])
		to = from
		if m[2] != "" {
			to = atoi(m[2])
		}
		return from, to
	}
	m := byOrdinal.FindStringSubmatch(who)
	if m == nil {
		return 0, 0
	}
	from = atoi(m[1])
	if m[2] != "" {
		from = ordinals[strings.ToLower(m[2])]
	}
	count := map[string]int{"": 1, "two": 2, "three": 3}[strings.ToLower(m[3])]
	if from < 0 {
		return n - count + 1, n
	}
	return from, from + count - 1
}

func atoi(s string) int {
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' || n > 1e6 {
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return n
}

// steps are the steps that a person means: by number, or by words of what they are; none when there are none.
func (c *hearing) steps(who string) ([]workflow.Step, error) {
	all := c.o.Graph.Steps
	if i := slices.IndexFunc(all, func(s workflow.Step) bool { return s.StepID == bareValue(who) }); i >= 0 {
		return all[i : i+1], nil
	}
	if m := byList.FindStringSubmatch(strings.TrimSpace(who)); m != nil {
		return c.numbered(m[1])
	}
	if from, to := position(who, len(all)); from != 0 {
		if from < 1 || to > len(all) || from > to {
			return nil, fault.New(fault.InvalidRequest, "there is no such step").WithHint(fmt.Sprintf("there are %d steps", len(all)))
		}
		return all[from-1 : to], nil
	}
	asked := who
	if m := byName.FindStringSubmatch(who); m != nil {
		asked = m[1] + m[2] + m[3]
	}
	var fit []workflow.Step
	for _, s := range all {
		if has(stepWords(s), plain.Words(bareValue(asked))) {
			fit = append(fit, s)
		}
	}
	if lasting := slices.DeleteFunc(slices.Clone(fit), func(s workflow.Step) bool { return !s.Effect }); len(fit) > 1 && len(lasting) == 1 && !general(plain.Words(asked)) {
		return lasting, nil // "the export" is the step that exports
	}
	if len(fit) > 1 {
		var could []string
		for _, s := range fit[:min(len(fit), 5)] {
			could = append(could, fmt.Sprintf("step %d (%s)", slices.IndexFunc(all, func(o workflow.Step) bool { return o.StepID == s.StepID })+1, s.Title))
		}
		return nil, unclear(could)
	}
	return fit, nil
}

// numbered are steps by their numbers, in their order.
func (c *hearing) numbered(list string) ([]workflow.Step, error) {
	all := c.o.Graph.Steps
	var out []workflow.Step
	for _, n := range regexp.MustCompile(`\d+`).FindAllString(list, -1) {
		k := atoi(n)
		if k < 1 || k > len(all) {
			return nil, fault.New(fault.InvalidRequest, "there is no such step").WithHint(fmt.Sprintf("there are %d steps", len(all)))
		}
		out = append(out, all[k-1])
	}
	return out, nil
}

// general reports whether words say only what many steps are: "the command".
func general(asked []string) bool {
	return !slices.ContainsFunc(asked, func(w string) bool { return !stopWords[w] && !manySteps[w] })
}

var manySteps = set("command commands run page open file enter type fill form box field choose select click")

// doing is how people call what a step does, besides its title.
var doing = map[string]string{"download": "download export save file", "upload": "upload attach file", "submit": "send submit", "navigate": "open page", "run": "run command",
	"type": "enter type fill", "select": "choose select", "check": "tick check box", "uncheck": "untick box", "drag": "drag drop", "play": "play"}

func stepWords(s workflow.Step) []string {
	return plain.Words(s.Title + " " + s.Section + " " + doing[string(s.Verb)] + " " + s.Command)
}

// oneStep is the step that a sentence must be about.
func (c *hearing) oneStep(who string) (workflow.Step, error) {
	ss, err := c.steps(who)
	if err != nil {
		return workflow.Step{}, err
	}
	if len(ss) != 1 {
		return workflow.Step{}, c.noStep()
	}
	return ss[0], nil
}

func (c *hearing) noStep() error {
	var titles []string
	for i, s := range c.o.Graph.Steps {
		if len(titles) < 8 {
			titles = append(titles, fmt.Sprintf("%d. %s", i+1, s.Title))
		}
	}
	return fault.New(fault.InvalidRequest, "no step is called that").WithHint("the steps are: " + strings.Join(titles, "; "))
}

// checkpoint is the checkpoint that a person means.
func (c *hearing) checkpoint(who string) (workflow.Checkpoint, error) {
	all := c.o.Interpretation.Checkpoints
	if i := slices.IndexFunc(all, func(k workflow.Checkpoint) bool {
		return strings.EqualFold(k.CheckpointID, strings.TrimPrefix(strings.ToLower(bareValue(who)), "checkpoint "))
	}); i >= 0 {
		return all[i], nil
	}
	if from, to := position(who, len(all)); from >= 1 && from == to && to <= len(all) {
		return all[from-1], nil
	}
	asked := regexp.MustCompile(`(?i)\bcheckpoint\b|\bthe\b|\babout\b|\bfor\b`).ReplaceAllString(who, " ")
	var fit []workflow.Checkpoint
	for _, k := range all {
		if has(plain.Words(k.Goal+" "+k.SuccessCondition), plain.Words(bareValue(strings.TrimSpace(asked)))) {
			fit = append(fit, k)
		}
	}
	if len(fit) == 1 {
		return fit[0], nil
	}
	var goals []string
	for _, k := range all {
		goals = append(goals, k.CheckpointID+" ("+k.Goal+")")
	}
	if len(fit) > 1 {
		return workflow.Checkpoint{}, unclear(goals)
	}
	return workflow.Checkpoint{}, fault.New(fault.InvalidRequest, "no checkpoint is called that").WithHint("the checkpoints are: " + cmp.Or(strings.Join(goals, "; "), "none"))
}
