package ability

import (
	"context"
	"slices"
	"strings"

	"showhow/internal/fault"
)

// Lookup finds the abilities that fit a sentence: at most ten, best first. Quarantined ones are never among them.
func (s *Views) Lookup(ctx context.Context, q LookupQuery) (LookupResult, error) {
	snap, err := s.Availability(ctx)
	if err != nil {
		return LookupResult{}, err
	}
	type hit struct {
		LookupMatch
		overlap int
	}
	hits := []hit{}
	for _, e := range snap.Abilities {
		if !admits(q, e.InstallLane) {
			continue
		}
		if q.Agent != nil {
			e = e.For(q.Agent)
		}
		if sc := Score(q.UserQuery, e, q.ProjectID); sc.Matched() {
			hits = append(hits, hit{LookupMatch{AbilityID: e.AbilityID, Title: e.Title, SkillSlug: e.SkillSlug, Score: sc.Score,
				InstallLane: e.InstallLane, UsableNow: e.UsableNow, ReasonUnusable: e.ReasonUnusable, MatchReasons: sc.Reasons}, sc.Overlap})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		switch {
		case a.Score != b.Score:
			return sign(b.Score - a.Score)
		case a.overlap != b.overlap:
			return b.overlap - a.overlap
		}
		return strings.Compare(a.AbilityID, b.AbilityID)
	})
	out := LookupResult{Matches: []LookupMatch{}, CreatedAt: s.now(), SchemaVersion: 1}
	for _, h := range hits[:min(len(hits), maxMatches)] {
		out.Matches = append(out.Matches, h.LookupMatch)
	}
	return out, nil
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
	if r.Agent != nil {
		e = e.For(r.Agent)
	}
	sc := Score(r.UserQuery, e, r.ProjectID)
	if e.InstallLane == LaneQuarantined {
		sc.reject("quarantined", "", "lookup leaves it out")
	}
	return sc.explain(e.AbilityID), nil
}

// ExplainDraft is ExplainMatch for a draft's phrases, scored as if it were installed privately and usable.
func (s *Views) ExplainDraft(r ExplainMatchRequest, d Phrases) ExplainMatchResponse {
	return Score(r.UserQuery, d.Entry(), r.ProjectID).explain(d.ID)
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

func sign(f float64) int {
	if f < 0 {
		return -1
	}
	return 1
}
