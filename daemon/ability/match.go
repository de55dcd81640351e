package ability

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"showhow/daemon/ability/relevance"
	"showhow/daemon/wire"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// The weights and thresholds of DOC3 0C.11C. Whatever favours an ability besides its words counts in proportion to how
// well the words fit (decisions C6): no lane makes a router act on a request that shares two common words.
const (
	weightProject  = 0.15
	weightGlobal   = 0.05
	weightShared   = 0.10
	weightApproved = 0.07
	weightPrivate  = 0.03
	weightHealth   = 0.05
	unusableFactor = 0.5

	MinScore   = 0.15 // below it a match is not reported
	RouteScore = 0.30 // from here a router may act on a match that is usable now
	maxMatches = 10

	// tooClose is the share of the best score from which a second match is close enough that an agent should ask which
	// is meant.
	tooClose = 0.9
)

// Scored is one ability's score for one sentence, with its reasons.
type Scored struct {
	Score      float64
	Relevance  float64 // of the words alone, from 0 to relevance.Most; distinguishes what rounding does not
	Reasons    []string
	Rejections []string
	Because    []wire.MatchBecause // the same as fields, in the order of Reasons, then of Rejections
}

// Matched reports whether lookup would return it.
func (s Scored) Matched() bool { return s.Score >= MinScore && len(s.Rejections) == 0 }

// Routed reports whether a router may act on it.
func (s Scored) Routed() bool { return s.Matched() && s.Score >= RouteScore }

// A Matcher compares sentences with a collection of abilities: lookup, explain-match, trigger tests and collision
// warnings all use one.
type Matcher struct {
	index *relevance.Index
	of    map[string]AvailabilityEntry
	said  map[string]relevance.Text
	parts *parts
}

// NewMatcher makes a matcher from abilities' availability entries.
func NewMatcher(entries ...AvailabilityEntry) *Matcher {
	m := &Matcher{index: &relevance.Index{}, of: map[string]AvailabilityEntry{}, said: map[string]relevance.Text{},
		parts: &parts{}}
	for _, e := range entries {
		m.of[e.AbilityID] = e
		m.said[e.AbilityID] = spoken(e)
		m.index.Put(e.AbilityID, m.said[e.AbilityID])
	}
	return m
}

// spoken is the text of an ability's availability entry.
func spoken(e AvailabilityEntry) relevance.Text {
	return relevance.Text{Phrases: append(slices.Clone(e.TriggerPhrases), e.Aliases...), Title: e.Title}
}

// Score is the score of one ability of the matcher.
func (m *Matcher) Score(query, id, projectID string) Scored {
	hit, ok := m.index.Explain(query, id)
	return judge(query, m.of[id], projectID, hit, ok)
}

// Score is the score of an ability by itself.
func Score(query string, e AvailabilityEntry, projectID string) Scored {
	return NewMatcher(e).Score(query, e.AbilityID, projectID)
}

// Rival is another ability that answers a phrase.
type Rival struct {
	Phrase                 string
	AbilityID, Slug, Title string
	Relevance, Mine        float64
	Better                 bool // clearly, than the phrase's own ability; otherwise it is too close to choose
}

// Rival finds the ability that answers a phrase of another one better than that one, or nearly as well.
func (m *Matcher) Rival(phrase, of string) (Rival, bool) {
	return m.rival(phrase, of, m.index.Search(phrase, 0))
}

func (m *Matcher) rival(phrase, of string, hits []relevance.Hit) (Rival, bool) {
	var best, mine relevance.Hit
	for _, h := range hits {
		e, known := m.of[h.ID]
		switch {
		case h.ID == of:
			mine = h
		case best.ID != "" || !known || e.InstallLane == LaneQuarantined:
		default:
			if _, not := refused(phrase, e.NegativeTriggers); !not {
				best = h
			}
		}
	}
	e := m.of[best.ID]
	r := Rival{phrase, best.ID, e.SkillSlug, e.Title, best.Relevance, mine.Relevance, mine.Relevance < tooClose*best.Relevance}
	return r, best.ID != "" && best.Relevance >= tooClose*mine.Relevance
}

