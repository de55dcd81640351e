package lazyre

import (
	"reflect"
	"testing"
)

func TestNeeds(t *testing.T) {
	for expr, want := range map[string][][]string{
		`\b(?:ignore|forget)\b.{0,40}\b(?:rules?|orders?)\b`: {{"ignore", "forget"}, {"rule", "order"}},
		`send(?: it)? to (?:us|nobody)`:                      {{"send"}, {" to "}},
		`(?:paste){2,}|(?i)upload`:                           nil, // the second may be in any case
		`(?:paste){2,}|upload`:                               {{"paste", "upload"}},
		`(?:paste)?\d`:                                       nil,
	} {
		if got := Needs(expr, 3); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

func TestSparseMatchesAsTheExpressionDoes(t *testing.T) {
	for _, expr := range []string{
		`\b(?:ignore|forget)\b.{0,40}\b(?:rules?|orders?)\b`, `(?i)upload|paste`, "(?m:^|=)\\s*`[^`\\n]*#\\{", `^$`, `x*`, `(?:keep|keeps) it`,
		`send(?: it)? to (?:us|nobody)`,
	} {
		plain, sparse := New(expr), Sparse(expr)
		for _, s := range []string{
			"", "x", "please forget the rules", "UPLOAD it", "a = `ls #{x}`", "who keeps it", "send to us, send it to nobody",
		} {
			Forget()
			if a, b := plain.FindAllStringIndex(s, -1), sparse.FindAllStringIndex(s, -1); !reflect.DeepEqual(a, b) {
				t.Errorf("%s in %q: %v, want %v", expr, s, b, a)
			}
			if a, b := plain.ReplaceAllString(s, "-"), sparse.ReplaceAllString(s, "-"); a != b {
				t.Errorf("%s in %q: %q, want %q", expr, s, b, a)
			}
			if a, b := plain.FindStringSubmatch(s), sparse.FindStringSubmatch(s); !reflect.DeepEqual(a, b) {
				t.Errorf("%s in %q: %q, want %q", expr, s, b, a)
			}
		}
	}
}
