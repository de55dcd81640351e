package capture

import (
	"fmt"
	"regexp"
)

const maxArgs = 40

// call keeps a tool call; its arguments are values like any other, under the session's policy.
func (j *job) call(raw *RawCall) *ToolCall {
	if raw == nil {
		return nil
	}
	c := &ToolCall{Agent: j.plain(raw.Agent, 80), RunID: j.plain(raw.RunID, 120), Tool: j.plain(raw.Tool, 120),
		Failed: raw.Failed, DurationMS: raw.Duration.Milliseconds()}
	for _, a := range raw.Args[:min(len(raw.Args), maxArgs)] {
		v := a.Value
		if v.FieldName == "" {
			v.FieldName = a.Name
		}
		c.Args = append(c.Args, Arg{Name: j.text(a.Name, 120), Value: j.value(&v, true)})
	}
	return c
}

// midi keeps a gesture.
func (j *job) midi(m *MIDIGesture) *MIDIGesture {
	if m == nil {
		return nil
	}
	out := *m
	out.Gesture, out.Transport, out.Parameter = j.term(m.Gesture), j.term(m.Transport), j.term(m.Parameter)
	return &out
}

var (
	termRE = regexp.MustCompile(`^[a-z_]{0,24}$`)
	keysRE = regexp.MustCompile(`^(?:[A-Z][A-Za-z]{1,14}\+)*(?:.|(?:[A-Z][a-z]+)+\d{0,2}|F\d{1,2})$`)
)

// term is a word of an adapter's own; it is no typed value even when somebody typed it.
func (j *job) term(s string) string {
	if termRE.MatchString(s) {
		return j.plain(s, 40)
	}
	return j.text(s, 40)
}

// keys are names of keys: Enter, Control+S.
func (j *job) keys(s string) string {
	if keysRE.MatchString(s) {
		return j.plain(s, 80)
	}
	return j.text(s, 80)
}

func playLabel(m *MIDIGesture) string {
	if m == nil {
		return "Played"
	}
	number := 0
	if len(m.Numbers) > 0 {
		number = m.Numbers[0]
	}
	switch m.Gesture {
	case "note":
		return fmt.Sprintf("Played note %d", number)
	case "chord":
		return fmt.Sprintf("Played a chord of %d notes", len(m.Numbers))
	case "control":
		what := fmt.Sprintf("controller %d", number)
		if m.Parameter != "" {
			what = fmt.Sprintf("parameter %d", number)
		}
		switch {
		case m.Messages == 1:
			return fmt.Sprintf("Set %s to %d", what, m.To)
		case m.Momentary():
			return "Pressed " + what
		case m.From == m.To:
			return "Turned " + what
		}
		return fmt.Sprintf("Moved %s from %d to %d", what, m.From, m.To)
	case "program":
		return fmt.Sprintf("Chose program %d", number)
	case "pitch_bend":
		return "Bent the pitch"
	case "transport":
		return "Pressed " + m.Transport
	}
	return "Played"
}

// Momentary reports whether a controller's gesture is a button's: down and up again.
func (m *MIDIGesture) Momentary() bool {
	return m.Gesture == "control" && m.Messages == 2 && m.From > 0 && m.To == 0
}

func onDevice(name string) string {
	if name == "" {
		return ""
	}
	return " on '" + name + "'"
}

func fileLabel(f *File) string {
	if f == nil {
		return "A file changed"
	}
	if f.Dir {
		return folderLabel(f)
	}
	switch f.Change {
	case "created":
		return "Created " + fileName(f)
	case "moved":
		return "Moved a file to " + fileName(f)
	case "removed":
		return "Removed " + fileName(f)
	}
	return "Changed " + fileName(f)
}

func folderLabel(f *File) string {
	name := "the folder " + fileName(f)
	switch f.Change {
	case "created":
		return "Created " + name
	case "moved":
		return "Moved a folder to " + fileName(f)
	case "removed":
		return "Removed " + name
	}
	return fmt.Sprintf("Changed %d more files in %s", f.Files, name)
}