// mostCollisions is how many phrases of a draft are compared with what is installed.
const mostCollisions = 20

// Collisions lists the phrases of a draft that something else answers better, or nearly as well.
func (m *Matcher) Collisions(d Phrases) (out []Rival) {
	phrases := d.TriggerPhrases[:min(len(d.TriggerPhrases), mostCollisions)]
	for i, hits := range m.index.Try(draftID, spoken(d.Entry()), phrases, 0) {
		if r, ok := m.rival(phrases[i], draftID, hits); ok {
			out = append(out, r)
		}
	}
	return out
}

// draftID is a draft's id while it is compared; no ability has it.
const draftID = "\x00draft"

// judge is the matching algorithm of DOC3 0C.11C with decisions C6, for an ability whose words were compared. It lists
// in order what counted; the score is their sum, halved when the ability is not usable now.
func judge(query string, e AvailabilityEntry, projectID string, hit relevance.Hit, met bool) Scored {
	var s Scored
	if neg, ok := refused(query, e.NegativeTriggers); ok {
		s.reject("negative_trigger_match", neg, fmt.Sprintf("%q", neg))
		return s
	}
	if !met {
		if !meansSomething(query) {
			s.reject("no_content_words", "", "the sentence has only filler words")
			return s
		}
		s.reject("no_hit", "", "no word of it, and none that is spelled like one, stands in what the ability says of itself")
		return s
	}
	s.words(e, hit)
	s.Relevance = hit.Relevance
	sum := hit.Relevance
	fit := hit.Relevance / relevance.Most
	for _, b := range []struct {
		weight float64
		why    string
	}{scopeOf(projectID, e.ProjectScopes), laneOf(e.InstallLane), healthOf(e.CheckpointHealth)} {
		if b.weight != 0 {
			sum += b.weight * fit
			s.add(b.weight*fit, b.why)
		}
	}
	if !e.UsableNow {
		sum *= unusableFactor
		s.Reasons = append(s.Reasons, plain.Clip(fmt.Sprintf("usable_now=false: %s (x%.2f)", e.ReasonUnusable, unusableFactor), textLimit))
	}
	s.Score = math.Round(min(1, max(0, sum))*1e4) / 1e4
	if s.Score < MinScore {
		s.reject("below_threshold", "", fmt.Sprintf("%.2f < %.2f", s.Score, MinScore))
	}
	return s
}

// refused finds the negative trigger that a sentence contains, word by word.
func refused(query string, negatives []string) (string, bool) {
	if len(negatives) == 0 {
		return "", false
	}
	all := stems(words(query))
	for _, neg := range negatives {
		if contains(all, stems(words(neg))) {
			return neg, true
		}
	}
	return "", false
}

func meansSomething(query string) bool {
	return slices.ContainsFunc(stems(words(query)), func(w string) bool { return !lang.FunctionWord(w) })
}

// mostTerms is how many words are listed one by one; the rest are listed as a sum.
const mostTerms = 12

// words lists what every word of the sentence contributed. The contributions add up to the relevance.
func (s *Scored) words(e AvailabilityEntry, hit relevance.Hit) {
	phrase := ""
	if all := append(slices.Clone(e.TriggerPhrases), e.Aliases...); hit.Phrase >= 0 && hit.Phrase < len(all) {
		phrase = all[hit.Phrase]
	}
	if hit.Verbatim {
		s.because("trigger_phrase_match", phrase)
		s.add(hit.Relevance, fmt.Sprintf("trigger_phrase_match: %q", phrase))
		return
	}
	code := "word_match"
	s.because(code, phrase)
	rest, more := 0.0, 0
	for i, t := range hit.Terms {
		switch {
		case t.Found == "" || t.Part <= 0:
		case i >= mostTerms || t.Part < .001:
			rest += t.Part
			more++
		case t.Found == t.Word:
			s.add(t.Part, fmt.Sprintf("%s: %q", code, t.Word))
		default:
			s.add(t.Part, fmt.Sprintf("%s: %q, spelled like %q", code, t.Word, t.Found))
		}
	}
	if more > 0 {
		s.add(rest, fmt.Sprintf("%s: %d more words", code, more))
	}
}

