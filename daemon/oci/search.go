package oci

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"

	"golang.org/x/sync/errgroup"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

const (
	skillsAtOnce = 8
	searchOne    = 15 * time.Second // for one repository
	maxNames     = 100_000          // of a registry's repositories that a search looks at
	maxName      = 255              // bytes of a repository's name
	maxFound     = 500
)

// Search lists the skills of a registry whose names begin with a prefix, with what their newest tag leads to.
func (s *Service) Search(ctx context.Context, q wire.SkillSearchQuery) (wire.SkillSearchResult, error) {
	out := wire.SkillSearchResult{Items: []wire.SkillFound{}, SchemaVersion: 1}
	host, prefix, _ := strings.Cut(strings.TrimPrefix(q.In, "oci://"), "/")
	at, err := Parse(host + "/x") // checks the host
	if err != nil {
		return out, err
	}
	asked := ctx
	ctx, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	names, err := s.names(ctx, at, prefix)
	if err != nil {
		return out, err
	}
	for word := range strings.FieldsSeq(strings.ToLower(q.Words)) {
		names = slices.DeleteFunc(names, func(n string) bool { return !strings.Contains(n, word) })
	}
	slices.Sort(names)
	out.Total = len(names)
	limit := q.Limit
	if limit <= 0 || limit > maxFound {
		limit = 50
	}
	names = names[:min(len(names), limit)]
	installed, err := s.o.Skills.Installed(ctx)
	if err != nil {
		return out, err
	}
	out.LookedAt = len(names)
	found, refusals := make([]*wire.SkillFound, len(names)), make([]error, len(names))
	var g errgroup.Group
	g.SetLimit(skillsAtOnce)
	for i, name := range names {
		g.Go(func() error { // what is wrong with one repository costs the others nothing
			ctx, cancel := context.WithTimeout(ctx, searchOne)
			defer cancel()
			r := at
			r.Repository = name
			found[i], refusals[i] = s.found(ctx, r, installed)
			return nil
		})
	}
	_ = g.Wait()
	for i, f := range found {
		switch {
		case f != nil:
			out.Items = append(out.Items, *f)
		case refusals[i] != nil && !fault.Is(refusals[i], fault.RegistrySignIn): // that one is not for this person
			out.Unread++
		}
	}
	if err := cmp.Or(refusals...); asked.Err() != nil || len(out.Items) == 0 && err != nil {
		return out, cmp.Or(err, failed(asked.Err(), at))
	}
	return out, nil
}

// names lists the registry's repositories with a prefix. Many registries let nobody list them.
func (s *Service) names(ctx context.Context, at Reference, prefix string) ([]string, error) {
	reg := &remote.Registry{RepositoryOptions: remote.RepositoryOptions{Client: s.client(at.Registry), Reference: at.Reference,
		PlainHTTP: at.local(), MaxMetadataBytes: maxManifest}, RepositoryListPageSize: repositoryAsk}
	reg.Reference.Repository, reg.Reference.Reference = "", ""
	var names []string
	seen, pages := 0, 0
	err := reg.Repositories(ctx, "", func(page []string) error {
		if seen, pages = seen+len(page), pages+1; seen > maxNames || pages > maxPages {
			return errdef.ErrTooManyPages
		}
		for _, n := range page {
			r := at
			if r.Repository = n; strings.HasPrefix(n, prefix) && len(n) <= maxName && r.ValidateRepository() == nil {
				names = append(names, n)
			}
		}
		return nil
	})
	if err == nil {
		return names, nil
	}
	switch statusOf(err) {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusForbidden, http.StatusNotImplemented, http.StatusUnauthorized:
		return nil, fault.Wrap(err, fault.RegistryNoList, "the registry does not list what it has, or not to you").
			WithDetail("registry", at.Registry).WithHint("name the skill, or keep a showhow.lock with your team's skills")
	}
	return nil, failed(err, at)
}

