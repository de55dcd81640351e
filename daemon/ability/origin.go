package ability

import (
	"context"
	"encoding/json"

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
	From         wire.ImportProvenance // Kind is empty for an ability that was not imported
}

func (a Ability) origin() Origin {
	o := Origin{AbilityID: a.AbilityID, CapabilityID: a.CapabilityID, Slug: a.Slug, Title: a.Title, Trust: a.Trust, Source: a.Source,
		ContentHash: a.installedHash(), ApprovedHash: a.ApprovedHash}
	if a.Granted != nil {
		o.Granted = *a.Granted
	}
	o.Granted = normal(o.Granted)
	if raw, err := json.Marshal(a.Metadata["provenance"]); err == nil {
		_ = json.Unmarshal(raw, &o.From) // what older versions wrote there has no Kind
	}
	return o
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
