package shelf

import (
	"context"
	"log/slog"
	"strings"

	"showhow/daemon/ability"
	"showhow/internal/fault"
)

// Resolve finds what a person assigns to a category. For kinds without a store every id is accepted.
func (s Shelf) Resolve(ctx context.Context, kind, id string) (string, error) {
	switch kind {
	case "skill", "learned_ability":
		c, err := s.o.Abilities.Catalog(ctx)
		if err != nil {
			return "", err
		}
		for _, e := range c.Items {
			if e.AbilityID == id || e.SkillSlug == strings.TrimPrefix(id, "native:") {
				return e.AbilityID, nil
			}
		}
		return "", fault.New(fault.NotFound, "there is no such skill").WithHint("`showhow skill list` names them")
	case "proposal":
		found, err := s.o.Proposal(ctx, id)
		if fault.Is(err, fault.ProposalNotFound) {
			err = fault.New(fault.NotFound, "there is no such proposal").WithHint("`showhow proposal list` names them")
		}
		return found, err
	case "bundle":
		found, err := s.o.Import(ctx, id)
		if fault.Is(err, fault.SkillImportNotFound) {
			err = fault.New(fault.NotFound, "there is no such import").WithHint("`showhow skill imports list` names them")
		}
		return found, err
	}
	return id, nil
}

// Sorter is the install saga with categories: a draft's or bundle's categories are assigned to the skill that it
// becomes.
type Sorter struct {
	*ability.Service
	o Options
}

// Sorter returns the install saga of the shelf's skills.
func (s Shelf) Sorter() Sorter { return Sorter{s.o.Abilities, s.o} }

// Install implements port.Installer and imports.Installer.
func (s Sorter) Install(ctx context.Context, req ability.InstallRequest) (ability.InstallResult, error) {
	r, err := s.Service.Install(ctx, req)
	if err != nil {
		return r, err
	}
	from := req.ProposalID
	if id, ok := req.Metadata["import_id"].(string); ok {
		from = id
	}
	if e := s.o.Categories().Follow(ctx, from, "learned_ability", r.AbilityID); e != nil { // it is installed all the same
		s.o.Log.WarnContext(ctx, "an installed skill could not be sorted", slog.Any("error", e))
	}
	return r, nil
}
