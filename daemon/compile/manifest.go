package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/daemon/workflow"
)

// capabilityID is the id of a skill's capability.
func capabilityID(slug string) string { return "showhow." + slug }

// manifest is the capability manifest (baseline 1.1B).
func manifest(d *draft) skill.Manifest {
	m := skill.Manifest{
		CapabilityID: capabilityID(d.slug), Family: d.places.family(), Kind: "workflow_pattern", Title: cut(d.title, 200), OriginSkill: d.slug,
		Aliases: []string{}, ActionVerbs: []string{}, SurfaceOrder: d.places.surfaceOrder(),
		RuntimeBinding:      skill.RuntimeBinding{BindingKind: "workflow_pattern", Target: "skills/" + d.slug + "/SKILL.md"},
		RequiredRuntimeCaps: []string{}, Permissions: []string{},
		RequiresSupervision: slices.ContainsFunc(d.steps, func(s *step) bool { return s.Grave }),
		DryRunSupported:     true, RoutingEligible: true, Verification: verification(d), HealthProbe: probe(d),
		LearningPolicy: skill.LearningPolicy{TeachModeAllowed: true, AutoCaptureTrace: false, ProposalRequiredForMutation: true},
		SchemaVersion:  1,
	}
	for _, t := range d.phrases.triggers {
		if len(m.Aliases) < 20 && len(t) <= 80 {
			m.Aliases = append(m.Aliases, t)
		}
	}
	for _, c := range d.goal.clauses {
		if c.verb != "" && !slices.Contains(m.ActionVerbs, c.verb) {
			m.ActionVerbs = append(m.ActionVerbs, c.verb)
		}
	}
	if len(d.places.sites) > 0 {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "browser")
	}
	for _, s := range d.places.sites {
		m.Permissions = append(m.Permissions, cut("site:"+s, 120))
	}
	if slices.Contains(d.places.surfaces, workflow.OnShell) {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "exec")
	}
	for _, c := range d.places.commands {
		m.Permissions = append(m.Permissions, cut("command:"+c, 120))
	}
	for _, name := range d.places.devices {
		m.Permissions = append(m.Permissions, cut("device:"+name, 120))
	}
	if len(d.places.devices) > 0 {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "midi")
	}
	return m
}

// nearestKind is the manifest's word for a check; the exact check is in tests/checks.json (decisions C8).
var nearestKind = map[string]string{
	"url": "window_state", "dialog": "window_state", "heading": "snapshot_label", "alert": "snapshot_label", "text": "snapshot_label", "element": "snapshot_label",
	"row_count": "snapshot_label", "field_value": "snapshot_label", "detail": "snapshot_label", "file": "file_hash", "exit_code": "tool_result", "output": "tool_result", "process": "tool_result",
	"manual": "manual_confirmation",
}

func verification(d *draft) []skill.Verification {
	out := []skill.Verification{}
	for _, c := range d.cps {
		for _, ch := range append([]workflow.Check{*c.Check}, c.MoreChecks...) {
			v := skill.Verification{Kind: nearestKind[ch.Kind], Target: cut(cmp.Or(ch.Name, cmp.Or(ch.Expect, c.Goal)), 240), Expected: cut(ch.Expect, 240)}
			switch {
			case ch.Gone:
				v.Expected = "gone"
			case ch.Kind == "file":
				v.Expected = "not empty"
			case ch.Kind == "row_count" && ch.Delta != 0:
				v.Expected = fmt.Sprintf("%+d rows", ch.Delta)
			case ch.Kind == "row_count":
				v.Expected = "at least " + ch.Extra["min"] + " row"
			case ch.Kind == "url":
				v.Target = "address"
			}
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, skill.Verification{Kind: "manual_confirmation", Target: cut(d.title, 240)})
	}
	return out
}

func probe(d *draft) skill.HealthProbe {
	switch {
	case len(d.places.sites) > 0:
		return skill.HealthProbe{Kind: "browser", Target: cut(cmp.Or(d.places.starts[d.places.sites[0]], d.places.sites[0]), 240), TimeoutMS: 5000}
	case len(d.places.commands) > 0:
		return skill.HealthProbe{Kind: "command", Target: cut("command -v "+strings.Join(d.places.commands, " "), 240), TimeoutMS: 3000}
	}
	return skill.HealthProbe{Kind: "noop", Target: "none", TimeoutMS: 1000}
}

// metadata is the capability's sidecar (baseline 1.1C).
func metadata(d *draft) map[string]any {
	notes := []map[string]any{}
	for _, s := range d.places.sites {
		notes = append(notes, map[string]any{"surface": "page_knowledge_ui", "notes": cut("Demonstrated on "+cmp.Or(d.places.names[s], s)+" ("+s+").", 500)})
	}
	if len(d.places.commands) > 0 {
		notes = append(notes, map[string]any{"surface": "native_openclaw_exec", "notes": cut("Uses "+andList(d.places.commands)+".", 500)})
	}
	for _, name := range d.places.devices {
		notes = append(notes, map[string]any{"surface": "midi_binding", "notes": cut("Played on "+name+".", 500)})
	}
	refs := []string{}
	for _, t := range d.in.Traces {
		refs = append(refs, "trace:"+t.TraceID)
	}
	deps := []string{}
	for _, c := range d.places.commands {
		deps = append(deps, "command:"+c)
	}
	failures := []map[string]any{}
	for _, r := range d.recover {
		trigger, _, _ := strings.Cut(r, ",")
		failures = append(failures, map[string]any{"trigger": cut(trigger, 240), "recovery_ref": "SKILL.md#if-something-goes-wrong"})
	}
	return map[string]any{
		"capability_id": capabilityID(d.slug), "summary": cut(d.interp.GoalSummary, 1000), "source_refs": refs, "control_surface_notes": notes,
		"dependency_refs": deps, "page_knowledge_refs": []string{}, "ui_anchor_refs": []string{}, "bucket_refs": []string{},
		"known_failure_modes": failures, "schema_version": 1,
	}
}
