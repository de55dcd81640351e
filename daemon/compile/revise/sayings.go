package revise

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/write"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// partsOf lists the numbers of the parts into which the work was split.
func partsOf(steps []workflow.Step) []int {
	var out []int
	for _, s := range steps {
		if s.Part > 0 && !slices.Contains(out, s.Part) {
			out = append(out, s.Part)
		}
	}
	return out
}

func said(form string) *lazyre.Regexp { return lazyre.New(`(?i)^` + form + `$`) }

// allSayings are the sentences that Instruct understands, the more specific first. docs/review.md lists their examples;
// a test keeps the two lists equal.
var allSayings []phrasing

func init() { // refers to itself through nearest
	allSayings = slices.Concat(aboutCheckpoints, aboutSteps, aboutInputs, aboutTheSkill)
}

var aboutCheckpoints = []phrasing{
	{`after the last step check that the page says "Saved"`,
		said(`(?:right )?after (.+?),? (?:check|verify|make sure|ensure|expect)(?: that| whether)? (.+)`), addCheck},
	{`check that the heading is "Done" after step 2`,
		said(`(?:check|verify|make sure|ensure)(?: that| whether)? (.+?) after ((?:the )?(?:\w+ )?step(?: \d+)?)`),
		func(c *instructions, m []string) (bool, error) {
			return addCheck(c, []string{m[0], m[2], m[1]})
		}},
	{"remove the second checkpoint", said(`(?:remove|drop|delete|leave out|skip|forget) ((?:the )?.*\bcheckpoint\b.*|cp-\d+)`),
		func(c *instructions, m []string) (bool, error) {
			k, err := c.checkpoint(m[1])
			if err == nil {
				c.list(decision.EditNoCheckpoints, k.CheckpointID)
				c.tell("The checkpoint %s is removed: %s", k.CheckpointID, k.Goal)
			}
			return true, err
		}},
	{`remove the phrase "get me the invoice"`,
		said(`(?:remove|drop|delete|forget|take out) the (?:trigger |negative |)(?:phrase|trigger|negative|example|saying):? (.+)`), dropPhrase},
	{"do not check the heading in checkpoint 2",
		said(`(?:do not|don't|dont|stop|never) (?:check|checking|verify|compare|comparing)(?: for)? the ([\w ]+?) (?:in|at|of|for) ((?:the ` +
			`)?(?:\w+ )?checkpoint(?: \d+)?|cp-\d+)`), dropCheck},
	{"checkpoint 2 should not check the heading",
		said(`(?:the )?((?:\w+ )?checkpoint(?: \d+)?|cp-\d+) (?:should|must|need) not (?:check|verify|compare) the ([\w ]+)`),
		func(c *instructions, m []string) (bool, error) {
			return dropCheck(c, []string{m[0], m[2], m[1]})
		}},
	{"checkpoint 2 should say: the order is listed as shipped",
		said(`(?:the )?((?:\w+ )?checkpoint(?: \d+)?|cp-\d+) (?:should|must) (?:say|read|be|check)(?: that)?:? (.+)`), rewordCheckpoint},
	{"reword checkpoint 2 to: the order is listed as shipped",
		said(`(?:reword|change) ((?:the )?(?:\w+ )?checkpoint(?: \d+)?|cp-\d+) to:? (.+)`), rewordCheckpoint},
}

// wantedStates are the ways to say what a program can check after a step.
var wantedStates = []struct {
	kind string
	re   *lazyre.Regexp
}{
	{"heading", said(`(?:the )?(?:page's )?(?:heading|title)(?: of the page)? (?:is|says|reads|shows) (.+)`)},
	{"alert", said(`(?:the |a )?message (.+?) (?:is shown|shows(?: up)?|appears|comes|is there)`)},
	{"alert", said(`(?:the |a )?message (?:is|says|reads) (.+)`)},
	{"url", said(`(?:the )?(?:address|url) is (/.*)`)},
	{"file", said(`(?:the |a )?file (\S+) (?:exists|is there|is written|was written|is made|was made|is not empty)`)},
	{"text", said(`(?:the |a )?(?:page|site|screen|it) (?:says|shows|reads|contains|displays|has)(?: the (?:text|words?))? (.+)`)},
	{"text", said(`(["“].+["”]) (?:is shown|appears|is (?:on|in) the page|is visible|can be (?:seen|read))`)},
}

