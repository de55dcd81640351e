package rehearse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"showhow/daemon/ability"
	"showhow/daemon/compile"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/write"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

var checkpointRules = []string{"CKP-001", "CKP-002", "CKP-003", "CKP-004", "CKP-005", "CKP-006", "CKP-007", "CKP-008", "CKP-009"}

// lint checks checkpoints and bundle again, and adds what the compilation found with opened values.
func (e *exam) lint() error {
	d := e.Req.Draft
	findings := append(slices.Clone(d.Lint.Findings), prove.Lint(d.Graph, d.Interpretation, d.Bundle, nil).Findings...)
	for _, rule := range checkpointRules {
		e.finding(strings.ToLower(rule), "checkpoints keep "+rule, findings, func(f compile.Finding) bool { return f.Rule == rule })
	}
	e.finding("bundle", "the bundle is a valid skill", findings, func(f compile.Finding) bool {
		return !slices.Contains(checkpointRules, f.Rule)
	})
	if d.Verdict.Result == "cannot" {
		e.Add("verdict", "the demonstration can become a skill", record.StepFailed, "cannot_generalise", d.Verdict.Reason)
	}
	return nil
}

func (e *exam) finding(id, label string, all []compile.Finding, is func(compile.Finding) bool) {
	result, code := record.StepPassed, ""
	var told []string
	for _, f := range all {
		if !is(f) {
			continue
		}
		text := strings.TrimSpace(f.Subject + ": " + f.Message)
		if f.Severity == "error" {
			result, code = record.StepFailed, f.Rule
		}
		if !slices.Contains(told, text) {
			told = append(told, text)
		}
	}
	e.Add(id, label, result, code, strings.Join(told, "; "))
}

// triggers asks lookup's matcher, with this draft beside what is installed.
func (e *exam) triggers(ctx context.Context) error {
	f, ok := skill.TriggerTestsOf(e.Req.Draft.Bundle)
	if !ok {
		e.Add("file", "the skill has trigger tests", record.StepFailed, "no_tests", "tests/triggers.json is missing or not valid JSON")
		return nil
	}
	rivals, err := e.rivals(ctx)
	if err != nil {
		return err
	}
	if len(f.Positives) == 0 {
		e.Add("file", "the skill has trigger tests", record.StepFailed, "no_tests", "it has no phrase that must call the skill")
	}
	me := ability.Phrases{ID: e.Req.Run.ProposalID, Title: e.Req.Draft.Title, TriggerPhrases: e.Req.Draft.TriggerPhrases,
		NegativeTriggers: e.Req.Draft.NegativeTriggers}.Entry()
	m := ability.NewMatcher(append(rivals, me)...)
	for i, p := range f.Positives {
		e.positive(fmt.Sprintf("positive.%d", i+1), p, m, me.AbilityID)
	}
	e.paraphrases(f.Paraphrases, m, me.AbilityID)
	for i, p := range f.Negatives {
		s := m.Score(p, me.AbilityID, "")
		id, label := fmt.Sprintf("negative.%d", i+1), fmt.Sprintf("%q does not call the skill", p)
		if s.Routed() {
			e.Add(id, label, record.StepFailed, "matched", strings.Join(s.Reasons, "; "))
		} else {
			e.Pass(id, label, fmt.Sprintf("score %.2f", s.Score))
		}
	}
	return nil
}

// rivals lists the installed abilities that lookup could return instead, without the one that the draft replaces.
func (e *exam) rivals(ctx context.Context) ([]ability.AvailabilityEntry, error) {
	if e.r.o.Installed == nil {
		return nil, nil
	}
	all, err := e.r.o.Installed(ctx)
	return slices.DeleteFunc(slices.Clone(all), func(a ability.AvailabilityEntry) bool {
		return a.AbilityID == e.Req.Run.AbilityID && a.AbilityID != "" || a.SkillSlug == e.Req.Draft.Slug ||
			a.InstallLane == ability.LaneQuarantined || !a.UsableNow
	}), err
}

