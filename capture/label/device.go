package label

import (
	"fmt"

	"showhow/capture"
)

func playLabel(m *capture.MIDIGesture) string {
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

func onDevice(name string) string {
	if name == "" {
		return ""
	}
	return " on '" + name + "'"
}

func fileLabel(f *capture.File) string {
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

func folderLabel(f *capture.File) string {
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
