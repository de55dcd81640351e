package ability

import (
	"context"
	"math"
	"slices"
	"time"

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

// Where more than manyAbilities are installed, looking at all of them takes longer than finding one. What was seen is believed for
// seenFor then, unless anybody else looked or changed anything: the live watch does, as soon as a file changes.
const seenFor = 2 * time.Second

var manyAbilities = 500 // a variable for tests

// matcher is the matcher of what is installed, as it is now.
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
	m := s.finder.bring(w)
	s.finder.seen = nil
	if len(m.of) > manyAbilities {
		s.finder.seen, s.finder.at, s.finder.turn = m, s.now(), s.mu.taken
	}
	return m, nil
}

// explainedHits is how many of the best hits are told word by word at once: more than are shown, since lanes change their order.
const explainedHits = 2 * maxMatches

// Lookup answers a query from what the matcher knows.
func (m *Matcher) Lookup(q LookupQuery) LookupResult {
	type scored struct {
		hit relevance.Hit
		s   Scored
	}
	as := func(id string) (AvailabilityEntry, bool) { // as the agent has it that asks
		e, known := m.of[id]
		if q.Agent != nil {
			e = e.For(q.Agent)
		}
		return e, known
	}
	var all []scored
	for _, h := range m.index.Search(q.UserQuery, explainedHits) {
		e, known := as(h.ID)
		if !known || !admits(q, e.InstallLane) {
			continue
		}
		if m.cannot(h.Relevance) && len(all) > 0 {
			break // they come in order of their relevance
		}
		if sc := judge(q.UserQuery, e, q.ProjectID, h, true); sc.Score > 0 {
			all = append(all, scored{h, sc})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return better(a.hit.ID, b.hit.ID, a.s, b.s) })
	show := func(x scored) LookupMatch {
		e, _ := as(x.hit.ID)
		if x.hit.Terms == nil {
			x.hit, _ = m.index.Explain(q.UserQuery, x.hit.ID)
			x.s = judge(q.UserQuery, e, q.ProjectID, x.hit, true)
		}
		return LookupMatch{AbilityID: e.AbilityID, Title: e.Title, SkillSlug: e.SkillSlug, Score: x.s.Score, InstallLane: e.InstallLane,
			UsableNow: e.UsableNow, ReasonUnusable: e.ReasonUnusable, MatchReasons: list(x.s.Reasons)}
	}
	out := LookupResult{Matches: []LookupMatch{}}
	for _, x := range all {
		if !x.s.Matched() || len(out.Matches) == maxMatches {
			break
		}
		out.Matches = append(out.Matches, show(x))
	}
	if len(out.Matches) == 0 && len(all) > 0 {
		closest := show(all[0])
		out.Closest = &closest
	}
	out.AskWhich = undecided(out.Matches)
	return out
}

// cannot reports whether words that fit so little can no longer bring an ability among the matches: whatever else speaks for it, it
// stays below the threshold. One of them is looked at when nothing has matched, to say what came closest.
func (m *Matcher) cannot(fit float64) bool {
	const best = 1 + (weightProject+weightShared+weightHealth)/relevance.Most
	return fit*best < MinScore
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
	m, err := s.matcher(ctx)
	if err != nil {
		return ExplainMatchResponse{}, err
	}
	e, ok := m.named(r.AbilityID)
	if !ok {
		return ExplainMatchResponse{}, notFound()
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

// named is an ability by its id or its slug.
func (m *Matcher) named(id string) (AvailabilityEntry, bool) {
	if e, ok := m.of[id]; ok {
		return e, true
	}
	for _, e := range m.of {
		if e.SkillSlug == id {
			return e, true
		}
	}
	return AvailabilityEntry{}, false
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
	e := d.Entry()
	hits := m.index.Try(draftID, spoken(e), []string{query}, math.MaxInt)[0]
	i := slices.IndexFunc(hits, func(h relevance.Hit) bool { return h.ID == draftID })
	if i < 0 {
		return judge(query, e, projectID, relevance.Hit{}, false)
	}
	return judge(query, e, projectID, hits[i], true)
}

// Collisions are the phrases of a draft that an installed ability answers better, or too nearly as well.
func (s *Views) Collisions(ctx context.Context, d Phrases) ([]Rival, error) {
	m, err := s.matcher(ctx)
	if err != nil {
		return nil, err
	}
	return m.Collisions(d), nil
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