func (e *exam) positive(id, phrase string, m *ability.Matcher, me string) {
	label := fmt.Sprintf("%q calls the skill", phrase)
	mine := m.Score(phrase, me, "")
	if !mine.Routed() {
		e.Add(id, label, record.StepFailed, "no_match", strings.Join(append(mine.Rejections, mine.Reasons...), "; "))
		return
	}
	if rival, ok := m.Rival(phrase, me); ok { // by the words alone: lane and health do not count here
		result, how := record.StepSkipped, "about as well"
		if rival.Better {
			result, how = record.StepFailed, "better"
		}
		e.Add(id, label, result, record.CodeCollision,
			fmt.Sprintf("the ability %s answers it %s (%.2f against %.2f)", rival.Slug, how, rival.Relevance, rival.Mine))
		return
	}
	e.Pass(id, label, fmt.Sprintf("score %.2f: %s", mine.Score, strings.Join(mine.Reasons, "; ")))
}

// paraphrases are measured together, not demanded one by one: at least half must reach the skill.
func (e *exam) paraphrases(phrases []string, m *ability.Matcher, me string) {
	if len(phrases) == 0 {
		return
	}
	n := 0
	for _, p := range phrases {
		if m.Score(p, me, "").Routed() {
			n++
		}
	}
	label, details := "other ways to ask reach the skill", fmt.Sprintf("%d of %d", n, len(phrases))
	if 2*n < len(phrases) {
		e.Add("paraphrases", label, record.StepFailed, "weak_triggers", details)
		return
	}
	e.Pass("paraphrases", label, details)
}

// dependencies checks what the skill needs: commands on PATH, sites named where the agent reads, files and support
// packs.
func (e *exam) dependencies(ctx context.Context) error {
	d := e.Req.Draft
	for _, c := range d.RequiredCommands {
		if _, err := e.lookPath(c); err != nil {
			e.Add("command."+c, fmt.Sprintf("the command %q is installed", c), record.StepFailed, "command_missing", "it is not on PATH here")
		} else {
			e.Pass("command."+c, fmt.Sprintf("the command %q is installed", c), "")
		}
	}
	for _, c := range d.ConnectorHints {
		e.connector(ctx, c, "")
	}
	doc, err := skill.Parse(d.Bundle)
	if err != nil {
		return err
	}
	for _, s := range d.RequiredSites {
		label := fmt.Sprintf("SKILL.md names the site %s", s)
		if strings.Contains(doc.Body+doc.Compatibility+doc.Description, s) {
			e.Pass("site."+s, label, "the site itself was not contacted")
		} else {
			e.Add("site."+s, label, record.StepFailed, "site_not_named", "an agent could not know that it needs the site")
		}
	}
	return errors.Join(e.smoke(), e.packs(ctx))
}

// smoke checks the files that tests/smoke.json requires; dependencies checks its sites and commands.
func (e *exam) smoke() error {
	var f write.SmokeFile
	file := e.Req.Draft.Bundle.File("tests/smoke.json")
	if file == nil {
		return nil
	}
	if err := json.Unmarshal(file.Data, &f); err != nil {
		e.Add("smoke", "tests/smoke.json can be read", record.StepFailed, "no_tests", "it is not valid JSON of this format")
		return nil
	}
	for _, t := range f.Tests {
		if t.Kind != "bundle_file" {
			continue
		}
		if e.Req.Draft.Bundle.File(t.Target) == nil {
			e.Add("file."+t.Target, "the skill holds "+t.Target, record.StepFailed, "file_missing", "")
		} else {
			e.Pass("file."+t.Target, "the skill holds "+t.Target, "")
		}
	}
	return nil
}

