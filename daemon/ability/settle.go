package ability

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// builtInPrefix begins the ability ids of skills that come with the program: the same one in every version.
const builtInPrefix = "built-in-"

// settleBuiltIns brings the records of the skills that come with the program in step with it. What a person decided
// about one (switched off, quarantined, for which agents) stays.
func (s *registry) settleBuiltIns(ctx context.Context, w *world) (changed bool, err error) {
	var all []BuiltIn
	if s.o.BuiltIns != nil {
		if all, err = s.o.BuiltIns(); err != nil {
			return false, err
		}
	}
	s.builtIns = map[string]skill.Bundle{}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		changed = false
		decided := map[string]Ability{}
		if _, err := tx.AbilityState(decidedOnBuiltIns, &decided); err != nil {
			return err
		}
		for _, b := range all {
			id := builtInPrefix + b.Bundle.Name
			if b, err = beside(w, id, b); err != nil {
				return err
			}
			a, known := s.asBuiltIn(w, id, b, decided)
			s.builtIns[a.AbilityID] = b.Bundle
			var before *Ability
			if known {
				before = &w.abilities[find(w.abilities, a.AbilityID)]
			}
			if known && sameJSON(*before, a) {
				continue
			}
			changed = true
			if err := s.putBuiltIn(tx, before, a); err != nil {
				return err
			}
		}
		left := false
		for _, a := range w.abilities {
			if _, there := s.builtIns[a.AbilityID]; !a.BuiltIn || there {
				continue
			}
			if err := s.dropBuiltIn(tx, a); err != nil {
				return err
			}
			decided[a.AbilityID], left = a, true
		}
		if !left {
			return nil
		}
		changed = true
		return tx.PutAbilityState(decidedOnBuiltIns, decided)
	})
	return changed, err
}

// decidedOnBuiltIns names the last records of skills that came with the program and left: what a person decided about one
// counts when it comes back.
const decidedOnBuiltIns = "built_in_decisions"

// asBuiltIn is the record of a skill that comes with the program.
func (s *registry) asBuiltIn(w *world, id string, b BuiltIn, decided map[string]Ability) (a Ability, known bool) {
	doc, err := skill.Parse(b.Bundle)
	if err != nil {
		s.o.Log.Error("a skill that comes with Showhow cannot be read", "skill", b.Bundle.Name, "code", string(fault.CodeOf(err)))
	}
	r := Plain(b.Bundle, doc)
	if t, ok := skill.TriggerTestsOf(b.Bundle); ok {
		r.TriggerPhrases = t.Positives
	}
	a = Ability{AbilityID: id, Enabled: true, Lane: LaneApproved, CreatedAt: s.now(), UpdatedAt: s.now(),
		Revision: 1}
	if i := find(w.abilities, a.AbilityID); i >= 0 {
		a, known = w.abilities[i], true
	} else if left, ok := decided[a.AbilityID]; ok {
		a = left
		a.Revision++
	}
	if a.ApprovedHash != r.ContentHash { // what a person allowed and how it fared were about another content
		a.Health = a.Health.Reset()
		a.Permissions = Permissions{Tools: doc.AllowedTools, Agents: a.Permissions.Agents}.Normalized()
		granted := a.Permissions
		a.Granted = &granted
	}
	a.BuiltIn, a.Source, a.Trust, a.Drift, a.DriftAt = true, "native", TrustApproved, "", nil
	a.CapabilityID, a.Slug, a.Title, a.Family = b.Manifests[0].CapabilityID, b.Bundle.Name, b.Title, b.Family
	a.Description, a.Inputs = description(b.Bundle), inputsOf(b.Bundle)
	a.ContentHash, a.ApprovedHash = r.ContentHash, r.ContentHash
	a.TriggerPhrases, a.NegativeTriggers, a.Aliases, a.ProjectScopes = list(r.TriggerPhrases), list(r.NegativeTriggers), []string{}, []string{}
	a.Manifest, a.Capabilities, a.ControlSurfaces = b.Manifests[0], b.Manifests[1:], b.Manifests[0].SurfaceOrder
	a.SupportPackRefs, a.RequiredSites, a.RequiredCommands = []string{}, []string{}, []string{}
	a.Checkpoints, a.RequiredAdapters = list(b.Checkpoints), list(b.RequiredAdapters)
	a.RequiredProviders = b.RequiredProviders
	a.Metadata = map[string]any{"capability_id": a.CapabilityID, "summary": a.Description, "schema_version": 1}
	return a, known
}