// addCheck adds a person's condition for the success of a step.
func addCheck(c *instructions, m []string) (bool, error) {
	s, err := c.oneStep(m[1])
	if err != nil {
		return true, err
	}
	kind, expect := "manual", bareValue(m[2])
	for _, w := range wantedStates {
		if x := w.re.FindStringSubmatch(m[2]); x != nil {
			kind, expect = w.kind, bareValue(x[1])
			break
		}
	}
	if prove.PageChecks[kind] && s.Surface != workflow.OnBrowser {
		return true, fault.New(fault.InvalidRequest,
			"that step shows no page").WithHint("say which file there must be after it, or name a step in the browser")
	}
	all, _ := c.edits[decision.EditAddChecks].(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	all[s.StepID] = map[string]any{"kind": kind, "expect": c.byID(expect)}
	c.edits[decision.EditAddChecks] = all
	if kind == "manual" {
		c.tell("After the step %q it is checked that %s. Only a person can tell that; a program can check what the page says, its heading, "+
			"its message, or that a file exists.", s.Title, expect)
	} else {
		c.tell("After the step %q it is checked: %s %q.", s.Title, map[string]string{"text": "the page shows", "heading": "the heading reads",
			"alert": "the message shown is", "url": "the address is", "file": "there is the file"}[kind], expect)
	}
	return true, nil
}

// byID replaces the names of inputs in braces by their ids, which survive a renaming.
func (c *instructions) byID(text string) string {
	return workflow.InputForm.ReplaceAllStringFunc(text, func(s string) string {
		for _, p := range c.o.Graph.Params {
			if strings.EqualFold(p.Name, s[1:len(s)-1]) {
				return "{" + p.ParamID + "}"
			}
		}
		return s
	})
}

func rewordCheckpoint(c *instructions, m []string) (bool, error) {
	k, err := c.checkpoint(m[1])
	if err != nil {
		return true, err
	}
	text := plain.UpperFirst(strings.TrimRight(bareValue(m[2]), ".")) + "."
	all, _ := c.edits[decision.EditCheckpoints].(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	all[k.CheckpointID] = map[string]any{"success_condition": text}
	c.edits[decision.EditCheckpoints] = all
	c.tell("The checkpoint %s now says: %s Only the text changed: %s.", k.CheckpointID, text, stillChecked(k))
	return true, nil
}

// checkWords are people's words for what the kinds of checks look at.
var checkWords = map[string]string{"url": "address", "heading": "heading", "dialog": "dialog", "alert": "message", "text": "text",
	"field_value": "field", "detail": "entry beside its label",
	"row_count": "rows", "file": "file", "exit_code": "exit code", "element": "entry", "process": "program", "output": "output"}

// stillChecked says what a rehearsal checks at a checkpoint, whatever its text says.
func stillChecked(k workflow.Checkpoint) string {
	var what []string
	for _, x := range k.Checks() {
		if w := checkWords[x.Kind]; w != "" && !slices.Contains(what, "the "+w) {
			what = append(what, "the "+w)
		}
	}
	if len(what) == 0 {
		return "a rehearsal checks none of it"
	}
	return fmt.Sprintf(`a rehearsal still checks %s; "do not check %s in %s" takes a check away`, intent.AndList(what), what[0],
		k.CheckpointID)
}

// dropCheck removes one machine check of a checkpoint and keeps the others.
func dropCheck(c *instructions, m []string) (bool, error) {
	k, err := c.checkpoint(m[2])
	if err != nil || k.Check == nil {
		return true, err
	}
	var have, drop []string
	for _, x := range k.Checks() {
		if w := checkWords[x.Kind]; w != "" && !slices.Contains(have, w) {
			have = append(have, w)
			if containsAll(append(plain.Words(w), x.Kind), plain.Words(m[1])) {
				drop = append(drop, x.Kind)
			}
		}
	}
	if len(drop) == 0 {
		return true, fault.New(fault.InvalidRequest, "the checkpoint does not check that").WithHint("it checks: " +
			cmp.Or(intent.AndList(have), "nothing"))
	}
	for _, kind := range drop {
		c.list(decision.EditNoChecks, k.CheckpointID+" "+kind)
	}
	c.tell("The checkpoint %s no longer checks the %s.", k.CheckpointID, m[1])
	return true, nil
}

var aboutSteps = []phrasing{
	{"rename step 3 to: open the order", said(`(?:rename|call|retitle) ((?:the )?step .+?|the \w+ step) (?:to:?|as) (.+)`),
		func(c *instructions, m []string) (bool, error) {
			s, err := c.oneStep(m[1])
			if err == nil {
				c.put(decision.EditRenameSteps, s.StepID, plain.UpperFirst(bareValue(m[2])))
				c.tell("The step %q is now called %q.", s.Title, plain.UpperFirst(bareValue(m[2])))
			}
			return true, err
		}},
	{"do the third step before the second step", said(`(?:do|move|put) (.+?) (before|after) (.+)`), moveStep},
	{"split after the export", said(`split(?: it| this| the skill)?(?: (?:up|in two|into two))?(?: parts?)? (after|before) (.+)`), splitAt},
	{"keep only the first part", said(`(?:keep|take) only (?:the )?(\w+ part|part \d+)`), func(c *instructions, m []string) (bool, error) {
		n, _ := position("the "+strings.TrimPrefix(m[1], "the "), len(partsOf(c.o.Graph.Steps)))
		if n == 0 {
			n, _ = position(m[1], len(partsOf(c.o.Graph.Steps)))
		}
		if n < 1 || n > len(partsOf(c.o.Graph.Steps)) {
			return true, fault.New(fault.InvalidRequest, "there is no such part").WithHint(`split it first: "split after the export"`)
		}
		c.edits[decision.EditKeepPart] = strconv.Itoa(n)
		c.tell("Only part %d is kept.", n)
		return true, nil
	}},
	{"ask me before the last step", said(`(?:always )?(?:ask|check with|confirm with)(?: me| the user)? before (.+)`),
		func(c *instructions, m []string) (bool, error) {
			s, err := c.oneStep(m[1])
			if err == nil {
				c.list(decision.EditConfirm, s.StepID)
				c.tell("The user is asked before this step: %s.", plain.LowerFirst(s.Title))
			}
			return true, err
		}},
	{"do the second step only when the total is over 100", said(`(?:do |take |run |make )?(.+?),? only (?:when|if) (.+)`), stepOnlyWhen},
	{"only do the second step when the total is over 100", said(`only (?:do |take |run )(.+?) (?:when|if) (.+)`), stepOnlyWhen},
	{"when the total is over 100, do the second step", said(`(?:when|if) (.+?), (?:then )?(?:do|take|run) (.+)`),
		func(c *instructions, m []string) (bool, error) {
			return stepOnlyWhen(c, []string{m[0], m[2], m[1]})
		}},
	{"always do the second step", said(`always (?:do|take|run) (.+)`), func(c *instructions, m []string) (bool, error) {
		s, err := c.oneStep(m[1])
		if err == nil {
			c.put(decision.EditConditions, s.StepID, "")
			c.tell("This step is always taken: %s.", plain.LowerFirst(s.Title))
		}
		return true, err
	}},
	{"drop the second step", said(`(?:drop|remove|delete|leave out|leave away|skip|omit|forget|without) (.+)`), dropSomething},
	{"leave the second step out", said(`(?:leave|take) (.+) (?:out|away)`), dropSomething},
}

// dropSomething drops steps or, if none is meant, an input with the step that enters it.
func dropSomething(c *instructions, m []string) (bool, error) {
	if p, ok, err := c.input(m[1]); ok && err == nil && !strings.Contains(strings.ToLower(m[1]), "step") {
		c.list(decision.EditDropInputs, p.ParamID)
		c.tell("%s is left out, with the step that enters it.", p.Name)
		return true, nil
	}
	ss, err := c.steps(m[1])
	if err != nil {
		return true, err
	}
	if len(ss) == 0 {
		return true, c.noStep()
	}
	for _, s := range ss {
		c.list(decision.EditDropSteps, s.StepID)
		c.tell("This step is left out: %s.", plain.LowerFirst(s.Title))
	}
	return true, nil
}

func moveStep(c *instructions, m []string) (bool, error) {
	s, err := c.oneStep(m[1])
	if err != nil {
		return true, err
	}
	to, err := c.oneStep(m[3])
	if err != nil {
		return true, err
	}
	c.put(decision.EditMove, s.StepID, strings.ToLower(m[2])+" "+to.StepID)
	c.tell("%q is done %s %q.", s.Title, strings.ToLower(m[2]), to.Title)
	return true, nil
}

func splitAt(c *instructions, m []string) (bool, error) {
	s, err := c.oneStep(m[2])
	if err != nil {
		return true, err
	}
	i := slices.IndexFunc(c.o.Graph.Steps, func(o workflow.Step) bool { return o.StepID == s.StepID })
	if strings.EqualFold(m[1], "before") {
		i--
	}
	if i < 0 || i+1 >= len(c.o.Graph.Steps) {
		return true, fault.New(fault.InvalidRequest, "one of the two parts would be empty")
	}
	c.list(decision.EditSplit, c.o.Graph.Steps[i].StepID)
	c.tell("The work has two parts; the second begins with: %s.", plain.LowerFirst(c.o.Graph.Steps[i+1].Title))
	return true, nil
}

func stepOnlyWhen(c *instructions, m []string) (bool, error) {
	if low := strings.ToLower(m[1]); low == "use it" || low == "use this" || low == "use the skill" {
		return false, nil
	}
	s, err := c.oneStep(m[1])
	if err == nil {
		c.put(decision.EditConditions, s.StepID, bareValue(m[2]))
		c.tell("This step is taken only when %s: %s.", bareValue(m[2]), plain.LowerFirst(s.Title))
	}
	return true, err
}

var aboutInputs = []phrasing{
	{"call it customer instead of name", said(`(?:call|name) (?:it|this|the input) (.+?) (?:instead of|and not|rather than|not) (.+)`),
		func(c *instructions, m []string) (bool, error) {
			return renameInput(c, m[2], m[1])
		}},
	{"rename name to customer", said(`rename (.+?) (?:to|into|as) (.+)`), func(c *instructions, m []string) (bool,
		error) {
		return renameInput(c, m[1], m[2])
	}},
	{"name should be called customer", said(`(.+?) (?:should|must) be (?:called|named) (.+)`), func(c *instructions, m []string) (bool,
		error) {
		return renameInput(c, m[1], m[2])
	}},
	{"use EUR for currency unless I say otherwise",
		said(`use (.+?) (?:for|as) (.+?)(?: unless (?:(?:i|you|we|they|the user|the request|it|somebody|someone) ` +
			`(?:say|ask|tell|want|name|give|specif)\w*|told|asked|specified|otherwise|something else|anything else)\b.*| by default| if nothing ` +
			`else is said)`), func(c *instructions, m []string) (bool, error) {
			return defaultFor(c, m[2], m[1])
		}},
	{"the default for currency is EUR", said(`(?:the |make the )?default (?:for|of|value of|value for) (.+?) (?:is|should be|be) (.+)`),
		func(c *instructions, m []string) (bool, error) { return defaultFor(c, m[1], m[2]) }},
	{"currency defaults to EUR", said(`(.+?) (?:defaults|default) to (.+)`), func(c *instructions, m []string) (bool,
		error) {
		return defaultFor(c, m[1], m[2])
	}},
	{"always use EUR for currency",
		said(`(?:always )?(?:use|take|enter|choose|put) (.+?) (?:for|as|in|into) (.+?)(?: always| every time| each time)?`),
		func(c *instructions, m []string) (bool, error) { return constantFor(c, m[2], m[1]) }},
	{"currency is always EUR", said(`(.+?) (?:(?:is|are|should be|must be) always|should always be|must always be) (.+)`),
		func(c *instructions, m []string) (bool, error) { return constantFor(c, m[1], m[2]) }},
	{"always use EUR", said(`always (?:use|take|enter|choose) (.+)`), alwaysUse},
	{"do not ask for the currency",
		said(`(?:(?:do not|don't|dont|never|no need to) ask(?: me)?|i (?:do not|don't|never) want to be asked) (?:for|about) (.+)`), keepAsShown},
	{"keep the currency as it was", said(`keep (.+?) (?:as (?:it was|it is|shown|demonstrated|is)|the same|fixed|constant)`), keepAsShown},
	{"the currency never changes", said(`(.+?) (?:never changes|stays the same|is always the same|is (?:a )?constant|is fixed)`), keepAsShown},
	{"ask me for the month", said(`(?:always )?ask(?: me| the user)? (?:for|about) (.+?)(?: each time| every time| always)?`), askFor},
	{"make the month an input", said(`make (.+?) (?:an input|a parameter|variable|changeable)`), askFor},
	{"the month is different each time",
		said(`(.+?) (?:is (?:an input|different (?:each|every) time|another one each time)|changes(?: each time| every time)?|varies)`), askFor},
	{"an example of the month is 2026-09", said(`(?:an |the )?example (?:of|for) (.+?) (?:is|would be) (.+)`),
		func(c *instructions, m []string) (bool, error) {
			p, err := c.needInput(m[1])
			text := ""
			if err == nil {
				text, err = c.value(p, m[2])
			}
			if err == nil {
				c.put(decision.EditExamples, p.ParamID, text)
				c.tell("%s has the example %q.", p.Name, text)
			}
			return true, err
		}},
	{"the note is optional",
		said(`(?:make )?(.+?) (?:is |are )?(optional|not required|not needed|can be left empty|may be left empty|can stay ` +
			`empty|required|mandatory|needed)`), func(c *instructions, m []string) (bool, error) {
			p, err := c.needInput(m[1])
			if err != nil {
				return true, err
			}
			key := decision.EditOptional
			if w := strings.ToLower(m[2]); w == "required" || w == "mandatory" || w == "needed" {
				key = decision.EditRequired
			}
			c.list(key, p.ParamID)
			c.tell("%s is %s.", p.Name, map[string]string{decision.EditOptional: "optional", decision.EditRequired: "required"}[key])
			return true, nil
		}},
	{"the amount is a number",
		said(`(.+?) (?:is|are|should be) (?:a |an )?(text|number|date|file|choice|email address|email|web address|yes or no|yes/no)`),
		func(c *instructions, m []string) (bool, error) {
			p, err := c.needInput(m[1])
			if err == nil {
				kind := kindByWord[strings.ToLower(m[2])]
				c.put(decision.EditKinds, p.ParamID, string(kind))
				c.tell("%s is a %s.", p.Name, write.KindWords(workflow.InputSpec{Kind: kind}))
			}
			return true, err
		}},
	{"month means the month of the invoice", said(`(.+?) means (.+)`), describeInput},
	{"describe month as the month of the invoice", said(`(?:describe|explain) (.+?) as (.+)`), describeInput},
}

var kindByWord = map[string]capture.ValueKind{"text": capture.KindText, "number": capture.KindNumber, "date": capture.KindDate,
	"file": capture.KindFile, "choice": capture.KindChoice,
	"email": capture.KindEmail, "email address": capture.KindEmail, "web address": capture.KindURL, "yes or no": capture.KindBoolean,
	"yes/no": capture.KindBoolean}

func renameInput(c *instructions, from, to string) (bool, error) {
	p, err := c.needInput(from)
	if err == nil {
		c.put(decision.EditRename, p.ParamID, bareValue(inputWords.ReplaceAllString(to, "")))
		c.tell("%s is now called %s.", p.Name, page.Snake(bareValue(inputWords.ReplaceAllString(to, ""))))
	}
	return true, err
}

func defaultFor(c *instructions, who, text string) (bool, error) {
	p, err := c.needInput(who)
	if err == nil {
		text, err = c.value(p, text)
	}
	if err == nil {
		c.put(decision.EditDefaults, p.ParamID, text)
		c.tell("%s is %q unless something else is said.", p.Name, text)
	}
	return true, err
}

func constantFor(c *instructions, who, text string) (bool, error) {
	p, err := c.needInput(who)
	if err == nil {
		text, err = c.value(p, text)
	}
	if err == nil {
		c.put(decision.EditConstants, p.ParamID, text)
		c.tell("%s is always %q and is not asked for.", p.Name, text)
	}
	return true, err
}

// alwaysUse finds the input that a value is meant for: the one that offers it, or the only input.
func alwaysUse(c *instructions, m []string) (bool, error) {
	value := bareValue(m[1])
	if p, ok, err := c.input(strings.TrimPrefix(value, "the same ")); ok && err == nil && strings.HasPrefix(value, "the same ") {
		return keepAsShown(c, []string{m[0], p.Name})
	}
	var fit, all []workflow.Param
	var names []string
	for _, p := range c.o.Graph.Params {
		if p.Derived != "" {
			continue
		}
		all = append(all, p)
		if slices.ContainsFunc(p.Options, func(o string) bool { return strings.EqualFold(o, value) }) {
			fit = append(fit, p)
		}
	}
	if len(fit) == 0 && len(all) == 1 {
		fit = all
	}
	if len(fit) == 1 {
		return constantFor(c, fit[0].Name, value)
	}
	for _, p := range all {
		names = append(names, p.Name)
	}
	return true, fault.New(fault.InvalidRequest, "it is not clear what this is to be used for").
		WithHint(fmt.Sprintf("say for which input: \"always use ... for %s\"", cmp.Or(intent.OrList(names), "an input")))
}

func keepAsShown(c *instructions, m []string) (bool, error) {
	ps, err := c.needInputs(m[1])
	for _, p := range ps {
		c.put(decision.EditConstants, p.ParamID, "")
		c.tell("%s is always what was shown and is not asked for.", p.Name)
	}
	return true, err
}

func askFor(c *instructions, m []string) (bool, error) {
	ps, err := c.needInputs(m[1])
	for _, p := range ps {
		c.list(decision.EditInputs, p.ParamID)
		c.tell("%s is asked for.", p.Name)
	}
	return true, err
}

func describeInput(c *instructions, m []string) (bool, error) {
	p, err := c.needInput(m[1])
	if err == nil {
		c.put(decision.EditDescriptions, p.ParamID, plain.UpperFirst(bareValue(m[2])))
		c.tell("%s is described as: %s.", p.Name, plain.UpperFirst(bareValue(m[2])))
	}
	return true, err
}

var aboutTheSkill = []phrasing{
	{"call the skill Send the monthly invoice", said(`(?:call|name|title) the skill:? (.+)`), func(c *instructions, m []string) (bool, error) {
		c.edits[decision.EditTitle] = plain.UpperFirst(bareValue(m[1]))
		c.tell("The skill is called %q.", plain.UpperFirst(bareValue(m[1])))
		return true, nil
	}},
	{"the goal is to have the invoice sent", said(`(?:the|its) goal is:? (.+)`), func(c *instructions, m []string) (bool, error) {
		c.edits[decision.EditGoal] = plain.UpperFirst(bareValue(m[1])) + "."
		c.tell("The goal is: %s.", plain.UpperFirst(bareValue(m[1])))
		return true, nil
	}},
	{"it is done when the invoice is listed as sent",
		said(`(?:it|this|the work)(?:'s done| is done| has worked| succeeded| is finished| worked) (?:when|if) (.+)`),
		func(c *instructions, m []string) (bool, error) {
			c.listOn(decision.EditSuccess, c.o.Interpretation.SuccessConditions, plain.UpperFirst(bareValue(m[1]))+".")
			c.tell("It has succeeded only when %s.", bareValue(m[1]))
			return true, nil
		}},
	{"do not use it when the invoice was paid", said(`(?:do not|don't|dont|never) use (?:it|this|the skill) (?:when|if|for) (.+)`),
		func(c *instructions, m []string) (bool, error) {
			c.listOn(decision.EditNonUse, c.o.Interpretation.NonUseConditions, plain.UpperFirst(bareValue(m[1]))+".")
			c.tell("It is not used when %s.", bareValue(m[1]))
			return true, nil
		}},
	{"only when the total is over 100", said(`(?:use (?:it|this|the skill) )?only (?:when|if) (.+)`), func(c *instructions, m []string) (bool,
		error) {
		c.listOn(decision.EditUse, c.o.Interpretation.UseConditions, "Only when "+bareValue(m[1])+".")
		c.tell("The skill is used only when %s.", bareValue(m[1]))
		return true, nil
	}},
	{"use it when an invoice is due", said(`use (?:it|this|the skill) (?:when|if) (.+)`), func(c *instructions, m []string) (bool, error) {
		c.listOn(decision.EditUse, c.o.Interpretation.UseConditions, plain.UpperFirst(bareValue(m[1]))+".")
		c.tell("It is used when %s.", bareValue(m[1]))
		return true, nil
	}},
	{`people also say "get me the invoice"`,
		said(`(?:people|users|we|i) (?:also |would also |would |might )*(?:say|ask for|ask|call it):? (.+)`), addPhrase},
	{`also use it for "get me the invoice"`, said(`(?:also )?use it for:? (.+)`), func(c *instructions, m []string) (bool, error) {
		if isQuoted(m[1]) {
			return addPhrase(c, m)
		}
		c.listOn(decision.EditUse, c.o.Interpretation.UseConditions, "For "+m[1]+".") // a case, not a request
		c.tell("It is used for %s.", m[1])
		return true, nil
	}},
	{`it is not for "pay the invoice"`, said(`(?:it is |it's |this is )?not (?:meant )?for:? (.+)`), func(c *instructions, m []string) (bool,
		error) {
		if !isQuoted(m[1]) { // a case, not a request
			c.listOn(decision.EditNonUse, c.o.Interpretation.NonUseConditions, "For "+m[1]+".")
			c.tell("It is not used for %s.", m[1])
			return true, nil
		}
		c.listOn(decision.EditNegatives, c.o.NegativeTriggers, bareValue(m[1]))
		c.tell("%q does not call the skill.", bareValue(m[1]))
		return true, nil
	}},
	{"it is for every project", said(`(?:it|this) is for (?:every|all|any) projects?`), func(c *instructions, m []string) (bool, error) {
		c.edits[decision.EditScope] = "global"
		c.tell("It is for every project.")
		return true, nil
	}},
	{"it is only for this project", said(`(?:it|this) is (?:only )?for this project(?: only| alone)?`),
		func(c *instructions, m []string) (bool, error) {
			c.edits[decision.EditScope] = "project_scoped"
			c.tell("It is for this project alone.")
			return true, nil
		}},
}

// dropPhrase removes one trigger or negative phrase; the others stay.
func dropPhrase(c *instructions, m []string) (bool, error) {
	is := func(s string) bool { return strings.EqualFold(s, strings.TrimRight(bareValue(m[1]), ".!? ")) }
	for _, l := range []struct {
		key  string
		have []string
	}{{decision.EditTriggers, c.o.TriggerPhrases}, {decision.EditNegatives, c.o.NegativeTriggers}} {
		have := l.have
		if now, ok := decision.Edits(c.edits).List(l.key); ok {
			have = now
		}
		if !slices.ContainsFunc(have, is) {
			continue
		}
		delete(c.edits, l.key)
		c.edits[l.key] = []any{}
		c.list(l.key, slices.DeleteFunc(slices.Clone(have), is)...)
		c.tell("The phrase is removed: %s.", bareValue(m[1]))
		return true, nil
	}
	return true, fault.New(fault.InvalidRequest, "no phrase reads like that").
		WithHint("the phrases are: " + strings.Join(append(slices.Clone(c.o.TriggerPhrases), c.o.NegativeTriggers...), "; "))
}

func addPhrase(c *instructions, m []string) (bool, error) {
	text, err := phraseOf(m[1])
	if err == nil {
		c.listOn(decision.EditTriggers, c.o.TriggerPhrases, text)
		c.tell("%q calls the skill, too.", text)
	}
	return true, err
}

// Sayings lists an example of every sentence that Instruct understands.
func Sayings() []string {
	out := make([]string, len(allSayings))
	for i, s := range allSayings {
		out[i] = s.example
	}
	return out
}
