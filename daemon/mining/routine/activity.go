package routine

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Step is one action, without any value.
type Step struct {
	Source string    // the run, session or other record that it is part of
	At     time.Time // zero: not known; then its place in the log is all that counts
	App    string    // program, site or service
	Kind   string    // the action: click, fill, run, a tool's name
	Target string    // what it was done to, as a person would say it
	Value  string    // the kind of the value that it took; "" none
	Failed bool      // it did not work
	Shown  bool      // it had an effect that could be seen, so it can be verified
}

// activities numbers the steps by what they do. Targets that differ only in digits are one activity (a row of a table,
// an order's number) unless each of them recurs as often as an activity must: then the digits are part of a name.
// Targets that hardly recur at all (a customer's name in a list) are one activity too: something of that kind in that
// place.
//
// pooled holds the activities without a common name, which cannot start a routine.
func activities(steps []Step, times int) (of []int32, n int, pooled map[int32]bool) {
	type class struct {
		total  int
		exact  map[string]int
		number map[string]int32
	}
	classes := map[string]*class{}
	key := func(s *Step) string { return s.App + "\x00" + s.Kind + "\x00" + maskDigits(s.Target) }
	for i := range steps {
		k := key(&steps[i])
		c := classes[k]
		if c == nil {
			c = &class{exact: map[string]int{}, number: map[string]int32{}}
			classes[k] = c
		}
		c.total++
		c.exact[steps[i].Target]++
	}
	of = make([]int32, len(steps))
	rare := map[string]*class{}
	pooled = map[int32]bool{}
	for i := range steps {
		c, name := classes[key(&steps[i])], ""
		if c.total < times {
			k := steps[i].App + "\x00" + steps[i].Kind
			if rare[k] == nil {
				rare[k] = &class{number: map[string]int32{}}
			}
			c = rare[k]
		}
		if len(c.exact) > 0 && c.total >= times*len(c.exact) {
			name = steps[i].Target
		}
		id, ok := c.number[name]
		if !ok {
			id = int32(n)
			pooled[id] = len(c.exact) == 0
			c.number[name] = id
			n++
		}
		of[i] = id
	}
	return of, n, pooled
}

// maskDigits replaces every run of digits, and machine numbers (3f9a07c2), with #.
func maskDigits(s string) string {
	if strings.IndexFunc(s, unicode.IsDigit) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(s)
		}
		if word := s[:n]; hexadecimal(word) {
			b.WriteByte('#')
		} else {
			digitsOut(&b, word)
		}
		s = s[n:]
		if len(s) > 0 {
			_, size := utf8.DecodeRuneInString(s)
			b.WriteString(s[:size])
			s = s[size:]
		}
	}
	return b.String()
}

func digitsOut(b *strings.Builder, word string) {
	in := false
	for _, r := range word {
		d := unicode.IsDigit(r)
		switch {
		case !d:
			b.WriteRune(r)
		case !in:
			b.WriteByte('#')
		}
		in = d
	}
}

// hexadecimal reports whether a word is a machine's number.
func hexadecimal(word string) bool {
	digits := 0
	for _, r := range word {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case (r < 'a' || r > 'f') && (r < 'A' || r > 'F'):
			return false
		}
	}
	return len(word) >= 6 && digits >= 2
}

// Masked is a target as routines show it: without the digits that vary.
func Masked(target string) string { return maskDigits(target) }
