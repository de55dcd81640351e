package contract

import (
	"encoding/json"
	"strings"
	"time"

	"showhow/internal/plain"
)

// Envelope is the envelope of section 4.
type Envelope struct {
	OK                bool          `json:"ok"`
	Verb              string        `json:"verb"`
	Result            any           `json:"result"`
	RenderedText      string        `json:"rendered_text"`
	Structured        any           `json:"structured"`
	ArtifactID        string        `json:"artifact_id,omitempty"`
	ApprovalRequired  bool          `json:"approval_required"`
	SourcesUsed       []string      `json:"sources_used"`
	DisclosureApplied any           `json:"disclosure_applied"`
	Caveats           []string      `json:"absent_knowledge_caveats"`
	Suggestions       []any         `json:"suggestions"`
	Confidence        float64       `json:"confidence"`
	Signals           []string      `json:"signals"`
	CognitiveMode     CognitiveMode `json:"cognitive_mode"`
	Expectedness      Expectedness  `json:"expectedness"`
	Error             string        `json:"error,omitempty"`
	Hint              string        `json:"hint,omitempty"`
	BlockClass        string        `json:"block_class,omitempty"`
	BlockedReason     string        `json:"blocked_reason,omitempty"`
	Retrieved         bool          `json:"is_retrieved_content,omitempty"`
	SafetyWarning     string        `json:"safety_warning,omitempty"`
	Provenance        *Provenance   `json:"provenance,omitempty"`
	Compression       *Compression  `json:"_compression,omitempty"`

	kind     string // for telemetry and compression
	withheld bool   // it is the answer without information
}

// CognitiveMode tells a renderer how to speak at this hour.
type CognitiveMode struct {
	Cycle          string   `json:"cycle"`
	Tone           string   `json:"tone"`
	PreferredKinds []string `json:"preferred_kinds"`
	Avoid          []string `json:"avoid"`
	HourPT         int      `json:"hour_pt"`
	Weekday        string   `json:"weekday"`
	ISOPT          string   `json:"iso_pt"`
	RenderingHint  string   `json:"rendering_hint"`
}

// Expectedness tells a renderer whether the answer is news.
type Expectedness struct {
	Score     float64 `json:"score"`
	Rationale string  `json:"rationale"`
	Surface   string  `json:"surface_recommendation"`
}

// Provenance is the triple of Article 50.
type Provenance struct {
	Producer string `json:"producer"`
	Channel  string `json:"channel"`
	Audience string `json:"audience"`
	TS       string `json:"ts"`
}

// disclosed says that the disclosure policy ran.
type disclosed struct {
	Mode      string   `json:"mode"`
	Policy    string   `json:"policy_version"`
	Receiver  string   `json:"receiver_kind"`
	Context   string   `json:"context"`
	Redacted  []string `json:"redacted_fields,omitempty"`
	Spillover float64  `json:"spillover_risk"`
}

// pacific is the zone that the contract's times are in. The system may have no zones; then it is standard time.
func pacific(t time.Time) time.Time {
	if l, err := time.LoadLocation("America/Los_Angeles"); err == nil {
		return t.In(l)
	}
	return t.In(time.FixedZone("PST", -8*60*60))
}

func cognitive(now time.Time) CognitiveMode {
	at := pacific(now)
	c := CognitiveMode{Cycle: "night", Tone: "brief", PreferredKinds: []string{"ability", "recall"}, Avoid: []string{}, HourPT: at.Hour(),
		Weekday: at.Weekday().String(), ISOPT: at.Format(time.RFC3339),
		RenderingHint: "name the skill and its state; do not explain unless asked"}
	switch h := at.Hour(); {
	case h >= 5 && h < 12:
		c.Cycle, c.Tone = "morning", "plain"
	case h >= 12 && h < 18:
		c.Cycle, c.Tone = "day", "plain"
	case h >= 18 && h < 23:
		c.Cycle, c.Tone = "evening", "plain"
	}
	return c
}

// blank is an envelope with every required field.
func (s *Service) blank(q Request) *Envelope {
	return &Envelope{OK: true, Verb: q.Verb, Result: map[string]any{}, SourcesUsed: []string{}, DisclosureApplied: []any{},
		Caveats: []string{}, Suggestions: []any{}, Signals: []string{}, CognitiveMode: cognitive(s.o.Now()),
		Expectedness: Expectedness{Score: 0.5, Rationale: "the answer to a question", Surface: "SURFACE_AS_IS"}, kind: q.FromKind}
}

// refusal is an error envelope.
func (s *Service) refusal(q Request, said, hint string) *Envelope {
	e := s.blank(q)
	e.OK, e.Error, e.Hint = false, said, hint
	e.Signals = []string{"error_response"}
	e.Expectedness = Expectedness{Score: 0, Rationale: "nothing was answered", Surface: "SUPPRESS"}
	return e
}

// Errors of section 11.2.
const (
	errKind       = "from_kind required"
	errMatch      = "from_match required for from_kind=situation_brief"
	errAsk        = "ask required for from_kind=recall"
	errSensitive  = "purpose required for SENSITIVE from_kind"
	errRestricted = "purpose required for RESTRICTED from_kind"
	errUnknown    = "unknown from_kind: "
	errClaim      = "payload.claim required"
	errConfidence = "payload.confidence required (0.0-1.0)"
	errTrigger    = "payload.trigger_reason required"
	errCrossUser  = "CROSS_USER_WRITEBACK_BLOCKED"
	errPII        = "pii_pattern_rejection"
	errSafety     = "response blocked by safety review"
	errDisclosure = "response blocked by disclosure policy"
)

// noInformation is the answer to what a caller may not have, to what nobody knows and to what Showhow does not hold. Its
// bytes depend on the verb alone: no time, no hint, no reason.
func noInformation(verb string) *Envelope {
	return &Envelope{Verb: verb, Result: map[string]any{}, SourcesUsed: []string{}, DisclosureApplied: []any{}, Caveats: []string{},
		Suggestions: []any{}, Signals: []string{"error_response"}, CognitiveMode: CognitiveMode{PreferredKinds: []string{}, Avoid: []string{}},
		Expectedness: Expectedness{Rationale: "nothing was answered", Surface: "SUPPRESS"}, Error: errDisclosure, withheld: true}
}

// finish scores, renders, reviews, shortens and signs an answer.
func (s *Service) finish(q Request, c Caller, e *Envelope) *Envelope {
	if e.withheld {
		return e
	}
	if e.OK {
		e.Confidence, e.Signals = confidence(e)
		e = s.review(q, e)
	}
	if e.OK && (q.FormatHint == "structured" || q.FormatHint == "both" || q.FormatHint == "ui") {
		e.Structured = e.Result
	}
	if e.OK && q.FormatHint == "structured" {
		e.RenderedText = ""
	}
	if q.MaxChars > 0 {
		e.RenderedText = plain.Clip(e.RenderedText, q.MaxChars)
	}
	audience := "agent"
	if c.Person {
		audience = "person"
	}
	channel := "mcp"
	if q.Caller != nil && q.Caller.Channel != "" {
		channel = plain.Clip(strings.Join(strings.Fields(q.Caller.Channel), " "), 40)
	}
	e.Provenance = &Provenance{Producer: "showhow/" + s.o.Version, Channel: channel, Audience: audience,
		TS: s.o.Now().UTC().Format(time.RFC3339)}
	return compress(e)
}

func (e *Envelope) bytes() json.RawMessage {
	b, err := json.Marshal(e)
	if err != nil {
		panic(err) // plain values always encode
	}
	return b
}
