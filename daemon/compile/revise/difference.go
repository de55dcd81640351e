package revise

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/write"
	"showhow/daemon/workflow"
)

// Difference describes in sentences how another draft of the same work differs: inputs, steps, checkpoints, conditions,
// phrases. It matches things by id. It returns nil when nothing that a person reads has changed.
func Difference(before, after draft.Output) []string {
	var c delta
	c.text("The title", before.Title, after.Title)
	c.text("The name", before.Slug, after.Slug)
	c.text("The goal", before.Interpretation.GoalSummary, after.Interpretation.GoalSummary)
	c.inputs(before.Graph, after.Graph)
	c.steps(before.Graph, after.Graph)
	c.checkpoints(before.Interpretation.Checkpoints, after.Interpretation.Checkpoints)
	c.lists("When to use it", before.Interpretation.UseConditions, after.Interpretation.UseConditions)
	c.lists("When not to use it", before.Interpretation.NonUseConditions, after.Interpretation.NonUseConditions)
	c.lists("Success", before.Interpretation.SuccessConditions, after.Interpretation.SuccessConditions)
	c.lists("Phrases that call it", before.TriggerPhrases, after.TriggerPhrases)
	c.lists("Phrases that do not call it", before.NegativeTriggers, after.NegativeTriggers)
	c.manifest(before.Manifest, after.Manifest)
	return c.out
}

// maxChanges bounds the differences that are listed for two drafts that have little in common.
const maxChanges = 60

type delta struct{ out []string }

func (c *delta) say(format string, args ...any) {
	if len(c.out) < maxChanges {
		c.out = append(c.out, page.Cut(fmt.Sprintf(format, args...), 300))
	}
}

func (c *delta) text(what, before, after string) {
	if before != after {
		c.say("%s is now: %s", what, strings.TrimSpace(after))
	}
}

func (c *delta) lists(what string, before, after []string) {
	for _, s := range after {
		if !slices.Contains(before, s) {
			c.say("%s, new: %s", what, s)
		}
	}
	for _, s := range before {
		if !slices.Contains(after, s) {
			c.say("%s, no longer: %s", what, s)
		}
	}
}

func (c *delta) inputs(before, after workflow.Graph) {
	for _, p := range after.Params {
		if p.Derived != "" {
			continue
		}
		i := slices.IndexFunc(before.Params, func(o workflow.Param) bool { return o.ParamID == p.ParamID })
		if i < 0 {
			c.say("New %s: %s", roleWords(p), p.Name)
			continue
		}
		o := before.Params[i]
		if o.Name != p.Name {
			c.say("%s is now called %s", o.Name, p.Name)
		}
		switch {
		case roleWords(o) != roleWords(p) && p.Role == workflow.RoleConstant:
			c.say("%s is now a constant: %s", p.Name, p.Default)
		case roleWords(o) != roleWords(p):
			c.say("%s is now %s", p.Name, intent.Article(roleWords(p)))
		case p.Role == workflow.RoleConstant && o.Default != p.Default:
			c.say("%s is now always %s", p.Name, p.Default)
		case o.Default != p.Default:
			c.say("%s has the default: %s", p.Name, cmp.Or(p.Default, "none"))
		}
		if o.Kind != p.Kind {
			c.say("%s is now of the type %s", p.Name, write.KindWords(workflow.InputSpec{Kind: p.Kind}))
		}
		if o.Required != p.Required && p.Role != workflow.RoleConstant && p.Default == o.Default {
			c.say("%s is now %s", p.Name, map[bool]string{true: "required", false: "optional"}[p.Required])
		}
		c.text("The example of "+p.Name, o.Example, p.Example)
		c.text("The description of "+p.Name, o.Description, p.Description)
	}
	for _, o := range before.Params {
		if o.Derived == "" && !slices.ContainsFunc(after.Params, func(p workflow.Param) bool { return p.ParamID == o.ParamID }) {
			c.say("No longer: %s", o.Name)
		}
	}
}

