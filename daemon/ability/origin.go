package ability

import (
	"context"
	"encoding/json"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Origin is an installed ability with the place that its content was imported from.
type Origin struct {
	AbilityID    string
	CapabilityID string
	Slug         string
	Title        string
	Trust        string
	Source       string
	ContentHash  string // of the content that was installed last
	ApprovedHash string // of the content that a person approved last
	Granted      Permissions
	// From is where it was imported from, or pushed to since; Kind is empty for one that was neither.
	From wire.ImportProvenance
}

func (a Ability) origin() Origin {
	o := Origin{AbilityID: a.AbilityID, CapabilityID: a.CapabilityID, Slug: a.Slug, Title: a.Title, Trust: a.Trust, Source: a.Source,
		ContentHash: a.installedHash(), ApprovedHash: a.ApprovedHash}
	if a.Granted != nil {
		o.Granted = *a.Granted
	}
	o.Granted = normal(o.Granted)
	if o.From = importedFrom(a.Metadata); a.Pushed != nil {
		o.From = *a.Pushed
	}
	return o
}

func importedFrom(metadata map[string]any) (p wire.ImportProvenance) {
	if raw, err := json.Marshal(metadata["provenance"]); err == nil {
		_ = json.Unmarshal(raw, &p) // what older versions wrote there has no Kind
	}
	return p
}

// Push is a skill that a person pushed to a registry.
type Push struct {
	AbilityID string
	To        wire.ImportProvenance
	Sent      bool // otherwise it was there already
}

// Pushed records where a skill was pushed to, so that it is compared with what is there as one that was pulled from there.
// The receipt and the event hold ids alone.
func (s *Reviews) Pushed(ctx context.Context, p Push) (receipt string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		all, err := tx.Abilities()
		if err != nil {
			return err
		}
		if i := find(all, p.AbilityID); i >= 0 { // it may have been removed meanwhile, and was pushed all the same
			all[i].Pushed = &p.To
			if err := tx.PutAbility(all[i]); err != nil {
				return err
			}
		}
		if !p.Sent {
			return nil
		}
		receipt = s.o.NewID()
		return record(tx, journal.Receipt{ReceiptID: receipt, Kind: journal.SkillPushed, AbilityID: p.AbilityID,
			Summary: "You pushed a skill to a registry."}, map[string]any{"ability_id": p.AbilityID})
	})
	return receipt, err
}

// Origins lists the installed abilities with where they came from, oldest first.
func (s *Reviews) Origins(ctx context.Context) ([]Origin, error) {
	out := []Origin{}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Abilities()
		for _, a := range all {
			out = append(out, a.origin())
		}
		return err
	})
	return out, err
}

// Approved returns an ability's content as a person approved it, whatever stands in its folder now. It is not there for
// one that nobody has approved.
func (s *Reviews) Approved(ctx context.Context, id string) (skill.Bundle, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return skill.Bundle{}, err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return skill.Bundle{}, notFound()
	}
	c, known, err := s.content(ctx, w.abilities[i].AbilityID)
	if err == nil && !known {
		err = fault.New(fault.TrustRequired, "nobody has approved this skill").WithHint("`showhow skill approve` does")
	}
	return c.Bundle, err
}
