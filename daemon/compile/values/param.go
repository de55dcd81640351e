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

// Param is a value that the person supplied, or picked from the page, with all that is known about it.
type Param struct {
	workflow.Param
	Texts    []string    // by trace; "" where it was not given or is unknown
	Rounds   []string    // in a loop: the value in every further round, "" where the round had none
	RoundOf  []int       // the trace of each entry in Rounds
	Renamed  bool        // a person named it, so its name says more than its label
	sealed   bool        // its text was nowhere readable
	Act      *align.Cell // the act that gave it first
	where    string      // which of an act's values it is, if the act has several
	Source   string      // typed, chosen, picked, argument, file
	Template string      // the base trace's text with other values as references; used for a constant
	Literal  bool        // its policy allowed it to be stored as text
	Settled  bool        // the demonstrations alone decide its role
	answered bool
	Varied   bool // it differed between demonstrations or rounds
	Steady   bool // it was the same in two or more demonstrations
	InLoop   bool

	ReadBy    int    // 1 + the column of the command that read the document that it was read in; 0: none
	Ask       bool   // a constant for now, with a question about it
	Program   string // the program whose argument it is
	beside    bool   // it stands in a command line beside a value that was already known
	untouched string // of a box: its state in a demonstration that left it alone
}

// trivial reports whether a value is so short or common that equality may be chance: "1", "no", "Yes".
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

// textIn returns the value as it was first given in trace t, or other when it was not.
func (p *Param) textIn(t int, other string) string {
	if t < len(p.Texts) && p.Texts[t] != "" {
		return p.Texts[t]
	}
	return other
}
