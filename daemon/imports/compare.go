package imports

import (
	"context"
	"slices"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// place is where an import is installed: under a name of its own, or in the place of the ability that it is a new
// version of.
type place struct{ slug, replaces, capability string }

// settle gives the item its place.
func (i *Item) settle(p place) {
	i.rename(p.slug)
	i.Replaces, i.Capability = p.replaces, p.capability
}

func (i Item) capability() string {
	if i.Capability != "" {
		return i.Capability
	}
	return "imported." + i.Slug
}

// decided reports whether a person has decided where it goes: an installation that is under way, or that failed.
func (i Item) decided() bool { return i.StageState == InstallQueued || i.StageState == InstallFailed }

// predecessor is the installed ability that an import is a new version of, -1 for none: the one that was pulled from the
// same repository, or that the same connector offered under this address. Of several it is the one that the update was
// made of, else the first.
func (i Item) predecessor(all []ability.Origin) int {
	if i.decided() {
		return slices.IndexFunc(all, func(o ability.Origin) bool { return o.AbilityID == i.Replaces })
	}
	from := func(o ability.Origin) bool { return i.Provenance.SamePlace(o.From) }
	was := slices.IndexFunc(all, func(o ability.Origin) bool { return from(o) && o.ApprovedHash == i.Provenance.Updates })
	if was >= 0 && i.Provenance.Updates != "" {
		return was
	}
	return slices.IndexFunc(all, from)
}

// placeOf finds the place of an import. A skill from a registry replaces the one that was pulled from the same
// repository; every other one gets a free name.
func (s *records) placeOf(ctx context.Context, item Item, name, hash string) (place, error) {
	all, err := s.o.Installer.Origins(ctx)
	if err != nil {
		return place{}, err
	}
	if i := item.predecessor(all); i >= 0 {
		return place{slug: all[i].Slug, replaces: all[i].AbilityID, capability: all[i].CapabilityID}, nil
	}
	free, err := s.freeName(ctx, name, hash)
	return place{slug: free}, err
}

// compare compares an import that waits with the ability that it would replace now, or that has its name.
func (s *Views) compare(ctx context.Context, i Item) (*Comparison, error) {
	if i.Scan == nil || Terminal(i.StageState) {
		return nil, nil
	}
	all, err := s.o.Installer.Origins(ctx)
	if err != nil {
		return nil, err
	}
	at := i.predecessor(all)
	replaces := at >= 0
	if !replaces {
		at = slices.IndexFunc(all, func(o ability.Origin) bool { return o.Slug == i.SkillName })
	}
	if at < 0 {
		return nil, nil
	}
	o := all[at]
	c := &Comparison{AbilityID: o.AbilityID, SkillSlug: o.Slug, ApprovedHash: o.ApprovedHash, Replaces: replaces, From: o.From,
		Same: o.ApprovedHash == i.ContentHash, Files: []ability.FileChange{}, Wider: wider(i, o.Granted)}
	if replaces {
		c.Signer = signerChange(o.From.Pin(), i.Provenance.Signer)
		c.Granted = &o.Granted
		c.Forgets = o.From.Pin() != "" && i.Provenance.Pin() == ""
		c.ChangedHere = i.givesUp(o)
		c.Older = !c.Same && o.From.Earlier(i.Provenance.Digest, pushed(i.Provenance))
		c.Mergeable = c.ChangedHere && !c.Older && o.From.Kind == "registry" && i.Provenance.Updates == ""
	}
	if c.Same {
		return c, nil
	}
	was, err := s.o.Installer.Approved(ctx, o.AbilityID)
	if err != nil && !fault.Is(err, fault.TrustRequired) {
		return nil, err
	}
	is, _, err := s.Reading(ctx, i.ImportID)
	if fault.Is(err, fault.InvalidImportTransition) || fault.Is(err, fault.ContentHashMismatch) {
		return c, nil // the import's own state says so
	}
	if err != nil {
		return nil, err
	}
	c.Files = ability.Changes(was, skill.Bundle{Files: is.Files})
	return c, nil
}

// givesUp reports whether it would take the place of what a person changed here and approved, and does not hold it: an
// update that merged the changes does.
func (i Item) givesUp(o ability.Origin) bool {
	merged := i.Provenance.Merged && i.Provenance.Updates == o.ApprovedHash
	changed := o.From.Here() != "" && o.ApprovedHash != "" && o.ApprovedHash != o.From.Here()
	return changed && !merged && o.ApprovedHash != i.ContentHash
}

// signerChange says how a new version's signer differs from the accepted key; "" when it does not.
func signerChange(was, is string) string {
	switch {
	case was == is:
		return ""
	case is == "":
		return "gone"
	case was == "":
		return "new"
	}
	return "other"
}

func pushed(p Provenance) time.Time {
	if p.PushedAt == nil {
		return time.Time{}
	}
	return p.PushedAt.Time
}

// unchanged refuses an update of what was changed and approved here since the update was made: the change is not in it.
// It refuses too what the accepted key did not sign, if another key was accepted when it was pulled: nobody said to take it
// instead of this one.
func (s *records) unchanged(ctx context.Context, item Item) error {
	all, err := s.o.Installer.Origins(ctx)
	if err != nil {
		return err
	}
	i := item.predecessor(all)
	if i < 0 {
		return nil
	}
	is := item.Provenance
	if is.Updates != "" && all[i].ApprovedHash != is.Updates {
		return fault.New(fault.ContentHashMismatch, "the installed skill was changed since this update was made").
			WithDetail("import_id", item.ImportID).WithHint("discard this one; `showhow skill update` makes it anew, with the change")
	}
	pin := all[i].From.Pin()
	if pin == "" || is.Signer == pin || is.SetAside == pin {
		return nil
	}
	code, message := fault.RegistryOtherSigner, "another key signed this skill than the one that you accepted since it was pulled"
	if is.Signer == "" {
		code, message = fault.RegistryUnsigned, "nobody signed this skill, and you accepted a key since it was pulled"
	}
	return fault.New(code, message).WithDetail("import_id", item.ImportID).WithDetail("expected", pin).
		WithHint("discard it and pull it anew, which says what can be accepted")
}

// wider is what the scan found an import to use beyond what was granted.
func wider(i Item, granted ability.Permissions) ability.Permissions {
	p := i.Scan.Permissions
	return ability.Permissions{Tools: beyond(p.Tools, granted.Tools), Domains: beyond(p.Domains, granted.Domains),
		Credentials: beyond(p.Credentials, granted.Credentials)}
}

func beyond(asked, granted []string) []string {
	out := []string{}
	for _, a := range asked {
		if !slices.Contains(granted, a) {
			out = append(out, a)
		}
	}
	return out
}
