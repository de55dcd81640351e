package ability

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// nativePrefix marks the catalog ids of skills that are not abilities.
const nativePrefix = "native:"

// Adopt copies a skill that somebody else put into an agent's folder into the memory root, pending review. The
// original is not touched; approving the ability sets it aside and puts Showhow's copy in its place.
func (s *Reviews) Adopt(ctx context.Context, name, target string) (AvailabilityEntry, error) {
	name = strings.TrimPrefix(name, nativePrefix)
	b, originals, err := s.adoptable(ctx, name, target)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	req, err := s.adoption(ctx, b, originals)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	req.Finish = func(w journal.Writer, r InstallResult) error {
		return record(w, journal.Receipt{Kind: journal.AbilityAdopted, AbilityID: r.AbilityID,
			Summary: "A skill from an agent's folder was copied here; it waits for review."},
			map[string]any{"ability_id": r.AbilityID, "skill_slug": r.Slug})
	}
	r, err := s.install.Install(ctx, req)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	return s.views.AvailabilityOf(ctx, r.AbilityID)
}

// adoptable reads the native skill with a name. Where several targets hold different ones, the caller has to say
// which.
func (s *Reviews) adoptable(ctx context.Context, name, target string) (skill.Bundle, []Original, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return skill.Bundle{}, nil, err
	}
	var found skill.Bundle
	var originals []Original
	var failed error
	for _, t := range s.o.Targets {
		path := filepath.Join(t.Dir, name)
		if _, ours := w.ledger[path]; ours || target != "" && t.Name != target || strings.ContainsAny(name, `/\`) || !exists(path) {
			continue
		}
		b, err := readNative(path)
		if err != nil {
			failed = err
			continue
		}
		if len(originals) > 0 && found.Hash() != b.Hash() {
			return found, nil, fault.New(fault.InvalidRequest, "agents' folders hold different skills of this name").
				WithHint("say which one: --target " + originals[0].Target + " or " + t.Name)
		}
		found, originals = b, append(originals, Original{Target: t.Name, Hash: b.Hash()})
	}
	switch {
	case len(originals) == 0 && failed != nil:
		return found, nil, failed
	case len(originals) == 0:
		return found, nil, fault.New(fault.NotFound, "there is no such skill in the agents' folders").WithHint("`showhow skill list` names them")
	}
	return found, originals, nil
}

// adoption is what the saga installs for a skill that was not learned here.
func (s *Reviews) adoption(ctx context.Context, b skill.Bundle, originals []Original) (InstallRequest, error) {
	doc, err := skill.Parse(b)
	if err != nil {
		return InstallRequest{}, err
	}
	p, _, err := s.asks(ctx, b)
	if err != nil {
		return InstallRequest{}, err
	}
	req := Plain(b, doc)
	req.SagaID, req.Source, req.Lane, req.Unreviewed, req.Originals, req.Permissions = s.o.NewID(), "native", LaneApproved, true, originals, &p
	return req, nil
}

// Plain is the installation of a skill without a capability manifest of Showhow's: adopted, imported or written. The
// caller adds saga id, source, lane and whatever else it knows.
func Plain(b skill.Bundle, doc skill.Document) InstallRequest {
	title := plain.Cut(strings.TrimSpace(strings.ReplaceAll(b.Name, "-", " ")), 200)
	capability := "skill." + strings.ReplaceAll(b.Name, "-", "_")
	triggers := slices.Clone(doc.Triggers)
	if len(triggers) == 0 {
		triggers = []string{title}
	}
	for i := range triggers {
		triggers[i] = plain.Cut(triggers[i], 120)
	}
	return InstallRequest{Title: title, Family: "skill", Slug: b.Name, CapabilityID: capability, TriggerPhrases: triggers,
		NegativeTriggers: doc.NegativeTriggers, Checkpoints: skill.CheckpointsOf(b),
		SupportPackRefs: doc.SupportPacks, ControlSurfaces: []string{ShellSurface(b)}, Bundle: b, ContentHash: b.Hash(),
		Metadata: map[string]any{"capability_id": capability, "summary": plain.Cut(doc.Description, 1024), "schema_version": 1},
		Manifest: skill.Manifest{CapabilityID: capability, Family: "skill", Kind: "workflow_pattern", Title: title, OriginSkill: b.Name,
			Aliases: []string{}, ActionVerbs: []string{}, SurfaceOrder: []string{ShellSurface(b)},
			RuntimeBinding:      skill.RuntimeBinding{BindingKind: "workflow_pattern", Target: skill.Entry},
			RequiredRuntimeCaps: []string{}, Permissions: []string{}, RequiresSupervision: true, RoutingEligible: true,
			Verification:  []skill.Verification{{Kind: "manual_confirmation", Target: skill.Entry}},
			HealthProbe:   skill.HealthProbe{Kind: "noop", Target: "-", TimeoutMS: 3000},
			SchemaVersion: 1}}
}

// takeOver replaces the folders that an approved ability was adopted from. A folder that changed since is somebody's
// work and stays.
func (s *Reviews) takeOver(ctx context.Context, w *world, a *Ability) (AvailabilityEntry, error) {
	for _, o := range a.Originals {
		i := slices.IndexFunc(s.o.Targets, func(t Target) bool { return t.Name == o.Target })
		if i < 0 || !a.Permissions.Admits(o.Target) {
			continue
		}
		path := s.o.Targets[i].path(a.Slug)
		if _, ours := w.ledger[path]; ours || !exists(path) {
			continue
		}
		if b, err := readNative(path); err != nil || b.Hash() != o.Hash {
			continue
		}
		kept, err := keepAside(path, s.asidePath(a.Slug, o.Target))
		if err != nil {
			return w.entry(*a), err
		}
		o.Kept = kept
		a.SetAside = append(a.SetAside, o)
		s.hashes.forget(path)
	}
	a.Originals = nil
	s.touch(w, a)
	s.observe(w)
	err := s.apply(ctx, w, change{trigger: TriggerApproved, quiet: true, heal: a.AbilityID})
	return w.entry(*a), err
}

// finishTakeOvers finishes take-overs that a crash interrupted after the approval.
func (s *Reviews) finishTakeOvers(ctx context.Context, w *world) (changed bool, err error) {
	for i := range w.abilities {
		if a := &w.abilities[i]; wanted(*a) && len(a.Originals) > 0 {
			s.observe(w)
			if _, err := s.takeOver(ctx, w, a); err != nil {
				return false, err
			}
			changed = true
		}
	}
	return changed, nil
}
