package proposal

import (
	"slices"
	"strings"

	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// dependencies lists what a draft refers to (DOC3 0C.10A): the skill that it improves, its support packs, its capability
// manifests and its tests. Paths are relative to the memory root, as draft_skill_path is. app_manual has no producer: no
// demonstration names one.
func dependencies(p state.Proposal, folder string, b skill.Bundle) []wire.LearningDocumentDependency {
	out := []wire.LearningDocumentDependency{}
	add := func(kind, ref string, required bool) {
		out = append(out, wire.LearningDocumentDependency{ProposalID: p.ProposalID, DependencyKind: kind, DependencyRef: plain.Cut(ref, 240),
			Required: required, SchemaVersion: 1})
	}
	if p.ImprovesSkill != "" {
		add("existing_skill", p.ImprovesSkill, true)
	}
	packs := slices.Concat(p.SupportPackRefs, skill.SupportPacks(b))
	slices.Sort(packs)
	for _, ref := range slices.Compact(packs) {
		add("support_pack", ref, false)
	}
	for _, f := range b.Files {
		switch {
		case strings.HasPrefix(f.Path, "capabilities/"):
			add("capability_manifest", folder+"/"+f.Path, true)
		case strings.HasPrefix(f.Path, "tests/"):
			add("test_artifact", folder+"/"+f.Path, false)
		}
	}
	return out
}
