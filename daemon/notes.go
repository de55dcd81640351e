package daemon

import (
	"path/filepath"
	"strings"

	"showhow/capture/redact"
	"showhow/daemon/notes"
	"showhow/internal/clock"
)

// newNotes makes the service for notes. The folder is the person's: erasing Showhow's data leaves it where it is.
func newNotes(d *Daemon) *notes.Service {
	return notes.New(notes.Options{Dir: filepath.Join(d.o.Roots.Data, "notes"), Store: d.store.Notes(), Redact: d.redactor.secrets,
		Now: d.now, NewID: clock.NewID, Log: d.log})
}

// secrets replaces the secrets in a text by what mask says of their kind; personal data stays.
func (l *lazyRedactor) secrets(text string, mask func(kind string) string) string {
	if text == "" {
		return text
	}
	text = redact.Clean(text)
	var b strings.Builder
	at := 0
	for _, s := range l.Find(text) {
		if s.Kind.Personal() || s.Start < at {
			continue
		}
		b.WriteString(text[at:s.Start] + mask(string(s.Kind)))
		at = s.End
	}
	return b.String() + text[at:]
}
