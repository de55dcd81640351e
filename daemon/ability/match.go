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

// The weights and thresholds of DOC3 0C.11C. What speaks for an ability besides its words counts in proportion to how well they fit
// (decisions C6): no lane makes a router act on a request that shares two words with everything.
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

	// tooClose is how much of the best score a second one may have before an agent should ask which is meant.
	tooClose = 0.9
)

// Scored is what one ability got for one sentence, and why.
type Scored struct {
	Score      float64
	Relevance  float64 // of the words alone, from 0 to relevance.Most; tells apart what rounding does not
	Reasons    []string
	Rejections []string
	Because    []wire.MatchBecause // the same as fields, in the order of Reasons, then of Rejections
}

// Matched reports whether lookup would name it.
func (s Scored) Matched() bool { return s.Score >= MinScore && len(s.Rejections) == 0 }

// Routed reports whether a router may act on it.
func (s Scored) Routed() bool { return s.Matched() && s.Score >= RouteScore }

// A Matcher compares sentences with a collection of abilities: lookup, explain-match, trigger tests and collision warnings all ask one.
type Matcher struct {
	index *relevance.Index
	of    map[string]AvailabilityEntry
}

// NewMatcher makes a matcher of abilities by what their availability says of them.
func NewMatcher(entries ...AvailabilityEntry) *Matcher {
	m := &Matcher{index: &relevance.Index{}, of: map[string]AvailabilityEntry{}}
	for _, e := range entries {
		m.of[e.AbilityID] = e
		m.index.Put(e.AbilityID, spoken(e))
	}
	return m
}

// spoken is what an availability entry says of its ability.
func spoken(e AvailabilityEntry) relevance.Text {
	return relevance.Text{Phrases: append(slices.Clone(e.TriggerPhrases), e.Aliases...), Title: e.Title}
}

// Score is what one ability of the matcher gets.
func (m *Matcher) Score(query, id, projectID string) Scored {
	hit, ok := m.index.Explain(query, id)
	return judge(query, m.of[id], projectID, hit, ok)
}

// Score is the score of an ability that stands alone.
func Score(query string, e AvailabilityEntry, projectID string) Scored {
	return NewMatcher(e).Score(query, e.AbilityID, projectID)
}

// Rival is another ability that answers a phrase.
type Rival struct {
	Phrase                 string
	AbilityID, Slug, Title string
	Relevance, Mine        float64
	Better                 bool // than the one that the phrase is of; otherwise it is too close to choose
}

// Rival finds the ability that answers a phrase of another one better than that, or too nearly as well.
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
	r := Rival{phrase, best.ID, e.SkillSlug, e.Title, best.Relevance, mine.Relevance, best.Relevance > mine.Relevance}
	return r, best.ID != "" && best.Relevance >= tooClose*mine.Relevance
}

// mostCollisions is how many phrases of a draft are compared with what is installed.
const mostCollisions = 20

// Collisions are the phrases of a draft that something else answers better, or too nearly as well.
func (m *Matcher) Collisions(d Phrases) (out []Rival) {
	phrases := d.TriggerPhrases[:min(len(d.TriggerPhrases), mostCollisions)]
	for i, hits := range m.index.Try(draftID, spoken(d.Entry()), phrases, 0) {
		if r, ok := m.rival(phrases[i], draftID, hits); ok {
			out = append(out, r)
		}
	}
	return out
}

// draftID is what a draft is called while it is compared; no ability is called so.
const draftID = "\x00draft"

// judge is the matching algorithm of DOC3 0C.11C with decisions C6, for an ability whose words were compared. It says in order what
// counted; the score is their sum, halved when the ability is not usable now.
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

// refused finds the negative trigger that a sentence says, word by word.
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

// mostTerms are told one by one; what the others gave is told together.
const mostTerms = 12

// words tells what every word of the sentence gave. What is told adds up to the relevance.
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

// reject says why it does not match: a code, the phrase that it is about, and both in words.
func (s *Scored) reject(code, phrase, words string) {
	s.Because = append(s.Because, wire.MatchBecause{Code: code, Phrase: plain.Clip(phrase, textLimit), Against: true})
	s.Rejections = append(s.Rejections, plain.Clip(code+": "+words, textLimit))
}

func (s *Scored) add(weight float64, reason string) {
	s.Reasons = append(s.Reasons, plain.Clip(fmt.Sprintf("%s (%+.3f)", reason, weight), textLimit))
}

// better orders matches: the higher score, then the better words, and only then the id.
func better(a, b string, as, bs Scored) int {
	return cmp.Or(cmp.Compare(bs.Score, as.Score), cmp.Compare(bs.Relevance, as.Relevance), strings.Compare(a, b))
}
