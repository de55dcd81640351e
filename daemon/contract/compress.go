package contract

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"showhow/internal/plain"
)

// Compression says that an answer was shortened. Here it is a rule and no model.
type Compression struct {
	Applied         bool   `json:"applied"`
	OriginalChars   int    `json:"original_chars"`
	CompressedChars int    `json:"compressed_chars"`
	Model           string `json:"model"`
	ProviderUsed    string `json:"provider_used"`
	FallbackUsed    bool   `json:"fallback_used"`
}

const (
	longEnvelope = 24_000 // characters
	summaryChars = 4_000
)

// whole are the kinds whose answers are never shortened: their ids are needed for the next call (section 4.4, and own ones).
var whole = []string{"person", "relationship", "household", "social_graph", "entity_state", "personality_profile", "inference_claim",
	"email", "event", "decision", "compare_options", "topic", "context", "file", "outbound_style", "user_mode", "surfacing_score",
	"ability", "checkpoint"}

// compress replaces a long result by the beginning of what it says. structured stays as it is.
func compress(e *Envelope) *Envelope {
	if !e.OK || slices.Contains(whole, e.kind) {
		return e
	}
	n := utf8.RuneCount(e.bytes())
	if n <= longEnvelope {
		return e
	}
	text := e.RenderedText
	if text == "" {
		b, err := json.Marshal(e.Result)
		if err != nil {
			return e
		}
		text = string(b)
	}
	e.Result = map[string]any{"compressed_summary": plain.Cut(text, summaryChars), "_original_result_was_compressed": true}
	e.RenderedText = plain.Cut(e.RenderedText, summaryChars)
	e.Compression = &Compression{Applied: true, OriginalChars: n, Model: "none", ProviderUsed: "deterministic"}
	e.Compression.CompressedChars = utf8.RuneCount(e.bytes())
	return e
}
