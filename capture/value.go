package capture

import (
	"encoding/json"
	"strings"
	"time"

	"showhow/daemon/wire"
)

// Policy says what is kept of a value.
type Policy = wire.ValuePolicy

const (
	Literal Policy = "literal" // as it is; only for apps the person named, and never for a secret kind
	Masked  Policy = "masked"  // kind, length and link id; the value itself sealed under the learning target's key
	Omitted Policy = "omitted" // only that something was entered
)

// RawValue is a value that a person supplied, before its policy is applied. Memory only.
type RawValue struct {
	Text         string
	Kind         ValueKind // what the adapter knows; "" lets the pipeline infer it from the text
	InputType    string    // HTML input type
	Autocomplete string    // HTML autocomplete token
	FieldName    string    // name, id and label of the field, for recognising secrets
	Chosen       bool      // chosen from options rather than typed
	Source       *Source   // where it was shown before
}

// Source is where what was then typed had been shown: on a page, or in a document.
type Source = wire.ShownAt

// Mention is a text of a picked item that the page shows elsewhere.
type Mention = wire.ItemMention

// InDocument is where a document has a value.
type InDocument = wire.ShownInDocument

// DocumentPlace is a place in a document by the words that stand by it.
type DocumentPlace = wire.DocumentPlace

// PlaceLink is a place whose words are sealed.
type PlaceLink = wire.SealedPlace

// Document is what a command read, in memory only.
type Document interface {
	// Find lists the places that lead to a text.
	Find(text string) []FoundPlace
	// Shows returns a place with the form in which a text stands there; false if it does not.
	Shows(at DocumentPlace, text string) (DocumentPlace, bool)
}

// FoundPlace is one of the places of a value. Places of one spot in the document have the same number.
type FoundPlace struct {
	DocumentPlace
	Spot int
}

// Shown is where a document that was read has a text: at the place that its command named, or at those that were found.
type Shown struct {
	EventID string // of the command
	Named   *DocumentPlace
	Found   []FoundPlace
}

// ValueKind is the type of a value as a person would name it.
type ValueKind string

const (
	KindText     ValueKind = "text"
	KindNumber   ValueKind = "number"
	KindDate     ValueKind = "date"
	KindChoice   ValueKind = "choice"
	KindBoolean  ValueKind = "boolean"
	KindFile     ValueKind = "file"
	KindEmail    ValueKind = "email"
	KindURL      ValueKind = "url"
	KindID       ValueKind = "id"       // an order number, a ticket key
	KindPlace    ValueKind = "place"    // nobody's entry: a place in a document (SealedPlace)
	KindPassword ValueKind = "password" // always omitted, as are the next three
	KindOTP      ValueKind = "otp"
	KindCard     ValueKind = "card"
	KindSecret   ValueKind = "secret"
)

// placeMark is before a place in the vault, so that no value is ever equal to one.
const placeMark = "place in a document: "

// SealedPlace is the text of a place for the vault. Words of a document may be anybody's, as long as only one document
// has them.
func SealedPlace(at DocumentPlace) string {
	b, _ := json.Marshal(at) // strings only
	return placeMark + string(b)
}

// OpenPlace reads what SealedPlace wrote.
func OpenPlace(text string) (at DocumentPlace, ok bool) {
	b, ok := strings.CutPrefix(text, placeMark)
	return at, ok && json.Unmarshal([]byte(b), &at) == nil
}

// Secret reports whether a value of this kind must always be omitted.
func (k ValueKind) Secret() bool {
	return k == KindPassword || k == KindOTP || k == KindCard || k == KindSecret
}

// Value is what is kept of a RawValue.
type Value struct {
	Policy Policy    `json:"policy" enum:"literal,masked,omitted"`
	Kind   ValueKind `json:"kind"`
	Length int       `json:"length,omitempty"`  // in characters; absent when omitted
	LinkID string    `json:"link_id,omitempty"` // equal values of one learning target share it
	Text   string    `json:"text,omitempty"`    // literal only
	Chosen bool      `json:"chosen,omitempty"`
	Source *Source   `json:"source,omitempty"` // typed only: where it was shown before
}

// Command is what is kept of a RawCommand.
// Line is readable: secrets are replaced by [[secret KIND]] and sealed words by [[KIND LENGTH LINK]] (see Mask).
type Command struct {
	Line       string  `json:"line"`
	Program    string  `json:"program,omitempty"` // first program of the first simple command, base name
	Words      []Word  `json:"words,omitempty"`   // words of the line in order; empty when the line could not be parsed
	Shell      string  `json:"shell,omitempty"`
	CwdFrom    string  `json:"cwd_from,omitempty"` // home as ~
	CwdTo      string  `json:"cwd_to,omitempty"`
	Exit       int     `json:"exit"`
	DurationMS int64   `json:"duration_ms"`
	Seq        int64   `json:"seq,omitempty"`
	Sealed     []Value `json:"sealed,omitempty"` // the values behind the masks in Line, in order

	Parent   string `json:"parent,omitempty"`   // of a program start: app family of what started it
	Running  bool   `json:"running,omitempty"`  // it had not ended: exit and duration_ms say nothing
	Children int    `json:"children,omitempty"` // processes that it started, folded into it
}

// ToolCall is what is kept of a RawCall.
type ToolCall struct {
	Agent      string `json:"agent"`
	RunID      string `json:"run_id,omitempty"`
	Tool       string `json:"tool"`
	Connector  string `json:"connector,omitempty"` // whose tool it is, of a call that went through Showhow's door
	Class      string `json:"class,omitempty"`     // what the door takes the tool to do: read, write, send, delete, other
	Args       []Arg  `json:"args,omitempty"`      // at most 40
	ArgsCut    bool   `json:"args_cut,omitempty"`  // there are more, or some that a name and a value do not say
	Failed     bool   `json:"failed,omitempty"`
	DurationMS int64  `json:"duration_ms,omitempty"`
}

// Arg is one argument of a tool call.
type Arg struct {
	Name  string `json:"name"`
	Form  string `json:"form,omitempty"` // its JSON type if not a string: number, truth, nothing, list, object (the last two: empty)
	Value *Value `json:"value"`
}

// Word is one word of a command line: readable text or a value.
type Word struct {
	Text  string `json:"text,omitempty"`
	Value *Value `json:"value,omitempty"`
}

// SealedRow is a value in the vault: AES-GCM under the learning target's key, additional data = target and link id.
type SealedRow struct {
	LinkID    string
	Target    string // learning target id, shared by a session and its examples
	SessionID string
	Kind      ValueKind
	Nonce     []byte
	Sealed    []byte
	CreatedAt time.Time
}

// ValuePolicy is a session's decision about values.
type ValuePolicy struct {
	Default     Policy   `json:"default" enum:"literal,masked,omitted" default:"masked"` // literal holds for LiteralApps only, masked elsewhere
	LiteralApps []string `json:"literal_apps" maxItems:"50"`                             // app families, lower case
}

// For is the policy for a value of kind k in app: secret kinds are always omitted.
func (p ValuePolicy) For(app string, k ValueKind) Policy {
	if k.Secret() || p.Default == Omitted {
		return Omitted
	}
	for _, a := range p.LiteralApps {
		if app != "" && strings.EqualFold(a, app) {
			return Literal
		}
	}
	return Masked
}
