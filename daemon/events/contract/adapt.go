package contract

import (
	"slices"

	"showhow/internal/clock"
)

// Keys of the metadata that an adapted session carries.
const (
	MetaAdaptedFrom = "adapted_from"
	MetaOperator    = "operator"
	MetaTimeline    = "checkpoint_timeline"
	MetaLast        = "last_checkpoint"
	MetaHandoff     = "handoff"
)

// session reads an operator's session and adapts it: one session_started with the checkpoints as steps, in order, and
// one session_feedback when there is an outcome. Ids are derived from the whole artifact, so importing it again adds
// nothing, and a later export of the same session adds what is new.
func (r *reader) session(o object, now clock.Time) Delivery {
	d := Delivery{Shape: OperatorSession, Artifact: o.m}
	o.one("schema_version", 1, ArtifactSchema)
	source, recorded := o.text("source", 0, 160), o.time("recorded_at")
	s, ok := o.child("session")
	if !ok {
		return d
	}
	timeline := r.timeline(o)
	started := Event{SchemaVersion: EventSchema, EventKind: SessionStarted, SessionID: s.id("session_id", 1), Task: s.text("task", 1, 2000),
		OccurredAt: s.time("started_at"), SelectedSkillIDs: s.texts("selected_skill_ids", 100, 160)}
	for _, c := range timeline {
		started.Steps = append(started.Steps, stepOf(c))
		for _, m := range c.MissingCapabilities {
			if !slices.Contains(started.MissingCapabilities, m) {
				started.MissingCapabilities = append(started.MissingCapabilities, m)
			}
		}
	}
	more, head := r.metadata(o, s, timeline)
	started.Metadata = more
	feedback, ended := started, false
	if o.has("outcome") {
		if out, ok := o.child("outcome"); ok {
			ended = true
			feedback.EventKind, feedback.Steps = SessionFeedback, nil
			feedback.OccurredAt, feedback.Status, feedback.Score = out.time("occurred_at"), status(out, 1), out.score("score", true)
			feedback.Comment = out.text("comment", 0, 4000)
		}
	}
	add := func(e Event, otherwise clock.Time) {
		e.EventID = derive(OperatorSession, string(canonical(o.m)), e.EventKind)
		if e.OccurredAt.IsZero() {
			e.OccurredAt = otherwise
		}
		d.Envelopes = append(d.Envelopes, Envelope{ContractName: Name, ContractVersion: Version, EnvelopeID: derive("envelope", e.EventID),
			RecordedAt: first(recorded, now), Source: source, Metadata: head, Event: e})
	}
	add(started, first(recorded, now))
	if ended {
		add(feedback, first(recorded, now))
	}
	return d
}

func first(times ...clock.Time) clock.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return clock.Time{}
}

// timeline reads the checkpoints in order: by time if each has one, otherwise as listed.
func (r *reader) timeline(o object) []Checkpoint {
	type timed struct {
		c  Checkpoint
		at clock.Time
	}
	var all []timed
	ordered := true
	for _, x := range o.items("timeline", 0, maxCheckpoints) {
		at := x.time("occurred_at")
		ordered = ordered && !at.IsZero()
		c := Checkpoint{CheckpointID: x.id("checkpoint_id", 0), Step: x.text("step", 0, 900), Status: x.text("status", 0, 60),
			MissingCapabilities: x.texts("missing_capabilities", 100, 240)}
		if !at.IsZero() {
			c.OccurredAt = at.String()
		}
		all = append(all, timed{c, at})
	}
	if ordered {
		slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at.Time) })
	}
	out := make([]Checkpoint, len(all))
	for i, t := range all {
		out[i] = t.c
	}
	return out
}

// stepOf is a checkpoint as a step; one without words is named by its id.
func stepOf(c Checkpoint) string {
	switch {
	case c.Step != "":
		return c.Step
	case c.CheckpointID != "":
		return c.CheckpointID
	}
	return "a checkpoint without a name"
}

// metadata is the additional metadata of an adapted session's events and envelopes: all of it, and the part for
// readers of envelopes.
func (r *reader) metadata(o, s object, timeline []Checkpoint) (event, envelope map[string]any) {
	event = map[string]any{MetaAdaptedFrom: OperatorSession}
	envelope = map[string]any{MetaAdaptedFrom: OperatorSession}
	if operator := s.text("operator", 0, 160); operator != "" {
		event[MetaOperator], envelope[MetaOperator] = operator, operator
	}
	if len(timeline) > 0 {
		list := make([]any, len(timeline))
		for i, c := range timeline {
			list[i] = checkpointMap(c)
		}
		event[MetaTimeline] = list
		last := checkpointMap(timeline[len(timeline)-1])
		event[MetaLast], envelope[MetaLast] = last, last
	}
	if o.has("handoff") {
		if h, ok := o.child("handoff"); ok {
			h.text("summary", 0, 4000)
			h.text("next_action", 0, 2000)
			event[MetaHandoff], envelope[MetaHandoff] = h.m, h.m
		}
	}
	return event, envelope
}

func checkpointMap(c Checkpoint) map[string]any {
	m := map[string]any{}
	for k, v := range map[string]string{"checkpoint_id": c.CheckpointID, "occurred_at": c.OccurredAt, "step": c.Step, "status": c.Status} {
		if v != "" {
			m[k] = v
		}
	}
	if len(c.MissingCapabilities) > 0 {
		list := make([]any, len(c.MissingCapabilities))
		for i, s := range c.MissingCapabilities {
			list[i] = s
		}
		m["missing_capabilities"] = list
	}
	return m
}

// Checkpoints reads the checkpoints from an adapted session's event; nil for any other.
func Checkpoints(e Event) (out []Checkpoint) {
	list, _ := e.Metadata[MetaTimeline].([]any)
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		text := func(k string) string { s, _ := m[k].(string); return s }
		c := Checkpoint{CheckpointID: text("checkpoint_id"), OccurredAt: text("occurred_at"), Step: text("step"), Status: text("status")}
		missing, _ := m["missing_capabilities"].([]any)
		for _, x := range missing {
			if s, ok := x.(string); ok {
				c.MissingCapabilities = append(c.MissingCapabilities, s)
			}
		}
		out = append(out, c)
	}
	return out
}
