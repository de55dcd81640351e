package script

import (
	"time"

	"showhow/capture"
	"showhow/capture/secret"
)

// Message is a message from the page half; 50-acts.js and 90-main.js say which field belongs to which kind.
type Message struct {
	Kind   string        `json:"k"`
	Doc    string        `json:"doc"`
	ID     string        `json:"id"`
	IDs    []string      `json:"ids"`
	Ended  []string      `json:"ended"` // those of them that ended an edit: their field is gone
	Marks  []string      `json:"marks"` // those of them that marked what was pressed, and nothing of its like
	Verb   capture.Verb  `json:"verb"`
	T      int64         `json:"t"`     // microseconds of wall time
	Until  int64         `json:"until"` // likewise: when the last key of what was typed was pressed; 0 of other acts
	Target *Target       `json:"target"`
	Drop   *Target       `json:"drop"`
	Value  *Value        `json:"value"`
	File   *capture.File `json:"file"`
	Keys   string        `json:"keys"`
	Before *StateRef     `json:"before"`
	After  *StateRef     `json:"after"`
	Page   *capture.Page `json:"page"`
	Site   string        `json:"site"`
	Top    bool          `json:"top"`
	Off    bool          `json:"off"`
	On     bool          `json:"on"`
	Epoch  int           `json:"epoch"`
	Reason string        `json:"r"`
	N      int64         `json:"n"`
	Names  []string      `json:"names"`
	Blots  []Blot        `json:"blots"`
	XY     *[2]float64   `json:"xy"`
	Whole  bool          `json:"whole"` // XY counts from the tab's corner, else from the frame's
	Counts []int         `json:"counts"`
	At     int64         `json:"counted_us"`
}

type Target struct {
	capture.Target
	CountedUS int64              `json:"counted_us"`
	Opaque    bool               `json:"opaque"`
	Counting  bool               `json:"counting"` // its locators' matches follow
	EveryRow  bool               `json:"of_every_row"`
	ItemTexts []capture.ItemText `json:"item_texts"`
}

type Value struct {
	Kind         capture.ValueKind `json:"kind"`
	Text         string            `json:"text"`
	InputType    string            `json:"input_type"`
	Autocomplete string            `json:"autocomplete"`
	Field        string            `json:"field"`
	Chosen       bool              `json:"chosen"`
	Source       *capture.Source   `json:"source"`
	Filled       bool              `json:"filled"` // a secret was entered; its text stayed in the page
}

// StateRef is a digest: in full the first time, by number later.
type StateRef struct {
	N     int    `json:"n"`
	Doc   string `json:"doc"` // whose digest it is; "" for the document's own
	State *State `json:"state"`
}

type State struct {
	capture.State
	Fields  []Field `json:"fields"`
	Details []Field `json:"details"`
}

type Field struct {
	Label string `json:"label"`
	Role  string `json:"role"`
	Raw   *Value `json:"raw"`
}

func Fields(in []Field) (out []capture.Field) {
	for _, f := range in {
		out = append(out, capture.Field{Label: f.Label, Role: f.Role, Raw: f.Raw.Raw()})
	}
	return out
}

func (v *Value) Raw() *capture.RawValue {
	if v == nil || v.Kind.Secret() && !v.Filled {
		return nil
	}
	r := &capture.RawValue{Text: v.Text, Kind: v.Kind, InputType: v.InputType, Autocomplete: v.Autocomplete, FieldName: v.Field,
		Chosen: v.Chosen, Source: v.Source}
	if v.Kind.Secret() {
		r.Text = "" // it never came; to be sure
	}
	return r
}

func CountedAt(us int64) string { return Moment(us).UTC().Format("2006-01-02T15:04:05.000000Z") }

func Moment(us int64) time.Time { return time.UnixMicro(us) }

// Blot is a keyed hash of a secret that stayed in its page (25-blots.js).
type Blot struct {
	Kind secret.Kind `json:"kind"`
	Size int         `json:"size"`
	Hash string      `json:"hash"`
}
