package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// md writes Markdown, paragraph by paragraph.
type md struct{ b strings.Builder }

func (w *md) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }
func (w *md) blank()                          { w.b.WriteByte('\n') }
func (w *md) para(format string, args ...any) { w.line(format, args...); w.blank() }
func (w *md) head(level int, text string) {
	w.para("%s %s", strings.Repeat("#", level), strings.TrimSpace(text))
}
func (w *md) list(items []string) {
	for _, x := range items {
		w.line("- %s", x)
	}
	w.blank()
}

// maxShown bounds what SKILL.md lists of one kind: beyond it the references say the rest, and 500 lines always hold.
const maxShown = 40

// skillText is the body of SKILL.md: for an agent to follow, for a person to read.
func skillText(d *draft) string {
	w := &md{}
	w.head(1, d.title)
	w.para("%s", d.opening())
	d.writeUse(w)
	d.writeInputs(w)
	d.writeBefore(w)
	d.writeCheckpoints(w)
	d.writeRecovery(w)
	d.writeSuccess(w)
	d.writeReporting(w)
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

// opening says in a breath where the work happens and where this text comes from.
func (d *draft) opening() string {
	var b strings.Builder
	if s := d.interp.GoalSummary; !strings.HasPrefix(s, d.title) {
		b.WriteString(s + "\n\n")
	}
	where := d.places.where()
	if where != "" {
		where = " " + where
	}
	fmt.Fprintf(&b, "Learned from %s%s. The way it was done, step by step, is in [references/steps.md](references/steps.md); what was shown is told in [references/demonstration.md](references/demonstration.md).", shownTimes(len(d.in.Traces)), where)
	return b.String()
}

func shownTimes(n int) string {
	switch n {
	case 1:
		return "one demonstration"
	case 2:
		return "two demonstrations"
	}
	return strconv.Itoa(n) + " demonstrations"
}

func (d *draft) writeUse(w *md) {
	w.head(2, "When to use it")
	w.list(d.interp.UseConditions)
	if len(d.interp.NonUseConditions) > 0 {
		w.head(2, "When not to use it")
		w.list(d.interp.NonUseConditions)
	}
}

func (d *draft) writeInputs(w *md) {
	specs := d.interp.Inputs
	fixed := d.constants()
	computed := d.computed()
	w.head(2, "Inputs")
	if len(specs) == 0 {
		w.para("None: nothing has to be asked.")
	} else {
		examples := slices.ContainsFunc(specs, func(s workflow.InputSpec) bool { return s.Example != "" })
		if examples {
			w.line("| Input | What it is | Type | Example |")
			w.line("|---|---|---|---|")
		} else {
			w.line("| Input | What it is | Type |")
			w.line("|---|---|---|")
		}
		for _, s := range specs[:min(len(specs), maxShown)] {
			what := cell(s.Description)
			if !s.Required && s.Default == "" {
				what += " (optional)"
			}
			if s.Default != "" {
				what += fmt.Sprintf(" (when nothing else is said: %s)", cell(s.Default))
			}
			row := fmt.Sprintf("| `%s` | %s | %s |", s.Name, what, cell(d.typeWords(s)))
			if examples {
				row += " " + cell(s.Example) + " |"
			}
			w.line("%s", row)
		}
		w.blank()
		if n := len(specs) - maxShown; n > 0 {
			w.para("%d more inputs are listed in [tests/checks.json](tests/checks.json).", n)
		}
		if slices.ContainsFunc(specs, func(s workflow.InputSpec) bool { return s.Default == "" && s.Required }) {
			w.para("Take what the request already says, and ask the user for what is missing instead of guessing. Below, `{%s}` stands for the value of `%s`%s.", specs[0].Name, specs[0].Name, others(specs))
		}
	}
	if len(computed) > 0 {
		w.para("Worked out from these, never asked for:")
		w.list(computed[:min(len(computed), maxShown)])
	}
	if len(fixed) > 0 {
		w.para("Always the same:")
		w.list(fixed[:min(len(fixed), maxShown)])
	}
}

func others(specs []workflow.InputSpec) string {
	if len(specs) > 1 {
		return ", and so on"
	}
	return ""
}

func cell(s string) string { return strings.ReplaceAll(plain.Squeeze(s), "|", `\|`) }

func (d *draft) byName(name string) *param {
	for _, p := range d.study.params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// typeWords says an input's type as a person would.
func (d *draft) typeWords(s workflow.InputSpec) string {
	p := d.byName(s.Name)
	if p != nil && s.Kind == capture.KindDate && len(p.texts) > 0 {
		if f, _ := workflow.DateForm(p.texts[0]); f != "" {
			return "date, " + f
		}
	}
	if p != nil && s.Kind == capture.KindFile && p.act != nil && p.act.verb == capture.Type {
		return "file name"
	}
	return kindWords(s)
}

func kindWords(s workflow.InputSpec) string {
	switch {
	case s.Kind == capture.KindBoolean:
		return "yes or no"
	case s.List && len(s.Options) > 0:
		return "any of: " + optionList(s.Options)
	case s.List && s.Kind == capture.KindFile:
		return "list of files"
	case len(s.Options) > 0:
		return "one of: " + optionList(s.Options)
	case s.Kind == capture.KindID:
		return "code or number"
	case s.Kind == capture.KindDate:
		return "date"
	case s.Kind == capture.KindEmail:
		return "email address"
	case s.Kind == capture.KindURL:
		return "web address"
	case s.Kind == capture.KindFile:
		return "file"
	case s.Kind == capture.KindChoice:
		return "one of the choices on the page"
	case s.Kind == "":
		return "text"
	}
	return string(s.Kind)
}

// optionList names options one after the other, told apart even where one has a comma of its own.
func optionList(options []string) string {
	if slices.ContainsFunc(options, func(o string) bool { return strings.Contains(o, ",") }) {
		return strings.Join(options, "; ")
	}
	return strings.Join(options, ", ")
}

func (d *draft) constants() []string {
	var out []string
	for _, p := range d.params {
		if p.Role == workflow.RoleConstant && len(p.UsedIn) > 0 {
			out = append(out, constantWords(p))
		}
	}
	return out
}

// constantWords says what never changes: a box as it is set, a file by its kind.
func constantWords(p workflow.Param) string {
	if p.Kind == capture.KindBoolean {
		return p.Label + ": " + map[bool]string{true: "ticked", false: "not ticked"}[p.Default == yes]
	}
	label := p.Label
	if kind, ok := strings.CutSuffix(label, " file"); ok && len(kind) > 1 && len(kind) <= 4 && kind == strings.ToLower(kind) && p.Kind == capture.KindFile {
		label = strings.ToUpper(kind) + " file"
	}
	return fmt.Sprintf("%s: `%s`", plain.UpperFirst(label), strings.ReplaceAll(p.Default, "`", "'"))
}

func (d *draft) computed() []string {
	var out []string
	for _, p := range d.params {
		if p.Derived != "" && d.shown(p.Name) {
			out = append(out, fmt.Sprintf("`%s`: %s", p.Name, strings.NewReplacer("{", "`", "}", "`").Replace(p.Derived)))
		}
	}
	return out
}

// shown reports whether a derived value turns up in what is written.
func (d *draft) shown(name string) bool {
	in := "{" + name + "}"
	for _, s := range d.steps {
		if strings.Contains(s.Command+s.Value+s.Title, in) || s.File != nil && strings.Contains(s.File.Name, in) {
			return true
		}
	}
	for _, c := range d.cps {
		if strings.Contains(c.Goal+c.SuccessCondition, in) {
			return true
		}
	}
	return false
}

func (d *draft) writeBefore(w *md) {
	var items []string
	for _, s := range d.places.sites {
		name := d.places.names[s]
		at := cmp.Or(d.places.starts[s], s)
		item := fmt.Sprintf("A browser at %s", at)
		if name != "" {
			item = fmt.Sprintf("%s open in a browser: %s", name, at)
		}
		if slices.Contains(d.places.signedIn, s) {
			item += ". The user is signed in there; if not, ask the user to sign in, and never ask for or enter a password yourself"
		}
		items = append(items, item+".")
	}
	if len(d.places.commands) > 0 {
		items = append(items, "A terminal with "+andList(codes(d.places.commands))+".")
	} else if slices.Contains(d.places.surfaces, workflow.OnShell) {
		items = append(items, "A terminal.")
	}
	if tools := d.tools(); len(tools) > 0 {
		items = append(items, "The agent's "+toolsWord(len(tools))+" "+andList(codes(tools))+".")
	}
	if len(d.places.devices) > 0 {
		items = append(items, fmt.Sprintf("A way to send MIDI to what %s controlled. Notes, knobs and programs below are MIDI numbers, on channel 1 unless another is named.", andList(inQuotes(d.places.devices))))
	}
	if f := d.places.folder; f != "" && f != "~" && slices.Contains(d.places.surfaces, workflow.OnShell) {
		if d.usesDownload() {
			items = append(items, "The commands work on the downloaded file: run them in the folder it was saved to.")
		} else {
			items = append(items, fmt.Sprintf("The folder to work in: in the demonstration it was `%s`.", strings.ReplaceAll(f, "{*}", "...")))
		}
	}
	if len(items) == 0 {
		return
	}
	w.head(2, "Before you start")
	w.list(items)
}

// tools are the tools that an agent has to have, by the names that it knows them by.
func (d *draft) tools() []string {
	var out []string
	for _, st := range d.steps {
		if st.act.isCall() && st.act.file == nil && !slices.Contains(out, st.act.call.Tool) {
			out = append(out, st.act.call.Tool)
		}
	}
	return out
}

func toolsWord(n int) string {
	if n == 1 {
		return "tool"
	}
	return "tools"
}

func (d *draft) usesDownload() bool {
	return slices.ContainsFunc(d.steps, func(s *step) bool { return s.Verb == capture.Download })
}

func inQuotes(xs []string) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = `"` + x + `"`
	}
	return out
}