func roleWords(p workflow.Param) string {
	switch p.Role {
	case workflow.RoleConstant:
		return "constant"
	case workflow.RoleDropped:
		return "value that is left out"
	}
	return "input"
}

func (c *delta) steps(before, after workflow.Graph) {
	names := renamed(before, after)
	last := -1
	for i, s := range after.Steps {
		k := slices.IndexFunc(before.Steps, func(o workflow.Step) bool { return o.StepID == s.StepID })
		if k < 0 {
			c.say("New step %d: %s", i+1, s.Title)
			continue
		}
		o := before.Steps[k]
		if names.Replace(o.Title) != s.Title {
			c.say("Step %d is now: %s", i+1, s.Title)
		}
		if was, now := controlOf(o), controlOf(s); was != now && was != "" && now != "" {
			c.say("Step %d acts on %s, it was %s", i+1, now, was)
		}
		if o.Optional != s.Optional || names.Replace(o.Condition) != s.Condition {
			switch {
			case !s.Optional:
				c.say("Step %d is now always taken: %s", i+1, s.Title)
			default:
				c.say("Step %d is now taken only when %s: %s", i+1, cmp.Or(s.Condition, "it is needed"), s.Title)
			}
		}
		if o.Grave != s.Grave && s.Grave {
			c.say("The user is asked before step %d: %s", i+1, s.Title)
		}
		if o.Part != s.Part && s.Part > 0 && (i == 0 || after.Steps[i-1].Part != s.Part) {
			c.say("Part %d begins with step %d: %s", s.Part, i+1, s.Title)
		}
		if k < last {
			c.say("Step %d comes later than before", i+1)
		}
		last = max(last, k)
	}
	for _, o := range before.Steps {
		if !slices.ContainsFunc(after.Steps, func(s workflow.Step) bool { return s.StepID == o.StepID }) {
			c.say("Left out: %s", o.Title)
		}
	}
}

// controlOf describes the control of a step as a person would; "" for a control that an input names.
func controlOf(s workflow.Step) string {
	if s.Target == nil || s.ParamID != "" && strings.Contains(page.TargetName(s.Target), "{") {
		return ""
	}
	name := page.TargetName(s.Target)
	if name == "" {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%s “%s”", cmp.Or(s.Target.Role, "the control"), name))
}

// renamed replaces the old names of inputs by the new ones: renaming an input does not change a step.
func renamed(before, after workflow.Graph) *strings.Replacer {
	var pairs []string
	for _, p := range after.Params {
		for _, o := range before.Params {
			if o.ParamID == p.ParamID && o.Name != p.Name {
				pairs = append(pairs, "{"+o.Name+"}", "{"+p.Name+"}")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

func (c *delta) checkpoints(before, after []workflow.Checkpoint) {
	for _, k := range after {
		i := slices.IndexFunc(before, func(o workflow.Checkpoint) bool { return o.CheckpointID == k.CheckpointID })
		switch {
		case i < 0:
			c.say("New checkpoint %s: %s", k.CheckpointID, k.SuccessCondition)
		case before[i].SuccessCondition != k.SuccessCondition:
			c.say("Checkpoint %s is now: %s", k.CheckpointID, k.SuccessCondition)
			if reflect.DeepEqual(before[i].Check, k.Check) && reflect.DeepEqual(before[i].MoreChecks, k.MoreChecks) {
				c.say("Only the text of %s was changed: %s", k.CheckpointID, stillChecked(k))
			} else {
				c.say("What a rehearsal checks at %s has changed, too", k.CheckpointID)
			}
		case before[i].Goal != k.Goal:
			c.say("Checkpoint %s is now about: %s", k.CheckpointID, k.Goal)
		}
	}
	for _, o := range before {
		if !slices.ContainsFunc(after, func(k workflow.Checkpoint) bool { return k.CheckpointID == o.CheckpointID }) {
			c.say("No longer a checkpoint: %s", o.Goal)
		}
	}
}
