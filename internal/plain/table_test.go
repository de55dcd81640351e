package plain

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the table of characters anew")

// The pages spell what a call would send in TypeScript (frontend/src/features/connectors/shown.ts). The table says what
// Spelled does with every code point, and the test of the pages reads it, so that a person sees the same everywhere.
func TestTable(t *testing.T) {
	const name = "testdata/spelled.txt"
	got := table()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what Spelled does: run go test ./internal/plain -run TestTable -update, then the tests of the pages", name)
	}
}

// table lists the runs of code points that Spelled does not leave alone.
func table() string {
	var b strings.Builder
	b.WriteString("# What plain.Spelled does with the code points that it does not leave alone, wherever they are: blank, spelled,\n" +
		"# mark (left alone on a letter, spelled alone), new (spelled, as this version of Unicode does not know it).\n" +
		"# Written by go test ./internal/plain -run TestTable -update.\n")
	first, last, kind := rune(0), rune(0), ""
	flush := func() {
		if kind != "" {
			fmt.Fprintf(&b, "%x %x %s\n", first, last, kind)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if k := kindOf(r); k != kind {
			flush()
			first, kind = r, k
		}
		last = r
	}
	flush()
	return b.String()
}

func kindOf(r rune) string {
	if !utf8.ValidRune(r) {
		return "" // no text of ours contains a surrogate
	}
	alone, on := Spelled(string(r)), strings.TrimPrefix(Spelled("a"+string(r)), "a")
	code := fmt.Sprintf(`\u{%x}`, r)
	switch {
	case alone == string(r) && on == alone:
		return ""
	case alone == " " && on == alone:
		return "blank"
	case alone == code && on == string(r):
		return "mark"
	case alone == code && on == alone && unicode.Is(unicode.Cn, r):
		return "new"
	case alone == code && on == alone:
		return "spelled"
	}
	return "unlike any"
}
