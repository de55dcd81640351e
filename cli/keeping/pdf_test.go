package keeping

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// What is no PDF document is refused by its name before it is handed in, and a mistyped reference is told as one.
func TestOnlyPDFDocumentsAreHandedIn(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"notes.txt": "hello",
		"short.pdf": "%PDF-1.4", "late.pdf": strings.Repeat("\n", 600) + "%PDF-1.4",
		"doc_of_mine.pdf": "%PDF-1.7", "empty.pdf": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"notes.txt": "notes.txt is no PDF document", "empty.pdf": "empty.pdf is no PDF document",
		"gone.pdf": "gone.pdf cannot be read", ".": ". cannot be read", "doc_nope": "doc_nope is no reference of a document",
		"short.pdf": "", "late.pdf": "", "doc_of_mine.pdf": ""} {
		f, err := openPDF(name)
		if err == nil {
			f.Close()
		}
		got := ""
		if err != nil {
			got = fault.From(err).Message
		}
		if got != want || err != nil && fault.From(err).Hint == "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestWarningsNameTheirPages(t *testing.T) {
	var said bytes.Buffer
	e := &env{&kit.Env{ErrOut: &said}}
	warned(e, client.PDFOperation{WarningCodes: []string{"pages_without_text", "pages_cut"}},
		[]client.PDFWarning{{Code: "pages_without_text", Pages: "2-4,9"}})
	if want := "Some pages have no text; they may be pictures. Pages: 2-4,9\n" + warnings["pages_cut"] + "\n"; said.String() != want {
		t.Errorf("%q", said.String())
	}
}
