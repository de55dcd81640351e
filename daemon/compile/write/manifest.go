package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
)

// capabilityID is the id of a skill's capability.
func capabilityID(slug string) string { return "showhow." + slug }

// Manifest is the capability manifest (baseline 1.1B).
func Manifest(d *Understanding) skill.Manifest {
	m := skill.Manifest{
		CapabilityID: capabilityID(d.Slug), Family: d.Places.Family(), Kind: "workflow_pattern", Title: page.Cut(d.Title, 200),
		OriginSkill: d.Slug,
		Aliases:     []string{}, ActionVerbs: []string{}, SurfaceOrder: d.Places.surfaceOrder(),
		RuntimeBinding:      skill.RuntimeBinding{BindingKind: "workflow_pattern", Target: "skills/" + d.Slug + "/SKILL.md"},
		RequiredRuntimeCaps: []string{}, Permissions: []string{},
		RequiresSupervision: slices.ContainsFunc(d.Steps, func(s *flow.Step) bool { return s.Grave }),
		DryRunSupported:     true, RoutingEligible: true, Verification: verification(d), HealthProbe: probe(d),
		LearningPolicy: skill.LearningPolicy{TeachModeAllowed: true, AutoCaptureTrace: false, ProposalRequiredForMutation: true},
		SchemaVersion:  1,
	}
	for _, t := range d.Phrases.Triggers {
		if len(m.Aliases) < 20 && len(t) <= 80 {
			m.Aliases = append(m.Aliases, t)
		}
	}
	for _, c := range d.Goal.Clauses {
		if c.Verb != "" && !slices.Contains(m.ActionVerbs, c.Verb) {
			m.ActionVerbs = append(m.ActionVerbs, c.Verb)
		}
	}
	if len(d.Places.Sites) > 0 {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "browser")
	}
	for _, s := range d.Places.Sites {
		m.Permissions = append(m.Permissions, page.Cut("site:"+s, 120))
	}
	if slices.Contains(d.Places.surfaces, workflow.OnShell) {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "exec")
	}
	for _, c := range d.Places.Commands {
		m.Permissions = append(m.Permissions, page.Cut("command:"+c, 120))
	}
	for _, name := range d.Places.devices {
		m.Permissions = append(m.Permissions, page.Cut("device:"+name, 120))
	}
	if len(d.Places.devices) > 0 {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "midi")
	}
	for _, c := range d.Places.Connectors {
		m.Permissions = append(m.Permissions, page.Cut("connector:"+c, 120))
	}
	if len(d.Places.Connectors) > 0 {
		m.RequiredRuntimeCaps = append(m.RequiredRuntimeCaps, "mcp")
	}
	return m
}

// nearestKind maps a check to the nearest kind of the manifest; the exact check is in tests/checks.json (decisions C8).
var nearestKind = map[string]string{
	"url": "window_state", "dialog": "window_state", "heading": "snapshot_label", "alert": "snapshot_label", "text": "snapshot_label",
	"element":   "snapshot_label",
	"row_count": "snapshot_label", "field_value": "snapshot_label", "detail": "snapshot_label", "file": "file_hash",
	"exit_code": "tool_result", "output": "tool_result", "process": "tool_result",
	"manual": "manual_confirmation",
}

func verification(d *Understanding) []skill.Verification {
	out := []skill.Verification{}
	for _, c := range d.cps {
		for _, ch := range c.Checks() {
			v := skill.Verification{Kind: nearestKind[ch.Kind], Target: page.Cut(cmp.Or(ch.Name, cmp.Or(ch.Expect, c.Goal)), 240),
				Expected: page.Cut(ch.Expect, 240)}
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
		out = append(out, skill.Verification{Kind: "manual_confirmation", Target: page.Cut(d.Title, 240)})
	}
	return out
}

func probe(d *Understanding) skill.HealthProbe {
	switch {
	case len(d.Places.Sites) > 0:
		return skill.HealthProbe{Kind: "browser", Target: page.Cut(cmp.Or(d.Places.starts[d.Places.Sites[0]], d.Places.Sites[0]), 240),
			TimeoutMS: 5000}
	case len(d.Places.Commands) > 0:
		return skill.HealthProbe{Kind: "command", Target: page.Cut("command -v "+strings.Join(d.Places.Commands, " "), 240), TimeoutMS: 3000}
	case len(d.Places.Connectors) > 0:
		return skill.HealthProbe{Kind: "command", Target: page.Cut("showhow connector show "+d.Places.Connectors[0], 240), TimeoutMS: 5000}
	}
	return skill.HealthProbe{Kind: "noop", Target: "none", TimeoutMS: 1000}
}

// Metadata returns the capability's sidecar (baseline 1.1C).
func Metadata(d *Understanding) map[string]any {
	notes := []map[string]any{}
	for _, s := range d.Places.Sites {
		notes = append(notes, map[string]any{"surface": "page_knowledge_ui",
			"notes": page.Cut("Demonstrated on "+cmp.Or(d.Places.names[s], s)+" ("+s+").", 500)})
	}
	if len(d.Places.Commands) > 0 {
		notes = append(notes, map[string]any{"surface": "native_openclaw_tool",
			"notes": page.Cut("Uses "+intent.AndList(d.Places.Commands)+".", 500)})
	}
	for _, c := range d.Places.Connectors {
		notes = append(notes, map[string]any{"surface": "mcp_connector",
			"notes": page.Cut("Calls "+intent.AndList(d.connectorTools(c))+" of the connector "+c+".", 500)})
	}
	for _, name := range d.Places.devices {
		notes = append(notes, map[string]any{"surface": "midi_binding", "notes": page.Cut("Played on "+name+".", 500)})
	}
	refs := []string{}
	for _, t := range d.In.Traces {
		refs = append(refs, "trace:"+t.TraceID)
	}
	deps := []string{}
	for _, c := range d.Places.Commands {
		deps = append(deps, "command:"+c)
	}
	for _, c := range d.Places.Connectors {
		deps = append(deps, "connector:"+c)
	}
	failures := []map[string]any{}
	for _, r := range d.recover {
		trigger, _, _ := strings.Cut(r, ",")
		failures = append(failures, map[string]any{"trigger": page.Cut(trigger, 240), "recovery_ref": "SKILL.md#if-something-goes-wrong"})
	}
	return map[string]any{
		"capability_id": capabilityID(d.Slug), "summary": page.Cut(d.Interp.GoalSummary, 1000), "source_refs": refs,
		"control_surface_notes": notes,
		"dependency_refs":       deps, "page_knowledge_refs": []string{}, "ui_anchor_refs": []string{}, "bucket_refs": []string{},
		"known_failure_modes": failures, "schema_version": 1,
	}
}
