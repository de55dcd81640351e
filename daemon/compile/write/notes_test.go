package write

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"showhow/daemon/compile/trace"
)

// Every code of a note has a text with as many places as the code has arguments.
func TestNotesHaveWords(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../trace/note.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			code := trace.Code(strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
			if codes++; noteWords[code] == "" && code != trace.CorrectForm {
				t.Errorf("%s has no words", code)
			}
		}
		return true
	})
	if codes < 20 || codes != len(noteWords)+1 {
		t.Errorf("%d codes, words for %d", codes, len(noteWords))
	}
}

func TestNoteTexts(t *testing.T) {
	hide := func(s string) string { return strings.ReplaceAll(s, "A-1042", "{order}") }
	for want, n := range map[string]trace.Note{
		`The dialog "Order {order}" was opened and cancelled.`: {
			Code: trace.DialogCancelled, Args: []string{"Order A-1042"}},
		"Signing in to A-1042.example: being signed in is a condition before the start, and none of it was kept.": {
			Code: trace.SignedIn, Args: []string{"A-1042.example"}},
		`If "Date" is marked as not valid after the form was sent, correct it and send the form again.`: {
			Code: trace.CorrectForm, Args: []string{"Date"}},
		`If the form is refused (the page said: "{order} is shipped"), correct what it names and send it again.`: {
			Code: trace.CorrectForm, Said: "A-1042 is shipped"},
		`If "A" and "B" are marked as not valid after the form was sent (the page said: "100% of %s"), correct them and send the form again.`: {
			Code: trace.CorrectForm, Args: []string{"A", "B"}, Said: "100% of %s"},
	} {
		if got := noteText(n, hide); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