func codes(xs []string) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = "`" + x + "`"
	}
	return out
}

// writeCheckpoints is the heart: states in order, how to tell them, and what the demonstration did on the way, told as a
// hint and never as a script of clicks (DOC3 0C.9A).
func (d *draft) writeCheckpoints(w *md) {
	w.head(2, "Checkpoints")
	switch d.in.ExecutionMode {
	case "strict":
		w.para("Reach these states in this order. Verify each one before you go on; if one cannot be verified, stop and say so.")
	case "adaptive":
		w.para("These are the results that count. How you get there is up to you; the hints say how it was done once.")
	default:
		w.para("Reach these states in order, and check each before going on. How you get there is up to you; the hints say how it was done before.")
	}
	if d.saysDots() {
		w.para("`...` stands for something that differs from time to time.")
	}
	for _, l := range d.loops {
		if which := d.checkpointsOf(l); which != "" {
			w.para("Repeat %s for %s%s.", which, l.Over, d.onceBefore(l))
		} else {
			w.para("For %s: %s.", l.Over, d.gathered(l))
		}
	}
	rest, told := d.steps, 0
	for i, c := range d.cps {
		var part []*step
		part, rest = upTo(rest, c.StepID)
		if n := c.seg.outcome.Part; n > told {
			w.para("%s", d.partIntro(n))
			told = n
		}
		if i >= maxShown {
			w.para("%d more checkpoints are in [tests/checks.json](tests/checks.json).", len(d.cps)-maxShown)
			return
		}
		d.writeCheckpoint(w, i, c, part)
	}
	if len(d.cps) == 0 {
		w.para("None could be observed. Ask the user how success can be told.")
	} else if hint := story(rest, d.names); hint != "" && len(rest) > 0 && rest[len(rest)-1].act.command != nil {
		w.para("After the last one, the demonstration looked at the result: it %s.", hint)
	}
}

