package revise

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/model"
	"showhow/internal/lazyre"
)

// The ids of a draft's texts: "title" and "goal", and prefixes of the others.
const (
	textTitle  = "title"
	textGoal   = "goal"
	textUse    = "use "
	textNonUse = "not "
	textInput  = "input "
	textName   = "name of "
	textState  = "state of "
	textStep   = "step "
)

// Wording lists the texts of a draft that may be reworded without changing the work: titles, descriptions and prose, the
// most prominent first. Trigger phrases are excluded: they decide when the skill is called.
func Wording(o draft.Output) []model.Text {
	it := o.Interpretation
	out := []model.Text{{ID: textTitle, Kind: model.Title, Text: it.Title, Max: 160}}
	if !strings.HasPrefix(it.GoalSummary, it.Title) { // otherwise it follows the title
		out = append(out, model.Text{ID: textGoal, Kind: model.Goal, Text: it.GoalSummary, Max: 600})
	}
	for i, s := range it.UseConditions {
		out = append(out, model.Text{ID: textUse + strconv.Itoa(i), Kind: model.Use, Text: s, Max: 240})
	}
	for i, s := range it.NonUseConditions {
		out = append(out, model.Text{ID: textNonUse + strconv.Itoa(i), Kind: model.NonUse, Text: s, Max: 240})
	}
	for _, s := range it.Inputs {
		out = append(out, model.Text{ID: textInput + s.Name, Kind: model.Input, Text: s.Description, Max: 240})
	}
	for _, c := range it.Checkpoints {
		out = append(out, model.Text{ID: textName + c.CheckpointID, Kind: model.Checkpoint, Text: c.Goal, Max: 240},
			model.Text{ID: textState + c.CheckpointID, Kind: model.Condition, Text: c.SuccessCondition, Max: 240})
	}
	for _, s := range o.Graph.Steps {
		out = append(out, model.Text{ID: textStep + s.StepID, Kind: model.Step, Text: s.Title, Max: 160})
	}
	return slices.DeleteFunc(out, func(t model.Text) bool { return strings.TrimSpace(t.Text) == "" })
}

// KnownValues returns the values that a draft's texts may contain because a person chose to keep them or a page offers
// them.
func KnownValues(o draft.Output) []string {
	var out []string
	for _, p := range o.Graph.Params {
		out = append(out, append([]string{p.Default, p.Example}, p.Options...)...)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// WordingEdits turns new texts, keyed by id, into edits to be added to those that made the draft. The folder name and
// the phrases do not change.
func WordingEdits(o draft.Output, soFar map[string]any, said map[string]string) map[string]any {
	edits := map[string]any{}
	put := func(key, who, text string) {
		m, _ := edits[key].(map[string]any)
		if m == nil {
			m = map[string]any{}
			edits[key] = m
		}
		m[who] = text
	}
	replaced := func(key, prefix string, list []string) {
		out, changed := []any{}, false
		for i, s := range list {
			t, ok := said[prefix+strconv.Itoa(i)]
			if changed = changed || ok; ok {
				s = t
			}
			out = append(out, s)
		}
		if changed {
			edits[key] = out
		}
	}
	if t, ok := said[textTitle]; ok {
		edits[decision.EditTitle], edits[decision.EditSlug] = t, o.Slug
		edits[decision.EditPhrasesOf] = cmp.Or(decision.Edits(soFar).Text(decision.EditPhrasesOf), o.Interpretation.Title)
	}
	if t, ok := said[textGoal]; ok {
		edits[decision.EditGoal] = t
	}
	replaced(decision.EditUse, textUse, o.Interpretation.UseConditions)
	replaced(decision.EditNonUse, textNonUse, o.Interpretation.NonUseConditions)
	cps := map[string]map[string]any{}
	for id, t := range said {
		switch {
		case strings.HasPrefix(id, textInput):
			put(decision.EditDescriptions, strings.TrimPrefix(id, textInput), t)
		case strings.HasPrefix(id, textStep):
			put(decision.EditRenameSteps, strings.TrimPrefix(id, textStep), t)
		case strings.HasPrefix(id, textName), strings.HasPrefix(id, textState):
			cp := strings.TrimPrefix(strings.TrimPrefix(id, textName), textState)
			if cps[cp] == nil {
				cps[cp] = wordedCheckpoint(o, cp)
			}
			if strings.HasPrefix(id, textName) {
				cps[cp]["goal"] = t
			} else {
				cps[cp]["success_condition"] = t
			}
		}
	}
	if len(cps) > 0 {
		all := map[string]any{}
		for id, m := range cps {
			all[id] = m
		}
		edits[decision.EditCheckpoints] = all
	}
	return edits
}

// wordedCheckpoint returns both texts of a checkpoint: an edit of one must not lose an earlier edit of the other.
func wordedCheckpoint(o draft.Output, id string) map[string]any {
	for _, c := range o.Interpretation.Checkpoints {
		if c.CheckpointID == id {
			return map[string]any{"goal": c.Goal, "success_condition": c.SuccessCondition}
		}
	}
	return map[string]any{}
}

// OtherWork lists the parts of a draft that differ, texts excluded; none when only the wording changed.
func OtherWork(before, after draft.Output) []string {
	a, b := withoutTexts(before), withoutTexts(after)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if a[k] != b[k] {
			out = append(out, k)
		}
	}
	return out
}

// exactText matches the parts of SKILL.md that rewording must not change: commands, addresses, links and {inputs}.
var exactText = lazyre.New("`[^`\n]*`" + `|https?://[^\s)]+|\]\([^)]*\)|\{[^{}\s]*\}`)

// withoutTexts returns a draft without its texts, by part, as JSON.
func withoutTexts(o draft.Output) map[string]string {
	g, it := o.Graph, o.Interpretation
	g.Steps, g.Params = slices.Clone(g.Steps), slices.Clone(g.Params)
	for i := range g.Steps {
		g.Steps[i].Title = ""
	}
	for i := range g.Params {
		g.Params[i].Description = ""
	}
	it.Checkpoints, it.Inputs = slices.Clone(it.Checkpoints), slices.Clone(it.Inputs)
	for i := range it.Checkpoints {
		it.Checkpoints[i].Goal, it.Checkpoints[i].SuccessCondition = "", ""
	}
	for i := range it.Inputs {
		it.Inputs[i].Description = ""
	}
	var files, exact []string
	for _, f := range o.Bundle.Files {
		files = append(files, f.Path)
		if strings.HasSuffix(f.Path, ".md") {
			exact = append(exact, exactText.FindAllString(string(f.Data), -1)...)
		}
	}
	slices.Sort(files)
	slices.Sort(exact)
	parts := map[string]any{"steps": g.Steps, "inputs": []any{g.Params, it.Inputs}, "loops": g.Loops, "checkpoints": it.Checkpoints,
		"phrases": []any{o.TriggerPhrases, o.NegativeTriggers, o.Generated}, "name": []string{o.Slug, o.CapabilityID, o.Family},
		"needs": [][]string{o.RequiredSites, o.RequiredCommands, o.RequiredAdapters, o.ConnectorHints}, "scope": []any{
			it.ProjectScope, it.PreferredControlSurfaces},
		"conditions": []int{len(it.UseConditions), len(it.NonUseConditions), len(it.SuccessConditions)}, "files": files,
		"commands and addresses": slices.Compact(exact)}
	out := map[string]string{}
	for k, v := range parts {
		b, _ := json.Marshal(v) // texts, numbers and lists: cannot fail
		out[k] = string(b)
	}
	return out
}
