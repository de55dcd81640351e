package redact

import (
	"errors"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"showhow/capture/secret"
)

// Redactor replaces secrets in text. Safe for concurrent use.
type Redactor struct {
	rules atomic.Pointer[ruleSet]
}

// Load loads all rules. Each is compiled when a text first needs it.
func Load() (*Redactor, error) {
	own := ownRules()
	vendor, err := loadVendorRules()
	if err != nil {
		return nil, err
	}
	if len(own)+len(vendor) > maxRules {
		return nil, errors.New("redact: too many rules")
	}
	r := &Redactor{}
	r.rules.Store(newRuleSet(own, vendor))
	return r, nil
}

// Close releases the rules' memory. From then on every text becomes [[secret withheld]].
func (r *Redactor) Close() {
	if r.rules.Swap(nil) != nil {
		debug.FreeOSMemory()
	}
}

// Span is a secret found in a text: the bytes [Start, End).
type Span struct {
	Start, End int
	Kind       secret.Kind
	token      bool // an earlier replacement, to be kept as it is written
}

// Text returns s with every secret replaced by its token.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return s
	}
	s = Clean(s)
	return render(s, r.find(s))
}

// Secrets is Text, except that what identifies a person stays (an address, a telephone number): for texts that somebody else
// wrote and published, where a person must read to whom something goes.
func (r *Redactor) Secrets(s string) string {
	s = Clean(s)
	return render(s, slices.DeleteFunc(r.find(s), func(sp Span) bool { return !sp.token && sp.Kind.Personal() }))
}

// Find returns the secrets of s, in order and without overlap. s must be Clean.
func (r *Redactor) Find(s string) []Span {
	spans := r.find(s)
	found := spans[:0:0]
	for _, sp := range spans {
		if !sp.token {
			found = append(found, sp)
		}
	}
	return found
}

// Clean makes s valid UTF-8 without NUL, which stands for replaced text while rules run.
func Clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return s
}

// maxPasses bounds the search for a fixed point; a text that needs more is withheld as a whole.
const maxPasses = 64

// find runs the rules until they find nothing more in the rest, which makes the result a fixed point.
func (r *Redactor) find(s string) []Span {
	rules := r.rules.Load()
	if rules == nil {
		return whole(s)
	}
	spans := replaced(s)
	for range maxPasses {
		w := hide(s, spans)
		found := rules.scan(w.text)
		if len(found) == 0 {
			return spans
		}
		for i := range found {
			found[i].Start, found[i].End = w.original(found[i].Start), w.original(found[i].End)
		}
		spans = merge(append(spans, found...))
	}
	return whole(s)
}

// replaced are the spans that an earlier replacement left.
func replaced(s string) []Span {
	var spans []Span
	for _, t := range secret.Tokens(s) {
		spans = append(spans, Span{Start: t[0], End: t[1], token: true})
	}
	return spans
}

func whole(s string) []Span { return []Span{{End: len(s), Kind: secret.Withheld}} }

var lowers = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

// appendLower folds ASCII only, so that offsets stay those of s.
func appendLower(b []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}

// merge sorts spans and joins those that overlap; the kind is that of the earlier, then the longer one.
func merge(spans []Span) []Span {
	sort.Slice(spans, func(i, j int) bool {
		a, b := spans[i], spans[j]
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End > b.End
	})
	out := spans[:0]
	for _, sp := range spans {
		if n := len(out); n > 0 && sp.Start < out[n-1].End {
			last := &out[n-1]
			if !last.token || sp.End > last.End || sp.Start < last.Start {
				*last = Span{Start: last.Start, End: max(last.End, sp.End), Kind: joinKind(*last, sp)}
			}
			continue
		}
		out = append(out, sp)
	}
	return out
}

// joinKind is the first one's kind, except that a secret stays one if part of it looks like a personal identifier:
// the end of ftp://bob:PASSWORD@host.example might be an email address.
func joinKind(a, b Span) secret.Kind {
	if a.token || a.Kind.Personal() && !b.Kind.Personal() {
		return b.Kind
	}
	return a.Kind
}

// working is a text in which each span is one NUL.
type working struct {
	text  string
	spans []Span
}

func hide(s string, spans []Span) working {
	if len(spans) == 0 {
		return working{text: s}
	}
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.Start])
		b.WriteByte(0)
		at = sp.End
	}
	b.WriteString(s[at:])
	return working{b.String(), spans}
}

// original maps an offset of the working text back. An offset outside all spans maps exactly.
func (w working) original(i int) int {
	shift := 0
	for _, sp := range w.spans {
		if i <= sp.Start-shift {
			break
		}
		shift += sp.End - sp.Start - 1
	}
	// shift counts bytes that the hidden spans took: original = working + bytes taken.
	return i + shift
}

func render(s string, spans []Span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16*len(spans))
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.Start])
		if sp.token {
			b.WriteString(s[sp.Start:sp.End])
		} else {
			b.WriteString(secret.Token(sp.Kind))
		}
		at = sp.End
	}
	b.WriteString(s[at:])
	return b.String()
}
