package prose

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// telling is a rule about one sentence: what a wording of internal/lang means. All expressions run in linear time over lower-case text of
// one sentence.
type telling struct {
	Rule     string
	severity report.Severity // "" is the rule's own
	hints    []string        // one of them is in every match; looked for first, for speed
	also     []string        // and one of these
	re       *lazyre.Regexp
	unless   *lazyre.Regexp // in the sentence before the match: the sentence says not to, or only asks
	excuse   *lazyre.Regexp // in the sentence, before the match or in it
	only     *lazyre.Regexp // somewhere in the sentence, else nothing
	raised   *lazyre.Regexp // anywhere in the sentence: high
	held     bool           // to forbid it is what it is about, so that no guard spares it
	foreign  bool           // not English: matched on the text as it is
}

//go:embed wordings.txt
var wordingRules string

// Negated is what stands before a deed that is not to be done.
var Negated = source.Wording("negated")

// told are the rules for sentences, and those for sentences wherever they stand.
var told = sync.OnceValue(func() (t struct{ placed, everywhere []telling }) {
	var rule telling
	everywhere := false
	for l := range strings.Lines(wordingRules) {
		f := strings.Fields(l)
		switch {
		case len(f) == 0 || l[0] == '#':
		case l[0] != ' ':
			if everywhere = f[0] == "everywhere"; everywhere {
				f = f[1:]
			}
			rule = telling{Rule: f[0]}
			if len(f) > 1 && f[1] == "held" {
				rule.held = true
			} else if len(f) > 1 {
				rule.severity = report.Severity(f[1])
			}
		default:
			for _, name := range f {
				if x := rule.of(name); everywhere {
					t.everywhere = append(t.everywhere, x)
				} else {
					t.placed = append(t.placed, x)
				}
			}
		}
	}
	return t
})

// Rules are those that sentences can break.
func Rules() (out []string) {
	for _, t := range slices.Concat(told().placed, told().everywhere) {
		out = append(out, t.Rule)
	}
	return out
}

// of is the rule for a wording.
func (t telling) of(name string) telling {
	w := lang.WordingOf(name)
	expr := func(s string) *lazyre.Regexp {
		if s == "" {
			return nil
		}
		return lazyre.From(func() string { return s })
	}
	t.hints, t.also, t.foreign = w.Hints, w.Also, strings.HasPrefix(name, "others.")
	t.re, t.unless, t.excuse, t.only, t.raised = expr(w.Says), expr(w.Unless), expr(w.Excuse), expr(w.Only), expr(w.Raised)
	return t
}
