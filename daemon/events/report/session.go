package report

import (
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/events/contract"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Evidence is what is known of one session: its envelopes in order of arrival, and the feedback on it in the order it
// was given.
type Evidence struct {
	SessionID string
	Envelopes []contract.Envelope
	Feedback  []Feedback
}

// Session is the operator's report on a session.
func Session(e Evidence, now clock.Time) wire.RuntimeSessionReport {
	r := wire.RuntimeSessionReport{ArtifactKind: "runtime_session_report", SchemaVersion: schema, GeneratedAt: now, SessionID: e.SessionID,
		Sources: []string{}, SelectedSkills: []string{}, MissingCapabilities: []string{}, Steps: []string{},
		Checkpoints: []wire.RuntimeCheckpoint{}, Evidence: []wire.RuntimeEvidence{}}
	feedbackOf := map[string]string{}
	for _, f := range e.Feedback {
		feedbackOf[f.SourceEventID] = f.FeedbackID
	}
	for _, env := range e.Envelopes {
		ev := env.Event
		r.Task = ev.Task
		if env.Source != "" {
			r.Sources = union(r.Sources, []string{env.Source})
		}
		r.SelectedSkills = union(r.SelectedSkills, ev.SelectedSkillIDs)
		r.MissingCapabilities = union(r.MissingCapabilities, ev.MissingCapabilities)
		if ev.EventKind == contract.SessionStarted {
			if r.StartedAt == nil || ev.OccurredAt.Before(r.StartedAt.Time) {
				r.StartedAt = ev.OccurredAt.Ptr()
			}
			if len(ev.Steps) > 0 { // a later start includes the whole session up to there
				r.Steps, r.Checkpoints = ev.Steps, append([]wire.RuntimeCheckpoint{}, contract.Checkpoints(ev)...)
			}
		}
		if o, ok := ev.Metadata[contract.MetaOperator].(string); ok {
			r.Operator = o
		}
		if h, ok := ev.Metadata[contract.MetaHandoff].(map[string]any); ok {
			r.Handoff.Summary, _ = h["summary"].(string)
			r.Handoff.NextAction, _ = h["next_action"].(string)
		}
		r.Evidence = append(r.Evidence, wire.RuntimeEvidence{EnvelopeID: env.EnvelopeID, EventID: ev.EventID, EventKind: ev.EventKind,
			OccurredAt: ev.OccurredAt, FeedbackID: feedbackOf[ev.EventID]})
	}
	if n := len(r.Checkpoints); n > 0 {
		r.LastCheckpoint = &r.Checkpoints[n-1]
	}
	for _, f := range e.Feedback {
		if r.Task == "" {
			r.Task = f.Task
		}
		r.SelectedSkills = union(r.SelectedSkills, f.SelectedSkillIDs)
		r.MissingCapabilities = union(r.MissingCapabilities, f.MissingCapabilities)
	}
	if f, ok := newest(e.Feedback); ok {
		r.Outcome = &wire.RuntimeOutcome{Status: f.Status, Score: f.Score, Comment: f.Comment, OccurredAt: f.OccurredAt, FeedbackID: f.FeedbackID,
			Origin: f.Origin}
		r.Signals = Signals(f)
	} else {
		r.Signals = []wire.RuntimeSignal{}
	}
	r.Handoff.State = handoffState(r)
	r.PromotionRisk = sessionRisk(r)
	return r
}

// newest is the feedback that counts: the last that occurred, and a person's own before any agent's.
func newest(all []Feedback) (best Feedback, ok bool) {
	for _, f := range all {
		switch {
		case !ok, f.Origin == contract.Direct && best.Origin != contract.Direct:
			best, ok = f, true
		case f.Origin == best.Origin && !f.OccurredAt.Before(best.OccurredAt.Time):
			best = f
		}
	}
	return best, ok
}

// Signals lists what one feedback suggests.
func Signals(f Feedback) []wire.RuntimeSignal {
	out := []wire.RuntimeSignal{}
	kind := map[verdict]string{good: "selected_skill_succeeded", bad: "selected_skill_failed", unclear: "selected_skill_unclear"}[judge(f)]
	for _, s := range f.SelectedSkillIDs {
		out = append(out, wire.RuntimeSignal{Signal: kind, Subject: s, FeedbackID: f.FeedbackID, Status: f.Status, Score: f.Score})
	}
	for _, m := range f.MissingCapabilities {
		out = append(out, wire.RuntimeSignal{Signal: "capability_missing", Subject: m, FeedbackID: f.FeedbackID, Status: f.Status,
			Score: f.Score})
	}
	return out
}

func handoffState(r wire.RuntimeSessionReport) string {
	switch {
	case r.Handoff.Summary == "" && r.Handoff.NextAction == "":
		return "none"
	case r.Outcome != nil && r.Outcome.Status == "success":
		return "closed"
	}
	return "open"
}

func sessionRisk(r wire.RuntimeSessionReport) wire.RuntimeRisk {
	risk := wire.RuntimeRisk{Level: "low", Notes: []string{}}
	note := func(level, format string, args ...any) {
		risk.Level = higher(risk.Level, level)
		risk.Notes = append(risk.Notes, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Outcome == nil:
		note("medium", "The session has no outcome yet.")
	case r.Outcome.Status == "failure":
		note("high", "The session failed with a score of %.2f.", r.Outcome.Score)
	case r.Outcome.Status != "success":
		note("medium", "The session ended as %s.", r.Outcome.Status)
	case r.Outcome.Score < minScore:
		note("medium", "The session succeeded with a score of %.2f; the gate asks for %.2f.", r.Outcome.Score, minScore)
	}
	if n := len(r.MissingCapabilities); n > 0 {
		note("medium", "Missing: %s.", strings.Join(r.MissingCapabilities, ", "))
	}
	for _, c := range r.Checkpoints {
		if c.Status == "blocked" || c.Status == "failed" || c.Status == "failure" {
			note("medium", "A checkpoint is %s: %s.", c.Status, firstOf(c.Step, c.CheckpointID))
		}
	}
	note("low", "One session is no proof: the gate asks for %d.", minSessions)
	return risk
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

var levels = []string{"low", "medium", "high"}

func higher(a, b string) string { return levels[max(slices.Index(levels, a), slices.Index(levels, b))] }

func union(all, more []string) []string {
	for _, m := range more {
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
