package clean

import (
	"showhow/capture"
	"showhow/capture/label"
	"showhow/capture/secret"
	"showhow/internal/clock"
)

// event is the small public form of a record (DOC3 0C.22), within the bounds of its schema.
func (j *job) event(o capture.Observation, rec *capture.Record, id string) capture.Event {
	e := capture.Event{
		EventID: id, LearnSessionID: j.cfg.SessionID, AdapterKind: o.Kind,
		AppFamily: j.plain(o.Origin.App, 80), WindowTitle: j.text(o.Window, 200),
		ControlSurface: o.Surface, CausedStateChange: o.Changed, CreatedAt: clock.At(o.OccurredAt), SchemaVersion: 1,
		TargetRef: "action:" + id,
	}
	if rec.Before != nil {
		e.BeforeStateRef = "before:" + id
	}
	if rec.After != nil {
		e.AfterStateRef = "after:" + id
	}
	e.ActionLabel = secret.Cut(label.Of(&rec.Action), 240)
	e.RedactionMode = j.redactionMode(rec.Action.Value)
	return e
}

// redactionMode (decisions B12): literal = none; masked and omitted values, and text with something removed or
// nothing to hide, = mask_text; no value of its own but links in its texts = hash_only.
func (j *job) redactionMode(v *capture.Value) string {
	switch {
	case v != nil && v.Policy == capture.Literal:
		return "none"
	case v == nil && len(j.links) > 0:
		return "hash_only"
	}
	return "mask_text"
}
