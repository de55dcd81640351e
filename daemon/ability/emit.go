package ability

import (
	"encoding/json"
	"slices"
	"strings"

	"showhow/daemon/skill"
)

// forTarget is a skill as it is projected into an agent's folder: in the form in which `skill export` gives it to that
// kind of agent. If that form is refused, which is the author's to mend, the folder gets the general form. Files that
// the host manages beside the skill go along: policy.json, the capability manifest of a skill that brings none, and
// its support packs (DOC3 0C.23).
func forTarget(t Target, b skill.Bundle, m skill.Manifest) skill.Bundle {
	out, _, err := skill.Emit(b, skill.TargetOf(t.Name))
	if err != nil {
		out = b
	}
	out.Files = slices.Concat(out.Files, companions(b, m))
	out.Sort()
	if err != nil {
		return out
	}
	if f := b.File(skill.HostManaged); f != nil {
		out.Files = append(slices.Clone(out.Files), *f)
	}
	return out
}

// supportPackRef names a support pack in the skill's support-packs folder; the agent finds the pack itself by that name.
type supportPackRef struct {
	PackID        string `json:"pack_id"`
	SchemaVersion int    `json:"schema_version"`
}

// companions are the files that a copy has in addition to the skill's own.
func companions(b skill.Bundle, m skill.Manifest) []skill.File {
	var out []skill.File
	add := func(path string, v any) {
		if data, err := json.MarshalIndent(v, "", "  "); err == nil && b.File(path) == nil && skill.SafePath(path) {
			out = append(out, skill.File{Path: path, Mode: 0o644, Data: append(data, '\n')})
		}
	}
	brought := slices.ContainsFunc(b.Files, func(f skill.File) bool { return strings.HasPrefix(f.Path, "capabilities/") })
	if !brought && capabilityID.MatchString(m.CapabilityID) {
		add("capabilities/"+m.CapabilityID+".json", m)
	}
	packs := skill.SupportPacks(b)
	if len(packs) > 0 {
		add(skill.SupportPackFile, skill.SupportPackList{SupportPacks: packs, SchemaVersion: 1})
	}
	for _, p := range packs {
		add("support-packs/"+p+".json", supportPackRef{p, 1})
	}
	return out
}

// source is the content that a copy was made of. Copies from before targets had forms of their own are that content.
func (r LedgerEntry) source() string {
	if r.Source == "" {
		return r.Hash
	}
	return r.Source
}

// standsFor is the content that a copy shows agents: what it was made of, as long as none of its bytes changed.
func (r LedgerEntry) standsFor(p place) place {
	if p.hash == r.Hash {
		p.hash = r.source()
	}
	return p
}
