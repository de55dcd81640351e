package values

import (
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Param is a value that the demonstrator supplied, or picked from the page, with all that is known of it.
type Param struct {
	workflow.Param
	Texts    []string    // by trace; "" where it was not given or is not known
	Rounds   []string    // in a loop: the value in every further round, "" where that did without
	RoundOf  []int       // which trace each of rounds is of
	Renamed  bool        // by the person: its name says more than its label
	sealed   bool        // its text stood in no readable place
	Act      *align.Cell // that gave it first
	where    string      // which of an act's values it is, where that has several
	Source   string      // typed, chosen, picked, argument, file
	Template string      // the base trace's text with other values as references; for a constant
	Literal  bool        // its policy let it be kept as text
	Settled  bool        // the demonstrations themselves decide its role
	answered bool
	Varied   bool // it differed between demonstrations or rounds
	Steady   bool // it was the same in two or more demonstrations
	InLoop   bool

	Ask       bool   // it is a constant for now, and a question
	Program   string // whose argument it is
	beside    bool   // it stands in a command line beside a value that was known before
	untouched string // of a box: how it is when nobody sets it, where a demonstration left it alone
}

// trivial values are equal by chance: "1", "no", a choice like "Yes".
func trivial(p *Param) bool {
	text := ""
	for _, t := range p.Texts {
		text = max(text, t)
	}
	return text != "" && (utf8.RuneCountInString(text) < 3 || p.Kind == capture.KindNumber && len(text) < 4 || p.Kind == capture.KindBoolean ||
		p.Source == "chosen" && plain.Digits(text) == 0 && utf8.RuneCountInString(text) < 5)
}

func sameTexts(q, p *Param) bool {
	both := false
	for t := range p.Texts {
		if t >= len(q.Texts) || p.Texts[t] == "" || q.Texts[t] == "" {
			continue
		}
		if !strings.EqualFold(p.Texts[t], q.Texts[t]) {
			return false
		}
		both = true
	}
	if len(p.Rounds) > 0 && len(q.Rounds) > 0 && !slices.EqualFunc(p.Rounds, q.Rounds, func(a, b string) bool {
		return a == "" || b == "" ||
			strings.EqualFold(a, b)
	}) {
		return false
	}
	if len(q.Rounds) == 0 && p.differsInRounds() || len(p.Rounds) == 0 && q.differsInRounds() {
		return false
	}
	return both || q.LinkID != "" && q.LinkID == p.LinkID
}

func (p *Param) differsInRounds() bool {
	for k, r := range p.Rounds {
		if first := p.Texts[p.RoundOf[k]]; r != "" && first != "" && !strings.EqualFold(r, first) {
			return true
		}
	}
	return false
}

// textIn is the value as it was first given in a trace.
func (p *Param) textIn(t int, other string) string {
	if t < len(p.Texts) && p.Texts[t] != "" {
		return p.Texts[t]
	}
	return other
}
