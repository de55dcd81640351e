package ability

import (
	"fmt"
	"math"

	"showhow/daemon/wire"
	"showhow/internal/plain"
)

// The weights and thresholds of DOC3 0C.11C.
const (
	weightPhrase   = 0.40
	weightPartial  = 0.20
	weightTitle    = 0.20
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
)

// Scored is what one ability got for one sentence, and why.
type Scored struct {
	Score      float64
	Overlap    int // content words in common with what scored; breaks ties
	Reasons    []string
	Rejections []string
	Because    []wire.MatchBecause // the same as fields, in the order of Reasons, then of Rejections
}

// Matched reports whether lookup would name it.
func (s Scored) Matched() bool { return s.Score >= MinScore && len(s.Rejections) == 0 }

// Score is the matching algorithm of DOC3 0C.11C with decisions C6. It says in order what counted; the score is their sum,
// halved when the ability is not usable now.
func Score(query string, e AvailabilityEntry, projectID string) Scored {
	asked := words(query)
	q, all := content(asked), stems(asked)
	for _, neg := range e.NegativeTriggers {
		if contains(all, stems(words(neg))) {
			var s Scored
			s.reject("negative_trigger_match", neg, fmt.Sprintf("%q", neg))
			return s
		}
	}
	var s Scored
	if len(q) == 0 {
		s.reject("no_content_words", "", "the sentence has only filler words")
		return s
	}
	sum := s.trigger(q, e.TriggerPhrases) + s.title(q, e.Title)
	if sum == 0 {
		if len(q) == 1 {
			s.reject("one_content_word", "", "a single word matches only a trigger phrase that is exactly that word")
		}
		s.reject("no_hit", "", "neither a trigger phrase nor the title matches")
		return s
	}
	sum += s.scope(projectID, e.ProjectScopes) + s.lane(e.InstallLane) + s.health(e.CheckpointHealth)
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

func (s *Scored) because(code, phrase string) {
	s.Because = append(s.Because, wire.MatchBecause{Code: code, Phrase: plain.Clip(phrase, textLimit)})
}

// reject says why it does not match: a code, the phrase that it is about, and both in words.
func (s *Scored) reject(code, phrase, words string) {
	s.Because = append(s.Because, wire.MatchBecause{Code: code, Phrase: plain.Clip(phrase, textLimit), Against: true})
	s.Rejections = append(s.Rejections, plain.Clip(code+": "+words, textLimit))
}

// trigger finds the best trigger phrase: the whole phrase, else at least two words of it.
func (s *Scored) trigger(q, phrases []string) float64 {
	weight, best, phrase := 0.0, 0, ""
	for _, p := range phrases {
		t := content(words(p))
		if len(t) == 0 {
			continue
		}
		n, w := overlap(q, t), 0.0
		switch {
		case len(q) == 1:
			if len(t) == 1 && t[0] == q[0] {
				w = weightPhrase
			}
		case contains(q, t) || contains(t, q):
			w = weightPhrase
		case n >= 2:
			w = weightPartial
		}
		if w > weight || w == weight && w > 0 && n > best {
			weight, best, phrase = w, n, p
		}
	}
	switch weight {
	case weightPhrase:
		s.because("trigger_phrase_match", phrase)
		s.add(weight, best, fmt.Sprintf("trigger_phrase_match: %q", phrase))
	case weightPartial:
		s.because("trigger_partial_match", phrase)
		s.add(weight, best, fmt.Sprintf("trigger_partial_match: %d tokens of %q", best, phrase))
	}
	return weight
}

func (s *Scored) title(q []string, title string) float64 {
	n := overlap(q, content(words(title)))
	if n < 2 {
		return 0
	}
	s.because("title_match", "")
	s.add(weightTitle, n, fmt.Sprintf("title_match: %d tokens", n))
	return weightTitle
}

func (s *Scored) scope(projectID string, scopes []string) float64 {
	global := len(scopes) == 0
	for _, p := range scopes {
		if projectID != "" && p == projectID {
			s.add(weightProject, 0, "project_scope_match: "+projectID)
			return weightProject
		}
		global = global || p == "*"
	}
	if !global {
		return 0
	}
	s.add(weightGlobal, 0, "global_scope")
	return weightGlobal
}

func (s *Scored) lane(lane string) float64 {
	w := map[string]float64{LaneShared: weightShared, LaneApproved: weightApproved, LanePrivate: weightPrivate}[lane]
	if w > 0 {
		s.add(w, 0, "install_lane: "+lane)
	}
	return w
}

func (s *Scored) health(h string) float64 {
	w := map[string]float64{"strong": weightHealth, "weak": -weightHealth}[h]
	if w != 0 {
		s.add(w, 0, "checkpoint_health: "+h)
	}
	return w
}

func (s *Scored) add(weight float64, words int, reason string) {
	s.Overlap = max(s.Overlap, words)
	s.Reasons = append(s.Reasons, plain.Clip(fmt.Sprintf("%s (%+.2f)", reason, weight), textLimit))
}
