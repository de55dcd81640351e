package shelf

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Extract implements agentrun.Skills through the install saga: whole or not at all, into no target before a person
// approves.
func (s Shelf) Extract(ctx context.Context, x agentrun.Extraction) (id, trust string, err error) {
	req, err := s.request(ctx, x)
	if err != nil {
		return "", "", err
	}
	req.SagaID, req.Bundle, req.ContentHash, req.Unreviewed, req.Replaces = clock.NewID(), x.Bundle, x.Bundle.Hash(), true, x.Replaces
	meta := map[string]any{}
	maps.Copy(meta, req.Metadata)
	meta["run_evidence"] = x.Evidence
	meta["extracted_from"] = map[string]any{"run_id": x.RunID, "extracted_at": s.o.Now()}
	if x.Evidence.Provenance != nil {
		meta["provenance"] = x.Evidence.Provenance
	}
	req.Metadata = meta
	res, err := s.o.Abilities.Install(ctx, req)
	if err != nil {
		return "", "", err
	}
	e, err := s.o.Abilities.AvailabilityOf(ctx, res.AbilityID)
	return res.AbilityID, e.Trust, err
}

// request is an update of an installed skill, or a new ability.
func (s Shelf) request(ctx context.Context, x agentrun.Extraction) (ability.InstallRequest, error) {
	if x.Replaces == "" {
		return fresh(x), nil
	}
	var all []ability.Ability
	if err := s.o.Store.View(ctx, func(tx ability.Tx) (err error) { all, err = tx.Abilities(); return err }); err != nil {
		return ability.InstallRequest{}, err
	}
	i := slices.IndexFunc(all, func(a ability.Ability) bool { return a.AbilityID == x.Replaces })
	if i < 0 {
		return ability.InstallRequest{}, fault.New(fault.AbilityNotFound, "the skill was removed while the agent worked")
	}
	a := all[i]
	lane := a.Lane
	if lane == ability.LaneQuarantined {
		return ability.InstallRequest{}, fault.New(fault.InstallLaneDenied,
			"the skill was quarantined while the agent worked").WithHint("unquarantine it, then repeat the run")
	}
	req := ability.InstallRequest{LearnSessionID: a.LearnSessionID, ProposalID: a.ProposalID, Lane: lane, Source: a.Source, Title: a.Title,
		Family: a.Family, Slug: a.Slug,
		CapabilityID: a.CapabilityID, TriggerPhrases: a.TriggerPhrases, NegativeTriggers: a.NegativeTriggers, Aliases: a.Aliases,
		ProjectScopes:   a.ProjectScopes,
		ControlSurfaces: a.ControlSurfaces, SupportPackRefs: a.SupportPackRefs, RequiredSites: a.RequiredSites,
		RequiredCommands:   a.RequiredCommands,
		RequiredConnectors: a.RequiredConnectors,
		RequiredAdapters:   a.RequiredAdapters, Checkpoints: a.Checkpoints, LastValidatedAt: a.LastValidatedAt, Manifest: a.Manifest,
		Metadata: a.Metadata}
	if a.Granted == nil {
		p := a.Permissions
		req.Permissions = &p
	}
	return req, nil
}

// fresh is the installation of a skill that an agent wrote or fetched: it may use the tools in its frontmatter, and no
// host before a person says so.
func fresh(x agentrun.Extraction) ability.InstallRequest {
	doc, _ := skill.Parse(x.Bundle) // it was checked
	slug, source := x.Bundle.Name, "learned"
	if x.Evidence.Provenance != nil {
		source = "imported"
	}
	title := strings.ReplaceAll(slug, "-", " ")
	title = strings.ToUpper(title[:1]) + title[1:]
	triggers := doc.Triggers
	if len(triggers) == 0 {
		triggers = []string{strings.ReplaceAll(slug, "-", " ")}
	}
	capability := "showhow." + slug
	m := skill.Manifest{CapabilityID: capability, Family: "agent", Kind: "workflow_pattern", Title: title, OriginSkill: slug,
		Aliases: []string{}, ActionVerbs: []string{},
		SurfaceOrder:        []string{ability.ShellSurface(x.Bundle)},
		RuntimeBinding:      skill.RuntimeBinding{BindingKind: "workflow_pattern", Target: "skills/" + slug + "/SKILL.md"},
		RequiredRuntimeCaps: []string{}, Permissions: []string{}, RequiresSupervision: true, RoutingEligible: true,
		Verification:   []skill.Verification{{Kind: "manual_confirmation", Target: firstRunes(doc.Description, 240)}},
		HealthProbe:    skill.HealthProbe{Kind: "noop", Target: slug, TimeoutMS: 1000},
		LearningPolicy: skill.LearningPolicy{TeachModeAllowed: true, ProposalRequiredForMutation: true}, SchemaVersion: 1}
	return ability.InstallRequest{Lane: ability.LanePrivate, Source: source, Title: title, Family: "agent", Slug: slug,
		CapabilityID:   capability,
		TriggerPhrases: triggers, NegativeTriggers: doc.NegativeTriggers, ControlSurfaces: m.SurfaceOrder, Manifest: m,
		Metadata:    map[string]any{},
		Permissions: &ability.Permissions{Tools: doc.AllowedTools}}
}

func firstRunes(s string, n int) string {
	if utf8.RuneCountInString(s) > n {
		return string([]rune(s)[:n])
	}
	return s
}
