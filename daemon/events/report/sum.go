package report

import (
	"showhow/daemon/events/contract"
	"showhow/internal/clock"
)

// Sum is what the list of sessions shows of one, kept up event by event: a long session is not read again for each. It
// is what Session would say of the same evidence.
type Sum struct {
	Task      string `json:"task"`
	Envelopes int    `json:"envelopes"`
	Handoff   bool   `json:"handoff,omitempty"` // there is something to hand over
	Best      *Best  `json:"best,omitempty"`
}

// Best is the feedback that counts so far.
type Best struct {
	Origin     string     `json:"origin"`
	Status     string     `json:"status"`
	Score      float64    `json:"score"`
	OccurredAt clock.Time `json:"occurred_at"`
}

// SumOf sums up evidence.
func SumOf(e Evidence) (s Sum) {
	for _, env := range e.Envelopes {
		s = s.Envelope(env)
	}
	for _, f := range e.Feedback {
		s = s.Feedback(f)
	}
	return s
}

// Envelope adds one that arrived.
func (s Sum) Envelope(env contract.Envelope) Sum {
	s.Task, s.Envelopes = env.Event.Task, s.Envelopes+1
	if h, ok := env.Event.Metadata[contract.MetaHandoff].(map[string]any); ok {
		summary, _ := h["summary"].(string)
		next, _ := h["next_action"].(string)
		s.Handoff = summary != "" || next != ""
	}
	return s
}

// Feedback adds one that was given.
func (s Sum) Feedback(f Feedback) Sum {
	s.Task = firstOf(s.Task, f.Task)
	var all []Feedback
	if s.Best != nil {
		all = append(all, Feedback{Origin: s.Best.Origin, Status: s.Best.Status, Score: s.Best.Score, OccurredAt: s.Best.OccurredAt})
	}
	b, _ := newest(append(all, f))
	s.Best = &Best{Origin: b.Origin, Status: b.Status, Score: b.Score, OccurredAt: b.OccurredAt}
	return s
}

// Stage is the stage of a session's workflow.
func (s Sum) Stage() string {
	switch {
	case s.Handoff && (s.Best == nil || s.Best.Status != "success"):
		return "handed_off"
	case s.Best != nil:
		return "finished"
	}
	return "reported"
}
