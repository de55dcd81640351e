// Package contract parses what agents' runtimes send by the runtime event contract: an envelope, a list of them, a
// batch, an operator's session, or a handoff bundle that another Showhow wrote. It adapts a session into envelopes and
// projects feedback.
//
// Guaranteed: the text is redacted first, so everything that this package returns is redacted; the same bytes give the
// same ids, even if the sender omitted them; Parse of Parse's result, written as JSON, returns the same. Every
// violation is listed, and no error repeats what was sent. Fields that the contract does not name are not returned:
// they stay in the sealed original.
//
// Not guaranteed: that what was sent is true. Functions here are pure; they know no store, no clock and no model.
//
// daemon/events and daemon/events/report import it. Test it with a Cleaner of two functions.
package contract

import (
	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"showhow/daemon/wire"
)

// The API's records that this package uses.
type (
	Envelope   = wire.RuntimeEnvelope
	Event      = wire.RuntimeEvent
	Feedback   = wire.ProjectedFeedbackRecord
	Bundle     = wire.RuntimeHandoffBundle
	Checkpoint = wire.RuntimeCheckpoint
)

// The contract's names for itself and its parts. Others send these values.
const (
	Name            = "openclaw_appleseed.runtime_event"
	Version         = "1.0"
	EventSchema     = "1.1"
	ArtifactSchema  = "1.0"
	SessionStarted  = "session_started"
	SessionFeedback = "session_feedback"
	OperatorSession = "openclaw_operator_session"
	HandoffBundle   = "openclaw_operator_handoff_bundle"
)

// Shapes of a delivery that are not kinds of artifacts.
const (
	ShapeEnvelope = "envelope"
	ShapeList     = "list"
	ShapeBatch    = "batch"
)

// Bounds of one delivery.
const (
	MaxBytes       = 4 << 20 // that a person brings in
	MaxSent        = 1 << 20 // of one delivery: redacting it takes some two seconds at worst
	MaxEvents      = 500
	maxBundled     = 5000 // of one session, in a bundle
	maxCheckpoints = 1000
	maxDepth       = 16
	maxText        = 64 << 10 // bytes of one text
	maxMetadata    = 64 << 10 // as JSON
)

// Marshal encodes a record as in files and responses: an empty list is [], map keys are sorted.
func Marshal(v any) ([]byte, error) {
	return jsonv2.Marshal(v, jsonv1.OmitEmptyWithLegacySemantics(true), jsonv2.Deterministic(true))
}
