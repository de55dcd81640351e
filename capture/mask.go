package capture

import (
	"fmt"
	"strconv"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// Mask replaces a sealed value in a text: [[KIND LENGTH LINK]].
type Mask struct {
	Start, End int // bytes of the text
	Kind       ValueKind
	Length     int // in characters
	LinkID     string
}

var maskRE = lazyre.New(`\[\[([a-z]{2,10}) ([0-9]{1,7}) (` + secret.LinkPattern + `)\]\]`)

// ParseMasks finds the masks of a text, in order.
func ParseMasks(s string) []Mask {
	var out []Mask
	for _, m := range maskRE.FindAllStringSubmatchIndex(s, -1) {
		n, _ := strconv.Atoi(s[m[4]:m[5]])
		out = append(out, Mask{Start: m[0], End: m[1], Kind: ValueKind(s[m[2]:m[3]]), Length: n, LinkID: s[m[6]:m[7]]})
	}
	return out
}

// String is the mask's text form.
func (m Mask) String() string { return fmt.Sprintf("[[%s %d %s]]", m.Kind, m.Length, m.LinkID) }

// Mask is the text form of a masked value.
func (v Value) Mask() string {
	return Mask{Kind: v.Kind, Length: min(v.Length, 9_999_999), LinkID: v.LinkID}.String()
}

// Replace returns s with each mask replaced by the result of fn.
func Replace(s string, fn func(Mask) string) string {
	masks := ParseMasks(s)
	if len(masks) == 0 {
		return s
	}
	out, at := make([]byte, 0, len(s)), 0
	for _, m := range masks {
		out = append(append(out, s[at:m.Start]...), fn(m)...)
		at = m.End
	}
	return string(append(out, s[at:]...))
}
