package daemon

import (
	"context"
	"log/slog"
	"strings"

	"showhow/daemon/ability"
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
	case "bundle":
		i, err := d.imports.Get(ctx, id)
		if fault.Is(err, fault.SkillImportNotFound) {
			err = fault.New(fault.NotFound, "there is no such import").WithHint("`showhow skill imports list` names them")
		}
		return i.ImportRecord.ImportID, err
	}
	return id, nil
}

// sorter is the install saga. What was sorted as a draft or as a bundle stays sorted as the skill that it becomes.
type sorter struct {
	*ability.Service
	d *Daemon
}

// Install implements learn.Installer and imports.Installer.
func (s sorter) Install(ctx context.Context, req ability.InstallRequest) (ability.InstallResult, error) {
	r, err := s.Service.Install(ctx, req)
	if err != nil {
		return r, err
	}
	from := req.ProposalID
	if id, ok := req.Metadata["import_id"].(string); ok {
		from = id
	}
	if e := s.d.categories.Follow(ctx, from, "learned_ability", r.AbilityID); e != nil { // it is installed all the same
		s.d.log.WarnContext(ctx, "an installed skill could not be sorted", slog.Any("error", e))
	}
	return r, nil
}
