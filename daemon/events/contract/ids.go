package contract

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/google/uuid"
)

// derive derives an id from its parts. The parts are redacted, so an id reveals nothing that was redacted.
func derive(parts ...any) string {
	sum := sha256.Sum256(canonical(parts))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80 // version 8: custom
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

func canonical(v any) []byte {
	b, err := Marshal(v)
	if err != nil {
		panic("contract: a cleaned value cannot be written as JSON") // it was read as JSON
	}
	return b
}

// Digest is equal for envelopes with the same content. Times of recording and occurrence do not count: a sender may
// omit them.
func Digest(e Envelope) string {
	ev := e.Event
	sum := sha256.Sum256(canonical([]any{e.Source, e.Metadata, ev.EventKind, ev.SessionID, ev.Task, ev.Status, ev.Score, ev.Comment, ev.Steps,
		ev.SelectedSkillIDs, ev.MissingCapabilities, ev.Metadata}))
	return hex.EncodeToString(sum[:16])
}
