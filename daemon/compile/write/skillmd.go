package write

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/values"
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

// maxShown bounds the items of one kind in SKILL.md, so that it stays within 500 lines; the references contain the rest.
const maxShown = 40

// skillText writes the body of SKILL.md: instructions for an agent that a person can read.
func skillText(d *Understanding) string {
	w := &md{}
	w.head(1, d.Title)
	w.para("%s", d.opening())
	writeUse(d, w)
	writeInputs(d, w)
	writeBefore(d, w)
	writeWays(d, w)
	writeCheckpoints(d, w)
	writeRecovery(d, w)
	writeSuccess(d, w)
	writeReporting(d, w)
	return strings.TrimRight(w.b.String(), "\n") + "\n"
}

// opening says briefly where the work happens and where this text comes from.
func (d *Understanding) opening() string {
	var b strings.Builder
	if s := d.Interp.GoalSummary; !strings.HasPrefix(s, d.Title) {
		b.WriteString(s + "\n\n")
	}
	where := d.Places.where()
	if where != "" {
		where = " " + where
	}
	fmt.Fprintf(&b, "Learned from %s%s. [references/steps.md](references/steps.md) lists the steps one by one; "+
		"[references/demonstration.md](references/demonstration.md) describes what was shown.", shownTimes(len(d.In.Traces)), where)
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

func writeUse(d *Understanding, w *md) {
	w.head(2, "When to use it")
	w.list(d.Interp.UseConditions)
	if len(d.Interp.NonUseConditions) > 0 {
		w.head(2, "When not to use it")
		w.list(d.Interp.NonUseConditions)
	}
}

func writeInputs(d *Understanding, w *md) {
	specs := d.Interp.Inputs
	fixed := d.constants()
	computed := d.computed()
	w.head(2, "Inputs")
	if len(specs) == 0 {
		w.para("None. There is nothing to ask.")
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
			what := tableCell(s.Description)
			if !s.Required && s.Default == "" {
				what += " (optional)"
			}
			if s.Default != "" {
				what += fmt.Sprintf(" (default: %s)", tableCell(s.Default))
			}
			row := fmt.Sprintf("| `%s` | %s | %s |", s.Name, what, tableCell(d.typeWords(s)))
			if examples {
				row += " " + tableCell(s.Example) + " |"
			}
			w.line("%s", row)
		}
		w.blank()
		if n := len(specs) - maxShown; n > 0 {
			w.para("%d more inputs are listed in [tests/checks.json](tests/checks.json).", n)
		}
		if slices.ContainsFunc(specs, func(s workflow.InputSpec) bool { return s.Default == "" && s.Required }) {
			w.para("Take what the request already says, and ask the user for what is missing instead of guessing. Below, `{%s}` stands for the "+
				"value of `%s`%s.", specs[0].Name, specs[0].Name, others(specs))
		}
	}
	if len(computed) > 0 {
		w.para("Computed from these; do not ask for them:")
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

func tableCell(s string) string { return strings.ReplaceAll(plain.Squeeze(s), "|", `\|`) }

func (d *Understanding) byName(name string) *values.Param {
	for _, p := range d.Study.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// typeWords describes an input's type for a person.
func (d *Understanding) typeWords(s workflow.InputSpec) string {
	p := d.byName(s.Name)
	if p != nil && s.Kind == capture.KindDate && len(p.Texts) > 0 {
		if f, _ := workflow.DateForm(p.Texts[0]); f != "" {
			return "date, " + f
		}
	}
	if p != nil && s.Kind == capture.KindFile && p.Act != nil && p.Act.Verb == capture.Type {
		return "file name"
	}
	return KindWords(s)
}

func (d *Understanding) constants() []string {
	var out []string
	for _, p := range d.params {
		if p.Role == workflow.RoleConstant && len(p.UsedIn) > 0 {
			out = append(out, constantWords(p))
		}
	}
	return out
}

func (d *Understanding) computed() []string {
	var out []string
	for _, p := range d.params {
		if p.Derived != "" && d.shown(p.Name) {
			if p.Read != nil && p.Read.Document != nil && p.Read.Document.File != "" {
				out = append(out, fmt.Sprintf("`%s`: %s. %s", p.Name, p.Derived, readWords(p)))
				continue
			}
			out = append(out, fmt.Sprintf("`%s`: %s", p.Name, strings.NewReplacer("{", "`", "}", "`").Replace(p.Derived)))
		}
	}
	return out
}

// shown reports whether a derived value appears in the texts of the skill.
func (d *Understanding) shown(name string) bool {
	in := "{" + name + "}"
	for _, s := range d.Steps {
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

func writeBefore(d *Understanding, w *md) {
	var items []string
	for _, s := range d.Places.Sites {
		name := d.Places.names[s]
		at := cmp.Or(d.Places.starts[s], s)
		item := fmt.Sprintf("A browser at %s", at)
		if name != "" {
			item = fmt.Sprintf("%s open in a browser: %s", name, at)
		}
		if slices.Contains(d.Places.signedIn, s) {
			item += ". The user is signed in there; if not, ask the user to sign in, and never ask for or enter a password yourself"
		}
		items = append(items, item+".")
	}
	if len(d.Places.Commands) > 0 {
		items = append(items, "A terminal with "+intent.AndList(codes(d.Places.Commands))+".")
	} else if slices.Contains(d.Places.surfaces, workflow.OnShell) {
		items = append(items, "A terminal.")
	}
	if tools := d.tools(); len(tools) > 0 {
		items = append(items, "The agent's "+toolsWord(len(tools))+" "+intent.AndList(codes(tools))+".")
	}
	for _, c := range d.Places.Connectors {
		tools := d.connectorTools(c)
		items = append(items, fmt.Sprintf("The connector `%s`, which Showhow's own MCP server (`showhow mcp`) offers, with its %s %s. If it is "+
			"missing or needs a sign-in, tell the user; `showhow connector list` shows what is missing.", c, toolsWord(len(tools)),
			intent.AndList(codes(tools))))
	}
	if len(d.Places.devices) > 0 {
		items = append(items,
			fmt.Sprintf(
				"A way to send MIDI to what %s controlled. Notes, knobs and programs below are MIDI numbers, on channel 1 unless another is named.",
				intent.AndList(inQuotes(d.Places.devices))))
	}
	if f := d.Places.folder; f != "" && f != "~" && slices.Contains(d.Places.surfaces, workflow.OnShell) {
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

// tools returns the tools that an agent needs, by the names that agents use.
func (d *Understanding) tools() []string {
	var out []string
	for _, st := range d.Steps {
		if st.Act.IsCall() && st.Act.File == nil && st.Connector == "" && !slices.Contains(out, st.Act.Call.Tool) {
			out = append(out, st.Act.Call.Tool)
		}
	}
	return out
}

// connectorTools returns the tools of a connector, by their names at the door.
func (d *Understanding) connectorTools(connector string) (out []string) {
	for _, st := range d.Steps {
		if st.Connector == connector && !slices.Contains(out, st.Tool) {
			out = append(out, st.Tool)
		}
	}
	return out
}

func toolsWord(n int) string { return plural("tool", n) }

func (d *Understanding) usesDownload() bool {
	return slices.ContainsFunc(d.Steps, func(s *flow.Step) bool { return s.Verb == capture.Download })
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

// writeCheckpoints writes the main part: the states in order, how to recognise them, and what the demonstration did on
// the way, as a hint and never as a script of clicks (DOC3 0C.9A).
func writeCheckpoints(d *Understanding, w *md) {
	w.head(2, "Checkpoints")
	switch d.In.ExecutionMode {
	case "strict":
		w.para("Reach these states in this order. Verify each one before you go on; if one cannot be verified, stop and say so.")
	case "adaptive":
		w.para("These are the results that count. How you get there is up to you; the hints say how it was done once.")
	default:
		w.para(
			"Reach these states in order, and check each before going on. How you get there is up to you; the hints say how it was done before.")
	}
	if d.hasOpenText() {
		w.para("`...` stands for text that varies.")
	}
	for _, l := range d.loops {
		if which := d.checkpointsOf(l); which != "" {
			w.para("Repeat %s for %s%s.", which, l.Over, d.onceBefore(l))
		} else {
			w.para("For %s: %s.", l.Over, d.loopWithoutCheckpoint(l))
		}
	}
	rest, told := d.Steps, 0
	for i, c := range d.cps {
		var part []*flow.Step
		part, rest = upTo(rest, c.StepID)
		if n := c.Seg.Outcome.Part; n > told {
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
		w.para("None could be observed. Ask the user how to recognise success.")
	} else if hint := flow.Story(rest, d.Names); hint != "" && len(rest) > 0 && rest[len(rest)-1].Act.Command != nil {
		w.para("After the last one, the demonstration looked at the result: it %s.", hint)
	}
}

// hasOpenText reports whether a checkpoint contains "...".
func (d *Understanding) hasOpenText() bool {
	return slices.ContainsFunc(d.cps, func(c *prove.Candidate) bool { return strings.Contains(c.Goal+c.SuccessCondition, "...") })
}

// partIntro introduces a part of the work that can be requested alone.
func (d *Understanding) partIntro(n int) string {
	what := ""
	for _, c := range d.cps {
		if c.Seg.Outcome.Part == n {
			what = flow.RequestFor(c.Seg.Outcome, d.Names)
		}
	}
	return fmt.Sprintf("**Part %d: %s.** It can be requested on its own if the earlier results already exist.", n,
		plain.LowerFirst(strings.TrimRight(what, ".")))
}

func (d *Understanding) writeCheckpoint(w *md, i int, c *prove.Candidate, part []*flow.Step) {
	w.head(3, fmt.Sprintf("%d. %s (%s)", i+1, c.Goal, c.CheckpointID))
	w.line("- How to tell: %s", lowerQuoted(c.SuccessCondition))
	told := slices.DeleteFunc(slices.Clone(part), func(s *flow.Step) bool { return s.Optional && s.Condition != "" })
	if ways := slices.DeleteFunc(slices.Clone(told), func(s *flow.Step) bool { return s != c.Seg.Outcome && s.JustLooks() }); len(ways) > 0 {
		told = ways // looking at the result is not part of the way; references/steps.md lists it
	}
	if hint := flow.Story(told, d.Names); hint != "" {
		w.line("- In the demonstration: %s.", hint)
	}
	for _, st := range part {
		if st.Grave {
			w.line(`- Ask the user before this step: %s cannot easily be undone.`, page.QuoteOr(st.Label(), "it"))
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

// onceBefore says where the repeated part begins if its first checkpoint includes steps that are done once.
func (d *Understanding) onceBefore(l workflow.Loop) string {
	var part []*flow.Step
	rest := d.Steps
	for _, c := range d.cps {
		part, rest = upTo(rest, c.StepID)
		if !slices.Contains(l.Steps, c.StepID) {
			continue
		}
		for _, st := range part {
			if st.StepID == l.Steps[0] {
				if st != part[0] {
					return ", starting with: " + strings.TrimRight(plain.LowerFirst(st.Title), ".") + ". The steps before it are done once"
				}
				return ""
			}
		}
	}
	return ""
}

// loopWithoutCheckpoint describes a loop without checkpoints: what is done for each item, and that the rest is done once.
func (d *Understanding) loopWithoutCheckpoint(l workflow.Loop) string {
	var each []string
	for _, st := range d.Steps {
		if slices.Contains(l.Steps, st.StepID) {
			each = append(each, strings.TrimRight(plain.LowerFirst(st.Title), "."))
		}
	}
	return intent.AndList(each) + ". The steps after it are done once, for all items"
}

// checkpointsOf names the checkpoints of a loop, "checkpoints 2 to 4", or returns "" if there are none.
func (d *Understanding) checkpointsOf(l workflow.Loop) string {
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

// upTo splits the steps after the one with the id.
func upTo(steps []*flow.Step, id string) (part, rest []*flow.Step) {
	for i, st := range steps {
		if st.StepID == id {
			return steps[:i+1], steps[i+1:]
		}
	}
	return nil, steps
}

func writeRecovery(d *Understanding, w *md) {
	w.head(2, "If something goes wrong")
	items := slices.Clone(d.recover)
	if len(items) > maxShown {
		items = items[:maxShown]
	}
	items = append(items,
		"If a checkpoint cannot be reached, stop there. Say which one it was and what you see instead; do not try something else that changes "+
			"data.")
	w.list(items)
}

func writeSuccess(d *Understanding, w *md) {
	if len(d.Interp.SuccessConditions) == 0 {
		return
	}
	w.head(2, "At the end")
	only := onlyMessages(d)
	if only {
		w.para("Only a message confirmed the result in the demonstration. Do not rely on it alone: open the changed item again and check.")
	} else {
		w.para("The work is done when all of this is true; a message that says so is not enough:")
	}
	conditions := d.Interp.SuccessConditions
	if len(conditions) > maxShown {
		conditions = conditions[:maxShown]
	}
	w.list(conditions)
}

// onlyMessages reports whether only messages confirmed what was changed.
func onlyMessages(d *Understanding) bool {
	effects := 0
	for _, c := range d.cps {
		if !c.Changes {
			continue
		}
		effects++
		for _, ch := range c.Checks() {
			if ch.Kind != "alert" && ch.Kind != "dialog" {
				return false
			}
		}
	}
	return effects > 0
}

func writeReporting(d *Understanding, w *md) {
	if len(d.cps) == 0 {
		return
	}
	w.head(2, "Reporting")
	w.para("Optional. Where Showhow is installed, report each checkpoint, so that its owner can see how well the skill works:")
	w.line("```sh")
	w.line(`showhow checkpoint verify %s --ability %s --status reached --evidence "what you saw"`, d.cps[0].CheckpointID, d.Slug)
	w.line("```")
	w.blank()
	other := ""
	if d.hasWays() {
		other = " If you did not use the preferred way, name the one you used, as in `--surface raw_ui`."
	}
	if slices.Contains(d.Places.surfaces, workflow.OnBrowser) {
		other += " If a control has another name now, say so: `--renamed \"OLD=NEW\"`."
	}
	w.para("The status is `reached`, `skipped` or `failed`. Put no personal data into the evidence.%s", other)
}
