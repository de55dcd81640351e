package scan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// compatibility is the report on whether the skill can stand beside the others: form, dialect, collisions.
func (b *bundle) compatibility() report.Compatibility {
	c := report.Compatibility{Compatible: true, RuleVersion: RuleVersion, PortabilityGrade: "direct", ToolShadowingCheck: "clear",
		Findings: []report.CompatibilityFinding{}, RecommendedFixes: []string{}, SchemaVersion: 1}
	compare := comparison{&c}
	compare.lint(b)
	compare.collisions(b)
	slices.Sort(c.RecommendedFixes)
	c.RecommendedFixes = slices.Compact(c.RecommendedFixes)
	for _, f := range c.Findings {
		if f.Severity == "error" {
			c.Compatible = false
		}
	}
	switch {
	case !c.Compatible && c.ToolShadowingCheck == "clear":
		c.PortabilityGrade = "not_portable"
	case c.RequiresAdapter:
		c.PortabilityGrade = "adapter_needed"
	}
	return c
}

// comparison is a report on compatibility that is being written.
type comparison struct{ *report.Compatibility }

func (c comparison) add(code, severity, message, hint, fix string) {
	if len(c.Findings) < 200 {
		c.Findings = append(c.Findings, report.CompatibilityFinding{Code: code, Severity: severity, Message: message,
			PathHint: source.Short(source.Visible(hint), 200)})
	}
	if fix != "" {
		c.RecommendedFixes = append(c.RecommendedFixes, source.Short(fix, 230))
	}
}

// dialectKeys are keys outside the standard that some agent reads: they can be carried over.
var dialectKeys = source.Words("version triggers trigger-phrases trigger_phrases negative-triggers negative_triggers tags support-packs " +
	"support_packs author homepage model user-invocable user_invocable disable-model-invocation context agent hooks argument-hint tools " +
	"category emoji requires when_to_use mode permissionMode skills")

// lint is the form, by the rules of package skill.
func (c comparison) lint(b *bundle) {
	if b.entry == nil || b.entry.Path != skill.Entry {
		c.add("SKILL-MISSING", "error", "there is no SKILL.md at the top of the folder", "", "put SKILL.md at the top")
		return
	}
	name := b.o.Name
	if name == "" {
		name = b.doc.Name
	}
	var files []skill.File
	for _, f := range b.files {
		files = append(files, skill.File{Path: f.Path, Data: f.Data})
	}
	for _, f := range skill.Validate(skill.Bundle{Name: name, Files: files}, false) {
		sev := f.Severity
		if sev == "warn" {
			sev = "warning"
		}
		if f.Rule == "SKILL-KEYS" {
			c.RequiresAdapter = true
			if dialectKeys[f.Subject] {
				sev = "info"
			}
		}
		if f.Rule == "SKILL-METADATA" {
			c.RequiresAdapter = true
		}
		c.add(f.Rule, sev, f.Message, f.Subject, f.Fix)
	}
	if b.docOK && !b.byLine {
		if strings.Contains(b.doc.Description, "\n") {
			c.add("SKILL-ONE-LINE", "info", "the description has several lines", "description", "")
		}
	}
	for _, link := range b.missing() {
		c.add("SKILL-REFERENCE", "warning", "SKILL.md refers to a file that is not in the bundle", link, "add the file or take the reference out")
	}
}

// missing are files that SKILL.md names in the bundle's folders and that are not there.
func (b *bundle) missing() []string {
	have := map[string]bool{}
	for _, f := range b.files {
		have[f.Path] = true
	}
	var out []string
	for _, w := range strings.FieldsFunc(b.entry.Text, func(r rune) bool { return strings.ContainsRune(" \t\n()[]`\"'<>,*", r) }) {
		w = strings.TrimRight(strings.TrimPrefix(w, "./"), ".:;")
		folder, _, ok := strings.Cut(w, "/")
		if !ok || folder != "references" && folder != "scripts" && folder != "assets" && folder != "schemas" || path.Ext(w) == "" ||
			strings.ContainsAny(w, "{}$*#") || have[w] || !skill.SafePath(w) {
			continue
		}
		if !slices.Contains(out, w) && len(out) < 20 {
			out = append(out, w)
		}
	}
	return out
}

// collisions with what is installed (baseline 0.5B): a taken name, a capability in another's name, the same triggers.
func (c comparison) collisions(b *bundle) {
	name := b.o.Name
	if name == "" {
		name = b.doc.Name
	}
	mine := map[string]bool{}
	for _, t := range append(slices.Clone(b.doc.Triggers), b.o.Triggers...) {
		mine[plainPhrase(t)] = true
	}
	for _, s := range b.o.Installed {
		if s.Slug != "" && plainPhrase(source.Latin(s.Slug)) == plainPhrase(source.Latin(name)) {
			c.ToolShadowingCheck = "collision_detected"
			c.RequiresAdapter = true
			c.add("SKILL-SLUG-TAKEN", "error", fmt.Sprintf("a skill named %s is installed", source.Short(s.Slug, 64)), "name",
				"install it under another name")
		}
		var same []string
		for _, t := range s.Triggers {
			if p := plainPhrase(t); p != "" && mine[p] {
				same = append(same, t)
			}
		}
		if len(same) > 0 {
			c.add("SKILL-TRIGGER-TAKEN", "warning", fmt.Sprintf("%s has the trigger %q, too", source.Short(s.Slug, 64), source.Short(same[0], 80)),
				"triggers",
				"choose triggers that only this skill has")
		}
	}
	tools := source.Words("Read Write Edit MultiEdit Bash Grep Glob WebFetch WebSearch Task TodoWrite NotebookEdit exec read write browser " +
		"process message cron memory_search memory_get web_fetch web_search")
	if tools[name] || tools[strings.ToLower(name)] {
		c.ToolShadowingCheck = "collision_detected"
		c.RequiresAdapter = true
		c.add("SKILL-TOOL-SHADOW", "error", "the skill has the name of an agent's own tool", "name", "install it under another name")
	}
}

func plainPhrase(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(source.Visible(s)), func(r rune) bool { return r == ' ' || r == '-' || r == '_' }),
		" ")
}
