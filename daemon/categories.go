package daemon

import (
	"context"
	"strings"

	"showhow/daemon/category"
	"showhow/internal/fault"
)

func (d *Daemon) categoryOptions() category.Options {
	return category.Options{Store: d.store.Categories(), Resolve: d.categoryItem, Changed: d.abilities.Wake, Now: d.now}
}

// categoryItem finds what a person puts into a category. Of kinds that nothing backs yet every id is believed.
func (d *Daemon) categoryItem(ctx context.Context, kind, id string) (string, error) {
	switch kind {
	case "skill", "learned_ability":
		c, err := d.abilities.Catalog(ctx)
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
		p, err := d.learn.Proposal(ctx, id)
		if fault.Is(err, fault.ProposalNotFound) {
			err = fault.New(fault.NotFound, "there is no such proposal").WithHint("`showhow proposal list` names them")
		}
		return p.Proposal.ProposalID, err
	}
	return id, nil
}
