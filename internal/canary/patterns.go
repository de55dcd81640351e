package canary

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf16"
)

// pattern is a canary in one encoding.
type pattern struct {
	label    string
	encoding string
	bytes    []byte
	fold     bool // ASCII case does not matter: hex digits
}

// patterns are the distinct forms of c; duplicates are dropped.
func patterns(c Canary) []pattern {
	var out []pattern
	seen := map[string]bool{}
	add := func(encoding, text string, fold bool) {
		if len(text) >= 6 && !seen[text] {
			seen[text] = true
			out = append(out, pattern{c.Label, encoding, []byte(text), fold})
		}
	}
	add("utf-8", c.Text, false)
	add("utf-16le", utf16le(c.Text), false)
	plain, _ := json.Marshal(c.Text) // strings always marshal
	add("json", strings.Trim(string(plain), `"`), false)
	add("json", jsonNoHTML(c.Text), false)
	add("json", jsonASCII(c.Text), true)
	add("json", jsonAll(c.Text), true)
	add("url", url.QueryEscape(c.Text), true)
	add("url", url.PathEscape(c.Text), true)
	add("url", urlAll(c.Text), true)
	add("hex", hex.EncodeToString([]byte(c.Text)), true)
	for k := range 3 {
		add("base64", aligned(base64.StdEncoding, c.Text, k), false)
		add("base64", aligned(base64.URLEncoding, c.Text, k), false)
		add("base64 of utf-16le", aligned(base64.StdEncoding, utf16le(c.Text), k), false)
	}
	return out
}

func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func jsonNoHTML(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.Trim(strings.TrimSpace(b.String()), `"`)
}

// jsonASCII escapes everything outside ASCII, as Python and older Java do.
func jsonASCII(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(jsonNoHTML(s))) {
		if u < 0x80 {
			b.WriteByte(byte(u))
		} else {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
	}
	return b.String()
}

func jsonAll(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return b.String()
}

func urlAll(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// aligned is the part of s in base64 that does not depend on its context, if k bytes (mod 3) precede it.
func aligned(enc *base64.Encoding, s string, k int) string {
	text := enc.WithPadding(base64.NoPadding).EncodeToString([]byte(strings.Repeat("\x00", k) + s))
	first := (k*8 + 5) / 6       // characters that carry bits of the preceding bytes
	last := (k + len(s)) * 8 / 6 // characters that carry only bits of s
	return text[first:min(last, len(text))]
}

// index finds p in b.
func index(b []byte, p pattern) int {
	if !p.fold {
		return bytes.Index(b, p.bytes)
	}
	return indexFold(b, p.bytes)
}

// indexFold finds what in b, ignoring ASCII case. It jumps to the rarest byte that has no case.
func indexFold(b, what []byte) int {
	if i := bytes.Index(b, what); i >= 0 {
		return i
	}
	lower, upper := bytes.ToLower(what), bytes.ToUpper(what)
	for from := 0; ; {
		i := indexEither(b[from:], lower[0], upper[0])
		if i < 0 || from+i+len(what) > len(b) {
			return -1
		}
		if at := from + i; equalFold(b[at:at+len(what)], lower) {
			return at
		}
		from += i + 1
	}
}

func indexEither(b []byte, x, y byte) int {
	if x == y {
		return bytes.IndexByte(b, x)
	}
	return bytes.IndexAny(b, string([]byte{x, y}))
}

func equalFold(b, lower []byte) bool {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

const startLen = 4 // every pattern is longer

// start is the first bytes of b, with ASCII letters in lower case.
func start(b []byte) uint32 {
	return uint32(small[b[0]]) | uint32(small[b[1]])<<8 | uint32(small[b[2]])<<16 | uint32(small[b[3]])<<24
}

// slot is the place of g in a table of 65536.
func slot(g uint32) uint32 { return g * 2654435761 >> 16 }

var small = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

// at reports whether b begins with p.
func (p pattern) at(b []byte) bool {
	if len(b) < len(p.bytes) {
		return false
	}
	if !p.fold {
		return bytes.HasPrefix(b, p.bytes)
	}
	for i, c := range p.bytes {
		if small[b[i]] != small[c] {
			return false
		}
	}
	return true
}
