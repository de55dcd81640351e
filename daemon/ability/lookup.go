package ability

import (
	"context"
	"math"
	"slices"

	"showhow/daemon/ability/relevance"
	"showhow/internal/fault"
)

// Lookup finds the abilities that fit a sentence: at most ten, best first. Quarantined ones are never among them. Where the first ones
// are too close to choose, it says so; where nothing fits, it says what came closest.
func (s *Views) Lookup(ctx context.Context, q LookupQuery) (LookupResult, error) {
	m, err := s.matcher(ctx)
	if err != nil {
		return LookupResult{}, err
	}
	out := m.Lookup(q)
	out.CreatedAt, out.SchemaVersion = s.now(), 1
	return out, nil
}

// matcher is the matcher of what is installed, as it is now.
func (s *Views) matcher(ctx context.Context) (*Matcher, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.finder.bring(w), nil
}

// explainedHits is how many of the best hits are told word by word at once: more than are shown, since lanes change their order.
const explainedHits = 2 * maxMatches

// Lookup answers a query from what the matcher knows.
func (m *Matcher) Lookup(q LookupQuery) LookupResult {
	type scored struct {
		LookupMatch
		s Scored
	}
	var hits, below []scored
	for _, h := range m.index.Search(q.UserQuery, explainedHits) {
		e, known := m.of[h.ID]
		if !known || !admits(q, e.InstallLane) || m.cannot(h.Relevance, len(hits)) {
			continue
		}
		if q.Agent != nil {
			e = e.For(q.Agent)
		}
		if h.Terms == nil {
			h, _ = m.index.Explain(q.UserQuery, h.ID)
		}
		sc := judge(q.UserQuery, e, q.ProjectID, h, true)
		hit := scored{LookupMatch{AbilityID: e.AbilityID, Title: e.Title, SkillSlug: e.SkillSlug, Score: sc.Score,
			InstallLane: e.InstallLane, UsableNow: e.UsableNow, ReasonUnusable: e.ReasonUnusable, MatchReasons: list(sc.Reasons)}, sc}
		switch {
		case sc.Matched():
			hits = append(hits, hit)
		case sc.Score > 0:
			below = append(below, hit)
		}
	}
	order := func(a, b scored) int { return better(a.LookupMatch, b.LookupMatch, a.s, b.s) }
	slices.SortFunc(hits, order)
	slices.SortFunc(below, order)
	out := LookupResult{Matches: []LookupMatch{}}
	for _, h := range hits[:min(len(hits), maxMatches)] {
		out.Matches = append(out.Matches, h.LookupMatch)
	}
	if len(hits) == 0 && len(below) > 0 {
		out.Closest = &below[0].LookupMatch
	}
	out.AskWhich = undecided(out.Matches)
	return out
}

// cannot reports whether words that fit so little can no longer bring an ability among the matches: whatever else speaks for it, it
// stays below the threshold. One of them is looked at when nothing has matched, to say what came closest.
func (m *Matcher) cannot(fit float64, found int) bool {
	const best = 1 + (weightProject+weightShared+weightHealth)/relevance.Most
	return fit*best < MinScore && found > 0
}

// undecided are the usable matches that are about as good as the best one, when there is more than one.
func undecided(matches []LookupMatch) (ids []string) {
	for _, m := range matches {
		if m.UsableNow && m.Score >= tooClose*matches[0].Score {
			ids = append(ids, m.AbilityID)
		}
	}
	if len(ids) < 2 || !matches[0].UsableNow {
		return nil
	}
	return ids
}

// admits reports whether the query wants abilities of a lane.
func admits(q LookupQuery, lane string) bool {
	if lane == LaneQuarantined {
		return false
	}
	if lane == LanePrivate && (q.IncludePrivateOwnedByUser == nil || *q.IncludePrivateOwnedByUser) {
		return true
	}
	if q.InstallLanesAllowed == nil {
		return lane == LaneApproved || lane == LaneShared
	}
	return slices.Contains(q.InstallLanesAllowed, lane)
}

// ExplainMatch says what scored for one installed ability. For a proposal use ExplainDraft.
func (s *Views) ExplainMatch(ctx context.Context, r ExplainMatchRequest) (ExplainMatchResponse, error) {
	if r.AbilityID == "" {
		return ExplainMatchResponse{}, fault.New(fault.InvalidRequest, "explain-match needs an ability_id or a proposal_id")
	}
	e, err := s.AvailabilityOf(ctx, r.AbilityID)
	if err != nil {
		return ExplainMatchResponse{}, err
	}
	m, err := s.matcher(ctx)
	if err != nil {
		return ExplainMatchResponse{}, err
	}
	if r.Agent != nil {
		e = e.For(r.Agent)
	}
	hit, met := m.index.Explain(r.UserQuery, e.AbilityID)
	sc := judge(r.UserQuery, e, r.ProjectID, hit, met)
	if e.InstallLane == LaneQuarantined {
		sc.reject("quarantined", "", "lookup leaves it out")
	}
	return sc.explain(e.AbilityID), nil
}

// ExplainDraft is ExplainMatch for a draft's phrases, scored as if it were installed privately and usable, beside what is installed.
func (s *Views) ExplainDraft(ctx context.Context, r ExplainMatchRequest, d Phrases) (ExplainMatchResponse, error) {
	m, err := s.matcher(ctx)
	if err != nil {
		return ExplainMatchResponse{}, err
	}
	return m.Draft(r.UserQuery, d, r.ProjectID).explain(d.ID), nil
}

// Draft is the score of a draft beside the abilities of the matcher.
func (m *Matcher) Draft(query string, d Phrases, projectID string) Scored {
	const id = "\x00draft"
	e := d.Entry()
	hits := m.index.Try(id, spoken(e), []string{query}, math.MaxInt)[0]
	i := slices.IndexFunc(hits, func(h relevance.Hit) bool { return h.ID == id })
	if i < 0 {
		return judge(query, e, projectID, relevance.Hit{}, false)
	}
	return judge(query, e, projectID, hits[i], true)
}

func (s Scored) explain(id string) ExplainMatchResponse {
	return ExplainMatchResponse{AbilityID: id, Matched: s.Matched(), Score: s.Score,
		MatchReasons: list(s.Reasons), RejectionReasons: list(s.Rejections), Because: s.Because}
}

// Phrases is what the matcher scores besides an installed ability's standing: a draft's wording.
type Phrases struct {
	ID               string // proposal id, as explain answers it
	Title            string
	TriggerPhrases   []string
	NegativeTriggers []string
	ProjectScopes    []string
}

// Entry is the draft as lookup would see it once it is installed privately.
func (d Phrases) Entry() AvailabilityEntry {
	return AvailabilityEntry{AbilityID: d.ID, Title: d.Title, TriggerPhrases: d.TriggerPhrases, NegativeTriggers: d.NegativeTriggers,
		ProjectScopes: d.ProjectScopes, InstallLane: LanePrivate, Enabled: true, UsableNow: true}
}