// beside is a skill that comes with the program under names that are free. A person's own skill keeps its name and capability, and
// the program's is there beside it.
func beside(w *world, id string, b BuiltIn) (BuiltIn, error) {
	others := slices.DeleteFunc(slices.Clone(w.abilities), func(a Ability) bool { return a.AbilityID == id })
	free := func(name, mark string, taken func(Ability, string) bool) string {
		try := name
		for n := 1; slices.ContainsFunc(others, func(a Ability) bool { return taken(a, try) }); n++ {
			if try = name + mark; n > 1 {
				try += strconv.Itoa(n)
			}
		}
		return try
	}
	was := b.Bundle.Name
	name := free(was, "-built-in", func(a Ability, name string) bool { return a.Slug == name })
	var err error
	if name != was {
		b.Bundle, err = b.Bundle.Renamed(name)
	}
	b.Manifests = slices.Clone(b.Manifests)
	for i := range b.Manifests {
		m := &b.Manifests[i]
		m.CapabilityID = free(m.CapabilityID, ".built_in", func(a Ability, id string) bool { return a.CapabilityID == id })
		if m.OriginSkill == was {
			m.OriginSkill = name
		}
	}
	return b, err
}

// putBuiltIn writes a record with its manifests.
func (s *registry) putBuiltIn(tx Tx, before *Ability, a Ability) error {
	a.UpdatedAt = s.now()
	if before != nil {
		a.Revision++
		if err := dropCapabilities(tx, *before, a.manifests()); err != nil {
			return err
		}
	}
	if err := tx.PutAbility(a); err != nil {
		return err
	}
	for _, m := range a.manifests() {
		about := a.about(m)
		if err := tx.PutFile(manifestPath(m.CapabilityID), m); err != nil {
			return err
		}
		if err := tx.PutFile(metadataPath(m.CapabilityID), sidecar(about, false)); err != nil {
			return err
		}
	}
	if err := tellManifest(tx, before, a); err != nil || before != nil && before.ApprovedHash == a.ApprovedHash {
		return err
	}
	summary := "The skill comes with Showhow; it is here as this version of Showhow has it."
	if builtInPrefix+a.Slug != a.AbilityID {
		summary += " A skill of yours has its name, so this one is called " + a.Slug + "."
	}
	return tx.AddReceipt(journal.Receipt{Kind: journal.InstallCompleted, AbilityID: a.AbilityID, Summary: summary})
}

// dropBuiltIn removes a skill that the program does not have any more.
func (s *registry) dropBuiltIn(tx Tx, a Ability) error {
	if err := tx.DeleteAbility(a.AbilityID); err != nil {
		return err
	}
	if err := dropCapabilities(tx, a, nil); err != nil {
		return err
	}
	return emitManifest(tx, journal.ManifestDeleted, a)
}

// dropCapabilities removes the files of capabilities that are not among those that stay.
func dropCapabilities(tx Tx, a Ability, stay []skill.Manifest) error {
	for _, m := range a.manifests() {
		if slices.ContainsFunc(stay, func(x skill.Manifest) bool { return x.CapabilityID == m.CapabilityID }) {
			continue
		}
		for _, p := range []string{manifestPath(m.CapabilityID), metadataPath(m.CapabilityID)} {
			if err := tx.RemoveFile(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameJSON compares two records as they are stored.
func sameJSON(a, b Ability) bool {
	var x, y any
	one, err := json.Marshal(a)
	if err != nil || json.Unmarshal(one, &x) != nil {
		return false
	}
	two, err := json.Marshal(b)
	return err == nil && json.Unmarshal(two, &y) == nil && reflect.DeepEqual(x, y)
}
