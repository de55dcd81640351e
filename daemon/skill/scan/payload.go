package scan

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

var (
	escapesRE = lazyre.New(`(?:\\x[0-9a-fA-F]{2}|\\u00[0-9a-fA-F]{2}|\\[0-7]{3}){8,}`)
	percentRE = lazyre.New(`(?:%[0-9a-fA-F]{2}){10,}`)
	numbersRE = lazyre.New(`\[?\b(?:(?:0x[0-9a-fA-F]{2}|\d{2,3})\s*,\s*){11,}(?:0x[0-9a-fA-F]{2}|\d{2,3})`)
	entityRE  = lazyre.New(`(?:&#x?[0-9a-fA-F]{2,6};){8,}`)
	numberRE  = lazyre.New(`0x[0-9a-fA-F]{2}|\d{2,3}`)
)

const maxDecoded = 1 << 20

// blobs decodes what looks encoded and scans it again, layer by layer.
func (f *file) blobs(text string, line int, p source.Place, depth int) {
	if depth > maxDepth || len(text) < 32 {
		return
	}
	left := 5000
	seen, seenLine := 0, line
	lineAt := func(i int) int {
		if i < seen {
			return line + strings.Count(text[:i], "\n")
		}
		seenLine += strings.Count(text[seen:i], "\n")
		seen = i
		return seenLine
	}
	each := func(re *lazyre.Regexp, how string, decode func(string) []byte) {
		for _, m := range re.FindAllStringIndex(text, left) {
			left--
			s := text[m[0]:m[1]]
			if len(s) > 2*maxDecoded {
				s = s[:2*maxDecoded]
			}
			if data := decode(s); len(data) > 7 {
				f.payload(data, how, line+strings.Count(text[:m[0]], "\n"), p, depth)
			}
		}
	}
	runs(text, 32, base64Sign, func(i, j int) {
		s := text[i:j]
		how, decode := "Base64", fromBase64
		if len(s) >= 40 && strings.Trim(s, "0123456789abcdefABCDEF") == "" {
			how, decode = "hexadecimal", fromHex
		}
		if left--; left < 0 || len(s) > 2*maxDecoded {
			return
		}
		if data := decode(s); len(data) > 7 {
			f.payload(data, how, lineAt(i), p, depth)
		}
	})
	f.joined(text, line, p, depth)
	if strings.Contains(text, `\`) {
		each(escapesRE, "escapes", func(s string) []byte { return []byte(flow.Unescape(s)) })
	}
	if strings.Contains(text, "%") {
		each(percentRE, "percent signs", func(s string) []byte { u, _ := url.PathUnescape(s); return []byte(u) })
	}
	if strings.Contains(text, "&#") {
		each(entityRE, "character references", fromEntities)
	}
	runs(text, 40, numberSign, func(i, j int) {
		if strings.Count(text[i:j], ",") < 11 || left <= 0 {
			return
		}
		for _, m := range numbersRE.FindAllStringIndex(text[i:j], 20) {
			left--
			if data := fromNumbers(text[i+m[0] : i+m[1]]); len(data) > 7 {
				f.payload(data, "numbers", line+strings.Count(text[:i+m[0]], "\n"), p, depth)
			}
		}
	})
}

// joined decodes nearby pieces of base64 as one: a text that is cut into pieces is meant to be put together.
func (f *file) joined(text string, line int, p source.Place, depth int) {
	var parts []string
	from, last := 0, -1
	flush := func() {
		if len(parts) > 1 {
			whole := strings.Join(parts, "")
			if data := fromBase64(whole); len(whole) <= 2*maxDecoded && len(data) > 7 && (source.Texty(data) || unpack(data) != nil) {
				f.payload(data, inPieces, line+strings.Count(text[:from], "\n"), p, depth)
			}
		}
		parts = nil
	}
	runs(text, 16, base64Sign, func(i, j int) {
		s := strings.Trim(text[i:j], "=_-")
		if !mixed(s) {
			return
		}
		if last >= 0 && i-last > 200 || len(parts) >= 40 {
			flush()
		}
		if len(parts) == 0 {
			from = i
		}
		parts, last = append(parts, s), j
	})
	flush()
}

const inPieces = "pieces of Base64"

// mixed: letters of both cases, so that no word, path or number is taken for a code.
func mixed(s string) bool {
	lower, upper := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		}
	}
	return lower*6 > len(s) && upper*6 > len(s)
}

// runs calls found for every stretch of at least n signs of a kind.
func runs(text string, n int, kind *[256]bool, found func(i, j int)) {
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && kind[text[j]] {
			j++
		}
		if j-i >= n {
			found(i, j)
		}
		i = j + 1
	}
}

var (
	base64Sign = signs("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=")
	numberSign = signs("0123456789xabcdefABCDEF, \n\t[")
)

func signs(s string) *[256]bool {
	var t [256]bool
	for i := range len(s) {
		t[s[i]] = true
	}
	return &t
}

func fromHex(s string) []byte {
	b, err := hex.DecodeString(s[:len(s)&^1])
	if err != nil {
		return nil
	}
	return b
}

func fromBase64(s string) []byte {
	t := strings.TrimRight(s, "=")
	if i := strings.LastIndexByte(t, '='); i >= 0 { // NAME=value
		t = t[i+1:]
	}
	if strings.ContainsAny(t, "-_") {
		t = strings.NewReplacer("-", "+", "_", "/").Replace(t)
	}
	if strings.Trim(t, "0123456789abcdefABCDEF") == "" { // hexadecimal, a hash perhaps
		return nil
	}
	if len(t)%4 == 1 {
		t = t[:len(t)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(t)
	if err != nil {
		return nil
	}
	return b
}

func fromNumbers(s string) []byte {
	var out []byte
	for _, n := range numberRE.FindAllString(s, 5000) {
		v := 0
		if _, err := fmt.Sscanf(n, map[bool]string{true: "0x%x", false: "%d"}[strings.HasPrefix(n, "0x")], &v); err != nil || v > 255 || v < 9 {
			return nil
		}
		out = append(out, byte(v))
	}
	return out
}

func fromEntities(s string) []byte {
	var b strings.Builder
	for part := range strings.SplitSeq(s, ";") {
		v := 0
		part = strings.TrimPrefix(part, "&#")
		format := "%d"
		if strings.HasPrefix(part, "x") {
			format = "x%x"
		}
		if _, err := fmt.Sscanf(part, format, &v); err == nil && v < 0x110000 {
			b.WriteRune(rune(v))
		}
	}
	return []byte(b.String())
}

// payload judges decoded bytes: a program, something packed, or text that is scanned as what it looks like.
func (f *file) payload(data []byte, how string, line int, p source.Place, depth int) {
	if name, program := source.MagicOf(data); program {
		f.Add("encoded-payload", line, "", report.With{Meaning: fmt.Sprintf("Written as %s, it is %s.", how, name)})
		return
	}
	if r := unpack(data); r != nil {
		f.payload(r, how+", packed", line, p, depth+1)
		return
	}
	if !source.Texty(data) || !sensible(data) {
		return
	}
	text := string(data)
	// What it says is judged as if it stood here; a finding in it is a finding about the hiding.
	hidden := newFile(f.Path, nil)
	hidden.Kind = source.Plain
	hidden.SetText(text)
	hidden.Teaches = f.Teaches
	prose.Of(hidden.File).Tell(text, 1, source.Place{Quoted: p.Quoted && p.Cue(), Before: p.Before})
	hidden.About, hidden.Says, hidden.Entry = f.About, f.Says, f.Entry
	prose.Judge(prose.Of(hidden.File).Doings(isCode), 0)
	document{hidden}.spans(text, 1, p)
	hidden.signatures(source.Plain, text, 1, p)
	hidden.blobs(text, 1, p, depth+1)
	note := fmt.Sprintf("Written as %s,", how)
	characters{hidden}.invisible()
	for _, h := range hidden.Found {
		if h.Severity.AtLeast(report.Medium) {
			f.Add("encoded-payload", line, text, report.With{Meaning: note + " it hides: " + h.Title + ".", Severity: h.Severity})
		}
	}
	if how == inPieces && (strings.Count(text, " ") > 3 || !source.Ascii(text)) && !p.Cue() {
		f.Add("encoded-payload", line, text, report.With{Meaning: note + " which are put together, it is text that nobody can read.",
			Severity: report.High})
	}
	u := &flow.Unit{F: f.File, Line: line, Place: p, Scope: f.Path + "\x03", Note: note}
	switch {
	case commandLike.MatchString(text) || strings.HasPrefix(text, "#!") || strings.Contains(text, "/dev/tcp") ||
		strings.Contains(text, "/bin/"):
		u.Run = flow.ShellUnit(text, false)
		if !p.Cue() && (strings.Contains(text, "http") || strings.Contains(text, "/dev/tcp") || strings.Contains(text, "|")) {
			f.Add("encoded-payload", line, text, report.With{Meaning: note + " it is a command."})
		}
	case strings.Contains(text, "import ") || strings.Contains(text, "exec("):
		u.Run = flow.CodeUnit(source.Python, text)
		if !p.Cue() {
			f.Add("encoded-payload", line, text, report.With{Meaning: note + " it is a program.", Severity: report.Medium})
		}
	case strings.Contains(text, "require(") || strings.Contains(text, "=>") || strings.Contains(text, "eval("):
		u.Run = flow.CodeUnit(source.Script, text)
		if !p.Cue() {
			f.Add("encoded-payload", line, text, report.With{Meaning: note + " it is a program.", Severity: report.Medium})
		}
	case strings.Contains(text, "http://") || strings.Contains(text, "https://"):
		f.Addresses(text, line, p)
		f.Add("encoded-payload", line, text, report.With{Meaning: note + " it is an address.", Severity: report.Medium})
	case strings.Count(text, " ") > 8 && len(strings.Fields(text))*12 > len(text) && !p.Cue():
		f.Add("encoded-payload", line, text, report.With{Meaning: note + " it is sentences, which nobody can read.", Severity: report.Medium})
	case keepsSecret(text):
		f.Add("encoded-payload", line, text, report.With{Meaning: note + " it is the place of a secret.", Severity: report.Medium})
	}
	if u.Run != nil {
		f.code = append(f.code, u)
	}
}

func keepsSecret(s string) bool {
	what, _ := flow.Private(strings.TrimSpace(s))
	return what != ""
}

// unpack is what gzip or zlib packed, within limits; nil when it is neither.
func unpack(data []byte) []byte {
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(bytes.NewReader(data))
	case len(data) > 2 && data[0] == 0x78 && (int(data[0])<<8|int(data[1]))%31 == 0:
		r, err = zlib.NewReader(bytes.NewReader(data))
	}
	if r == nil || err != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(r, maxDecoded)) // what was read before an error is judged
	if len(out) == 0 {
		return nil
	}
	return out
}

// sensible: mostly letters, digits, blanks and the signs of programs: no chance product.
func sensible(data []byte) bool {
	good := 0
	for _, c := range data {
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' || c == '\r' || c >= 0x80 {
			good++
		}
	}
	plain := 0
	for _, c := range data {
		if c == ' ' || c == '\n' || c >= 'a' && c <= 'z' || c == '/' || c == '.' || c == '-' {
			plain++
		}
	}
	if utf8.Valid(data) { // other alphabets, which chance does not spell
		for _, r := range string(data) {
			if r >= utf8.RuneSelf {
				plain += utf8.RuneLen(r)
			}
		}
	}
	return good*100 >= len(data)*97 && plain*100 >= len(data)*55
}