// saysDots reports whether a checkpoint leaves something open.
func (d *draft) saysDots() bool {
	return slices.ContainsFunc(d.cps, func(c *candidate) bool { return strings.Contains(c.Goal+c.SuccessCondition, "...") })
}

// partIntro begins a part of the work that can be asked for alone.
func (d *draft) partIntro(n int) string {
	what := ""
	for _, c := range d.cps {
		if c.seg.outcome.Part == n {
			what = wish(c.seg.outcome, d.names)
		}
	}
	return fmt.Sprintf("**Part %d: %s.** It can be asked for alone, when what comes before it is there already.", n, plain.LowerFirst(strings.TrimRight(what, ".")))
}

func (d *draft) writeCheckpoint(w *md, i int, c *candidate, part []*step) {
	w.head(3, fmt.Sprintf("%d. %s (%s)", i+1, c.Goal, c.CheckpointID))
	w.line("- How to tell: %s", lowerQuoted(c.SuccessCondition))
	told := slices.DeleteFunc(slices.Clone(part), func(s *step) bool { return s.Optional && s.Condition != "" })
	if ways := slices.DeleteFunc(slices.Clone(told), func(s *step) bool { return s != c.seg.outcome && s.justLooks() }); len(ways) > 0 {
		told = ways // a look at what was made is no part of the way; references/steps.md tells it
	}
	if hint := story(told, d.names); hint != "" {
		w.line("- In the demonstration: %s.", hint)
	}
	for _, st := range part {
		if st.Grave {
			w.line(`- Ask the user before this one: %s cannot simply be undone.`, quoteOr(st.label(), "it"))
			break
		}
	}
	for _, st := range part {
		if st.Optional && st.Condition != "" {
			w.line("- Only when %s: %s.", strings.TrimSuffix(plain.LowerFirst(st.Condition), "."), plain.LowerFirst(st.Title))
		}
	}
	w.blank()
}

