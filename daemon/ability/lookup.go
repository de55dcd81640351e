package ability

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"showhow/daemon/ability/relevance"
	"showhow/internal/fault"
)

// Lookup finds the abilities that fit a sentence: at most ten, best first, never quarantined ones. If the first ones
// are too close to choose, the result says so; if nothing fits, it names the closest.
func (s *Views) Lookup(ctx context.Context, q LookupQuery) (LookupResult, error) {
	q.ProjectID = s.project(ctx, q.ProjectID)
	m, err := s.matcher(ctx)
	if err != nil {
		return LookupResult{}, err
	}
	out := m.Lookup(q)
	out.CreatedAt, out.SchemaVersion = s.now(), 1
	return out, nil
}

// seenFor is how long an observation of the disk stays valid where more than manyAbilities are installed, because
// observing all of them takes longer than finding one. It ends early when anybody else observes or changes anything:
// the live watch does as soon as a file changes.
const seenFor = 2 * time.Second

var manyAbilities = 500 // a variable for tests

// matcher returns a matcher of the installed abilities in their current state.
func (s *Views) matcher(ctx context.Context) (*Matcher, error) {
	s.mu.Mutex.Lock()
	defer s.mu.Unlock()
	if m := s.finder.seen; m != nil && s.finder.turn == s.mu.taken && s.now().Sub(s.finder.at.Time) < seenFor {
		return m, nil
	}
	s.mu.taken++
	w, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	said := make(map[string]relevance.Text, len(w.abilities))
	for _, a := range w.abilities {
		said[a.AbilityID] = a.spoken()
	}
	m := s.finder.bring(w.snapshot.Abilities, said)
	s.finder.seen = nil
	if len(m.of) > manyAbilities {
		s.finder.seen, s.finder.at, s.finder.turn = m, s.now(), s.mu.taken
	}
	return m, nil
}

// Listed is every ability by name, as lookup sees it: with many of them it may be a moment old.
func (s *Views) Listed(ctx context.Context) ([]AvailabilityEntry, error) {
	m, err := s.matcher(ctx)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(m.of), func(a, b AvailabilityEntry) int { return strings.Compare(a.SkillSlug, b.SkillSlug) }), nil
}

// project resolves a project name in a request.
func (s *Views) project(ctx context.Context, name string) string {
	if s.o.Project == nil || name == "" {
		return name
	}
	return s.o.Project(ctx, name)
}

// ExplainMatch lists what scored for one installed ability. For a proposal use ExplainDraft.
func (s *Views) ExplainMatch(ctx context.Context, r ExplainMatchRequest) (ExplainMatchResponse, error) {
	if r.AbilityID == "" {
		return ExplainMatchResponse{}, fault.New(fault.InvalidRequest, "explain-match needs an ability_id or a proposal_id")
	}
	m, err := s.matcher(ctx)
	if err != nil {
		return ExplainMatchResponse{}, err
	}
	m = m.For(r.Agent)
	e, ok := m.named(r.AbilityID)
	if !ok {
		return ExplainMatchResponse{}, notFound()
	}
	if r.Agent != nil {
		if e, ok = e.For(r.Agent); !ok {
			return ExplainMatchResponse{}, notFound()
		}
		if !e.Permissions.Admits(r.Agent...) { // as Open: what scored would confirm guesses of its words
			return ExplainMatchResponse{}, notUsable(e.SkillSlug, e.ReasonUnusable, e.ReasonCode)
		}
	}
	r.ProjectID = s.project(ctx, r.ProjectID)
	hit, met := m.index.Explain(r.UserQuery, e.AbilityID)
	sc := judge(r.UserQuery, e, r.ProjectID, hit, met)
	if e.InstallLane == LaneQuarantined {
		sc.reject("quarantined", "", "lookup leaves it out")
	}
	return sc.explain(e.AbilityID), nil
}

// ExplainDraft is ExplainMatch for a draft's phrases, scored as if it were installed privately and usable, beside what
// is installed.
func (s *Views) ExplainDraft(ctx context.Context, r ExplainMatchRequest, d Phrases) (ExplainMatchResponse, error) {
	m, err := s.matcher(ctx)
	if err != nil {
		return ExplainMatchResponse{}, err
	}
	return m.Draft(r.UserQuery, d, s.project(ctx, r.ProjectID)).explain(d.ID), nil
}

// Collisions lists the phrases of a draft that an installed ability answers better, or nearly as well.
func (s *Views) Collisions(ctx context.Context, d Phrases) ([]Rival, error) {
	m, err := s.matcher(ctx)
	if err != nil {
		return nil, err
	}
	return m.Collisions(d), nil
}

// spoken is the text by which lookup knows an ability.
func (a Ability) spoken() relevance.Text {
	t := relevance.Text{Phrases: slices.Concat(a.TriggerPhrases, a.Aliases), Title: a.Title, Description: a.Description, Inputs: a.Inputs}
	if goal, ok := a.Metadata["summary"].(string); ok && goal != a.Description {
		t.Goal = goal
	}
	for _, m := range a.Capabilities {
		t.Capabilities = append(t.Capabilities, m.Title)
	}
	return t
}
