//go:build !race

package pdf

import (
	"testing"
	"time"

	"showhow/daemon/pdf/pdftest"
	"showhow/internal/fault"
)

// A sample of what bench/pdf breaks: whatever is done with such a document ends in a result or in a code, within its bounds.
func TestHostileDocumentsEndWithinTheirBounds(t *testing.T) {
	t.Parallel()
	d, short := newDesk(t), newDesk(t)
	short.s.o.Time = 200 * time.Millisecond
	all := pdftest.Hostile()
	docs := map[string][]byte{}
	for _, name := range []string{"a table of objects that names itself as the one before", "a giant number of pages",
		"pages in themselves", "a catalogue that is its pages", "lists in lists", "a bomb in a bomb"} {
		docs[name] = all[name]
	}
	for i := range uint64(6) {
		docs["broken "+string(rune('a'+i))] = pdftest.Broken(i, letter(nil), form())
	}
	for name, doc := range docs {
		if len(doc) == 0 {
			t.Errorf("%s: no such document", name)
		}
		from := short.give(doc)
		_, _, text := short.text(from)
		_, _, redaction := short.redact(from, "Ada", "class:email")
		for what, err := range map[string]error{"text": text, "redaction": redaction} {
			if err != nil && !fault.Is(err, fault.AcrobatFailed) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if _, _, err := d.redact(d.give(all["scripts"]), "Ada"); reason(err) != "scripted" {
		t.Error(err)
	}
	if out, _, err := d.text(d.give(all["a stream in another file"])); err != nil || len(out.Pages) != 1 || out.Pages[0].Text != "" {
		t.Errorf("%+v %v", out, err)
	}
}
