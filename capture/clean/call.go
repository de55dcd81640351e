package clean

import (
	"showhow/capture"
	"showhow/internal/lazyre"
)

const maxArgs = 40

// call cleans a tool call; its arguments are values like any other, under the session's policy.
func (j *job) call(raw *capture.RawCall) *capture.ToolCall {
	if raw == nil {
		return nil
	}
	c := &capture.ToolCall{Agent: j.plain(raw.Agent, 80), RunID: j.plain(raw.RunID, 120), Tool: j.plain(raw.Tool, 120),
		Connector: j.plain(raw.Connector, 80), Class: j.term(raw.Class), Failed: raw.Failed,
		ArgsCut: raw.ArgsCut || len(raw.Args) > maxArgs, DurationMS: raw.Duration.Milliseconds()}
	for _, a := range raw.Args[:min(len(raw.Args), maxArgs)] {
		v := a.Value
		if v.FieldName == "" {
			v.FieldName = a.Name
		}
		c.Args = append(c.Args, capture.Arg{Name: j.text(a.Name, 120), Form: j.term(a.Form), Value: j.value(&v, true)})
	}
	return c
}

// midi cleans a gesture.
func (j *job) midi(m *capture.MIDIGesture) *capture.MIDIGesture {
	if m == nil {
		return nil
	}
	out := *m
	out.Gesture, out.Transport, out.Parameter = j.term(m.Gesture), j.term(m.Transport), j.term(m.Parameter)
	return &out
}

var (
	termRE = lazyre.New(`^[a-z_]{0,24}$`)
	keysRE = lazyre.New(`^(?:[A-Z][A-Za-z]{1,14}\+)*(?:.|(?:[A-Z][a-z]+)+\d{0,2}|F\d{1,2})$`)
)

// term is a word of an adapter's own; it is not a typed value even if somebody typed the same word.
func (t *texts) term(s string) string {
	if termRE.MatchString(s) {
		return t.plain(s, 40)
	}
	return t.text(s, 40)
}

// keys are names of keys: Enter, Control+S.
func (t *texts) keys(s string) string {
	if keysRE.MatchString(s) {
		return t.plain(s, 80)
	}
	return t.text(s, 80)
}
