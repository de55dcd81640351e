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
	warned(e, client.PDFOperation{WarningCodes: []string{"pages_without_text", "pages_cut", "ocr_unavailable"}},
		[]client.PDFWarning{{Code: "pages_without_text", Pages: "2-4,9"}, {Code: "ocr_unavailable", Pages: "2", Install: "get a-language"}})
	want := "Some pages have no text; they may be pictures. Pages: 2-4,9\n" + warnings["pages_cut"] + "\n" +
		warnings["ocr_unavailable"] + " Pages: 2\n  install with: get a-language\n"
	if said.String() != want {
		t.Errorf("%q", said.String())
	}
}

// A search that did not look at all pages is no success: the code says whether something has to be installed, and the hint
// is the daemon's, which knows whether a program or a language is missing.
func TestAnIncompleteSearchSaysWhatToDo(t *testing.T) {
	for code, want := range map[string]string{
		"ocr_unavailable": "ACROBAT_OCR_UNSUPPORTED: pages without text (3) were not searched: tesseract or its languages are not " +
			"installed: get a-language; then run it again",
		"ocr_cut": "ACROBAT_SEARCH_INCOMPLETE: pages without text (3) were not searched: too many have to be recognised: " +
			"name them with --pages",
		"pages_cut": "",
	} {
		got := ""
		w := client.PDFWarning{Code: code, Pages: "3"}
		if code == "ocr_unavailable" {
			w.Install = "get a-language"
		}
		if err := unsearched(client.PDFOperation{WarningCodes: []string{code}}, []client.PDFWarning{w}); err != nil {
			f := fault.From(err)
			got = string(f.Code) + ": " + f.Message + ": " + f.Hint
		}
		if got != want {
			t.Errorf("%s: %q", code, got)
		}
	}
}
