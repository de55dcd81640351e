package page

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/compile/intent"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// A template is a text of the trace in which every supplied value is a reference: open rune, id, close rune. References
// are resolved to {names}, to a constant's text or to "..." only when a text is rendered, so renaming an input affects
// no stage.
const (
	RefOpen  = '\uE000'
	RefClose = '\uE001'
	AnyRef   = "\uE000*\uE001" // a part that varies in an unknown way
)

// JoinRef returns the reference to a form of a value, or to the value itself when part is "".
func JoinRef(id, part string) string {
	if part == "" {
		return Ref(id)
	}
	return Ref(id + "." + part)
}

// Ref returns the reference to a value by its id.
func Ref(id string) string { return string(RefOpen) + id + string(RefClose) }

// RefForm matches a reference and captures its id.
var RefForm = lazyre.New("\uE000([^\uE000\uE001]*)\uE001")

// MaskForm matches the masks that the capture pipeline leaves in texts: [[KIND LENGTH LINK]] or [[secret KIND]].
var MaskForm = lazyre.New(`\[\[(?:secret [a-z_]+|[a-z_]{2,12} [0-9]{1,7} ([A-Za-z0-9_-]+))\]\]`)

// MasksToRefs replaces masks by references to links ("@LINK"), and the mask of a secret by AnyRef.
func MasksToRefs(s string) string {
	if !strings.ContainsRune(s, RefOpen) && !strings.Contains(s, "[[") {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r == RefOpen || r == RefClose {
			return -1
		}
		return r
	}, s)
	return MaskForm.ReplaceAllStringFunc(s, func(m string) string {
		if link := MaskForm.FindStringSubmatch(m)[1]; link != "" {
			return Ref("@" + link)
		}
		return AnyRef
	})
}

// StripMasks removes masks. It is for labels, which are words of the page.
func StripMasks(s string) string { return plain.Squeeze(MaskForm.ReplaceAllString(s, " ")) }

// RefsOf lists the ids that a template refers to, in order, each once.
func RefsOf(tmpl string) []string {
	var ids []string
	for {
		i := strings.IndexRune(tmpl, RefOpen)
		if i < 0 {
			return ids
		}
		tmpl = tmpl[i+len(string(RefOpen)):]
		j := strings.IndexRune(tmpl, RefClose)
		if j < 0 {
			return ids
		}
		if id, _, _ := strings.Cut(tmpl[:j], "."); id != "*" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		tmpl = tmpl[j:]
	}
}

// Snake turns a text into a name: ASCII words joined by underscores, starting with a letter, at most 40 characters.
func Snake(s string) string {
	ws := plain.Words(plain.ASCII(strings.ReplaceAll(s, "'s ", " ")))
	out := ""
	for i, w := range ws {
		if i == 0 {
			w = w[:min(40, len(w))]
		}
		if next := strings.TrimPrefix(out+"_"+w, "_"); len(next) <= 40 {
			out = next
		} else {
			break
		}
	}
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		out = strings.TrimSuffix("value_"+out, "_")
	}
	return out
}

// SlugOf turns a title into a folder name: lower-case ASCII words without stop words, at most six words and 48
// characters.
func SlugOf(title string) string {
	var out []string
	n := 0
	for _, w := range plain.Words(plain.ASCII(strings.ReplaceAll(title, "'s", ""))) {
		if intent.StopWords.Has(w) || len(out) == 6 || n+len(w) > 48 || slices.Contains(out, w) {
			continue
		}
		out = append(out, w)
		n += len(w) + 1
	}
	if len(out) == 0 {
		return "learned-skill"
	}
	return strings.Join(out, "-")
}

// Unique returns name, or name with the first free number appended, and marks it as taken.
func Unique(name, sep string, taken map[string]bool) string {
	got := name
	for i := 2; taken[got]; i++ {
		got = fmt.Sprintf("%s%s%d", name, sep, i)
	}
	taken[got] = true
	return got
}

// Cut shortens s to at most n runes, at a word boundary where possible, never inside a {name} or reference.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	rs := []rune(s)[:n-3]
	end := len(rs)
	for i := end - 1; i > end/2; i-- {
		if rs[i] == ' ' {
			end = i
			break
		}
	}
	depthAt := end
	for i := end - 1; i >= 0; i-- {
		if rs[i] == RefClose || rs[i] == '}' {
			break
		}
		if rs[i] == RefOpen || rs[i] == '{' {
			depthAt = i
			break
		}
	}
	return strings.TrimRight(string(rs[:depthAt]), " ,;:") + "..."
}

// CountedParts are the parts of a path before a number that counts ("page", 3) rather than names a thing.
var CountedParts = lang.Exactly(lang.Counted)

// NamesThing reports whether part i of a path names one thing among many: an id, or a bare number after a noun, such as the
// 7 of /suppliers/7.
func NamesThing(parts []string, i int) bool {
	p := parts[i]
	return IDLike(p) || i > 0 && p != "" && plain.Digits(p) == len(p) && plain.Letters(parts[i-1]) > 2 &&
		!CountedParts.Has(strings.ToLower(parts[i-1]))
}

// IDLike reports whether a text looks like the name of one thing among many: A-1042, #17, INV2026003, a date, a UUID.
func IDLike(s string) bool {
	s = strings.TrimSpace(s)
	d := plain.Digits(s)
	if d == 0 || len(s) > 64 || strings.Count(s, " ") > 2 {
		return false
	}
	return d >= 3 || plain.Letters(s) > 0 && d >= 2 && !strings.Contains(s, " ") || strings.ContainsAny(s, "#-_") && !strings.Contains(s, " ")
}