type bonus = struct {
	weight float64
	why    string
}

func scopeOf(projectID string, scopes []string) bonus {
	switch {
	case projectID != "" && slices.Contains(scopes, projectID):
		return bonus{weightProject, "project_scope_match: " + projectID}
	case len(scopes) == 0 || slices.Contains(scopes, "*"):
		return bonus{weightGlobal, "global_scope"}
	}
	return bonus{}
}

func laneOf(lane string) bonus {
	return bonus{map[string]float64{LaneShared: weightShared, LaneApproved: weightApproved, LanePrivate: weightPrivate}[lane],
		"install_lane: " + lane}
}

func healthOf(h string) bonus {
	return bonus{map[string]float64{"strong": weightHealth, "weak": -weightHealth}[h], "checkpoint_health: " + h}
}

func (s *Scored) because(code, phrase string) {
	s.Because = append(s.Because, wire.MatchBecause{Code: code, Phrase: plain.Clip(phrase, textLimit)})
}

// reject notes why an ability does not match: a code, the phrase concerned, and a sentence.
func (s *Scored) reject(code, phrase, words string) {
	s.Because = append(s.Because, wire.MatchBecause{Code: code, Phrase: plain.Clip(phrase, textLimit), Against: true})
	s.Rejections = append(s.Rejections, plain.Clip(code+": "+words, textLimit))
}

func (s *Scored) add(weight float64, reason string) {
	s.Reasons = append(s.Reasons, plain.Clip(fmt.Sprintf("%s (%+.3f)", reason, weight), textLimit))
}

// better orders matches by score, then by how well the words fit, then by id.
func better(a, b string, as, bs Scored) int {
	return cmp.Or(cmp.Compare(bs.Score, as.Score), cmp.Compare(bs.Relevance, as.Relevance), strings.Compare(a, b))
}

// explainedHits is how many of the best hits are explained word by word: more than are shown, because lanes change
// their order.
const explainedHits = 2 * maxMatches

// Lookup answers a query from the matcher's entries.
func (m *Matcher) Lookup(q LookupQuery) LookupResult {
	m = m.For(q.Agent)
	type scored struct {
		hit relevance.Hit
		s   Scored
	}
	as := func(id string) (AvailabilityEntry, bool) { // as the agent has it that asks
		e, known := m.of[id]
		if q.Agent != nil && known {
			return e.For(q.Agent)
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
		if q.Agent != nil && !e.Permissions.Admits(q.Agent...) { // it is told that there is one, and none of its words
			x.s.Reasons = nil
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

// cannot reports whether words that fit so little can no longer make an ability a match, whatever else counts for it.
// One such ability is still judged when nothing has matched, to name the closest.
func (m *Matcher) cannot(fit float64) bool {
	const best = 1 + (weightProject+weightShared+weightHealth)/relevance.Most
	return fit*best < MinScore
}

// undecided lists the usable matches that are about as good as the best one, when there is more than one.
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

// admits reports whether the query accepts abilities of a lane.
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

// named returns an ability by its id or slug.
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

// Draft is the score of a draft among the abilities of the matcher.
func (m *Matcher) Draft(query string, d Phrases, projectID string) Scored {
	e := d.Entry()
	hits := m.index.Try(draftID, spoken(e), []string{query}, math.MaxInt)[0]
	i := slices.IndexFunc(hits, func(h relevance.Hit) bool { return h.ID == draftID })
	if i < 0 {
		return judge(query, e, projectID, relevance.Hit{}, false)
	}
	return judge(query, e, projectID, hits[i], true)
}

func (s Scored) explain(id string) ExplainMatchResponse {
	return ExplainMatchResponse{AbilityID: id, Matched: s.Matched(), Score: s.Score,
		MatchReasons: list(s.Reasons), RejectionReasons: list(s.Rejections), Because: s.Because}
}

// Phrases is a draft's wording, which the matcher scores like an installed ability's.
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
