// Package shelf adapts the ability service to those that need installed skills: agents' runs, categories, imports, the
// users of the keychain. Each has its own interface; shelf implements them.
//
// Only package daemon imports it. The acceptance tests test it as a whole (agentrun, categories, imports, shelf).
package shelf

import (
	"context"
	"log/slog"

	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/category"
	"showhow/daemon/skill"
	"showhow/internal/clock"
)

// Options is what a shelf stands on.
type Options struct {
	Abilities  *ability.Service
	Store      ability.Store
	Categories func() *category.Service // made after the shelf
	Proposal   func(ctx context.Context, id string) (proposalID string, err error)
	Import     func(ctx context.Context, id string) (importID string, err error)
	Now        func() clock.Time
	Log        *slog.Logger
}

// Shelf adapts the installed skills for runs.
type Shelf struct{ o Options }

// New makes a shelf.
func New(o Options) Shelf { return Shelf{o} }

// Skill implements agentrun.Skills.
func (s Shelf) Skill(ctx context.Context, name string) (agentrun.Skill, error) {
	e, err := s.o.Abilities.AvailabilityOf(ctx, name)
	if err != nil {
		return agentrun.Skill{}, err
	}
	dir, hash, err := s.o.Abilities.Content(ctx, e.AbilityID)
	if err != nil {
		return agentrun.Skill{}, err
	}
	b, err := skill.ReadDir(dir)
	if err != nil {
		return agentrun.Skill{}, err
	}
	k := agentrun.Skill{AbilityID: e.AbilityID, Slug: e.SkillSlug, Title: e.Title, Trust: e.Trust, Usable: e.UsableNow,
		Reason: e.ReasonUnusable, Code: e.ReasonCode, Bundle: b,
		Domains: e.Permissions.Domains, Credentials: e.Permissions.Credentials, Agents: e.Permissions.Agents}
	if b.Hash() != hash || e.Trust == ability.TrustApproved && hash != e.ApprovedHash {
		k.Usable, k.Reason, k.Code = false, "its files changed just now", "drifted"
	}
	return k, nil
}
