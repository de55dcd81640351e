package player

import (
	"context"
	"encoding/json"
	"slices"

	"showhow/browser"
	"showhow/capture"
)

// pageState is the digest that the page script returns.
type pageState struct {
	capture.State
	Fields  []pageField `json:"fields"`
	Details []pageField `json:"details"`
}

type pageField struct {
	Label string `json:"label"`
	Role  string `json:"role"`
	Raw   *struct {
		Kind         capture.ValueKind `json:"kind"`
		Text         string            `json:"text"`
		InputType    string            `json:"input_type"`
		Autocomplete string            `json:"autocomplete"`
		Field        string            `json:"field"`
		Chosen       bool              `json:"chosen"`
		Filled       bool              `json:"filled"`
	} `json:"raw"`
}

func (s *pageState) state() capture.State {
	out := s.State
	out.Fields, out.Details = raws(s.Fields), raws(s.Details)
	return out
}

func raws(in []pageField) (out []capture.Field) {
	for _, f := range in {
		field := capture.Field{Label: f.Label, Role: f.Role}
		if r := f.Raw; r != nil && (!r.Kind.Secret() || r.Filled) {
			field.Raw = &capture.RawValue{Text: r.Text, Kind: r.Kind, InputType: r.InputType, Autocomplete: r.Autocomplete, FieldName: r.Field,
				Chosen: r.Chosen}
			if r.Kind.Secret() {
				field.Raw.Text = ""
			}
		}
		out = append(out, field)
	}
	return out
}

// State is the page in front as the recorder would describe it: the top document with its frames.
// Values are in Field.Raw, in memory only. While a native dialog is open nothing else can be read:
// then the state is only the address and the dialog.
func (p *reader) State(ctx context.Context) (capture.State, error) {
	t := p.current()
	if t == nil {
		return capture.State{}, browser.ErrGone
	}
	var stopped *capture.State
	p.locked(func() {
		if t.dialog != nil {
			stopped = &capture.State{URL: t.url, Dialogs: []string{t.dialog.message}}
		}
	})
	if stopped != nil {
		return *stopped, nil
	}
	var out capture.State
	any := false
	for _, text := range p.ask(ctx, t, "globalThis.showhow.whole()") {
		var s pageState
		if text == "" || json.Unmarshal([]byte(text), &s) != nil {
			continue // seen with another, or being replaced
		}
		one := s.state()
		if !any {
			out, any = one, true
			continue
		}
		join(&out, &one)
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if !any {
		if err := p.alive(t); err != nil {
			return out, err
		}
		p.locked(func() { out.URL = t.url })
	}
	return out, nil
}

// join adds what a frame shows, as adapters/browserdom does.
func join(s, frame *capture.State) {
	s.Headings = slices.Concat(s.Headings, frame.Headings)
	s.Dialogs = slices.Concat(s.Dialogs, frame.Dialogs)
	s.Alerts = slices.Concat(s.Alerts, frame.Alerts)
	s.Invalid = slices.Concat(s.Invalid, frame.Invalid)
	s.Tables = slices.Concat(s.Tables, frame.Tables)
	s.Fields = slices.Concat(s.Fields, frame.Fields)
	s.Details = slices.Concat(s.Details, frame.Details)
}
