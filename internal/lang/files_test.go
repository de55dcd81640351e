package lang

import (
	"slices"
	"testing"
)

func TestFileKind(t *testing.T) {
	for ending, words := range map[string][]string{"docx": {"word", "document", "odt"}, "xlsx": {"excel", "spreadsheet", "ods"},
		"jpg": {"photo", "jpeg"}, "ics": {"calendar"}, "wav": {"audio", "mp3"}} {
		for _, w := range words {
			if !slices.Contains(FileKind(EnglishStem(ending)), EnglishStem(w)) {
				t.Errorf("%s is no %s: %v", ending, w, FileKind(EnglishStem(ending)))
			}
		}
		if !FileEnding(ending) {
			t.Errorf("%s ends no file's name", ending)
		}
	}
	if !slices.Contains(FilesCalled(EnglishStem("spreadsheet")), "xlsx") {
		t.Error("a spreadsheet has no ending")
	}
	for _, w := range []string{"word", "table", "page", "invoice"} {
		if k := FilesCalled(EnglishStem(w)); len(k) > 0 {
			t.Errorf("%s means more than files, and stands for %v", w, k)
		}
	}
	if FileEnding("com") || FileEnding("invoice") {
		t.Error("not every word behind a full stop is the ending of a file's name")
	}
}

// An ending that is also a word of another meaning is one only behind a dot.
func TestEndingsThatAreWords(t *testing.T) {
	for _, w := range []string{"step", "fit", "raw", "dump"} {
		if !FileEnding(w) || FileWord(w) || len(FileKind(w)) == 0 {
			t.Errorf("%s: an ending %v, alone %v, of the kind %v", w, FileEnding(w), FileWord(w), FileKind(w))
		}
	}
	for _, w := range []string{"pdf", "sqlite", "jpeg"} {
		if !FileEnding(w) || !FileWord(EnglishStem(w)) {
			t.Errorf("%s does not stand for such files", w)
		}
	}
	if k := slices.Concat(FileKind("dwg"), FilesCalled("draw")); slices.Contains(k, "step") || !slices.Contains(k, "dxf") {
		t.Errorf("a drawing stands for %v", k)
	}
}
