package shellword

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func TestText(t *testing.T) {
	for line, want := range map[string]string{
		`plain`: "plain", `a\ b`: "a b", `'a $b'`: "a $b", `"a b"`: "a b", `"a \"b\" \$c \n"`: `a "b" $c \n`, `a"b"'c'`: "abc", "a\\\nb": "ab",
		`*.txt`: "*.txt", `''`: "",
		`\\`: `\`, `"a\\b"`: `a\b`, `'a\b'`: `a\b`, `$'plain'`: "plain", `it\'s`: "it's",
	} {
		if got, known := read(t, line); !known || got != want {
			t.Errorf("%s: %q, %v; want %q", line, got, known, want)
		}
	}
	for line, want := range map[string]string{`$x`: "", `a$x`: "a", `"a $(b) c"`: "a  c", "`b`": "", `$'\x72m'`: `\x72m`, `<(b)`: "",
		`${x}y`: "y"} {
		if got, known := read(t, line); known || got != want {
			t.Errorf("%s: %q, %v; want what is known: %q", line, got, known, want)
		}
	}
	if s, known := Text(nil); s != "" || known {
		t.Error(s, known)
	}
}

func read(t *testing.T, word string) (string, bool) {
	t.Helper()
	f, err := syntax.NewParser().Parse(strings.NewReader("echo "+word), "")
	if err != nil {
		t.Fatal(err)
	}
	return Text(f.Stmts[0].Cmd.(*syntax.CallExpr).Args[1])
}