// lowerQuoted begins a condition in lower case, unless it begins with a name, a quotation or code.
func lowerQuoted(s string) string {
	first, _, _ := strings.Cut(s, " ")
	switch first {
	case "The", "No", "A", "An", "There":
		return plain.LowerFirst(s)
	}
	return s
}

// onceBefore says where the repeated part begins, when its first checkpoint takes in steps that are done once.
func (d *draft) onceBefore(l workflow.Loop) string {
	var part []*step
	rest := d.steps
	for _, c := range d.cps {
		part, rest = upTo(rest, c.StepID)
		if !slices.Contains(l.Steps, c.StepID) {
			continue
		}
		for _, st := range part {
			if st.StepID == l.Steps[0] {
				if st != part[0] {
					return ", beginning with this: " + strings.TrimRight(plain.LowerFirst(st.Title), ".") + ". What comes before it is done once"
				}
				return ""
			}
		}
	}
	return ""
}

// gathered tells a loop that no checkpoint stands in: what is done for each, and what comes once when all are done.
func (d *draft) gathered(l workflow.Loop) string {
	var each []string
	for _, st := range d.steps {
		if slices.Contains(l.Steps, st.StepID) {
			each = append(each, strings.TrimRight(plain.LowerFirst(st.Title), "."))
		}
	}
	return andList(each) + ". What comes after is done once, for all of them"
}

// checkpointsOf names the checkpoints of a loop, "checkpoints 2 to 4"; "" when none stands in it.
func (d *draft) checkpointsOf(l workflow.Loop) string {
	first, last := 0, 0
	for i, c := range d.cps {
		if slices.Contains(l.Steps, c.StepID) {
			if first == 0 {
				first = i + 1
			}
			last = i + 1
		}
	}
	switch {
	case first == 0:
		return ""
	case first == last:
		return fmt.Sprintf("checkpoint %d", first)
	case last == first+1:
		return fmt.Sprintf("checkpoints %d and %d", first, last)
	}
	return fmt.Sprintf("checkpoints %d to %d", first, last)
}

// upTo cuts the steps after the one with the id.
func upTo(steps []*step, id string) (part, rest []*step) {
	for i, st := range steps {
		if st.StepID == id {
			return steps[:i+1], steps[i+1:]
		}
	}
	return nil, steps
}

