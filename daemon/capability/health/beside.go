package health

import (
	"fmt"
	"hash/fnv"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Control is a control as a page names it.
type Control struct {
	Role, Name string
	There      bool // it is in the place of the control that was looked for
	Other      bool // its words say that it is something else
}

// Beside are the controls that stood beside one that was looked for, or in its place while it was missing.
type Beside struct {
	Step     string
	Role     string // of the control that was looked for
	Name     string // its own, as the ability has it
	Controls []Control
}

func (b Beside) called() string {
	if b.Name == "" {
		return "it"
	}
	return fmt.Sprintf("the %s %q", b.Role, b.Name)
}

// Known is what stood beside a step's control when it was last seen. Names may be somebody's data: of each sixteen bits are kept,
// which tell whether a name is new and not what it was.
type Known struct {
	Step   string   `json:"step"`
	Prints []uint16 `json:"prints"`
}

// printOf is what is kept of a name: digits change with what a page counts.
func printOf(name string) uint16 {
	h := fnv.New32a()
	var b [utf8.UTFMax]byte
	for _, r := range name {
		if unicode.IsLetter(r) {
			_, _ = h.Write(utf8.AppendRune(b[:0], unicode.ToLower(r))) // cannot fail
		}
	}
	sum := h.Sum32()
	return uint16(sum>>16) ^ uint16(sum)
}

// know keeps what stood beside the controls that an outcome saw.
func (s *State) know(o Outcome) {
	if !o.Source.Seen() || len(o.Beside) == 0 {
		return
	}
	s.Beside = slices.Clone(s.Beside)
	for _, b := range o.Beside {
		if !slices.Contains(o.Covered, b.Step) {
			continue
		}
		k := Known{Step: b.Step, Prints: []uint16{}}
		for _, c := range b.Controls {
			k.Prints = append(k.Prints, printOf(c.Name))
		}
		s.Beside = slices.DeleteFunc(s.Beside, func(x Known) bool { return x.Step == b.Step })
		s.Beside = append(s.Beside[max(0, len(s.Beside)-stepsKept+1):], k)
	}
}

// Read reads an outcome in the light of what was seen before. A control that is missing, while something stands in its place that was
// not there when it was last seen, may be called otherwise; so it may where most of what stood beside it is called otherwise, and
// something is new anywhere, whatever its kind and its words: there, words tell nothing apart. A single new control of its role is
// proposed as a repair, unless its words say that it is something else.
func (s State) Read(o Outcome) Outcome {
	if o.Result != Failed || !o.Source.Seen() || o.Code != MissingCode {
		return o
	}
	k := slices.IndexFunc(s.Beside, func(k Known) bool { return k.Step == o.Step })
	var now *Beside // of a loop, the last round
	for i := range o.Beside {
		if o.Beside[i].Step == o.Step {
			now = &o.Beside[i]
		}
	}
	if k < 0 || now == nil {
		return o
	}
	known := s.Beside[k].Prints
	fresh := slices.DeleteFunc(slices.Clone(now.Controls), func(c Control) bool { return slices.Contains(known, printOf(c.Name)) })
	still := 0
	for _, p := range known {
		if slices.ContainsFunc(now.Controls, func(c Control) bool { return printOf(c.Name) == p }) {
			still++
		}
	}
	if reworded := len(known) > 0 && 2*still < len(known); !reworded {
		fresh = slices.DeleteFunc(fresh, func(c Control) bool { return !c.There || c.Other && c.Role != now.Role })
	}
	if len(fresh) == 0 {
		return o
	}
	o.Code = ReplacedCode
	own := slices.DeleteFunc(slices.Clone(fresh), func(c Control) bool { return c.Role != now.Role })
	if len(own) == 1 && !own[0].Other {
		c := own[0]
		o.Renamed = append(slices.Clone(o.Renamed), Renamed{Step: o.Step, Role: c.Role, Name: c.Name, Guess: true,
			Changes: []string{fmt.Sprintf("%s is missing, and the %s %q is new there", now.called(), c.Role, c.Name)}})
	}
	return o
}