// packs checks the support packs. A pack that is bound to no place is reported: nobody could check whether it is
// there.
func (e *exam) packs(ctx context.Context) error {
	file := e.Req.Draft.Bundle.File(skill.SupportPackFile)
	if file == nil {
		return nil
	}
	var f skill.SupportPackList
	if err := json.Unmarshal(file.Data, &f); err != nil {
		e.Add("packs", "support-packs.json can be read", record.StepFailed, "support_pack", "it is not valid JSON of this format")
		return nil
	}
	for _, p := range f.SupportPacks {
		if err := e.pack(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (e *exam) pack(ctx context.Context, name string) (err error) {
	at := ""
	if e.r.o.SupportPack != nil {
		if at, err = e.r.o.SupportPack(ctx, e.Req.Draft.CapabilityID, name); err != nil {
			return err
		}
	}
	id, label := "pack."+name, fmt.Sprintf("the support pack %q is there", name)
	if at == "" {
		e.Add(id, label, record.StepSkipped, record.CodeNotExamined,
			"it is bound to no folder; `showhow ability configure --pack "+name+"=FOLDER` binds it")
		return nil
	}
	if _, err := os.Stat(at); err != nil {
		e.Add(id, label, record.StepFailed, "support_pack", "the folder it is bound to cannot be read")
		return nil
	}
	e.Pass(id, label, "")
	return nil
}

func (e *exam) lookPath(command string) (string, error) {
	if e.r.o.Env.LookPath == nil {
		return lookPath(command)
	}
	return e.r.o.Env.LookPath(command)
}

// adapters checks that what observed the demonstration, and what an agent would act through, is here.
func (e *exam) adapters(ctx context.Context) error {
	for _, k := range e.Req.Adapters {
		e.adapter("observe."+k, fmt.Sprintf("%s can observe here", k), k)
	}
	for _, s := range policy.SurfacesOf(e.Req.Draft.Graph) {
		id, label := "surface."+s, fmt.Sprintf("steps on the surface %q can be taken here", s)
		switch s {
		case policy.OnShell:
			if _, err := e.lookPath("sh"); err != nil {
				e.Add(id, label, record.StepFailed, "adapter_missing", "no shell was found")
			} else {
				e.Pass(id, label, "")
			}
		case policy.OnBrowser, policy.OnMIDI:
			e.adapter(id, label, s)
		case policy.OnConnector:
			e.tools(ctx, id, label)
		case policy.OnProgram:
			e.Pass(id, label, "dependency_check looks for its commands")
		default:
			e.Pass(id, label, "an agent brings its own tools")
		}
	}
	if len(e.Req.Adapters) == 0 && len(e.Req.Draft.Graph.Steps) == 0 {
		e.Add("surface", "the draft has steps", record.StepFailed, record.CodeNotExamined, "there is nothing that could be done")
	}
	return nil
}

// connector checks whether a connector can be used now, calling none of its tools.
func (e *exam) connector(ctx context.Context, id, tool string) {
	label := fmt.Sprintf("the connector %q can be used", id)
	if e.r.o.Door == nil {
		e.Add("connector."+id, label, record.StepSkipped, record.CodeNotExamined, "it cannot be determined")
		return
	}
	if err := e.r.o.Door.Try(ctx, id, tool); err != nil {
		f := fault.From(err)
		e.Add("connector."+id, label, record.StepFailed, "connector_missing", strings.TrimSuffix(f.Message+"; "+f.Hint, "; "))
		return
	}
	e.Pass("connector."+id, label, "")
}

// tools checks that the tools that steps call exist and may be called.
func (e *exam) tools(ctx context.Context, id, label string) {
	if e.r.o.Door == nil {
		e.Add(id, label, record.StepSkipped, record.CodeNotExamined, "it cannot be determined")
		return
	}
	for _, s := range e.Req.Draft.Graph.Steps {
		if s.Surface != policy.OnConnector {
			continue
		}
		if err := e.r.o.Door.Try(ctx, s.Connector, s.Tool); err != nil {
			e.Add(id, label, record.StepFailed, "connector_missing", fault.From(err).Message)
			return
		}
	}
	e.Pass(id, label, "")
}

func (e *exam) adapter(id, label, kind string) {
	if e.r.o.Env.Adapter == nil {
		e.Add(id, label, record.StepSkipped, record.CodeNotExamined, "it cannot be determined")
		return
	}
	if ok, why := e.r.o.Env.Adapter(kind); !ok {
		e.Add(id, label, record.StepFailed, "adapter_missing", why)
		return
	}
	e.Pass(id, label, "")
}