func (d *draft) writeRecovery(w *md) {
	w.head(2, "If something goes wrong")
	items := slices.Clone(d.recover)
	if len(items) > maxShown {
		items = items[:maxShown]
	}
	items = append(items, "If a checkpoint cannot be reached, stop there. Say which one it was and what you see instead; do not try something else that changes data.")
	w.list(items)
}

func (d *draft) writeSuccess(w *md) {
	if len(d.interp.SuccessConditions) == 0 {
		return
	}
	w.head(2, "At the end")
	only := onlyMessages(d)
	if only {
		w.para("Only a message confirmed the result in the demonstration. Do not trust it alone: open what was changed once more and look.")
	} else {
		w.para("The work is done when all of this is true; a message that says so is not enough:")
	}
	conditions := d.interp.SuccessConditions
	if len(conditions) > maxShown {
		conditions = conditions[:maxShown]
	}
	w.list(conditions)
}

// onlyMessages reports whether nothing but messages confirmed what was changed.
func onlyMessages(d *draft) bool {
	effects := 0
	for _, c := range d.cps {
		if !c.effect {
			continue
		}
		effects++
		for _, ch := range append([]workflow.Check{*c.Check}, c.MoreChecks...) {
			if ch.Kind != "alert" && ch.Kind != "dialog" {
				return false
			}
		}
	}
	return effects > 0
}

func (d *draft) writeReporting(w *md) {
	if len(d.cps) == 0 {
		return
	}
	w.head(2, "Reporting")
	w.para("Optional. Where Showhow is installed, tell it about each checkpoint, so that its owner sees how the skill fares:")
	w.line("```sh")
	w.line(`showhow checkpoint verify %s --ability %s --status reached --evidence "what you saw"`, d.cps[0].CheckpointID, d.slug)
	w.line("```")
	w.blank()
	w.para("The status is `reached`, `skipped` or `failed`. Put no personal data into the evidence.")
}

// description is the frontmatter's: what it does and when to use it, in ASCII, at most 1024 characters.
func description(d *draft) string {
	var parts []string
	parts = append(parts, strings.TrimRight(d.interp.GoalSummary, ".")+".")
	var say []string
	for _, t := range d.phrases.triggers {
		if len(say) < 3 && !strings.EqualFold(t, d.goal.text) {
			say = append(say, `"`+strings.ReplaceAll(t, `"`, "'")+`"`)
		}
	}
	if len(say) > 0 {
		parts = append(parts, "Use for requests such as "+orList(say)+".")
	}
	if n := d.phrases.negatives; len(n) > 0 && d.goal.english {
		parts = append(parts, "Not for requests to "+orList(n[:min(3, len(n))])+".")
	}
	return cut(plain.ASCII(strings.NewReplacer("<", "(", ">", ")", "{", "", "}", "").Replace(strings.Join(parts, " "))), 1024)
}

// orList joins as people do: a, b or c.
func orList(xs []string) string {
	if len(xs) <= 1 {
		return strings.Join(xs, "")
	}
	return strings.Join(xs[:len(xs)-1], ", ") + " or " + xs[len(xs)-1]
}

func compatibility(d *draft) string {
	var needs []string
	if len(d.places.sites) > 0 {
		var sites []string
		for _, s := range d.places.sites {
			sites = append(sites, cmp.Or(d.places.names[s], plainSite(s)))
		}
		needs = append(needs, "a browser with access to "+andList(sites))
	}
	if len(d.places.commands) > 0 {
		needs = append(needs, "a terminal with "+andList(d.places.commands))
	} else if slices.Contains(d.places.surfaces, workflow.OnShell) {
		needs = append(needs, "a terminal")
	}
	if len(d.places.devices) > 0 {
		needs = append(needs, "a way to send MIDI in place of "+andList(d.places.devices))
	}
	if tools := d.tools(); len(tools) > 0 {
		needs = append(needs, "the "+toolsWord(len(tools))+" "+andList(tools))
	}
	if len(needs) == 0 {
		return ""
	}
	return cut("Needs "+andList(needs)+".", 500)
}
