package revise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// bareValue removes the quotation marks around a value.
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

var inputWords = lazyre.New(`(?i)^(?:(?:the|a|an|its|my)\s+)?(?:(?:input|value|field|option|box)\s+(?:called\s+)?)?(?:the\s+)?`)
var inputAfter = lazyre.New(`(?i)\s+(?:input|value|field|box)$`)

// input returns the input that a person means, by its name, its field's label, or words that only this input has. ok is
// false when there is none.
func (c *instructions) input(who string) (p workflow.Param, ok bool, err error) {
	asked := bareValue(inputAfter.ReplaceAllString(inputWords.ReplaceAllString(who, ""), ""))
	var fit []workflow.Param
	for _, p := range c.o.Graph.Params {
		if p.Derived != "" {
			continue
		}
		if strings.EqualFold(p.Name, asked) || strings.EqualFold(p.Label, asked) || p.ParamID == asked || p.Name == page.Snake(asked) &&
			len(plain.Words(asked)) > 0 {
			return p, true, nil
		}
		if containsAll(plain.Words(p.Label+" "+strings.ReplaceAll(p.Name, "_", " ")), plain.Words(asked)) {
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

// needInputs returns the inputs of an enumeration.
func (c *instructions) needInputs(who string) (out []workflow.Param, err error) {
	if p, ok, err := c.input(who); ok && err == nil {
		return []workflow.Param{p}, nil
	}
	for _, one := range enumeration.Split(who, -1) {
		p, err := c.needInput(one)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// needInput is input for a sentence that must name exactly one.
func (c *instructions) needInput(who string) (workflow.Param, error) {
	p, ok, err := c.input(who)
	if err == nil && !ok {
		var names []string
		for _, p := range c.o.Graph.Params {
			if p.Derived == "" {
				names = append(names, p.Name)
			}
		}
		err = fault.New(fault.InvalidRequest, "no input is called that").WithHint("the inputs are: " + cmp.Or(intent.AndList(names), "none"))
	}
	return p, err
}

func unclear(candidates []string) error {
	return fault.New(fault.InvalidRequest, "several could be meant").WithHint("say which: " + intent.OrList(candidates))
}

// containsAll reports whether every word in asked, stop words excluded, is a form of one in all.
func containsAll(all, asked []string) bool {
	found := false
	for _, w := range asked {
		if intent.StopWords.Has(w) {
			continue
		}
		if !slices.ContainsFunc(all, func(o string) bool { return values.SameWord(o, w) }) {
			return false
		}
		found = true
	}
	return found
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
	"ninth": 9, "tenth": 10, "last": -1}

var (
	byNumber = lazyre.New(
		`(?i)^(?:the\s+)?(?:step|checkpoint|part)s?\s+(?:number\s+|no\.?\s*)?#?(\d+)(?:\s*(?:to|-|through|until)\s*(\d+))?$`)
	byList    = lazyre.New(`(?i)^(?:the\s+)?steps?\s+(\d+(?:(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+)\d+)+)$`)
	byOrdinal = lazyre.New(`(?i)^(?:the\s+)?(?:(\d+)(?:st|nd|rd|th)|(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|` +
		`tenth|last))(?:\s+(two|three))?\s+(step|checkpoint|part)s?$`)
	enumeration      = lazyre.New(`(?i)\s*,\s*and\s+|\s*,\s*|\s+and\s+`)
	digits           = lazyre.New(`\d+`)
	aroundCheckpoint = lazyre.New(`(?i)\bcheckpoint\b|\bthe\b|\babout\b|\bfor\b`)

	byName = lazyre.New(
		`(?i)^(?:the\s+)?step\s+["'“](.+)["'”]$|^(?:the\s+)?(.+?)\s+step$|^(?:the\s+)?step\s+(?:with|for|about|that|of)\s+(.+)$`)
)

// position reads a place in a list of n: "step 3", "the second step", "steps 2 to 4". from is 0 when the text names
// none.
func position(who string, n int) (from, to int) {
	who = strings.TrimSpace(who)
	if m := byNumber.FindStringSubmatch(who); m != nil {
		from = plain.Number(m[1])
		to = from
		if m[2] != "" {
			to = plain.Number(m[2])
		}
		return from, to
	}
	m := byOrdinal.FindStringSubmatch(who)
	if m == nil {
		return 0, 0
	}
	from = plain.Number(m[1])
	if m[2] != "" {
		from = ordinals[strings.ToLower(m[2])]
	}
	count := map[string]int{"": 1, "two": 2, "three": 3}[strings.ToLower(m[3])]
	if from < 0 {
		return n - count + 1, n
	}
	return from, from + count - 1
}

// steps returns the steps that a person means, by number or by words of what they do, or none.
func (c *instructions) steps(who string) ([]workflow.Step, error) {
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
		if containsAll(stepWords(s), plain.Words(bareValue(asked))) {
			fit = append(fit, s)
		}
	}
	if lasting := slices.DeleteFunc(slices.Clone(fit), func(s workflow.Step) bool { return !s.Effect }); len(fit) > 1 && len(lasting) == 1 &&
		!general(plain.Words(asked)) {
		return lasting, nil // "the export" is the step that does the export
	}
	if len(fit) > 1 {
		var candidates []string
		for _, s := range fit[:min(len(fit), 5)] {
			candidates = append(candidates, fmt.Sprintf("step %d (%s)", slices.IndexFunc(all, func(o workflow.Step) bool {
				return o.StepID == s.StepID
			})+1, s.Title))
		}
		return nil, unclear(candidates)
	}
	return fit, nil
}

// numbered returns steps by their numbers, in the order of the list.
func (c *instructions) numbered(list string) ([]workflow.Step, error) {
	all := c.o.Graph.Steps
	var out []workflow.Step
	for _, n := range digits.FindAllString(list, -1) {
		k := plain.Number(n)
		if k < 1 || k > len(all) {
			return nil, fault.New(fault.InvalidRequest, "there is no such step").WithHint(fmt.Sprintf("there are %d steps", len(all)))
		}
		out = append(out, all[k-1])
	}
	return out, nil
}

// general reports whether the words could describe many steps: "the command".
func general(asked []string) bool {
	return !slices.ContainsFunc(asked, func(w string) bool { return !intent.StopWords.Has(w) && !commonStepWords.Has(w) })
}

var commonStepWords = lang.English("steps.common")

// verbWords maps verbs to the words that people use for such a step, besides its title.
var verbWords = map[string]string{"download": "download export save file", "upload": "upload attach file", "submit": "send submit",
	"navigate": "open page", "run": "run command",
	"type": "enter type fill", "select": "choose select", "check": "tick check box", "uncheck": "untick box", "drag": "drag drop",
	"play": "play"}

func stepWords(s workflow.Step) []string {
	return plain.Words(s.Title + " " + s.Section + " " + verbWords[string(s.Verb)] + " " + s.Command)
}

// oneStep returns the step that a sentence must be about.
func (c *instructions) oneStep(who string) (workflow.Step, error) {
	ss, err := c.steps(who)
	if err != nil {
		return workflow.Step{}, err
	}
	if len(ss) != 1 {
		return workflow.Step{}, c.noStep()
	}
	return ss[0], nil
}

func (c *instructions) noStep() error {
	var titles []string
	for i, s := range c.o.Graph.Steps {
		if len(titles) < 8 {
			titles = append(titles, fmt.Sprintf("%d. %s", i+1, s.Title))
		}
	}
	return fault.New(fault.InvalidRequest, "no step is called that").WithHint("the steps are: " + strings.Join(titles, "; "))
}

// checkpoint returns the checkpoint that a person means.
func (c *instructions) checkpoint(who string) (workflow.Checkpoint, error) {
	all := c.o.Interpretation.Checkpoints
	if i := slices.IndexFunc(all, func(k workflow.Checkpoint) bool {
		return strings.EqualFold(k.CheckpointID, strings.TrimPrefix(strings.ToLower(bareValue(who)), "checkpoint "))
	}); i >= 0 {
		return all[i], nil
	}
	if from, to := position(who, len(all)); from >= 1 && from == to && to <= len(all) {
		return all[from-1], nil
	}
	asked := aroundCheckpoint.ReplaceAllString(who, " ")
	var fit []workflow.Checkpoint
	for _, k := range all {
		if containsAll(plain.Words(k.Goal+" "+k.SuccessCondition), plain.Words(bareValue(strings.TrimSpace(asked)))) {
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
	return workflow.Checkpoint{}, fault.New(fault.InvalidRequest,
		"no checkpoint is called that").WithHint("the checkpoints are: " + cmp.Or(strings.Join(goals, "; "), "none"))
}
