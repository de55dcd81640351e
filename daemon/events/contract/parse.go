package contract

import (
	"strconv"

	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Delivery is the content of one message: redacted, complete, in order.
type Delivery struct {
	Shape     string
	Envelopes []Envelope
	Artifact  map[string]any // of an operator's session: itself, cleaned
	Bundle    *Bundle        // of a handoff bundle
}

// Sessions lists the sessions of the delivery, in order.
func (d Delivery) Sessions() (out []string) {
	seen := map[string]bool{}
	for _, e := range d.Envelopes {
		if id := e.Event.SessionID; !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// Parse parses a message. now fills in missing times.
func Parse(data []byte, c Cleaner, now clock.Time) (Delivery, error) {
	v, err := decode(data)
	if err != nil {
		return Delivery{}, err
	}
	r := &reader{}
	d := r.delivery(c.tree("", v), now)
	if err := r.err(); err != nil {
		return Delivery{}, err
	}
	if d.Bundle != nil {
		return d, d.consistent()
	}
	return d, nil
}

func (r *reader) delivery(v any, now clock.Time) Delivery {
	if list, ok := v.([]any); ok {
		return r.list(list, now)
	}
	o, ok := r.object("body", v)
	if !ok {
		return Delivery{}
	}
	switch kind, _ := o.m["artifact_kind"].(string); {
	case kind == OperatorSession:
		return r.session(o, now)
	case kind == HandoffBundle:
		return r.bundle(o, now)
	case o.has("artifact_kind"):
		o.one("artifact_kind", 1, OperatorSession, HandoffBundle)
		return Delivery{}
	case o.has("events"):
		return r.batch(o, now)
	}
	n := numbering{}
	return Delivery{Shape: ShapeEnvelope, Envelopes: []Envelope{r.envelope(o, n, now)}}
}

func (r *reader) list(list []any, now clock.Time) Delivery {
	d := Delivery{Shape: ShapeList}
	if len(list) == 0 {
		r.add("body", "min_items", 1)
	}
	if len(list) > MaxEvents {
		r.add("body", "max_items", MaxEvents)
		return d
	}
	n := numbering{}
	for i, e := range list {
		if o, ok := r.object("body["+strconv.Itoa(i)+"]", e); ok {
			d.Envelopes = append(d.Envelopes, r.envelope(o, n, now))
		}
	}
	return d
}

func (r *reader) batch(o object, now clock.Time) Delivery {
	d := Delivery{Shape: ShapeBatch}
	head := r.head(o, now)
	n := numbering{}
	for _, e := range o.items("events", 1, MaxEvents) {
		env := head
		env.Event = r.event(e, n, head.Source, now)
		env.EnvelopeID = derive("envelope", env.Event.EventID)
		d.Envelopes = append(d.Envelopes, env)
	}
	return d
}

// head reads the fields that an envelope and a batch share.
func (r *reader) head(o object, now clock.Time) Envelope {
	e := Envelope{ContractName: o.one("contract_name", 1, Name), ContractVersion: o.one("contract_version", 1, Version),
		RecordedAt: o.time("recorded_at"), Source: o.text("source", 0, 160), Metadata: o.metadata("metadata")}
	if e.RecordedAt.IsZero() {
		e.RecordedAt = now
	}
	return e
}

func (r *reader) envelope(o object, n numbering, now clock.Time) Envelope {
	e := r.head(o, now)
	e.EnvelopeID = o.id("envelope_id", 0)
	if ev, ok := o.child("event"); ok {
		e.Event = r.event(ev, n, e.Source, now)
	}
	if e.EnvelopeID == "" {
		e.EnvelopeID = derive("envelope", e.Event.EventID)
	}
	return e
}

// numbering counts equal events of one message, so that each gets a unique id.
type numbering map[string]int

func (r *reader) event(o object, n numbering, source string, now clock.Time) Event {
	e := Event{
		SchemaVersion: o.one("schema_version", 0, EventSchema), EventID: o.id("event_id", 0),
		EventKind: o.one("event_kind", 1, SessionStarted, SessionFeedback), OccurredAt: o.time("occurred_at"),
		SessionID: o.id("session_id", 1), Task: o.text("task", 1, 2000), Steps: o.texts("steps", maxCheckpoints, 1000),
		SelectedSkillIDs: o.texts("selected_skill_ids", 100, 160), MissingCapabilities: o.texts("missing_capabilities", 100, 240),
		Metadata: o.metadata("metadata"),
	}
	if e.EventKind == SessionFeedback {
		e.Status, e.Score, e.Comment = status(o, 1), o.score("score", true), o.text("comment", 0, 4000)
	}
	e.SchemaVersion = EventSchema
	if e.EventID == "" {
		said := string(canonical([]any{source, e}))
		e.EventID = derive("event", said, n[said])
		n[said]++
	}
	if e.OccurredAt.IsZero() {
		e.OccurredAt = now
	}
	return e
}

func status(o object, least int) string {
	return o.one("status", least, "success", "failure", "partial", "cancelled", "unknown")
}

// bundle reads another Showhow's export. Its reports are not adopted: they are made again from the rest.
func (r *reader) bundle(o object, now clock.Time) Delivery {
	b := &Bundle{ArtifactKind: HandoffBundle, SchemaVersion: o.one("schema_version", 1, ArtifactSchema), SessionID: o.id("session_id", 1),
		ReportedBy: o.text("reported_by", 1, 60)}
	d := Delivery{Shape: HandoffBundle, Bundle: b}
	if o.has("source_artifact") {
		if a, ok := o.child("source_artifact"); ok {
			r.session(a, now)
			d.Artifact = a.m
		}
	}
	n := numbering{}
	for _, x := range o.items("envelopes", 1, maxBundled) {
		d.Envelopes = append(d.Envelopes, r.envelope(x, n, now))
	}
	for _, x := range o.items("projected_feedback", 0, maxBundled) {
		b.Feedback = append(b.Feedback, r.feedback(x))
	}
	b.SourceArtifact, b.Envelopes = d.Artifact, d.Envelopes
	return d
}

func (r *reader) feedback(o object) Feedback {
	f := Feedback{FeedbackID: o.id("feedback_id", 1), Origin: o.one("origin", 1, Projected, Direct), SessionID: o.id("session_id", 1),
		Task: o.text("task", 1, 2000), Status: status(o, 1), Comment: o.text("comment", 0, 4000),
		SelectedSkillIDs: o.texts("selected_skill_ids", 100, 160), MissingCapabilities: o.texts("missing_capabilities", 100, 240),
		OccurredAt: o.time("occurred_at"), ReportedBy: o.text("reported_by", 1, 60), SchemaVersion: ArtifactSchema,
		ContractName: o.one("contract_name", 0, Name), ContractVersion: o.one("contract_version", 0, Version),
		SourceEnvelopeID: o.id("source_envelope_id", 0), SourceEventID: o.id("source_event_id", 0)}
	if s := o.score("score", true); s != nil {
		f.Score = *s
	}
	if at := o.time("projected_at"); !at.IsZero() {
		f.ProjectedAt = &at
	}
	return f
}

// consistent refuses a bundle whose parts contradict each other: feedback must be the projection of its envelopes, and
// everything must belong to one session.
func (d Delivery) consistent() error {
	b := d.Bundle
	bad := func(why string) error {
		return fault.New(fault.InvalidRequest, "the handoff bundle does not hold together").
			WithHint("export it again with `showhow events handoff`").WithDetail("reason", why)
	}
	if a := d.Artifact; a != nil {
		s, _ := a["session"].(map[string]any)
		if s["session_id"] != b.SessionID {
			return bad("the source artifact is of another session")
		}
	}
	projected := map[string]string{} // feedback id -> its content
	for _, e := range d.Envelopes {
		if e.Event.SessionID != b.SessionID {
			return bad("an envelope is of another session")
		}
		if f, ok := Project(e, b.ReportedBy, clock.Time{}); ok {
			projected[f.FeedbackID] = said(f)
		}
	}
	for _, f := range b.Feedback {
		if f.SessionID != b.SessionID {
			return bad("feedback is of another session")
		}
		if f.Origin == Direct {
			continue
		}
		if want, ok := projected[f.FeedbackID]; !ok || want != said(f) {
			return bad("projected feedback does not follow from an envelope")
		}
	}
	return nil
}

// said is the content of feedback, without its projection time and sender.
func said(f Feedback) string {
	f.ProjectedAt, f.ReportedBy = nil, ""
	return string(canonical(f))
}