// found describes one repository, nil when it holds no skill.
func (s *Service) found(ctx context.Context, r Reference, installed []Installed) (*wire.SkillFound, error) {
	repo := s.repository(r)
	tags, err := tagsOf(ctx, repo)
	err = failed(err, r)
	switch {
	case fault.Is(err, fault.RegistryNotFound): // deleted meanwhile
		return nil, nil
	case err != nil:
		return nil, err
	case len(tags) == 0:
		return nil, nil
	}
	r, d, m, f, err := s.newestThere(ctx, repo, r, tags)
	if fault.Is(err, fault.RegistryContent) || fault.Is(err, fault.RegistryNotFound) || fault.Is(err, fault.SkillImportFileTooLarge) {
		return nil, nil // an image, or a skill that nobody could pull
	}
	if err != nil {
		return nil, err
	}
	x := &wire.SkillFound{Reference: r.String(), Name: f.Name, Version: f.Version, Description: f.Description, Digest: d.Digest.String(),
		ContentHash: f.TrustHash, Files: len(m.Layers), Tags: first(tags)}
	if !f.Created.IsZero() {
		at := clock.At(f.Created)
		x.PushedAt = &at
	}
	if i := slices.IndexFunc(installed, func(k Installed) bool { return k.isFrom(r) }); i >= 0 {
		x.InstalledAs = installed[i].Slug
	}
	return x, nil
}

// Tags of one skill: so many are looked at, and so many are told.
const (
	maxTags   = 10_000
	tagsShown = 50
)

// first are the tags that are told when there are too many: the highest versions, then the others.
func first(tags []string) []string {
	if len(tags) <= tagsShown {
		return tags
	}
	return slices.SortedFunc(slices.Values(tags), newer)[:tagsShown]
}

func tagsOf(ctx context.Context, repo *remote.Repository) ([]string, error) {
	out, seen := []string{}, 0
	err := repo.Tags(ctx, "", func(page []string) error {
		if seen += len(page); seen > maxTags {
			return errdef.ErrTooManyPages
		}
		for _, t := range page {
			r := repo.Reference
			r.Reference = t
			if r.ValidateReferenceAsTag() == nil && !strings.HasPrefix(t, "sha256-") { // the referrers of older registries
				out = append(out, t)
			}
		}
		return nil
	})
	return out, err
}

// mostGone is how many of the newest tags may lead nowhere; then the oldest is tried.
const mostGone = 10

// newestThere reads what the newest of some tags, at least one, leads to. A tag that leads nowhere is passed over: a registry may still
// list one that was deleted.
func (s *Service) newestThere(ctx context.Context, repo *remote.Repository, r Reference, tags []string) (at Reference,
	d ocispec.Descriptor, m ocispec.Manifest, f Facts, err error) {
	tags = slices.SortedFunc(slices.Values(tags), newer)
	if len(tags) > mostGone {
		tags = append(tags[:mostGone], tags[len(tags)-1])
	}
	for _, t := range tags {
		at = r.at(t)
		if d, m, f, err = s.manifest(ctx, repo, at); !fault.Is(err, fault.RegistryNotFound) {
			break
		}
	}
	return at, d, m, f, err
}

// newer orders tags: the highest version first, then latest, then by name from the last.
func newer(a, b string) int {
	rank := func(t string) int {
		switch {
		case isVersion(t):
			return 2
		case t == defaultTag:
			return 1
		}
		return 0
	}
	switch x, y := rank(a), rank(b); {
	case x != y:
		return y - x
	case x == 2 && compareVersions(a, b) != 0:
		return compareVersions(b, a)
	}
	return strings.Compare(b, a)
}

// isVersion reports whether a tag is a released version: numbers with dots, with or without a v before them.
func isVersion(tag string) bool {
	parts := strings.Split(strings.TrimPrefix(tag, "v"), ".")
	return !slices.ContainsFunc(parts, func(p string) bool {
		_, err := strconv.ParseUint(p, 10, 63)
		return err != nil
	})
}

// compareVersions compares two versions number by number.
func compareVersions(a, b string) int {
	x, y := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	number := func(s []string, i int) uint64 {
		if i >= len(s) {
			return 0
		}
		n, _ := strconv.ParseUint(s[i], 10, 63)
		return n
	}
	for i := range max(len(x), len(y)) {
		if p, q := number(x, i), number(y, i); p != q {
			if p < q {
				return -1
			}
			return 1
		}
	}
	return 0
}
