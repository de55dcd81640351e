package ability

import (
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/internal/plain"
)

// Bounds of the canonical schemas, in characters.
const (
	phraseLength  = 120 // trigger phrases, negative triggers and aliases of an availability entry; project scopes have 160
	wordLength    = 80  // aliases and verbs of a manifest
	summaryLength = 1000
)

// surface maps a control surface to the specification's enumeration (baseline 0.2A). Older bundles have other words in
// their manifests: what an agent's shell runs is the skill's script when it brings one, else a tool of the agent.
func surface(name string, scripts bool) string {
	switch name {
	case "native_openclaw_exec":
		return shellSurface(scripts)
	case "native_openclaw_nodes":
		return "native_openclaw_tool"
	}
	return name
}

func shellSurface(scripts bool) string {
	if scripts {
		return "wrapper_script"
	}
	return "native_openclaw_tool"
}

// ShellSurface is the control surface of a skill that works through an agent's shell.
func ShellSurface(b skill.Bundle) string { return shellSurface(bringsScript(b)) }

func surfaces(names []string, scripts bool) []string {
	out := []string{}
	for _, n := range names {
		if n = surface(n, scripts); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// bringsScript reports whether a skill brings a script for an agent's shell to run.
func bringsScript(b skill.Bundle) bool {
	return slices.ContainsFunc(b.Files, func(f skill.File) bool { return strings.HasPrefix(f.Path, "scripts/") })
}

// conform changes a record to what the canonical schemas allow. The bundle keeps its bytes, and so its approval.
func (a *Ability) conform(scripts bool) {
	a.ControlSurfaces = surfaces(a.ControlSurfaces, scripts)
	a.TriggerPhrases, a.NegativeTriggers = cutAll(a.TriggerPhrases, phraseLength), cutAll(a.NegativeTriggers, phraseLength)
	a.Aliases, a.ProjectScopes = cutAll(a.Aliases, phraseLength), cutAll(a.ProjectScopes, 160)
	m := &a.Manifest
	m.SurfaceOrder = surfaces(m.SurfaceOrder, scripts)
	m.Aliases, m.ActionVerbs = cutAll(m.Aliases, wordLength), cutAll(m.ActionVerbs, wordLength)
	m.RequiredRuntimeCaps, m.Permissions = cutAll(m.RequiredRuntimeCaps, 120), cutAll(m.Permissions, 120)
	m.RuntimeBinding.Target, m.HealthProbe.Target = plain.Cut(m.RuntimeBinding.Target, 240), plain.Cut(m.HealthProbe.Target, 240)
	m.Verification = slices.Clone(m.Verification)
	for i := range m.Verification {
		m.Verification[i].Target, m.Verification[i].Expected = plain.Cut(m.Verification[i].Target, 240), plain.Cut(m.Verification[i].Expected,
			240)
	}
}

// cutAll clips each text; the result is never null.
func cutAll(texts []string, n int) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = plain.Cut(t, n)
	}
	return out
}

// sidecar is the metadata file; what the compiler left out is filled in so that the file is complete.
func sidecar(a Ability, scripts bool) map[string]any {
	m := map[string]any{"summary": a.Description, "schema_version": 1}
	for k, v := range a.Metadata {
		m[k] = v
	}
	m["capability_id"] = a.CapabilityID
	if s, ok := m["summary"].(string); ok {
		m["summary"] = plain.Cut(s, summaryLength)
	}
	if notes, ok := m["control_surface_notes"].([]any); ok {
		m["control_surface_notes"] = conformNotes(notes, scripts)
	}
	return m
}

func conformNotes(notes []any, scripts bool) []any {
	out := make([]any, len(notes))
	for i, n := range notes {
		out[i] = n
		note, ok := n.(map[string]any)
		if name, is := note["surface"].(string); ok && is {
			changed := map[string]any{}
			for k, v := range note {
				changed[k] = v
			}
			changed["surface"] = surface(name, scripts)
			out[i] = changed
		}
	}
	return out
}
