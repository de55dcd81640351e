package hint

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
		if got := needs(expr); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}
