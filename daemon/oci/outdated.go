package oci

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Installed is an installed skill with where it came from; From.Reference is empty for one from elsewhere.
type Installed struct {
	AbilityID    string
	Slug         string
	Approved     bool // as it is on the disk
	ApprovedHash string
	From         wire.ImportProvenance
}

// fromRegistry reports whether it was pulled; the reference of what a connector offered is an address of its service.
func (k Installed) fromRegistry() bool { return k.From.Reference != "" && k.From.ConnectorID == "" }

// States of an installed skill against its registry.
const (
	stateCurrent = "current" // what its tag leads to is installed
	stateNewer   = "newer"   // its tag, or a higher version, leads to a later push
	stateOlder   = "older"   // its tag leads to an earlier push than the installed one: a step back, or a replay
	statePinned  = "pinned"  // it was pulled by its digest
	stateGone    = "gone"    // the registry has it no longer
	stateUnknown = "unknown" // the registry did not answer; code says why
)

// Outdated compares the installed skills that came from a registry with what that has now. name selects one; offline asks no registry.
func (s *Service) Outdated(ctx context.Context, name string, offline bool) (wire.SkillOutdatedList, error) {
	out := wire.SkillOutdatedList{Items: []wire.SkillOutdated{}, SchemaVersion: 1}
	all, err := s.o.Skills.Installed(ctx)
	if err != nil {
		return out, err
	}
	all = slices.DeleteFunc(all, func(k Installed) bool {
		return !k.fromRegistry() || name != "" && k.Slug != name && k.AbilityID != name
	})
	if name != "" && len(all) == 0 {
		return out, fault.New(fault.NotFound, "no installed skill of this name came from a registry or was pushed to one").
			WithHint("`showhow skill outdated` lists those that did")
	}
	out.Items = make([]wire.SkillOutdated, len(all))
	at := map[string][]int{} // by registry
	for i, k := range all {
		out.Items[i] = describe(k)
		host, _, _ := strings.Cut(k.From.Reference, "/")
		at[host] = append(at[host], i)
	}
	if offline {
		return out, nil
	}
	work, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	var registries sync.WaitGroup
	for _, rows := range at { // side by side: one that does not answer holds up its own skills alone, which stay unknown
		registries.Go(func() {
			var g errgroup.Group
			g.SetLimit(skillsAtOnce)
			for _, i := range rows {
				g.Go(func() error {
					out.Items[i].State, out.Items[i].Available, out.Items[i].Code = s.stateOf(work, all[i])
					return nil
				})
			}
			_ = g.Wait()
		})
	}
	registries.Wait()
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return out, failed(err, Reference{})
	}
	return out, nil
}

func describe(k Installed) wire.SkillOutdated {
	return wire.SkillOutdated{AbilityID: k.AbilityID, SkillSlug: k.Slug, Reference: k.From.Reference, Digest: k.From.Digest,
		Version: k.From.Version, State: stateUnknown, Signer: k.From.Signer,
		ChangedHere: k.From.Here() != "" && k.ApprovedHash != k.From.Here(), Unapproved: !k.Approved}
}

// stateOf asks the registry. A tag that is a version is compared with the higher ones; every tag with what it leads to.
func (s *Service) stateOf(ctx context.Context, k Installed) (state string, there *wire.SkillAvailable, code string) {
	r, err := Parse(k.From.Reference)
	if err != nil {
		return stateUnknown, nil, string(fault.CodeOf(err))
	}
	if r.pinned() {
		return statePinned, nil, ""
	}
	repo := s.repository(r)
	look := []string{r.tag()}
	if isVersion(r.tag()) {
		tags, err := tagsOf(ctx, repo)
		if err != nil && statusOf(err) != 404 {
			return stateUnknown, nil, string(fault.CodeOf(failed(err, r)))
		}
		for _, t := range tags {
			if isVersion(t) && compareVersions(t, r.tag()) > 0 {
				look = append(look, t)
			}
		}
	}
	led, d, _, f, err := s.newestThere(ctx, repo, r, look)
	switch {
	case fault.Is(err, fault.RegistryNotFound):
		return stateGone, nil, ""
	case err != nil:
		return stateUnknown, nil, string(fault.CodeOf(err))
	case d.Digest.String() == k.From.Digest:
		return stateCurrent, nil, ""
	}
	there = &wire.SkillAvailable{Reference: led.String(), Digest: d.Digest.String(), Version: f.Version, ContentHash: f.TrustHash}
	if k.From.Earlier(d.Digest.String(), f.Created) {
		return stateOlder, there, ""
	}
	return stateNewer, there, ""
}
